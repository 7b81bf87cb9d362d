//! Every row of verdicts.jsonl, in the compiled contract.

use serde_json::{Value, json};
use vm_tests::{Chain, FailureKind};

use crate::support::{GRACE_SECONDS, contract, mainnet_set, outcomes, rows, submit, vaa};

const NOW: u64 = 1_800_000_000;

/// Returns the code under which the contract refuses by a rule.
fn code(rule: &str) -> &'static str {
    match rule {
        "TooShort" => "E101",
        "UnsupportedVersion" => "E102",
        "PayloadTooLarge" => "E103",
        "UnknownGuardianSet" => "E104",
        "GuardianSetExpired" => "E105",
        "SignaturesNotAscending" => "E106",
        "GuardianIndexOutOfRange" => "E107",
        "NoQuorum" => "E108",
        "InvalidRecoveryId" => "E109",
        "InvalidSignature" => "E110",
        "SignatureMismatch" => "E111",
        other => panic!("no code for {other}"),
    }
}

fn sets(start: &Value) -> Vec<(u64, Value)> {
    match &start["guardian_sets"] {
        Value::String(range) => {
            let last: u64 = range.strip_prefix("mainnet 0..").unwrap().parse().unwrap();
            (0..=last)
                .map(|index| (index, mainnet_set(index)))
                .collect()
        }
        Value::Object(sets) => {
            let mut sets: Vec<_> = sets
                .iter()
                .map(|(index, addresses)| (index.parse().unwrap(), addresses.clone()))
                .collect();
            sets.sort_by_key(|(index, _)| *index);
            sets
        }
        other => panic!("guardian sets {other}"),
    }
}

/// Returns a registry in the state that the row starts from.
fn start(row: &Value, limits: Value) -> Chain {
    let start = &row["start"];
    let live = start["live"].as_array().unwrap();
    let sets: Vec<Value> = sets(start)
        .into_iter()
        .map(|(index, addresses)| {
            let expires_at = match (
                json!(index) == start["current"],
                live.contains(&json!(index)),
            ) {
                (true, _) => Value::Null,
                (false, true) => json!((NOW + GRACE_SECONDS).to_string()),
                (false, false) => json!((NOW - 1).to_string()),
            };
            json!({"index": index, "addresses": addresses, "expires_at": expires_at})
        })
        .collect();
    let message =
        json!({"this_chain": start["this_chain"], "guardian_sets": sets, "limits": limits});
    let mut chain = Chain::new(contract(), NOW);
    chain
        .instantiate(&Chain::address("creator"), &message)
        .unwrap();
    chain
}

/// Returns the registry after what the row says comes first.
fn prepared(row: &Value, all: &[Value]) -> Chain {
    let mut chain = start(row, Value::Null);
    for name in row["before"].as_array().unwrap() {
        let earlier = all.iter().find(|other| other["name"] == *name).unwrap();
        submit(&mut chain, &[vaa(earlier)], "abort").unwrap();
    }
    chain
}

fn allowed(row: &Value) -> Vec<&'static str> {
    row["codes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| code(rule.as_str().unwrap()))
        .collect()
}

#[test]
fn every_row_gives_its_verdict() {
    let all = rows("verdicts.jsonl");
    assert_eq!(all.len(), 55);
    for row in &all {
        let name = &row["name"];
        let mut chain = prepared(row, &all);
        let before = chain.dump();
        let foreseen = chain.query(&json!({"verify": {"vaa": vaa(row)}})).unwrap();

        let response = submit(&mut chain, &[vaa(row)], "skip")
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let [outcome] = <[Value; 1]>::try_from(outcomes(&response)).unwrap();
        let allowed_outcomes: Vec<&str> = row["outcome"].as_str().unwrap().split(" or ").collect();
        let found = outcome["outcome"].as_str().unwrap();
        assert!(allowed_outcomes.contains(&found), "{name}: {outcome}");
        for field in ["governance", "digest", "id"] {
            assert_eq!(outcome[field], row[field], "{name}: {field} of {outcome}");
        }
        for field in ["outcome", "governance"] {
            assert_eq!(
                foreseen[field], outcome[field],
                "{name}: {field} foreseen in {foreseen}"
            );
        }
        if outcome["outcome"] == "refused" {
            let code = outcome["error"]["code"].as_str().unwrap();
            assert!(allowed(row).contains(&code), "{name}: {outcome}");
            assert_eq!(chain.dump(), before, "{name}: refused, yet it wrote");
        } else {
            assert!(outcome["error"].is_null(), "{name}: {outcome}");
            assert_ne!(chain.dump(), before, "{name}");
        }
    }
}

#[test]
fn abort_refuses_with_the_same_codes_and_writes_nothing() {
    let all = rows("verdicts.jsonl");
    let mut refused = 0;
    for row in &all {
        let name = &row["name"];
        let mut chain = prepared(row, &all);
        let before = chain.dump();
        let result = submit(&mut chain, &[vaa(row)], "abort");
        if row["outcome"] != "refused" {
            result.unwrap_or_else(|error| panic!("{name}: {error}"));
            continue;
        }
        refused += 1;
        let failure = result.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Contract, "{name}: {failure}");
        assert!(!failure.wrote, "{name}: {failure}");
        let coded = allowed(row)
            .iter()
            .any(|code| failure.message.ends_with(&format!("[{code}]")));
        assert!(coded, "{name}: {failure}");
        assert_eq!(chain.dump(), before, "{name}");
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn a_stored_vaa_is_answered_bit_for_bit() {
    let all = rows("verdicts.jsonl");
    for row in all.iter().filter(|row| row["outcome"] == "stored") {
        let mut chain = prepared(row, &all);
        submit(&mut chain, &[vaa(row)], "abort").unwrap();
        let answer = chain
            .query(&json!({"signed_vaa": {"id": row["id"]}}))
            .unwrap();
        assert_eq!(answer["vaa"], vaa(row), "{}", row["name"]);
        let found = chain
            .query(&json!({"message_by_digest": {"digest": row["digest"]}}))
            .unwrap();
        assert_eq!(found["message"]["id"], row["id"], "{}", row["name"]);
    }
}

#[test]
fn a_payload_over_the_limit_is_refused() {
    let all = rows("verdicts.jsonl");
    let row = all
        .iter()
        .find(|row| row["name"] == "syn_payload_64k")
        .unwrap();
    let limits = json!({"batch": 50, "payload": 65_535, "scan_budget": 1_000});
    let mut chain = start(row, limits);
    let before = chain.dump();
    let response = submit(&mut chain, &[vaa(row)], "skip").unwrap();
    assert_eq!(
        outcomes(&response)[0]["error"]["code"],
        code("PayloadTooLarge")
    );
    assert_eq!(chain.dump(), before);
}

/// F-06: a copy that is refused does not stand in the way of the genuine VAA.
#[test]
fn garbage_first_does_not_block_the_genuine_vaa() {
    let all = rows("verdicts.jsonl");
    let by_name = |name: &str| all.iter().find(|row| row["name"] == name).unwrap();
    let (garbage, genuine) = (by_name("mut_sig_bit_flip"), by_name("mut_control"));
    let mut chain = start(genuine, Value::Null);
    let batch = [vaa(garbage), vaa(genuine), vaa(genuine)];
    let response = submit(&mut chain, &batch, "skip").unwrap();
    let kinds: Vec<_> = outcomes(&response)
        .iter()
        .map(|outcome| outcome["outcome"].clone())
        .collect();
    assert_eq!(kinds, ["refused", "stored", "already_registered"]);

    let mut other = start(genuine, Value::Null);
    let before = other.dump();
    // Another body, since the genuine one is known by then, whatever signatures it comes with.
    let changed = by_name("mut_consistency_changed");
    let failure = submit(&mut other, &[vaa(genuine), vaa(changed)], "abort").unwrap_err();
    assert!(failure.message.ends_with("[E111]"), "{failure}");
    assert_eq!(other.dump(), before);
    submit(&mut other, &[vaa(genuine)], "abort").unwrap();
    assert_eq!(other.dump(), chain.dump());
}
