//! What `#[derive(Table)]`, `#[derive(Family)]` and `#[derive(Key)]` make, and what they refuse.
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
mod auto;
mod counted;
mod custom;
mod families;
mod golden;
mod hygiene;
mod json;
mod key;
mod life;
mod plain;

use cosmwasm_std::{Order, Storage};

/// Everything in the store, as hex.
pub fn dump(storage: &dyn Storage) -> Vec<(String, String)> {
    let entries = storage.range(None, None, Order::Ascending);
    entries
        .map(|(key, value)| (hex::encode(key), hex::encode(value)))
        .collect()
}

/// What is refused, with the text that says what to write. Compiles the ORM and its dependencies again, so it runs apart:
/// `cargo test -p cw-orm --test derive -- --ignored`.
#[test]
#[ignore = "compiles all dependencies again; run by .ci/run"]
fn refusals() {
    trybuild::TestCases::new().compile_fail("tests/derive/ui/*.rs");
}
