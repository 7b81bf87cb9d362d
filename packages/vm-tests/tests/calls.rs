//! The harness itself: what it does around a call.

use serde_json::json;
use vm_tests::{Chain, FailureKind};

use crate::support::{contract, mainnet_set};

fn instantiated(time: u64) -> Chain {
    let mut chain = Chain::new(contract(), time);
    let message = json!({
        "this_chain": 3104,
        "guardian_sets": [{"index": 0, "addresses": mainnet_set(0)}],
    });
    chain
        .instantiate(&Chain::address("creator"), &message)
        .unwrap();
    chain
}

#[test]
fn the_contract_sees_the_block_time_of_the_test() {
    let mut chain = instantiated(1_700_000_000);
    let answer = chain.query(&json!({"guardian_set": {"index": 0}})).unwrap();
    assert_eq!(answer["applied_at"], "1700000000");
    assert!(chain.last_gas() > 0);
}

#[test]
fn a_query_changes_nothing() {
    let mut chain = instantiated(1);
    let before = chain.dump();
    assert!(!before.is_empty());
    chain.query(&json!({"config": {}})).unwrap();
    assert_eq!(chain.dump(), before);
}

/// F-07
#[test]
fn malformed_messages_are_refused_without_a_crash() {
    let mut chain = instantiated(1);
    let before = chain.dump();
    for message in [
        json!(null),
        json!({}),
        json!({"submit_vaas": {}}),
        json!({"submit_vaas": {"vaas": ["not base64!"]}}),
        json!({"submit_vaas": {"vaas": []}}),
        json!({"submit_vaas": {"vaas": [""], "on_invalid": "abort"}}),
        json!({"no_such_message": {}}),
    ] {
        let failure = chain
            .execute(&Chain::address("anybody"), &message)
            .unwrap_err();
        assert_eq!(failure.kind, FailureKind::Contract, "{message}: {failure}");
        assert!(!failure.wrote, "{message}");
        assert_eq!(chain.dump(), before, "{message}");
    }
    let failure = chain.query(&json!({"message": {"id": "1/2"}})).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Contract, "{failure}");
}
