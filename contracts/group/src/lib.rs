#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod contract;
mod error;
pub mod events;
mod execute;
mod instantiate;
pub mod limits;
mod migrate;
pub mod msg;
mod query;
pub mod state;
mod tally;

pub use error::ContractError;
