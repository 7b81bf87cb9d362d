//! The ORM's tests, all with hand-written impls: nothing here uses the derive.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    missing_docs,
    unreachable_pub
)]

mod asks;
mod backfill;
mod broken;
mod bulk;
mod chain;
mod check;
mod count_index;
mod counts;
mod covering_index;
mod errors;
mod faults;
mod fixture;
mod genesis;
mod golden;
mod interop;
mod keys;
mod layout;
mod model;
mod page;
mod paginate;
mod reference;
mod schema;
mod takeover;
mod traps;
mod versions;
