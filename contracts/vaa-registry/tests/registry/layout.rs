//! The example of LAYOUT.md, compared with what the registry stores.

use std::collections::BTreeMap;

use vaa_registry::msg::OutcomeKind;
use wormhole_vaa::{Address, Body, SecretKey, Vaa};

use super::suite::{Suite, body, governance, key, quorum_sign, upgrade};

const LAYOUT: &str = include_str!("../../LAYOUT.md");

/// Returns the rows of the example, as what, key and value.
fn documented() -> Vec<[String; 3]> {
    let mut lines = LAYOUT.lines();
    lines
        .find(|line| *line == "| what | key | value |")
        .unwrap();
    let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        let cells = row.trim_matches('|').split('|');
        let mut cells = cells.map(|cell| cell.replace(['`', ' '], ""));
        [(); 3].map(|()| cells.next().unwrap())
    };
    rows.map(cells).collect()
}

/// Returns r and s of a VAA's first signature in hex.
fn rs(vaa: &[u8]) -> String {
    hex::encode(Vaa::parse(vaa).unwrap().signatures[0].rs())
}

#[test]
fn the_example_is_what_is_stored() {
    let (old, new): ([SecretKey; 1], [SecretKey; 1]) = ([key(1)], [key(2)]);
    let mut emitter = [0x11; 32];
    emitter[..12].fill(0);
    let mut transfer = vec![0; 133];
    (transfer[0], transfer[32], transfer[66]) = (1, 100, 2);
    transfer[45..65].fill(0x22);
    transfer[79..99].fill(0x33);
    transfer[100] = 5;
    let first = Body {
        emitter_address: Address(emitter),
        ..body(300, &transfer)
    };
    let second = Body {
        payload: b"other".to_vec(),
        ..first.clone()
    };
    let set = governance(1, &upgrade(1, &new));

    let mut suite = Suite::of_keys(&old);
    let vaas = [
        (quorum_sign(0, &old, &first), OutcomeKind::Stored),
        (quorum_sign(0, &old, &set), OutcomeKind::Stored),
        (quorum_sign(1, &new, &first), OutcomeKind::Resigned),
        (quorum_sign(1, &new, &second), OutcomeKind::Conflict),
    ];
    for (vaa, outcome) in &vaas {
        assert_eq!(suite.submit_one(vaa).outcome, *outcome);
    }

    // What is computed rather than written out in the document.
    let computed = BTreeMap::from([
        ("RS1", rs(&vaas[0].0)),
        ("RS2", rs(&vaas[1].0)),
        ("RS3", rs(&vaas[2].0)),
        ("RS4", rs(&vaas[3].0)),
        ("DIGEST1", first.digest().to_string()),
        ("DIGEST2", set.digest().to_string()),
        ("DIGEST4", second.digest().to_string()),
        ("GUARDIAN0", old[0].address().to_hex()),
        ("GUARDIAN1", new[0].address().to_hex()),
        ("CORE", hex::encode(&upgrade(1, &new)[28..32])),
        ("CW2", hex::encode("contract_info")),
        ("ADDRESS", "11".repeat(20)),
        ("TOKEN", "22".repeat(20)),
        ("RECIPIENT", "33".repeat(20)),
    ]);
    let bytes = |cell: &str| {
        let mut hex = cell.to_owned();
        for (name, value) in &computed {
            hex = hex.replace(name, value);
        }
        hex
    };
    let stored: BTreeMap<String, String> = suite
        .dump()
        .iter()
        .map(|(key, value)| (hex::encode(key), hex::encode(value)))
        .collect();
    let mut example: BTreeMap<String, String> = BTreeMap::new();
    for [what, key, value] in documented() {
        let (key, value) = (bytes(&key), bytes(&value));
        assert_eq!(stored.get(&key), Some(&value), "{what}: {stored:#?}");
        example.insert(key, value);
    }
    // `cw2` writes JSON, with the contract's version in it.
    example.extend(
        stored
            .get_key_value(&computed["CW2"])
            .map(|(key, value)| (key.clone(), value.clone())),
    );
    assert_eq!(stored, example);
}
