use serde_json::{Value, json};

use crate::common::{Home, rows, testdata};

fn replayed() -> Home {
    let home = Home::new();
    let file = testdata("mainnet.jsonl").display().to_string();
    home.run(&["ingest", "--replay", &file]).done();
    home
}

#[test]
fn every_stored_vaa_is_given_back_bit_for_bit() {
    let home = replayed();
    for row in rows("mainnet.jsonl").iter().step_by(11) {
        let id = format!(
            "{}/{}/{}",
            row["emitter_chain"],
            row["emitter_address"].as_str().unwrap(),
            row["sequence"].as_str().unwrap()
        );
        let set = row["guardian_set_index"].to_string();
        let ran = home.run(&["vaa", &id, "--guardian-set", &set]).done();
        assert_eq!(ran.stdout.trim(), row["vaa_hex"].as_str().unwrap());
        let shown = home.run(&["get", &id, "--json"]).done().json();
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0]["id"], json!(id));
        assert_eq!(shown[0]["sequence"], row["sequence"]);
        let digest = row["digest"].as_str().unwrap();
        let upper = format!("0x{}", digest.to_uppercase());
        assert_eq!(home.run(&["get", &upper, "--json"]).done().json(), shown);
        assert!(
            home.run(&["get", &id.replace('/', ":")])
                .done()
                .stdout
                .contains(digest)
        );
    }
}

#[test]
fn lists_follow_filters_pages_and_directions() {
    let home = replayed();
    let list = |arguments: &[&str]| {
        let mut all = vec!["list", "--json"];
        all.extend(arguments);
        home.run(&all).done()
    };
    let ids = |arguments: &[&str]| -> Vec<Value> {
        list(arguments)
            .json()
            .iter()
            .map(|row| row["id"].clone())
            .collect()
    };
    let all = ids(&["--all"]);
    assert_eq!(all.len(), 112);
    assert_eq!(ids(&[]).len(), 30);
    assert_eq!(ids(&["--limit", "100"]), all[..100]);
    let mut reversed = ids(&["--all", "--reverse"]);
    reversed.reverse();
    assert_eq!(reversed, all);
    assert_eq!(ids(&["--offset", "110"]), all[110..]);

    // The key that a page ends with goes on where it ended.
    let first = list(&["--limit", "70"]);
    let key = first
        .stderr
        .split("--key ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(ids(&["--limit", "70", "--key", &key]), all[70..]);
    assert!(
        home.run(&["list", "--key", "!"])
            .failure()
            .contains("--key")
    );

    let of = |field: &str, value: &Value| {
        let rows = list(&["--all"]).json();
        rows.iter().filter(|row| row[field] == *value).count()
    };
    assert_eq!(
        ids(&["--all", "--chain", "ethereum"]).len(),
        of("emitter_chain", &json!(2))
    );
    assert_eq!(
        ids(&["--all", "--chain", "1"]).len(),
        of("emitter_chain", &json!(1))
    );
    let governance = "0000000000000000000000000000000000000000000000000000000000000004";
    let emitted = ids(&["--all", "--chain", "1", "--emitter", governance]);
    assert_eq!(emitted.len(), of("emitter_address", &json!(governance)));
    let short = format!("0x{}", &governance[24..]);
    assert_eq!(
        ids(&["--all", "--chain", "1", "--emitter", &short]),
        emitted
    );

    let times: Vec<u64> = list(&["--all", "--by-time"])
        .json()
        .iter()
        .map(|row| row["message_publication"]["timestamp"].as_u64().unwrap())
        .collect();
    assert_eq!(times.len(), 112);
    assert!(times.is_sorted());
    let from = times[50].to_string();
    let late = times.iter().filter(|time| **time >= times[50]).count();
    assert_eq!(ids(&["--all", "--from", &from]).len(), late);

    let under_three = rows("mainnet.jsonl")
        .iter()
        .filter(|r| r["guardian_set_index"] == 3)
        .count();
    assert_eq!(ids(&["--all", "--guardian-set", "3"]).len(), under_three);
    let row = &list(&["--limit", "1", "--families", "status"]).json()[0];
    assert_eq!(row["message_publication"], Value::Null);
    assert!(row["status"].is_object());
    assert!(home.run(&["list"]).done().stdout.contains("payload"));
}

#[test]
fn verification_offline_and_by_the_registry_agree() {
    let home = replayed();
    let mainnet = rows("mainnet.jsonl");
    let row = mainnet
        .iter()
        .find(|row| row["guardian_set_index"] == 7)
        .unwrap_or(&mainnet[127]);
    let vaa = row["vaa_hex"].as_str().unwrap();
    let offline = home
        .run(&["verify", "--network", "mainnet", vaa, "--json"])
        .done()
        .json();
    assert_eq!(offline[0]["valid"], json!(true));
    assert_eq!(offline[0]["digest"], row["digest"]);
    let human = home.run(&["verify", "--network", "mainnet", vaa]).done();
    assert!(human.stdout.contains("valid under guardian set"));

    // One digit of the payload changed.
    let mut bad = vaa.to_owned();
    let last = if bad.pop() == Some('0') { '1' } else { '0' };
    bad.push(last);
    for arguments in [&["verify", "--network", "mainnet"][..], &["verify"]] {
        let mut all = arguments.to_vec();
        all.extend([bad.as_str(), "--json"]);
        let ran = home.run(&all);
        assert_eq!(ran.code, 1);
        assert_eq!(ran.json()[0]["valid"], json!(false));
        assert_eq!(ran.json()[0]["errors"][0]["code"], "E111");
    }
    let ran = home.run(&["verify", "--network", "devnet", vaa]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("not valid"), "{}", ran.stdout);
    let old = mainnet[0]["vaa_hex"].as_str().unwrap();
    let ran = home.run(&["verify", old, "--json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()[0]["errors"][0]["code"], "E105");
    assert!(
        home.run_with(&["verify", "-"], "")
            .failure()
            .contains("there is no VAA")
    );
}

#[test]
fn vaas_are_parsed_without_a_registry() {
    let home = Home::new();
    let file = testdata("mainnet.jsonl").display().to_string();
    let parsed = home.run(&["parse", &file, "--json"]).done().json();
    let mainnet = rows("mainnet.jsonl");
    assert_eq!(parsed.len(), mainnet.len());
    for (parsed, row) in parsed.iter().zip(&mainnet) {
        assert_eq!(parsed["digest"], row["digest"]);
        assert_eq!(parsed["sequence"], row["sequence"]);
        assert_eq!(parsed["timestamp"], row["timestamp"]);
        assert_eq!(
            parsed["signatures"].as_array().unwrap().len(),
            row["n_signatures"]
        );
        let payload = parsed["payload"].as_str().unwrap();
        assert_eq!(
            payload.len() as u64,
            row["payload_len"].as_u64().unwrap() * 2
        );
    }
    let upgrade = &parsed[0]["governance"];
    assert_eq!(upgrade["module"], "Core");
    assert_eq!(upgrade["guardian_set_upgrade"]["new_index"], 1);
    assert!(!home.path().exists());

    let ran = home
        .run_with(&["parse", "-"], mainnet[0]["vaa_hex"].as_str().unwrap())
        .done();
    assert!(ran.stdout.contains("to set 1 of 19 guardians"));
    let ran = home.run(&["parse", "0203"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("vaa version 2 is not supported"),
        "{}",
        ran.stderr
    );
}

/// F-29: the payload starts where the header and the body's fixed fields end.
#[test]
fn f_29_the_payload_is_cut_at_the_right_place() {
    let home = Home::new();
    for (count, chain) in [(13_u8, "ffff"), (0, "0001"), (1, "0002")] {
        let mut vaa = format!("0100000000{count:02x}");
        for index in 0..count {
            vaa.push_str(&format!("{index:02x}{}00", "11".repeat(64)));
        }
        vaa.push_str(&format!(
            "0000000000000000{chain}{}{}01",
            "22".repeat(32),
            "00".repeat(8)
        ));
        vaa.push_str("deadbeef01020304");
        let parsed = home.run(&["parse", &vaa, "--json"]).done().json();
        assert_eq!(parsed[0]["payload"], "deadbeef01020304");
        assert_eq!(parsed[0]["transfer"], Value::Null);
    }
}

#[test]
fn conflicts_are_kept_listed_and_told_under_strict() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let rows = rows("verdicts.jsonl");
    let vaa = |name: &str| {
        rows.iter().find(|row| row["name"] == name).unwrap()["vaa_hex"]
            .as_str()
            .unwrap()
    };
    let (first, second) = (vaa("syn_equivocation_a"), vaa("syn_equivocation_b"));
    home.run_with(&["ingest", "-"], first).done();
    let ran = home.run_with(&["ingest", "-", "--json", "--strict"], second);
    assert_eq!(ran.code, 3);
    assert_eq!(ran.json()[0]["outcome"], "conflict");
    assert!(ran.stderr.contains("warning: conflict"), "{}", ran.stderr);
    let ran = home.run_with(&["ingest", "-", "--json"], second).done();
    assert_eq!(ran.json()[0]["outcome"], "conflict");

    let conflicts = home.run(&["conflicts", "--json"]).done().json();
    assert_eq!(conflicts.len(), 1);
    let id = conflicts[0]["id"].as_str().unwrap();
    assert_eq!(
        home.run(&["conflicts", id, "--json"]).done().json(),
        conflicts
    );
    let ran = home.run(&["vaa", id]).done();
    assert_eq!(ran.stdout.trim(), first);
    assert!(ran.stderr.contains("another message has this id"));
    let shown = home.run(&["get", id, "--json"]).done().json();
    assert_eq!(shown[0]["status"]["conflict"], json!(true));
}

#[test]
fn what_is_not_registered_is_told() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let id = format!("2/{}/18446744073709551615", "00".repeat(32));
    assert!(
        home.run(&["get", &id])
            .failure()
            .contains(&format!("{id} is not registered"))
    );
    assert!(home.run(&["vaa", &id]).failure().contains(&id));
    assert!(
        home.run(&["get", &"ab".repeat(32)])
            .failure()
            .contains("is registered")
    );
    assert!(
        home.run(&["guardians", "9"])
            .failure()
            .contains("guardian set 9")
    );
}

#[test]
fn completions_are_scripts() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            home.run(&["completions", shell])
                .done()
                .stdout
                .contains("vaactl")
        );
    }
}
