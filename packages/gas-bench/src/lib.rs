//! Measures gas as a chain charges it: compiled contracts run in cosmwasm-vm, over a storage with the prices of the
//! Cosmos SDK.
//!
//! [`Chain`](machine::Chain) runs a contract and returns each call's [`Cost`](cost::Cost) with every storage call behind
//! it; [`registry`] measures the registry with it. [`figure`] keeps the results in `gas.csv` and compares them.

#![deny(missing_docs)]

pub mod cost;
pub mod figure;
pub mod machine;
pub mod registry;
pub mod report;
pub mod storage;
