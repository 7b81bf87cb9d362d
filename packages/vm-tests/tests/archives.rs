//! The real VAAs of the test networks, in the compiled contract.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use vm_tests::Chain;

use crate::archive_model::ArchiveModel;
use crate::support::{contract, outcomes, rows, set, submit, vaa};

const NOW: u64 = 1_800_000_000;
const THIS_CHAIN: u16 = 3104;

/// A registry with one set.
fn registry(index: &Value, addresses: &[String]) -> Chain {
    let mut chain = Chain::new(contract(), NOW);
    let message = json!({
        "this_chain": THIS_CHAIN,
        "guardian_sets": [{"index": index, "addresses": addresses}],
    });
    let creator = Chain::address("creator");
    chain.instantiate(&creator, &message).unwrap();
    chain
}

fn outcome(chain: &mut Chain, row: &Value) -> Value {
    let response = submit(chain, &[vaa(row)], "skip").unwrap();
    outcomes(&response).remove(0)
}

#[test]
fn every_row_of_the_test_networks_is_stored_alone() {
    for file in ["testnet.jsonl", "devnet.jsonl"] {
        for row in rows(file) {
            let addresses = set(row["set_ref"].as_str().unwrap());
            let mut chain = registry(&row["guardian_set_index"], &addresses);
            let done = outcome(&mut chain, &row);
            assert_eq!(done["outcome"], "stored", "{}: {done}", row["name"]);
            assert_eq!(done["digest"], row["digest"], "{}", row["name"]);
        }
    }
}

/// Submits an archive row by row, compares each outcome with the plain model's, and counts them.
fn in_order(file: &str, network: &str) -> BTreeMap<&'static str, usize> {
    let addresses = set(network);
    let mut model = ArchiveModel::new(THIS_CHAIN, 0, &addresses);
    let mut chain = registry(&json!(0), &addresses);
    let mut counts = BTreeMap::new();
    for row in rows(file) {
        let bytes = cosmwasm_std::Binary::from_hex(row["vaa_hex"].as_str().unwrap()).unwrap();
        let expected = model.submit(&bytes);
        let done = outcome(&mut chain, &row);
        assert_eq!(done["outcome"], expected, "{}: {done}", row["name"]);
        *counts.entry(expected).or_default() += 1;
    }
    counts
}

#[test]
fn testnet_in_the_order_of_its_file_has_one_conflict() {
    let counts = in_order("testnet.jsonl", "testnet");
    assert_eq!(counts, BTreeMap::from([("conflict", 1), ("stored", 178)]));
}

#[test]
fn devnet_in_the_order_of_its_file_has_the_outcomes_of_the_plain_model() {
    let counts = in_order("devnet.jsonl", "devnet");
    for outcome in ["stored", "conflict", "refused"] {
        assert!(counts.contains_key(outcome), "{counts:?}");
    }
}
