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

mod archives;
mod conflicts;
mod data;
mod faults;
mod gas;
mod governance;
mod instantiate;
mod layout;
mod lists;
mod order;
mod replay;
mod signed;
mod submit;
mod suite;
mod verdicts;
mod verify;
