//! Tests of the wire format, the rules and the text forms, on real VAAs and on made ones.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    missing_docs
)]

mod differential;
mod faults;
mod governance;
mod properties;
mod real;
mod rules;
mod support;
mod text;
mod transfer;
mod verdicts;
