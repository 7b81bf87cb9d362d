//! What can go wrong, with the table, index and key at fault.

use thiserror::Error;

use crate::{genesis::GenesisError, key::KeyError, schema::SchemaChange, state::IndexState};

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
    /// A step of at most no rows.
    #[error("table `{table}`: a limit of 0 would do nothing")]
    ZeroLimit {
        /// The table.
        table: &'static str,
    },
    /// A table that has something in it where it must not.
    #[error("table `{table}`: not empty, there are entries in `{what}`")]
    NotEmpty {
        /// The table.
        table: &'static str,
        /// Where: `rows`, or an index.
        what: &'static str,
    },
    /// An import that is refused.
    #[error("genesis of table `{table}`: {source}")]
    Genesis {
        /// The table.
        table: &'static str,
        /// Why.
        source: GenesisError,
    },
    /// A tracked index that does not answer, since not all rows are in it.
    #[error("table `{table}`: index `{index}` is {state}: backfill it before it is asked")]
    IndexNotReady {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
        /// What it is instead of ready.
        state: IndexState,
    },
    /// A write through a handle that does not keep an index which the store does.
    #[error(
        "table `{table}`: index `{index}` is kept in this store, but not by this handle: drop it before"
    )]
    IndexOmitted {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
    },
    /// An index that cannot be built or dropped while the table is in use, as its state is not stored.
    #[error("table `{table}`: index `{index}` is not tracked: declare it so")]
    IndexUntracked {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
    },
    /// Two rows of one key, found while a unique index was built or rows were moved.
    #[error(
        "table `{table}`: rows {first} and {second} both have key {key} of unique index `{index}`"
    )]
    DuplicateKey {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
        /// The index key, in hex.
        key: String,
        /// The primary key of the row that holds it, in hex.
        first: String,
        /// The primary key of the other, in hex.
        second: String,
    },
    /// A row of an older version whose index entries are not the ones that its new layout has.
    #[error(
        "table `{table}`: row {key} of version {version} lacks an entry in index `{index}` as this code makes it: give an index whose keys change a new id"
    )]
    IndexKeysChanged {
        /// The table.
        table: &'static str,
        /// The index.
        index: &'static str,
        /// The primary key, in hex.
        key: String,
        /// The version that the row is stored in.
        version: u8,
    },
    /// A row of a version that this code is too old for.
    #[error("table `{table}`: row {key} is of version {found}, but this code knows {known}")]
    NewerVersion {
        /// The table.
        table: &'static str,
        /// The primary key, in hex.
        key: String,
        /// The version stored.
        found: u8,
        /// The version of the code.
        known: u8,
    },
    /// A row that cannot be brought to the new layout.
    #[error("table `{table}`: cannot upgrade row {key}: {reason}")]
    Upgrade {
        /// The table.
        table: &'static str,
        /// The primary key, in hex.
        key: String,
        /// Why.
        reason: String,
    },
    /// Stored bytes that are no state of an index or an upgrade.
    #[error("table `{table}`: malformed state of {subject}")]
    MalformedState {
        /// The table.
        table: &'static str,
        /// What the state is of: an index's name, or `the upgrade`.
        subject: &'static str,
    },
    /// A layout that differs from the stored one, without a step that allows it.
    #[error("schema: table `{table}`: {change}")]
    Schema {
        /// The table.
        table: String,
        /// What differs.
        change: SchemaChange,
    },
    /// A store without a schema where one is needed.
    #[error("schema: none is stored")]
    SchemaMissing,
    /// A store that has a schema already.
    #[error("schema: one is stored already")]
    SchemaExists,
    /// Stored bytes that are no schema.
    #[error("schema: the stored one is malformed: {reason}")]
    MalformedSchema {
        /// Why.
        reason: String,
    },
    /// A namespace that two things would be kept in.
    #[error("schema: namespace {namespace} is of both {first} and {second}")]
    NamespaceShared {
        /// The namespace, in hex.
        namespace: String,
        /// One of them.
        first: String,
        /// The other.
        second: String,
    },
    /// A table that cannot be listed while its rows move, since they sort in another order where they go.
    #[error(
        "table `{table}`: cannot be listed while it moves: its keys sort differently under the new rule"
    )]
    OrderDiffers {
        /// The table.
        table: &'static str,
    },
    /// A table whose rows have not all moved, where only the new ones could answer.
    #[error("table `{table}`: rows are still to be moved")]
    Moving {
        /// The table.
        table: &'static str,
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
            Self::ZeroLimit { .. } => 22,
            Self::NotEmpty { .. } => 23,
            Self::Genesis { .. } => 24,
            Self::IndexNotReady { .. } => 40,
            Self::IndexOmitted { .. } => 41,
            Self::IndexUntracked { .. } => 42,
            Self::DuplicateKey { .. } => 43,
            Self::IndexKeysChanged { .. } => 44,
            Self::NewerVersion { .. } => 45,
            Self::Upgrade { .. } => 46,
            Self::MalformedState { .. } => 47,
            Self::Schema { .. } => 48,
            Self::SchemaMissing => 49,
            Self::SchemaExists => 50,
            Self::MalformedSchema { .. } => 51,
            Self::NamespaceShared { .. } => 52,
            Self::OrderDiffers { .. } => 53,
            Self::Moving { .. } => 54,
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

/// Returns the bytes that lower-case hex stands for.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| u8::try_from(digit.to_digit(16)?).ok())
        .collect();
    let digits = digits?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty()
        .then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}
