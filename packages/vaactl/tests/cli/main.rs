//! Runs the binary as its users do.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    missing_docs
)]

mod answers;
mod commands;
mod common;
mod faults;
mod formats;
mod from;
mod genesis;
mod observe;
mod replay;
mod serve;
mod serve_limits;
mod server;
mod verdicts;
