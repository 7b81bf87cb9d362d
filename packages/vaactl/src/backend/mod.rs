//! Runs registry calls, wherever the registry lives.
//!
//! Commands speak to a [`Backend`] in the contract's own JSON messages and never learn which
//! implementation answers. [`embedded`] runs the contract in this process over a database file;
//! [`node`] speaks to a contract on a chain.

pub mod embedded;
mod error;
pub mod node;
mod proto;

pub use error::{BackendError, error_code};

use cosmwasm_std::{Event, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Names the block that a call ran in, or that queries see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Number of the block.
    pub height: u64,
    /// Time of the block.
    pub time: Timestamp,
    /// Identifier of the chain.
    pub chain_id: String,
}

/// Reports a call that succeeded and is stored durably.
#[derive(Clone, Debug)]
pub struct Executed {
    /// The contract's response data, without any transport encoding.
    pub data: Option<Vec<u8>>,
    /// The events of the call, in order.
    pub events: Vec<Event>,
    /// Height of the block that holds the call.
    pub height: u64,
    /// The transaction, where calls are in transactions.
    pub tx: Option<TxReport>,
}

/// Tells of a transaction what its sender wants to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TxReport {
    /// Its hash, in upper-case hex as explorers have it.
    pub hash: String,
    /// Gas used.
    pub gas_used: u64,
    /// Gas paid for.
    pub gas_wanted: u64,
}

/// Bounds a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLimits {
    /// The most bytes of VAAs in one call.
    pub bytes: usize,
    /// Whether calls are paid for, so that what is known already is better not sent.
    pub paid: bool,
}

/// Executes and queries one registry contract.
pub trait Backend {
    /// Executes a JSON message. On success its effects are durable; on failure there are none.
    ///
    /// # Errors
    /// The contract's refusal, or a failure of the store below it.
    fn execute(&mut self, msg: &[u8]) -> Result<Executed, BackendError>;

    /// Answers a JSON query with the contract's JSON response.
    ///
    /// # Errors
    /// The contract's refusal, or a failure of the store below it.
    fn query(&self, msg: &[u8]) -> Result<Vec<u8>, BackendError>;

    /// Returns the block that queries see.
    ///
    /// # Errors
    /// A failure to reach the chain.
    fn block(&self) -> Result<Block, BackendError>;

    /// Returns what fits in one call.
    fn limits(&self) -> CallLimits;
}

/// Adds typed messages to every [`Backend`].
pub trait BackendExt: Backend {
    /// Executes `msg`, see [`Backend::execute`].
    ///
    /// # Errors
    /// Those of [`Backend::execute`], and a message that has no JSON form.
    fn execute_msg<M: Serialize>(&mut self, msg: &M) -> Result<Executed, BackendError> {
        let json = serde_json::to_vec(msg).map_err(|source| BackendError::Encode { source })?;
        self.execute(&json)
    }

    /// Answers `msg`, see [`Backend::query`].
    ///
    /// # Errors
    /// Those of [`Backend::query`], and an answer that is not an `R`.
    fn query_msg<M: Serialize, R: DeserializeOwned>(&self, msg: &M) -> Result<R, BackendError> {
        let json = serde_json::to_vec(msg).map_err(|source| BackendError::Encode { source })?;
        let answer = self.query(&json)?;
        serde_json::from_slice(&answer).map_err(|source| BackendError::Decode { source })
    }
}

impl<B: Backend + ?Sized> BackendExt for B {}
