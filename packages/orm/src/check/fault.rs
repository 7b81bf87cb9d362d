//! What a check finds.

use cosmwasm_std::{Binary, Uint64};
use cw_schema::Schemaifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What one step of a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct CheckReport {
    /// What is wrong. A step ends early once it has found a hundred faults.
    pub faults: Vec<Fault>,
    /// How many rows and entries were looked at.
    pub passed: u32,
    /// What the next step is given; absent when all was looked at.
    #[serde(default)]
    pub next_key: Option<Binary>,
}

/// Something wrong with what is stored. Names the table, the index, and the keys in hex: of a row without its namespace,
/// and of an index entry without its.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Fault {
    /// A key among the rows, or the rows of a family, that is no primary key.
    #[error("table `{table}`: {key} is no primary key: {reason}")]
    MalformedKey {
        /// The table.
        table: String,
        /// The key.
        key: String,
        /// Why.
        reason: String,
    },
    /// A row that cannot be decoded.
    #[error("table `{table}`: row {key} cannot be decoded: {reason}")]
    MalformedRow {
        /// The table.
        table: String,
        /// The primary key.
        key: String,
        /// Why.
        reason: String,
    },
    /// A row that its own `validate` refuses.
    #[error("table `{table}`: row {key} is invalid: {reason}")]
    InvalidRow {
        /// The table.
        table: String,
        /// The primary key.
        key: String,
        /// Why.
        reason: String,
    },
    /// A row that says it has another key.
    #[error("table `{table}`: row {key} says its key is {carried}")]
    OtherKey {
        /// The table.
        table: String,
        /// The primary key.
        key: String,
        /// The primary key that the row says it has.
        carried: String,
    },
    /// A row whose index keys cannot be told.
    #[error("table `{table}`: index `{index}` has no keys for row {key}: {reason}")]
    IndexFailed {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// The primary key.
        key: String,
        /// Why.
        reason: String,
    },
    /// An entry that a row should have.
    #[error("table `{table}`: index `{index}` lacks entry {entry} of row {key}")]
    MissingEntry {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// The primary key.
        key: String,
        /// The entry's key.
        entry: String,
    },
    /// An entry that has another value than it should have for a row; of a unique index, another row's.
    #[error("table `{table}`: index `{index}` has a wrong value in entry {entry} of row {key}")]
    WrongEntry {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// The primary key.
        key: String,
        /// The entry's key.
        entry: String,
    },
    /// An entry whose row is gone, or does not have it.
    #[error(
        "table `{table}`: index `{index}` has an entry {entry} that row {key} does not account for"
    )]
    StrayEntry {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// The primary key that the entry names.
        key: String,
        /// The entry's key.
        entry: String,
    },
    /// A key among the entries that is no entry of the index.
    #[error("table `{table}`: malformed entry {entry} in index `{index}`")]
    MalformedEntry {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// The entry's key.
        entry: String,
    },
    /// A sum that is not what its rows add up to.
    #[error(
        "table `{table}`: index `{index}` has {stored} in entry {entry}, but its rows add up to {rows}"
    )]
    WrongSum {
        /// The table.
        table: String,
        /// The index.
        index: String,
        /// The entry's key.
        entry: String,
        /// What is stored.
        stored: Uint64,
        /// What it should be.
        rows: Uint64,
    },
    /// A sequence that would give the id of a row again.
    #[error("table `{table}`: sequence {sequence} is below id {id}")]
    SequenceBehind {
        /// The table.
        table: String,
        /// The last id given, it says.
        sequence: Uint64,
        /// The largest id.
        id: Uint64,
    },
    /// A sequence that is none.
    #[error("table `{table}`: malformed sequence")]
    MalformedSequence {
        /// The table.
        table: String,
    },
}
