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

mod admin;
mod adversary;
mod archive_model;
mod archives;
mod conflicts;
mod data;
mod faults;
mod gas;
mod genesis;
mod genesis_forged;
mod governance;
mod instantiate;
mod interface;
mod layout;
mod limits;
mod lists;
mod metered;
mod missing;
mod model;
mod observations;
mod observed;
mod order;
mod prune;
mod publish;
mod replay;
mod scale;
mod signed;
mod status;
mod submit;
mod suite;
mod totals;
mod tx_ids;
mod verdicts;
mod verify;
