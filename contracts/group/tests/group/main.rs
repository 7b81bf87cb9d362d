//! The contract under cw-multi-test, a file a part of a proposal's life.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    missing_docs,
    unreachable_pub
)]

mod exec;
mod groups;
mod instantiate;
mod invariants;
mod lists;
mod policies;
mod proposals;
mod prune;
mod suite;
mod votes;
