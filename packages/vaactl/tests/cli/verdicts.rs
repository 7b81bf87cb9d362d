//! Every row of the verdicts gets its verdict from the command line.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Home, rows};

/// The code of each rule that the verdicts name.
const CODES: [(&str, &str); 12] = [
    ("TooShort", "E101"),
    ("UnsupportedVersion", "E102"),
    ("PayloadTooLarge", "E103"),
    ("UnknownGuardianSet", "E104"),
    ("GuardianSetExpired", "E105"),
    ("SignaturesNotAscending", "E106"),
    ("GuardianIndexOutOfRange", "E107"),
    ("NoQuorum", "E108"),
    ("InvalidRecoveryId", "E109"),
    ("InvalidSignature", "E110"),
    ("SignatureMismatch", "E111"),
    ("TrailingBytes", "E101"),
];

const NOW: u64 = 1_800_000_000;

/// The guardian sets of a row's start, with an expiry that makes them live at `NOW` or not.
fn sets(start: &Value) -> Value {
    let known: Vec<Value> = rows_of_sets();
    let current = start["current"].as_u64().unwrap();
    let live: Vec<u64> = start["live"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .collect();
    let list: Vec<(u64, Value)> = match &start["guardian_sets"] {
        Value::Object(inline) => inline
            .iter()
            .map(|(index, set)| (index.parse().unwrap(), set.clone()))
            .collect(),
        Value::String(range) => {
            let last: u64 = range.rsplit('.').next().unwrap().parse().unwrap();
            (0..=last)
                .map(|index| {
                    let set = known
                        .iter()
                        .find(|set| set["network"] == "mainnet" && set["index"] == index)
                        .unwrap();
                    (index, set["addresses"].clone())
                })
                .collect()
        }
        other => panic!("{other}"),
    };
    list.into_iter()
        .map(|(index, addresses)| {
            let expires_at = if index == current {
                Value::Null
            } else if live.contains(&index) {
                json!(NOW + 1000)
            } else {
                json!(NOW - 1)
            };
            json!({ "index": index, "addresses": addresses, "expires_at": expires_at })
        })
        .collect()
}

fn rows_of_sets() -> Vec<Value> {
    let text = fs::read_to_string(crate::common::testdata("guardian_sets.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_verdict_is_reached() {
    let all = rows("verdicts.jsonl");
    assert_eq!(all.len(), 55);
    let now = NOW.to_string();
    for row in &all {
        let name = row["name"].as_str().unwrap();
        let start = &row["start"];
        let home = Home::new();
        let file = home.file("sets.json", sets(start).to_string());
        let chain = start["this_chain"].to_string();
        home.run(&[
            "init",
            "--guardian-sets",
            &file,
            "--this-chain",
            &chain,
            "--time",
            &now,
        ])
        .done();
        for before in row["before"].as_array().unwrap() {
            let before = all.iter().find(|row| row["name"] == *before).unwrap();
            home.run_with(&["ingest", "-", "--time", &now], before.to_string())
                .done();
        }
        let state = home.run(&["list", "--all", "--json"]).done().stdout;
        let sets = home
            .run(&["guardians", "--json", "--time", &now])
            .done()
            .stdout;

        let ran = home.run_with(&["ingest", "-", "--json", "--time", &now], row.to_string());
        let line = &ran.json()[0];
        let outcome = line["outcome"].as_str().unwrap();
        let expected = row["outcome"].as_str().unwrap();
        assert!(
            expected.split(" or ").any(|e| e == outcome),
            "{name}: {line}"
        );
        assert_eq!(line["id"], row["id"], "{name}");
        assert_eq!(line["digest"], row["digest"], "{name}");
        assert_eq!(ran.code, i32::from(outcome == "refused"), "{name}");
        if outcome == "refused" {
            let code = line["error"]["code"].as_str().unwrap();
            let right = row["codes"].as_array().unwrap().iter().any(|rule| {
                CODES
                    .iter()
                    .any(|(name, known)| rule == name && *known == code)
            });
            assert!(right, "{name}: {line}");
            assert_eq!(
                home.run(&["list", "--all", "--json"]).done().stdout,
                state,
                "{name}"
            );
            let after = home
                .run(&["guardians", "--json", "--time", &now])
                .done()
                .stdout;
            assert_eq!(after, sets, "{name}");
        } else {
            assert_eq!(line["governance"], row["governance"], "{name}");
        }
    }
}
