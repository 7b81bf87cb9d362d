//! Runs the compiled contract in cosmwasm-vm, as a chain does.
//!
//! [`Contract`] is the artifact that `scripts/build-wasm.sh` leaves, past the checks a chain makes before it stores
//! code. [`Chain`] is one instance of it with a storage in memory and a block time of the test's choosing: messages go
//! in as JSON, answers come out as JSON, and [`Chain::dump`] shows every byte that was stored.

#![deny(missing_docs)]

mod chain;
mod contract;
mod storage;

pub use crate::chain::{Chain, Failure, FailureKind};
pub use crate::contract::{
    CAPABILITIES, Contract, LoadError, WASM_ENV, artifact_path, check, check_instructions,
};
pub use crate::storage::MemoryStorage;
