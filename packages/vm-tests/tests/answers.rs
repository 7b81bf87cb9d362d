//! What the compiled contract tells of messages: it adds up over mainnet's history.

use serde_json::{Value, json};
use vm_tests::Chain;

use crate::replay::replayed;

fn ask(chain: &mut Chain, query: &Value) -> Value {
    chain.query(query).unwrap_or_else(|error| panic!("{error}"))
}

/// Follows the pages of a list.
fn all(chain: &mut Chain, name: &str, rows: &str, mut arguments: Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut key = Value::Null;
    loop {
        arguments["page"] = json!({"key": key, "limit": "30"});
        let answer = ask(chain, &json!({ name: arguments }));
        found.extend(answer[rows].as_array().unwrap().iter().cloned());
        key = answer["page"]["next_key"].clone();
        if key.is_null() {
            return found;
        }
    }
}

fn number(value: &Value) -> u128 {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn totals_and_missing_sequences_add_up() {
    let mut chain = replayed();
    let messages = all(&mut chain, "messages", "messages", json!({}));
    assert_eq!(messages.len(), 112);
    for by in ["chain", "emitter", "day"] {
        let totals = all(&mut chain, &format!("totals_by_{by}"), "totals", json!({}));
        let sum: u128 = totals.iter().map(|total| number(&total["messages"])).sum();
        assert_eq!(sum, 112, "by {by}");
    }
    for total in all(&mut chain, "totals_by_emitter", "totals", json!({})) {
        let arguments = json!({
            "chain": total["chain"],
            "emitter": total["emitter"],
            "from": "0",
            "to": u64::MAX.to_string(),
        });
        let ranges = all(&mut chain, "missing_sequences", "ranges", arguments);
        let missing: u128 = ranges
            .iter()
            .map(|range| number(&range["last"]) - number(&range["first"]) + 1)
            .sum();
        assert_eq!(missing + number(&total["messages"]), 1 << 64, "{total}");
    }
}

#[test]
fn a_status_is_what_the_list_shows() {
    let mut chain = replayed();
    let messages = all(&mut chain, "messages", "messages", json!({}));
    for message in &messages {
        let status = ask(
            &mut chain,
            &json!({"message_status": {"id": message["id"]}}),
        );
        assert_eq!(status["phase"], "quorum");
        assert_eq!(status["verifications"], message["status"]["verifications"]);
        assert_eq!(status["digest"], message["message_publication"]["digest"]);
    }
    for messages in messages.chunks(30) {
        let ids: Vec<_> = messages
            .iter()
            .map(|message| message["id"].clone())
            .collect();
        let found = ask(&mut chain, &json!({"batch_status": {"ids": ids}}));
        for (status, message) in found["statuses"].as_array().unwrap().iter().zip(messages) {
            assert_eq!(status["id"], message["id"]);
            assert_eq!(
                status["guardian_set_index"],
                message["quorum_state"]["guardian_set_index"]
            );
        }
    }
}

/// A VAA of an older set is made one of a newer set, and verifies as that, or whose signatures are missing is told.
#[test]
fn what_is_repaired_verifies() {
    let mut chain = replayed();
    let (mut whole, mut short) = (0, 0);
    for message in all(&mut chain, "messages", "messages", json!({})) {
        for set in [3, 4, 5] {
            let query = json!({"repair": {"id": message["id"], "guardian_set": set}});
            let found = ask(&mut chain, &query);
            let signers = ["usable", "missing"].map(|what| found[what].as_array().unwrap().len());
            assert_eq!(signers[0] + signers[1], 19);
            if found["vaa"].is_null() {
                assert!(signers[0] < 13, "{found}");
                short += 1;
                continue;
            }
            whole += 1;
            let verified = ask(&mut chain, &json!({"verify": {"vaa": found["vaa"]}}));
            // The only thing against it is that the set has expired.
            for error in verified["errors"].as_array().unwrap() {
                assert_eq!(error["code"], "E105", "{verified}");
            }
        }
    }
    assert!(whole > 0 && short > 0);
}
