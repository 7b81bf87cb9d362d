#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod contract;
mod error;
pub mod events;
mod execute;
#[cfg(feature = "library")]
pub mod helper;
mod instantiate;
mod migrate;
pub mod msg;
mod observation;
mod query;
mod recover;
pub mod state;

pub use error::{ContractError, Refusal};
pub use observation::{OBSERVATIONS_PREFIX, observations_digest};
