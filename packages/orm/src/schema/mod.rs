//! Schemas: what a contract's tables look like in the store, so that an upgrade that would misread them is refused.
//!
//! A contract stores its schema at instantiate and compares at migrate ([`SchemaStore`]). What is not in it: the columns
//! of a row, whose layout the row's version stands for, and the functions of indexes.

mod change;
mod compare;
mod describe;
mod store;

pub use change::{SchemaChange, SchemaStep, TableChange};
pub use describe::Described;
pub use store::SchemaStore;

use cw_schema::Schemaifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::key::KeyLayout;

/// The tables of a contract. Namespaces are in lower-case hex; lists are sorted, so that equal layouts are equal.
///
/// ```
/// use cw_orm::Schema;
///
/// # #[cfg(feature = "derive")] {
/// #[derive(cw_orm::Table)]
/// #[table(name = "votes", ns = "v")]
/// struct Vote {
///     #[pk]
///     proposal: u64,
///     #[pk]
///     #[index(id = 1)]
///     voter: String,
/// }
///
/// let schema = Schema::new().with(&Vote::TABLE);
/// let votes = &schema.tables[0];
/// assert_eq!((&votes.name[..], &votes.key.parts[..]), ("votes", "u64,text"));
/// assert_eq!((&votes.records[0].namespace[..], &votes.records[0].indexes[0].namespace[..]), ("76", "7601"));
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// The tables, by name.
    pub tables: Vec<TableSchema>,
}

impl Schema {
    /// Starts a schema without tables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a table, with the indexes that this handle keeps.
    #[must_use]
    pub fn with(mut self, table: &impl Described) -> Self {
        self.tables.extend(table.describe());
        self.tables.sort_by(|a, b| a.name.cmp(&b.name));
        self
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct TableSchema {
    /// Its name.
    pub name: String,
    /// What its primary key is made of.
    pub key: KeyLayout,
    /// Where it keeps the last id given, if it gives ids.
    pub sequence: Option<String>,
    /// Its column families, by namespace; the rows themselves, if it has none.
    pub records: Vec<RecordSchema>,
}

/// The rows of a table, or one column family of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct RecordSchema {
    /// Its name: the table's, or that of table and family.
    pub name: String,
    /// Where it is.
    pub namespace: String,
    /// The codec's name.
    pub codec: String,
    /// The version that it is written in; 0 for a codec without versions.
    pub version: u8,
    /// Its indexes, by id.
    pub indexes: Vec<IndexSchema>,
}

/// An index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct IndexSchema {
    /// Its number in the table.
    pub id: u8,
    /// Its name.
    pub name: String,
    /// What kind of index it is: `multi_key`, `unique`, …
    pub kind: String,
    /// Where its entries are.
    pub namespace: String,
    /// What its keys are made of.
    pub key: KeyLayout,
    /// Whether its state is in the store.
    pub tracked: bool,
}
