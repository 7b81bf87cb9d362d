//! How a layout can differ from the stored one, and which differences a contract can allow.

use core::fmt;

use thiserror::Error;

use crate::key::KeyLayout;

/// A difference between the stored layout of a table and that of the code.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SchemaChange {
    /// A table that is not stored. Allowed by [`SchemaStep::AddTable`].
    #[error("is new")]
    TableAdded,
    /// A table that the code has no more. Allowed by [`SchemaStep::DropTable`].
    #[error("is gone from the code")]
    TableRemoved,
    /// Two tables of one name. Never allowed.
    #[error("is declared twice")]
    DeclaredTwice,
    /// Another primary key, or another rule for it. Never allowed: its rows would be read wrongly.
    #[error("its key was {from}, and is {to}")]
    Key {
        /// The layout stored.
        from: KeyLayout,
        /// The layout of the code.
        to: KeyLayout,
    },
    /// A sequence that came, went or moved. Never allowed: ids would be given twice.
    #[error("its sequence was in {from:?}, and is in {to:?}")]
    Sequence {
        /// The namespace stored, in hex.
        from: Option<String>,
        /// The namespace of the code, in hex.
        to: Option<String>,
    },
    /// A column family that is not stored. Allowed by [`SchemaStep::AddFamily`].
    #[error("family `{family}` is new")]
    FamilyAdded {
        /// The family.
        family: String,
    },
    /// A column family that the code has no more. Allowed by [`SchemaStep::DropFamily`].
    #[error("family `{family}` is gone from the code")]
    FamilyRemoved {
        /// The family.
        family: String,
    },
    /// Rows, or a family of them, in another namespace. Never allowed: they would be lost.
    #[error("`{record}` was in namespace {from}, and is in {to}")]
    NamespaceMoved {
        /// The rows' or the family's name.
        record: String,
        /// The namespace stored, in hex.
        from: String,
        /// The namespace of the code, in hex.
        to: String,
    },
    /// Another codec. Never allowed: rows would not be read. They can be moved to another table.
    #[error("the codec of `{record}` was {from}, and is {to}")]
    Codec {
        /// The rows' or the family's name.
        record: String,
        /// The codec stored.
        from: String,
        /// The codec of the code.
        to: String,
    },
    /// A higher row version. Allowed by [`SchemaStep::RaiseVersion`].
    #[error("the version of `{record}` was {from}, and is {to}")]
    VersionRaised {
        /// The rows' or the family's name.
        record: String,
        /// The version stored.
        from: u8,
        /// The version of the code.
        to: u8,
    },
    /// A lower row version. Never allowed: the code is too old for the rows.
    #[error("the version of `{record}` was {from}, and is only {to}")]
    VersionLowered {
        /// The rows' or the family's name.
        record: String,
        /// The version stored.
        from: u8,
        /// The version of the code.
        to: u8,
    },
    /// An index that is not stored. Allowed by [`SchemaStep::AddIndex`], if it is tracked.
    #[error("index `{index}` is new")]
    IndexAdded {
        /// The index.
        index: String,
    },
    /// An index that the code has no more. Allowed by [`SchemaStep::DropIndex`].
    #[error("index `{index}` is gone from the code")]
    IndexRemoved {
        /// The index.
        index: String,
    },
    /// An index in another namespace. Never allowed.
    #[error("index `{index}` was in namespace {from}, and is in {to}")]
    IndexMoved {
        /// The index.
        index: String,
        /// The namespace stored, in hex.
        from: String,
        /// The namespace of the code, in hex.
        to: String,
    },
    /// An index of another kind. Never allowed: it is another index, with a new id.
    #[error("index `{index}` was of kind {from}, and is of kind {to}")]
    IndexKind {
        /// The index.
        index: String,
        /// The kind stored.
        from: String,
        /// The kind of the code.
        to: String,
    },
    /// An index with other keys. Never allowed: it is another index, with a new id.
    #[error("the key of index `{index}` was {from}, and is {to}")]
    IndexKey {
        /// The index.
        index: String,
        /// The layout stored.
        from: KeyLayout,
        /// The layout of the code.
        to: KeyLayout,
    },
    /// An index that is not tracked, of a table that has rows which are not in it. Never allowed: its lists would be
    /// short.
    #[error(
        "index `{index}` has no entries of rows that are there: declare it tracked and backfill it"
    )]
    IndexNotFilled {
        /// The index.
        index: String,
    },
    /// An index that is tracked no more, but was not ready. Never allowed: its lists would be short.
    #[error("index `{index}` is not ready: backfill it before it is declared without `tracked`")]
    IndexUnfinished {
        /// The index.
        index: String,
    },
    /// An index that is tracked now, or no more. Always allowed.
    #[error("index `{index}` is {}", if *.tracked { "tracked now" } else { "tracked no more" })]
    IndexTracking {
        /// The index.
        index: String,
        /// Whether it is.
        tracked: bool,
    },
    /// A new name for what is the same in the store. Always allowed.
    #[error("`{from}` is called `{to}` now")]
    Renamed {
        /// The name stored.
        from: String,
        /// The name of the code.
        to: String,
    },
}

/// A difference, and the table that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableChange {
    /// The table.
    pub table: String,
    /// What differs.
    pub change: SchemaChange,
}

impl fmt::Display for TableChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "table `{}`: {}", self.table, self.change)
    }
}

/// A change of the layout that a contract means to make. One that is made already, or is not needed, does nothing; so the
/// list can hold the steps from every version that the contract migrates from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaStep {
    /// A new table, empty or of rows that something else wrote.
    AddTable {
        /// The table.
        table: &'static str,
    },
    /// A table that is gone: everything in its namespaces is cleared, by [`SchemaStore::clear_dropped`].
    ///
    /// [`SchemaStore::clear_dropped`]: crate::SchemaStore::clear_dropped
    DropTable {
        /// The table.
        table: &'static str,
    },
    /// A new column family.
    AddFamily {
        /// The name of table and family: `messages.phase`.
        family: &'static str,
    },
    /// A column family that is gone: its values and indexes are cleared, by [`SchemaStore::clear_dropped`].
    ///
    /// [`SchemaStore::clear_dropped`]: crate::SchemaStore::clear_dropped
    DropFamily {
        /// The name of table and family: `messages.phase`.
        family: &'static str,
    },
    /// A new index, which is tracked. It answers once it is built, by [`Table::backfill`](crate::Table::backfill); at
    /// once, if there are no rows.
    AddIndex {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
    },
    /// An index that is gone: its entries are cleared, by [`SchemaStore::clear_dropped`].
    ///
    /// [`SchemaStore::clear_dropped`]: crate::SchemaStore::clear_dropped
    DropIndex {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
    },
    /// A higher row version, with a function that reads rows of the older ones. Rows are rewritten by
    /// [`Table::upgrade_rows`](crate::Table::upgrade_rows), or when they change.
    RaiseVersion {
        /// The table, or the name of table and family.
        record: &'static str,
    },
}

impl SchemaStep {
    /// Whether it allows a change of `table`.
    pub(super) fn allows(&self, table: &str, change: &SchemaChange) -> bool {
        match (self, change) {
            (Self::AddTable { table: named }, SchemaChange::TableAdded)
            | (Self::DropTable { table: named }, SchemaChange::TableRemoved) => *named == table,
            (Self::AddFamily { family: named }, SchemaChange::FamilyAdded { family })
            | (Self::DropFamily { family: named }, SchemaChange::FamilyRemoved { family }) => {
                named == family
            }
            (
                Self::AddIndex {
                    table: of,
                    index: named,
                },
                SchemaChange::IndexAdded { index },
            )
            | (
                Self::DropIndex {
                    table: of,
                    index: named,
                },
                SchemaChange::IndexRemoved { index },
            ) => *of == table && named == index,
            (Self::RaiseVersion { record: named }, SchemaChange::VersionRaised { record, .. }) => {
                named == record
            }
            _ => false,
        }
    }
}

impl SchemaChange {
    /// Whether it needs no step.
    pub(super) fn is_harmless(&self) -> bool {
        matches!(self, Self::Renamed { .. } | Self::IndexTracking { .. })
    }
}
