//! A guardian's observations, signed and submitted from files.

use serde_json::{Value, json};
use wormhole_vaa::{SecretKey, Vaa};

use crate::common::{Home, Ran};

fn key(seed: u8) -> SecretKey {
    SecretKey::from_bytes(&[seed; 32]).unwrap()
}

/// A registry whose set 0 are the guardians of these seeds, and a file for each with its key.
pub(crate) fn registry(seeds: &[u8]) -> (Home, Vec<String>) {
    let home = Home::new();
    let addresses: Vec<String> = seeds
        .iter()
        .map(|seed| key(*seed).address().to_hex())
        .collect();
    let sets = json!([{ "index": 0, "addresses": addresses }]);
    let file = home.file("sets.json", sets.to_string());
    home.run(&["init", "--guardian-sets", &file]).done();
    let file = |seed: &u8| {
        let name = format!("key-{seed}");
        home.file(&name, format!("0x{}\n", format!("{seed:02x}").repeat(32)))
    };
    let files = seeds.iter().map(file).collect();
    (home, files)
}

/// A body with a sequence number, as hex.
pub(crate) fn body(sequence: u64) -> String {
    format!(
        "{}{}{}{sequence:016x}20{}",
        "65000000",
        "00000007",
        format_args!("0002{}", "ee".repeat(32)),
        "abcd"
    )
}

fn outcomes(ran: &Ran) -> Vec<Value> {
    ran.json()
        .iter()
        .map(|line| line["outcome"].clone())
        .collect()
}

#[test]
fn observations_gather_to_a_vaa() {
    let (home, keys) = registry(&[1, 2, 3, 4]);
    let bodies = home.file("bodies", format!("{}\n{}\n", body(1), body(2)));
    let observe = |key: &str, more: &[&str]| {
        let mut arguments = vec![
            "observe",
            "--json",
            "--bodies",
            "--tx-id",
            "0x0102",
            "--key-file",
            key,
        ];
        arguments.extend(more);
        home.run(&arguments)
    };
    assert_eq!(
        outcomes(&observe(&keys[3], &[&bodies]).done()),
        ["pending", "pending"]
    );
    let first = observe(&keys[1], &[&bodies]).done();
    assert_eq!(
        (&first.json()[0]["signatures"], &first.json()[0]["quorum"]),
        (&json!(2), &json!(3))
    );
    let pending = home.run(&["pending", "--json"]).done().json();
    assert_eq!(pending.len(), 2);
    assert_eq!(pending[0]["signatures"][0]["guardians"], json!([1, 3]));
    let id = pending[0]["id"].as_str().unwrap();
    let table = home.run(&["pending", id]).done().stdout;
    assert!(table.contains("2/3") && table.contains("1 3"), "{table}");
    assert_eq!(
        outcomes(&observe(&keys[0], &[&bodies]).done()),
        ["stored", "stored"]
    );
    assert!(home.run(&["pending", "--json"]).done().json().is_empty());
    let vaa = home.run(&["vaa", id]).done().stdout;
    let vaa = Vaa::parse(&wormhole_vaa::decode_hex("vaa", vaa.trim()).unwrap()).unwrap();
    let signers: Vec<u8> = vaa
        .signatures
        .iter()
        .map(|signature| signature.index)
        .collect();
    assert_eq!(signers, [0, 1, 3]);
    // Of a VAA its body is observed.
    let file = home.file("vaa", wormhole_vaa::encode_hex(&vaa.serialize().unwrap()));
    let late = home
        .run(&[
            "observe",
            "--json",
            "--tx-id",
            "01",
            "--key-file",
            &keys[2],
            &file,
        ])
        .done();
    assert_eq!(outcomes(&late), ["already_registered"]);
}

#[test]
fn what_is_signed_in_one_place_is_submitted_in_another() {
    let (home, keys) = registry(&[1]);
    let bodies = home.file("bodies", body(1));
    let signed = home.dir.path().join("signed").display().to_string();
    let sign = [
        "observe",
        "--bodies",
        "--tx-id",
        "01",
        "--key-file",
        &keys[0],
        &bodies,
        "--out",
    ];
    home.run(&[&sign[..], &[&signed]].concat()).done();
    assert!(home.run(&["pending", "--json"]).done().json().is_empty());
    assert!(home.run(&["list", "--json"]).done().json().is_empty());
    let shown = home.run(&[&sign[..], &["-"]].concat()).done();
    assert_eq!(shown.stdout, std::fs::read_to_string(&signed).unwrap());
    let submit = |file: &str| home.run(&["observe", "--json", "--signed", file]);
    assert_eq!(outcomes(&submit(&signed).done()), ["stored"]);
    assert_eq!(outcomes(&submit(&signed).done()), ["already_registered"]);
    // Spoilt on the way, or something else.
    let spoilt = shown
        .stdout
        .replace("\"guardian_set_index\":0", "\"guardian_set_index\":1");
    assert!(
        submit(&home.file("spoilt", spoilt))
            .failure()
            .contains("E104")
    );
    let other = home.file("other", "{\"prune\":{\"limit\":1}}");
    assert!(submit(&other).failure().contains("`"));
    assert!(
        submit(&home.file("empty", "\n"))
            .failure()
            .contains("no signed batch")
    );
}

#[test]
fn the_development_networks_key_is_known() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let bodies = home.file("bodies", body(1));
    let observe = [
        "observe",
        "--json",
        "--bodies",
        "--tx-id",
        "01",
        "--devnet-key",
        &bodies,
    ];
    assert_eq!(outcomes(&home.run(&observe).done()), ["stored"]);
}

#[test]
fn a_key_is_never_told_and_has_to_be_a_guardians() {
    let (home, keys) = registry(&[1, 2, 3]);
    let bodies = home.file("bodies", body(1));
    let observe = |more: &[&str]| {
        let mut arguments = vec!["observe", "--bodies", "--tx-id", "01", &bodies];
        arguments.extend(more);
        home.run(&arguments)
    };
    assert!(observe(&[]).failure().contains("VAACTL_GUARDIAN_KEY"));
    let secret = "c0ffee".repeat(10);
    let bad = home.file("bad", &secret);
    let told = observe(&["--key-file", &bad]);
    assert!(told.failure().contains("64 hex digits"));
    assert!(!told.stderr.contains("c0ffee"));
    let stranger = home.file("stranger", "09".repeat(32));
    assert!(
        observe(&["--key-file", &stranger])
            .failure()
            .contains("not in guardian set 0")
    );
    assert!(
        observe(&["--key-file", &keys[0], "--guardian-set", "7"])
            .failure()
            .contains("E205")
    );
    let short = home.file("short", "00".repeat(50));
    let ran = home.run(&[
        "observe",
        "--bodies",
        "--tx-id",
        "01",
        "--key-file",
        &keys[0],
        &short,
    ]);
    assert!(ran.failure().contains("short"));
    // A refused observation is a failure of the run, told by name.
    let vaas: String = (0..3)
        .map(|nonce| body(9).replacen("00000007", &format!("0000000{nonce}"), 1) + "\n")
        .collect();
    let three = home.file("three", vaas);
    let ran = home.run(&[
        "observe",
        "--bodies",
        "--tx-id",
        "01",
        "--key-file",
        &keys[0],
        &three,
    ]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("E115"), "{}", ran.stdout);
}
