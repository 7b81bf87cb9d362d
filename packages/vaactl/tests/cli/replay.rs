use serde_json::{Value, json};

use crate::common::{Home, rows, testdata};

#[test]
fn mainnet_history_is_replayed_through_all_sets() {
    let home = Home::new();
    let file = testdata("mainnet.jsonl").display().to_string();
    let first = home.run(&["ingest", "--replay", &file, "--json"]).done();
    assert_eq!(first.json().len(), 128);
    assert_eq!((first.count("stored"), first.count("resigned")), (112, 16));
    // One line a VAA, in the order of the input.
    for (line, row) in first.json().iter().zip(rows("mainnet.jsonl")) {
        assert_eq!(line["digest"], row["digest"]);
        assert_eq!(line["error"], Value::Null);
    }
    let applied: Vec<u64> = first
        .json()
        .iter()
        .filter_map(|line| line["governance"]["applied"].as_u64())
        .collect();
    assert_eq!(
        {
            let mut sorted = applied;
            sorted.sort_unstable();
            sorted
        },
        [1, 2, 3, 4, 5, 6, 7]
    );

    let again = home.run(&["ingest", "--replay", &file, "--json"]).done();
    assert_eq!(again.count("already_registered"), 128);
    let human = home.run(&["ingest", "--replay", &file]).done();
    assert!(
        human
            .stdout
            .contains("0 stored, 0 re-signed, 128 already registered")
    );

    let sets = home.run(&["guardians", "--json"]).done().json();
    assert_eq!(sets.len(), 8);
    assert_eq!(sets[7]["current"], json!(true));
    assert_eq!(sets[0]["addresses"].as_array().unwrap().len(), 1);
    let all = home.run(&["list", "--all", "--json"]).done().json();
    assert_eq!(all.len(), 112);
    assert_eq!(home.run(&["conflicts", "--json"]).done().json().len(), 0);
}

#[test]
fn the_summary_counts_by_chain_and_by_set() {
    let home = Home::new();
    let file = testdata("mainnet.jsonl").display().to_string();
    let ran = home.run(&["ingest", "--replay", &file]).done();
    assert!(
        ran.stdout
            .contains("112 stored, 16 re-signed, 0 already registered, 0 conflict, 0 refused")
    );
    assert!(
        ran.stdout
            .contains("guardian sets applied: 1, 2, 3, 4, 5, 6, 7")
    );
    assert!(ran.stdout.contains("2 Ethereum"));
}

#[test]
fn replay_and_ordinary_stores_are_kept_apart() {
    let home = Home::new();
    home.run(&["init", "--network", "mainnet"]).done();
    let file = testdata("mainnet.jsonl").display().to_string();
    let ran = home.run(&["ingest", "--replay", &file]);
    assert!(ran.failure().contains("does not follow history"));
    assert_eq!(home.run(&["list", "--json"]).done().stdout, "");
}

#[test]
fn time_does_not_go_back_for_rows_of_an_expired_set() {
    let home = Home::new();
    let all = rows("mainnet.jsonl");
    let is_upgrade = |row: &Value| row["kind"] == "governance/guardian-set-upgrade";
    let text = |rows: &[&Value]| -> String { rows.iter().map(|row| format!("{row}\n")).collect() };
    let upgrades: Vec<&Value> = all.iter().filter(|row| is_upgrade(row)).collect();
    let others: Vec<&Value> = all
        .iter()
        .filter(|row| row["guardian_set_index"] == 3 && !is_upgrade(row))
        .collect();
    assert!(!others.is_empty());
    let upgrades = home.file("upgrades.jsonl", text(&upgrades));
    let others = home.file("others.jsonl", text(&others));
    home.run(&["ingest", "--replay", &upgrades]).done();
    let ran = home.run(&["ingest", "--replay", &others, "--json"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.json()
            .iter()
            .all(|line| line["error"]["code"] == "E105"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_second_replay_goes_on_where_the_first_ended() {
    let home = Home::new();
    let all = rows("mainnet.jsonl");
    let part = |from: u64, to: u64| -> String {
        all.iter()
            .filter(|row| (from..=to).contains(&row["guardian_set_index"].as_u64().unwrap()))
            .map(|row| format!("{row}\n"))
            .collect()
    };
    let mut done = (0, 0);
    for (from, to) in [(0, 2), (3, 3), (4, 7)] {
        let file = home.file("part.jsonl", part(from, to));
        let ran = home.run(&["ingest", "--replay", &file, "--json"]).done();
        done.0 += ran.count("stored");
        done.1 += ran.count("resigned");
    }
    assert_eq!(done, (112, 16));
}

#[test]
fn a_bad_input_creates_nothing() {
    let home = Home::new();
    let first = &rows("mainnet.jsonl")[0];
    let file = home.file("half.jsonl", format!("{first}\n{{\"vaa_hex\":\"01"));
    let ran = home.run(&["ingest", "--replay", &file]);
    assert!(
        ran.failure()
            .contains("half.jsonl` line 2: JSON that ends too early")
    );
    assert!(!home.path().exists());
}

/// A row that nobody signed says of itself that it introduced set 1, at the end of time. Time never goes back, so had it
/// any say, nothing after it could be verified.
#[test]
fn an_unverified_upgrade_does_not_lead_the_time() {
    let first = rows("mainnet.jsonl")
        .into_iter()
        .find(|row| {
            row["kind"] == "governance/guardian-set-upgrade" && row["set_ref"] == "mainnet:0"
        })
        .unwrap();
    let vaa = first["vaa_hex"].as_str().unwrap();
    let body = &vaa[12 + 132..];
    let forged = format!("{}00ffffffff{}", &vaa[..10], &body[8..]);
    let home = Home::new();
    let forged = home.file("forged", json!({ "vaa_hex": forged }).to_string());
    let file = testdata("mainnet.jsonl").display().to_string();
    let ran = home.run(&["ingest", "--replay", &forged, &file, "--json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()[0]["error"]["code"], "E108");
    assert_eq!(
        (
            ran.count("stored"),
            ran.count("resigned"),
            ran.count("refused")
        ),
        (112, 16, 1)
    );
}

#[test]
fn input_without_a_vaa_fails_and_creates_nothing() {
    let home = Home::new();
    let empty = home.file("empty", "");
    let ran = home.run(&["ingest", "--replay", &empty]);
    assert!(ran.failure().contains("no VAA in the input"));
    assert!(!home.path().exists());
    home.run(&["init", "--network", "mainnet"]).done();
    assert!(
        home.run(&["ingest", &empty])
            .failure()
            .contains("no VAA in the input")
    );
}
