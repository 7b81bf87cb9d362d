//! Mainnet's history, from guardian set 0 to set 7, in the compiled contract.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use vm_tests::Chain;

use crate::support::{contract, mainnet_set, outcomes, rows, submit, vaa};

const BATCH: usize = 30;

struct History {
    /// The VAAs of each set, the upgrade to the next one last.
    sets: BTreeMap<u64, Vec<Value>>,
    /// The block time at which the VAAs of each set are submitted.
    times: BTreeMap<u64, u64>,
}

fn history() -> History {
    let mut sets: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    let mut times = BTreeMap::new();
    for row in rows("mainnet.jsonl") {
        let set = row["guardian_set_index"].as_u64().unwrap();
        if is_upgrade(&row) {
            times.insert(set + 1, row["timestamp"].as_u64().unwrap());
        }
        sets.entry(set).or_default().push(row);
    }
    times.insert(0, times[&1]);
    for rows in sets.values_mut() {
        rows.sort_by_key(is_upgrade);
    }
    History { sets, times }
}

fn is_upgrade(row: &Value) -> bool {
    row["kind"] == "governance/guardian-set-upgrade"
}

fn registry(history: &History) -> Chain {
    let mut chain = Chain::new(contract(), history.times[&0]);
    let message = json!({
        "this_chain": 3104,
        "guardian_sets": [{"index": 0, "addresses": mainnet_set(0)}],
    });
    chain
        .instantiate(&Chain::address("creator"), &message)
        .unwrap();
    chain
}

/// Submits the whole history, set by set, and counts the outcomes.
fn replay(chain: &mut Chain, history: &History) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (set, rows) in &history.sets {
        chain.next_block(history.times[set].max(chain.time()));
        for batch in rows.chunks(BATCH) {
            let vaas: Vec<_> = batch.iter().map(vaa).collect();
            let response =
                submit(chain, &vaas, "skip").unwrap_or_else(|error| panic!("set {set}: {error}"));
            let answers = outcomes(&response);
            assert_eq!(answers.len(), batch.len());
            for (row, answer) in batch.iter().zip(answers) {
                assert_eq!(answer["digest"], row["digest"], "{}", row["name"]);
                let outcome = answer["outcome"].as_str().unwrap().to_owned();
                if is_upgrade(row) && outcome == "stored" {
                    assert_eq!(
                        answer["governance"],
                        json!({"applied": set + 1}),
                        "{}",
                        row["name"]
                    );
                }
                *counts.entry(outcome).or_default() += 1;
            }
        }
    }
    counts
}

/// Returns a registry with all of it.
pub(crate) fn replayed() -> Chain {
    let history = history();
    let mut chain = registry(&history);
    replay(&mut chain, &history);
    chain
}

fn counts(expected: &[(&str, usize)]) -> BTreeMap<String, usize> {
    expected
        .iter()
        .map(|(outcome, count)| ((*outcome).to_owned(), *count))
        .collect()
}

#[test]
fn all_of_mainnet_is_registered_once() {
    let history = history();
    let mut chain = registry(&history);
    assert_eq!(
        replay(&mut chain, &history),
        counts(&[("stored", 112), ("resigned", 16)])
    );

    let config = chain.query(&json!({"config": {}})).unwrap();
    assert_eq!(config["current_guardian_set"], 7);
    for index in 0..=7 {
        let set = chain
            .query(&json!({"guardian_set": {"index": index}}))
            .unwrap();
        let without_prefix: Vec<_> = mainnet_set(index)
            .as_array()
            .unwrap()
            .iter()
            .map(|address| json!(address.as_str().unwrap().trim_start_matches("0x")))
            .collect();
        assert_eq!(set["addresses"], json!(without_prefix), "set {index}");
    }

    let stored = chain.dump();
    assert_eq!(
        replay(&mut chain, &history),
        counts(&[("already_registered", 128)])
    );
    assert_eq!(chain.dump(), stored, "a known VAA wrote something");
}

#[test]
fn every_encoding_stays_readable() {
    let history = history();
    let mut chain = registry(&history);
    replay(&mut chain, &history);
    for row in history.sets.values().flatten() {
        let id = format!(
            "{}/{}/{}",
            row["emitter_chain"],
            row["emitter_address"].as_str().unwrap(),
            row["sequence"].as_str().unwrap()
        );
        let question = json!({"signed_vaa": {"id": id, "guardian_set": row["guardian_set_index"]}});
        let answer = chain.query(&question).unwrap();
        assert_eq!(answer["vaa"], vaa(row), "{}", row["name"]);
        assert_eq!(
            answer["valid_now"],
            row["guardian_set_index"] == 7,
            "{}",
            row["name"]
        );
    }
}

#[test]
fn pages_walk_all_messages_both_ways() {
    let history = history();
    let mut chain = registry(&history);
    replay(&mut chain, &history);
    let mut walk = |reverse: bool| {
        let mut ids = Vec::new();
        let mut key = Value::Null;
        loop {
            let page = json!({"key": key, "limit": "7", "reverse": reverse});
            let answer = chain.query(&json!({"messages": {"page": page}})).unwrap();
            ids.extend(
                answer["messages"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|message| message["id"].clone()),
            );
            key = answer["page"]["next_key"].clone();
            if key.is_null() {
                return ids;
            }
        }
    };
    let forward = walk(false);
    let mut backward = walk(true);
    backward.reverse();
    assert_eq!(forward.len(), 112);
    assert_eq!(forward, backward);
}

#[test]
fn the_same_history_gives_the_same_bytes() {
    let history = history();
    let (mut one, mut other) = (registry(&history), registry(&history));
    replay(&mut one, &history);
    replay(&mut other, &history);
    assert_eq!(one.dump(), other.dump());
}
