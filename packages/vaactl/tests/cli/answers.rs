//! What the registry tells of messages: status, signers, repair, missing sequences, totals, filters.

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use serde_json::Value;

use crate::common::{Home, testdata};

fn replayed() -> Home {
    let home = Home::new();
    let file = testdata("mainnet.jsonl").display().to_string();
    home.run(&["ingest", "--replay", &file]).done();
    home
}

#[test]
fn a_status_tells_all_of_a_message() {
    let home = replayed();
    let all = home.run(&["list", "--all", "--json"]).done().json();
    let resigned = all
        .iter()
        .find(|one| one["status"]["verifications"].as_array().unwrap().len() > 1)
        .unwrap();
    let id = resigned["id"].as_str().unwrap();
    let status = home.run(&["status", id, "--json"]).done().json().remove(0);
    assert_eq!(status["phase"], "quorum");
    assert_eq!(status["verifications"], resigned["status"]["verifications"]);
    assert_eq!(status["digest"], resigned["message_publication"]["digest"]);
    let text = home.run(&["status", id]).done().stdout;
    assert!(
        text.contains("quorum") && text.contains(status["digest"].as_str().unwrap()),
        "{text}"
    );

    let unknown = "2/0x00000000000000000000000000000000000000ee/18446744073709551615";
    let both = home.run(&["status", id, unknown, "--json"]).done().json();
    assert_eq!(
        both.iter()
            .map(|one| one["phase"].clone())
            .collect::<Vec<_>>(),
        ["quorum", "unknown"]
    );
    assert!(
        both[1]["id"]
            .as_str()
            .unwrap()
            .ends_with("/18446744073709551615")
    );
    assert!(
        home.run(&["status", id, unknown])
            .done()
            .stdout
            .contains("unknown")
    );

    let signers = home
        .run(&["status", id, "--signers", "--json"])
        .done()
        .json()
        .remove(0);
    let count = |what: &str| signers[what].as_array().unwrap().len();
    assert_eq!(count("signed") + count("missing"), 19);
    assert!(count("signed") >= 13);
    assert!(
        home.run(&["status", id, "--signers"])
            .done()
            .stdout
            .contains("have to")
    );
    let wrong = home.run(&["status", unknown, "--signers"]);
    assert!(wrong.failure().contains("[E206]"));
}

/// A VAA made anew for a set is one that verifies under it, offline.
#[test]
fn a_vaa_is_repaired_or_the_missing_guardians_are_named() {
    let home = replayed();
    let all = home.run(&["list", "--all", "--json"]).done().json();
    let (mut repaired, mut short) = (0, 0);
    for message in &all {
        if message["quorum_state"]["guardian_set_index"]
            .as_u64()
            .unwrap()
            < 3
        {
            continue;
        }
        let id = message["id"].as_str().unwrap();
        let ran = home.run(&["repair", id, "--guardian-set", "4", "--json"]);
        let answer = ran.json().remove(0);
        match answer["vaa"].as_str() {
            Some(vaa) => {
                assert_eq!(ran.code, 0);
                home.run(&["verify", vaa, "--network", "mainnet"]).done();
                repaired += 1;
            }
            None => {
                assert_eq!(ran.code, 1);
                let usable = answer["usable"].as_array().unwrap().len();
                let missing = answer["missing"].as_array().unwrap().len();
                assert!(usable < 13 && usable + missing == 19, "{answer}");
                short += 1;
            }
        }
        if repaired > 4 && short > 2 {
            break;
        }
    }
    assert!(repaired > 0 && short > 0, "{repaired} {short}");
}

#[test]
fn missing_sequences_and_totals_add_up() {
    let home = replayed();
    let all = home.run(&["list", "--all", "--json"]).done().json();
    let emitters = home
        .run(&["totals", "emitter", "--all", "--json"])
        .done()
        .json();
    let sum = |lines: &[Value]| -> u64 {
        lines
            .iter()
            .map(|one| one["messages"].as_str().unwrap().parse::<u64>().unwrap())
            .sum()
    };
    assert_eq!(sum(&emitters), all.len() as u64);
    for by in ["chain", "day"] {
        let totals = home.run(&["totals", by, "--all", "--json"]).done().json();
        assert_eq!(sum(&totals), all.len() as u64);
        assert!(home.run(&["totals", by]).done().stdout.contains("messages"));
    }
    let emitter = emitters
        .iter()
        .max_by_key(|one| one["messages"].as_str().unwrap().parse::<u64>().unwrap())
        .unwrap();
    let (chain, address) = (
        emitter["chain"].to_string(),
        emitter["emitter"].as_str().unwrap(),
    );
    let one = home
        .run(&[
            "totals",
            "emitter",
            "--chain",
            &chain,
            "--emitter",
            address,
            "--json",
        ])
        .done()
        .json();
    assert_eq!(one, std::slice::from_ref(emitter));
    let missing = home
        .run(&[
            "missing",
            "--chain",
            &chain,
            "--emitter",
            address,
            "--from",
            "0",
            "--to",
            "18446744073709551615",
            "--all",
            "--json",
        ])
        .done()
        .json();
    let number = |value: &Value| value.as_str().unwrap().parse::<u128>().unwrap();
    let absent: u128 = missing
        .iter()
        .map(|range| number(&range["last"]) - number(&range["first"]) + 1)
        .sum();
    let present: u128 = one[0]["messages"].as_str().unwrap().parse().unwrap();
    assert_eq!(absent + present, 1 << 64);
    assert!(
        home.run(&["missing", "--chain", &chain, "--emitter", address])
            .done()
            .stdout
            .contains("sequences")
    );
    let wrong = home.run(&[
        "missing",
        "--chain",
        &chain,
        "--emitter",
        address,
        "--from",
        "2",
        "--to",
        "1",
    ]);
    assert!(wrong.failure().contains("[E220]"));
}

#[test]
fn lists_are_filtered() {
    let home = replayed();
    let all = home.run(&["list", "--all", "--json"]).done().json();
    let transfers = home
        .run(&["list", "--all", "--json", "--payload-prefix", "0x01"])
        .done()
        .json();
    let payload = |message: &Value| {
        let text = message["message_publication"]["payload"].as_str().unwrap();
        STANDARD.decode(text).unwrap()
    };
    let expected: Vec<_> = all
        .iter()
        .filter(|message| payload(message).starts_with(&[1]))
        .cloned()
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(transfers, expected);
    let none = home
        .run(&["list", "--json", "--min-payload", "70000"])
        .done();
    assert_eq!(none.stdout, "");
    let core = home
        .run(&[
            "list", "--module", "Core", "--action", "2", "--all", "--json",
        ])
        .done()
        .json();
    let upgrades = |message: &&Value| {
        let core = [&[0; 28][..], b"Core\x02"].concat();
        message["emitter_chain"] == 1 && payload(message).starts_with(&core)
    };
    assert_eq!(core.len(), all.iter().filter(upgrades).count());
    assert!(!core.is_empty());
}
