//! The stored schema: what it says, what it refuses, and what its steps do.

mod changes;
mod descriptor;
mod steps;
mod store;

use cw_orm::{
    IndexSchema, Namespace, OrmError, RecordSchema, Schema, SchemaChange, SchemaStore, TableSchema,
};

use crate::{
    backfill::ITEMS,
    fixture::{MESSAGES, ORDERS, TRADES},
};

pub const SCHEMA: SchemaStore = SchemaStore::new(Namespace::new(b"~"));

/// A schema of a table of each kind.
pub fn schema() -> Schema {
    Schema::new()
        .with(&ORDERS)
        .with(&TRADES)
        .with(&MESSAGES)
        .with(&ITEMS)
}

pub fn table<'s>(schema: &'s mut Schema, name: &str) -> &'s mut TableSchema {
    let mut tables = schema.tables.iter_mut();
    tables.find(|table| table.name == name).unwrap()
}

pub fn record<'s>(schema: &'s mut Schema, name: &str) -> &'s mut RecordSchema {
    &mut table(schema, name).records[0]
}

pub fn index<'s>(schema: &'s mut Schema, table: &str, name: &str) -> &'s mut IndexSchema {
    let mut indexes = record(schema, table).indexes.iter_mut();
    indexes.find(|index| index.name == name).unwrap()
}

pub fn refused(table: &str, change: SchemaChange) -> OrmError {
    OrmError::Schema {
        table: table.into(),
        change,
    }
}
