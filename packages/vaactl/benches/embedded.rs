//! Measures the embedded registry: ingestion from start to end, and pages over what was ingested.
//!
//! `cargo bench -p vaactl` takes 20,000 VAAs of one signature; `VAAS=100000` sets another number.
//! Prints rates of equal parts of the run, which show whether it stays flat, and the most memory
//! that the process had.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    missing_docs
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cosmwasm_std::{Binary, Timestamp};
use cw_orm::PageRequest;
use serde_json::Value;
use vaa_registry::msg::{GuardianSetInit, InstantiateMsg, OutcomeKind, QueryMsg};
use vaactl::backend::embedded::{Embedded, StoreConfig};
use vaactl::backend::{Backend, BackendExt};
use vaactl::registry;
use wormhole_vaa::{SecretKey, Vaa};

#[path = "support/mod.rs"]
mod support;

use support::{keys, vaa};

const BATCH: usize = 50;
const PARTS: usize = 10;

fn create(home: &std::path::Path, guardians: &[SecretKey]) -> Embedded {
    let config = StoreConfig {
        network: None,
        replay: false,
        this_chain: 3104,
        governance_chain: 1,
        governance_emitter: wormhole_vaa::GOVERNANCE_EMITTER.to_hex(),
    };
    let addresses = guardians.iter().map(|key| key.address().to_hex()).collect();
    let msg = InstantiateMsg {
        this_chain: 3104,
        guardian_sets: vec![GuardianSetInit {
            index: 0,
            addresses,
            expires_at: None,
        }],
        governance: None,
        indexes: None,
        admin: None,
        limits: None,
        import: false,
    };
    registry::create(home, Timestamp::from_seconds(1_800_000_000), config, &msg).unwrap()
}

fn ingest(chain: &mut Embedded, vaas: &[Vec<u8>]) -> Duration {
    let begin = Instant::now();
    for batch in vaas.chunks(BATCH) {
        let batch = batch
            .iter()
            .map(|vaa| Binary::from(vaa.as_slice()))
            .collect();
        let outcomes = registry::submit(chain, batch, &mut |_| {}).unwrap();
        assert!(
            outcomes
                .iter()
                .all(|outcome| outcome.outcome == OutcomeKind::Stored)
        );
    }
    begin.elapsed()
}

fn rate(vaas: usize, time: Duration) -> f64 {
    vaas as f64 / time.as_secs_f64()
}

/// Ingests in parts, so that no more than one part is in memory.
fn flat(count: usize) -> (tempfile::TempDir, Embedded) {
    let keys = keys();
    let home = tempfile::tempdir().unwrap();
    let mut chain = create(home.path(), &keys[..1]);
    let part = count / PARTS;
    for number in 0..PARTS {
        let from = number * part;
        let vaas: Vec<_> = (from..from + part)
            .map(|n| vaa(&keys[..1], n as u64))
            .collect();
        let time = ingest(&mut chain, &vaas);
        println!(
            "1 signature, VAAs {from:>7} on: {:>6.0} VAAs/s",
            rate(part, time)
        );
    }
    (home, chain)
}

type List = Box<dyn Fn(Option<PageRequest>) -> QueryMsg>;

fn pages(chain: &Embedded) {
    let page = |reverse| {
        Some(PageRequest {
            reverse,
            ..PageRequest::first(30)
        })
    };
    let emitter = format!("{:064x}", 5);
    let by_time = |chain, emitter| {
        move |page| QueryMsg::MessagesByTime {
            chain,
            emitter,
            from: Some(1_700_005_000),
            to: None,
            page,
            families: None,
            filter: None,
        }
    };
    let lists: Vec<(&str, List)> = vec![
        (
            "all",
            Box::new(|page| QueryMsg::Messages {
                page,
                families: None,
                filter: None,
            }),
        ),
        (
            "chain",
            Box::new(|page| QueryMsg::MessagesByChain {
                chain: 3,
                page,
                families: None,
                filter: None,
            }),
        ),
        (
            "emitter",
            Box::new({
                let emitter = emitter.clone();
                move |page| QueryMsg::MessagesByEmitter {
                    chain: 6,
                    emitter: emitter.clone(),
                    page,
                    families: None,
                    filter: None,
                }
            }),
        ),
        ("time", Box::new(move |page| by_time(None, None)(page))),
        (
            "chain and time",
            Box::new(move |page| by_time(Some(3), None)(page)),
        ),
        (
            "emitter and time",
            Box::new(move |page| by_time(Some(6), Some(emitter.clone()))(page)),
        ),
        (
            "guardian set",
            Box::new(|page| QueryMsg::MessagesByGuardianSet {
                index: 0,
                page,
                families: None,
                filter: None,
            }),
        ),
    ];
    for (name, query) in &lists {
        for reverse in [false, true] {
            let begin = Instant::now();
            let answer: Value = chain.query_msg(&query(page(reverse))).unwrap();
            let time = begin.elapsed();
            let rows = answer["messages"].as_array().unwrap().len();
            let direction = if reverse { "descending" } else { "ascending" };
            println!("page of {rows} by {name}, {direction}: {time:?}");
        }
    }
}

/// Compares the ingestion of VAAs with 13 signatures with nothing but verifying them.
fn quorum(count: usize) {
    let keys = keys();
    let vaas: Vec<_> = (0..count).map(|n| vaa(&keys[..13], n as u64)).collect();
    let home = tempfile::tempdir().unwrap();
    let mut chain = create(home.path(), &keys);
    let begin = Instant::now();
    for bytes in &vaas {
        let vaa = Vaa::parse(bytes).unwrap();
        let digest = vaa.digest();
        for signature in &vaa.signatures {
            let rs = signature.rs();
            let api = chain.api();
            black_box(
                api.secp256k1_recover_pubkey(&digest.0, &rs, signature.v)
                    .unwrap(),
            );
        }
    }
    let verify = rate(count, begin.elapsed());
    let ingest = rate(count, ingest(&mut chain, &vaas));
    println!(
        "13 signatures: {verify:.0} VAAs/s verified, {ingest:.0} ingested: {:.2}",
        ingest / verify
    );
}

fn main() {
    let count = std::env::var("VAAS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20_000);
    let (_home, chain) = flat(count);
    pages(&chain);
    println!("height {}", chain.block().unwrap().height);
    drop(chain);
    quorum((count / 50).max(200));
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let most = status.lines().find(|line| line.starts_with("VmHWM"));
        println!("{}", most.unwrap_or_default());
    }
}
