//! The registry under cw-multi-test, a file a behaviour.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    missing_docs,
    unreachable_pub
)]

mod adversary;
mod archives;
mod conflicts;
mod data;
mod faults;
mod governance;
mod instantiate;
mod lists;
mod model;
mod observations;
mod observed;
mod replay;
mod signed;
mod submit;
mod suite;
mod verdicts;
mod verify;
