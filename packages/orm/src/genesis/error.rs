//! Why an import is refused.

use thiserror::Error;

/// What is wrong with a page, or with an import. Comes as [`OrmError::Genesis`](crate::OrmError::Genesis), with the table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GenesisError {
    /// A page of another table.
    #[error("the page is of table `{found}`")]
    OtherTable {
        /// The table that it names.
        found: String,
    },
    /// A page that was imported before.
    #[error("the page begins at row {first}, but rows up to {expected} are imported already")]
    Repeated {
        /// How many rows stand before the page.
        first: u64,
        /// How many are imported.
        expected: u64,
    },
    /// A page before which others are missing.
    #[error("the page begins at row {first}, but only {expected} rows are imported")]
    OutOfOrder {
        /// How many rows stand before the page.
        first: u64,
        /// How many are imported.
        expected: u64,
    },
    /// A page after the last.
    #[error("the page follows the last page")]
    AfterLast,
    /// A page that is not as it was exported, or does not follow the one before it.
    #[error("the page at row {first} does not match its digest")]
    Digest {
        /// How many rows stand before the page.
        first: u64,
    },
    /// A row that does not come after the one before it: a duplicate, or out of order.
    #[error("row {key} does not come after row {before}")]
    RowOrder {
        /// Its key, in hex.
        key: String,
        /// The key of the row before it, in hex.
        before: String,
    },
    /// A row with a wrong number of values.
    #[error("row {key} has {found} values instead of {expected}")]
    Values {
        /// Its key, in hex.
        key: String,
        /// How many there are.
        found: usize,
        /// How many families the table has, or 1.
        expected: usize,
    },
    /// A row without any value.
    #[error("row {key} has no value")]
    NoValue {
        /// Its key, in hex.
        key: String,
    },
    /// Rows of a table that gives ids, without the sequence.
    #[error("the page has rows, but no sequence")]
    NoSequence,
    /// A sequence for a table that has none.
    #[error("the page has a sequence, but the table has none")]
    UnexpectedSequence,
    /// A sequence that would give the id of a row again.
    #[error("sequence {sequence} is below id {id}")]
    SequenceBehind {
        /// The last id given, it says.
        sequence: u64,
        /// The id of a row.
        id: u64,
    },
    /// A total that is not the number of rows.
    #[error("the last page says {total} rows, but there are {rows}")]
    Total {
        /// What it says.
        total: u64,
        /// How many there are.
        rows: u64,
    },
    /// An end without the last page.
    #[error("the last page is missing, after row {rows}")]
    Unfinished {
        /// How many rows are imported.
        rows: u64,
    },
    /// An end without a beginning.
    #[error("no import is under way")]
    NotStarted,
    /// Stored bytes that are no state of an import.
    #[error("the state of the import is malformed")]
    MalformedState,
}
