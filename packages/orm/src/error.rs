//! What can go wrong, with the table, index and key at fault.

use thiserror::Error;

use crate::key::KeyError;

/// An error of the ORM. Comparable, and with a stable [`code`](OrmError::code); keys are shown as the hex of their bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OrmError {
    /// No row has this primary key.
    #[error("table `{table}`: no row with key {key}")]
    NotFound {
        /// The table.
        table: &'static str,
        /// The primary key, in hex.
        key: String,
    },
    /// A row has this primary key already.
    #[error("table `{table}`: a row with key {key} exists already")]
    AlreadyExists {
        /// The table.
        table: &'static str,
        /// The primary key, in hex.
        key: String,
    },
    /// Another row holds this key of a unique index.
    #[error("table `{table}`: key {key} of unique index `{index}` is held by another row")]
    UniqueViolation {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
        /// The index key, in hex.
        key: String,
    },
    /// A key that cannot be encoded or decoded.
    #[error("table `{table}`: {source}")]
    Key {
        /// The table.
        table: &'static str,
        /// What is wrong with it.
        source: KeyError,
    },
    /// The primary key would change in an update.
    #[error("table `{table}`: the primary key cannot change from {from} to {to}")]
    PrimaryKeyChanged {
        /// The table.
        table: &'static str,
        /// The key before, in hex.
        from: String,
        /// The key after, in hex.
        to: String,
    },
    /// A row that its own `validate` refuses.
    #[error("table `{table}`: invalid row: {reason}")]
    Invalid {
        /// The table.
        table: &'static str,
        /// Why.
        reason: String,
    },
    /// A row that cannot be encoded.
    #[error("table `{table}`: cannot encode row: {reason}")]
    Encode {
        /// The table.
        table: &'static str,
        /// Why.
        reason: String,
    },
    /// Stored bytes that are no row.
    #[error("table `{table}`: cannot decode row {key}: {reason}")]
    Decode {
        /// The table.
        table: &'static str,
        /// The primary key, in hex.
        key: String,
        /// Why.
        reason: String,
    },
    /// An index entry of a row that does not exist.
    #[error("table `{table}`: index `{index}` names row {key}, which does not exist")]
    DanglingEntry {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
        /// The primary key, in hex.
        key: String,
    },
    /// Stored bytes that are no entry of the index.
    #[error("table `{table}`: malformed entry {entry} in index `{index}`")]
    MalformedEntry {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
        /// The entry's key, in hex.
        entry: String,
    },
    /// An index that this table handle does not keep or does not answer from.
    #[error("table `{table}`: index `{index}` is not available")]
    IndexUnavailable {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
    },
    /// A range that ends before it starts, or where it starts without including it.
    #[error("table `{table}`: range ends before it starts")]
    InvertedBounds {
        /// The table.
        table: &'static str,
    },
    /// A page request with both a cursor and an offset.
    #[error("page request: key and offset exclude each other")]
    KeyAndOffset,
    /// Bytes that are no cursor.
    #[error("page request: malformed key")]
    MalformedCursor,
    /// A cursor of another table, index, range, filter or direction.
    #[error("page request: the key belongs to another list, filter or direction")]
    ForeignCursor,
    /// A count or an offset that would pass more rows than may be scanned.
    #[error("page request: {what} needs a scan of over {budget} rows")]
    ScanBudget {
        /// What needs it: `total`, `offset` or `sum`.
        what: &'static str,
        /// The most rows that may be scanned.
        budget: u32,
    },
    /// A sequence that has given out its last value.
    #[error("sequence of table `{table}` is exhausted")]
    SequenceExhausted {
        /// The table.
        table: &'static str,
    },
    /// A sequence that is set already.
    #[error("sequence of table `{table}` is set already")]
    SequenceInitialized {
        /// The table.
        table: &'static str,
    },
    /// Stored bytes that are no sequence.
    #[error("sequence of table `{table}` is malformed")]
    MalformedSequence {
        /// The table.
        table: &'static str,
    },
    /// A row with an id of its own, where the table gives ids.
    #[error("table `{table}`: the row carries id {id}, but ids are given by the table")]
    IdAlreadySet {
        /// The table.
        table: &'static str,
        /// The id.
        id: u64,
    },
    /// An index function that failed.
    #[error("table `{table}`: index `{index}`: {reason}")]
    Index {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
        /// Why.
        reason: String,
    },
}

impl OrmError {
    /// Returns a number that stays the same across releases, for clients that see only text.
    #[must_use]
    pub fn code(&self) -> u16 {
        match self {
            Self::NotFound { .. } => 1,
            Self::AlreadyExists { .. } => 2,
            Self::UniqueViolation { .. } => 3,
            Self::Key { .. } => 4,
            Self::PrimaryKeyChanged { .. } => 5,
            Self::Invalid { .. } => 6,
            Self::Encode { .. } => 7,
            Self::Decode { .. } => 8,
            Self::DanglingEntry { .. } => 9,
            Self::MalformedEntry { .. } => 10,
            Self::IndexUnavailable { .. } => 11,
            Self::InvertedBounds { .. } => 12,
            Self::KeyAndOffset => 13,
            Self::MalformedCursor => 14,
            Self::ForeignCursor => 15,
            Self::ScanBudget { .. } => 16,
            Self::SequenceExhausted { .. } => 17,
            Self::SequenceInitialized { .. } => 18,
            Self::MalformedSequence { .. } => 19,
            Self::IdAlreadySet { .. } => 20,
            Self::Index { .. } => 21,
        }
    }
}

/// Returns the lower-case hex of `bytes`, as errors show keys.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('?');
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}
