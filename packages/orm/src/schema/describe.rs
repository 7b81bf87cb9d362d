//! From handles to their descriptions.

use super::{IndexSchema, RecordSchema, TableSchema};
use crate::{
    codec::Codec,
    error::hex,
    index::{IndexKind, IndexSet, Indexable},
    key::KeyLayout,
    row::{AutoKeyed, PrimaryKeyed, Record},
    table::{
        AutoUInt64Table, FamilyRow, FamilyTable, Member, MemberVisitor, PrimaryKeyTable, Table,
    },
    takeover::MovingTable,
};

/// A handle of one table or more that can say how they are laid out.
pub trait Described {
    /// Returns the descriptions.
    fn describe(&self) -> Vec<TableSchema>;
}

impl<R: PrimaryKeyed> Described for PrimaryKeyTable<R> {
    fn describe(&self) -> Vec<TableSchema> {
        vec![of_rows(self, None)]
    }
}

impl<Old: PrimaryKeyed, New: PrimaryKeyed> Described for MovingTable<Old, New> {
    /// Returns the new layout. The old is that of another table, until it is dropped.
    fn describe(&self) -> Vec<TableSchema> {
        vec![of_rows(self.new_table(), None)]
    }
}

impl<R: AutoKeyed> Described for AutoUInt64Table<R> {
    fn describe(&self) -> Vec<TableSchema> {
        vec![of_rows(self, Some(hex(R::SEQUENCE.name())))]
    }
}

impl<R: FamilyRow> Described for FamilyTable<R> {
    fn describe(&self) -> Vec<TableSchema> {
        struct Records {
            kept: IndexSet,
            found: Vec<RecordSchema>,
        }
        impl<R: FamilyRow> MemberVisitor<R> for Records {
            fn visit<F: Member<R>>(&mut self) {
                self.found.push(record::<F>(self.kept));
            }
        }
        let mut records = Records {
            kept: self.options.kept,
            found: Vec::new(),
        };
        R::members(&mut records);
        records.found.sort_by(|a, b| a.namespace.cmp(&b.namespace));
        vec![TableSchema {
            name: R::META.name.to_owned(),
            key: KeyLayout::of::<R::PrimaryKey>(R::META.key_rule),
            sequence: None,
            records: records.found,
        }]
    }
}

fn of_rows<R: Record>(table: &Table<R>, sequence: Option<String>) -> TableSchema {
    TableSchema {
        name: R::META.name.to_owned(),
        key: KeyLayout::of::<R::PrimaryKey>(R::META.key_rule),
        sequence,
        records: vec![record::<R>(table.options.kept)],
    }
}

fn record<R: Record>(kept: IndexSet) -> RecordSchema {
    let indexes = R::INDEXES.iter().filter(|index| kept.contains(index.id()));
    let mut indexes: Vec<_> = indexes.map(|index| of_index(*index)).collect();
    indexes.sort_by_key(|index| index.id);
    RecordSchema {
        name: R::META.name.to_owned(),
        namespace: hex(R::META.namespace.name()),
        codec: R::Codec::NAME.to_owned(),
        version: if R::Codec::VERSIONED {
            R::META.version
        } else {
            0
        },
        indexes,
    }
}

fn of_index<R: Record>(index: &dyn Indexable<R>) -> IndexSchema {
    IndexSchema {
        id: index.id(),
        name: index.name().to_owned(),
        kind: kind(index.kind()),
        namespace: hex(index.namespace().name()),
        key: index.layout(),
        tracked: index.is_tracked(),
    }
}

/// The kind's name, as `multi_key`; of a kind of a contract's own, what the contract calls it.
fn kind(kind: IndexKind) -> String {
    if let IndexKind::Custom(name) = kind {
        return name.to_owned();
    }
    let mut name = String::new();
    for letter in format!("{kind:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
