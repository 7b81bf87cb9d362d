//! The real VAAs of the test networks.

use std::collections::BTreeMap;

use super::{
    archive_model::ArchiveModel,
    data::{rows, set},
    suite::{Suite, set_init},
};

#[test]
fn every_row_of_the_test_networks_is_stored_alone() {
    for row in rows("testnet.jsonl")
        .into_iter()
        .chain(rows("devnet.jsonl"))
    {
        let mut suite = Suite::new(vec![set_init(
            row.guardian_set_index,
            set(&row.set_ref),
            None,
        )]);
        let done = suite.submit_one(&row.bytes());
        assert_eq!(done.outcome.as_str(), "stored", "{}: {done:?}", row.name);
        assert_eq!(
            done.digest.as_deref(),
            Some(row.digest.as_str()),
            "{}",
            row.name
        );
    }
}

#[test]
fn testnet_in_the_order_of_its_file_has_one_conflict() {
    let rows = rows("testnet.jsonl");
    let mut suite = Suite::new(vec![set_init(0, set("testnet"), None)]);
    let mut counts = BTreeMap::new();
    for batch in rows.chunks(50) {
        let vaas: Vec<_> = batch.iter().map(|row| row.bytes()).collect();
        for done in suite.submit(&vaas) {
            *counts.entry(done.outcome.as_str()).or_insert(0) += 1;
        }
    }
    assert_eq!(counts, BTreeMap::from([("conflict", 1), ("stored", 178)]));
}

/// Devnet's rows, of several sets and with keys that differing messages claim, in the order of their file.
#[test]
fn devnet_in_the_order_of_its_file_has_the_outcomes_of_the_plain_model() {
    let addresses = set("devnet");
    let mut model = ArchiveModel::new(3104, 0, &addresses);
    let mut suite = Suite::new(vec![set_init(0, addresses, None)]);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows("devnet.jsonl") {
        let expected = model.submit(&row.bytes());
        let done = suite.submit_one(&row.bytes());
        assert_eq!(done.outcome.as_str(), expected, "{}: {done:?}", row.name);
        *counts.entry(expected).or_default() += 1;
    }
    // Each rule had its say.
    for outcome in ["stored", "conflict", "refused"] {
        assert!(counts.contains_key(outcome), "{counts:?}");
    }
}
