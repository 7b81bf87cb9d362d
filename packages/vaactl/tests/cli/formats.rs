use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::common::{Home, rows};

fn devnet() -> Vec<String> {
    rows("devnet.jsonl")
        .iter()
        .filter(|row| row["set_ref"] == "devnet" && row["guardian_set_index"] == 0)
        .take(5)
        .map(|row| row["vaa_hex"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_form_is_ingested_from_files_and_standard_input() {
    let vaas = devnet();
    assert_eq!(vaas.len(), 5);
    let base64: Vec<_> = vaas
        .iter()
        .map(|vaa| BASE64_STANDARD.encode(hex::decode(vaa).unwrap()))
        .collect();
    let json: Vec<_> = vaas
        .iter()
        .map(|vaa| format!("{{\"vaa_hex\":\"{vaa}\"}}"))
        .collect();
    let csv: Vec<_> = vaas.iter().map(|vaa| format!("x,{vaa}")).collect();
    for (form, lines) in [
        ("hex", &vaas),
        ("base64", &base64),
        ("json", &json),
        ("csv", &csv),
    ] {
        let text = lines.join("\n");
        let home = Home::new();
        home.run(&["init", "--network", "devnet"]).done();
        // The name says nothing.
        let file = home.file("vaas.bin", &text);
        let ran = home.run(&["--json", "ingest", &file]).done();
        assert_eq!(
            ran.count("stored") + ran.count("conflict"),
            5,
            "{form}: {}",
            ran.stdout
        );
        let ran = home.run_with(&["ingest", "-", "--json"], text).done();
        assert_eq!(ran.json().len(), 5, "{form}");
        assert_eq!(ran.count("stored"), 0);
    }
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let file = home.file("vaas.txt", hex::decode(&vaas[0]).unwrap());
    assert_eq!(
        home.run(&["ingest", &file, "--json"])
            .done()
            .count("stored"),
        1
    );
}

#[test]
fn a_text_that_is_not_hex_is_a_refused_vaa() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let good = &devnet()[0];
    let text =
        format!("{{\"vaa_hex\":\"\"}}\n{{\"vaa_hex\":\"xyz\"}}\n{{\"vaa_hex\":\"{good}\"}}\n");
    let ran = home.run_with(&["ingest", "-", "--json"], text);
    assert_eq!(ran.code, 1);
    let lines = ran.json();
    assert_eq!(lines.len(), 3);
    for line in &lines[..2] {
        assert_eq!(line["outcome"], "refused");
        assert_eq!(line["error"]["code"], "E101");
        assert_eq!((&line["id"], &line["digest"]), (&Value::Null, &Value::Null));
        assert_eq!(line["governance"], Value::Null);
    }
    assert_eq!(lines[2]["outcome"], "stored");
    let keys: Vec<_> = lines[2]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys, ["digest", "error", "governance", "id", "outcome"]);
}

#[test]
fn what_stands_before_a_bad_line_is_kept_and_the_rest_can_follow() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let vaas = devnet();
    let file = home.file(
        "vaas",
        format!("{}\n{}\n???\n{}\n", vaas[0], vaas[1], vaas[2]),
    );
    let ran = home.run(&["ingest", &file, "--json"]);
    assert!(
        ran.failure()
            .contains("vaas` line 3: neither hex nor base64")
    );
    assert_eq!(ran.json().len(), 2);
    let file = home.file("vaas", format!("{}\n{}\n{}\n", vaas[0], vaas[1], vaas[2]));
    let ran = home.run(&["ingest", &file, "--json"]).done();
    assert_eq!(ran.count("already_registered"), 2);
}
