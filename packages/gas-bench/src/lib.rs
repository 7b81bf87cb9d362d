//! Measures gas as a chain charges it: compiled contracts run in cosmwasm-vm, over a storage with the prices of the
//! Cosmos SDK.
//!
//! [`Chain`](machine::Chain) runs a contract and returns each call's [`Cost`](cost::Cost) with every storage call behind
//! it. [`peers`] measures the ORM beside its peers with it, [`registry`] the registry. [`figure`] keeps the results in
//! `gas.csv` and compares them, [`comparison`] and [`report`] print them, [`readme`] puts them into the ORM's README.

#![deny(missing_docs)]

pub mod comparison;
pub mod cost;
pub mod figure;
pub mod machine;
pub mod peers;
pub mod readme;
pub mod registry;
pub mod report;
pub mod size;
pub mod storage;
