//! Writes VAAs signed by the developers' guardian, one a line in hex.
//!
//! ```sh
//! cargo run --release -p vaactl --example synthetic -- 100000 > vaas.hex
//! vaactl init --network devnet && vaactl ingest vaas.hex
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

use std::io::{BufWriter, Write, stdout};

#[path = "../benches/support/mod.rs"]
mod support;

fn main() {
    let count: u64 = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000);
    let keys = support::keys();
    let mut out = BufWriter::new(stdout().lock());
    for n in 0..count {
        let vaa = support::vaa(&keys[..1], n);
        writeln!(out, "{}", wormhole_vaa::encode_hex(&vaa)).unwrap();
    }
}
