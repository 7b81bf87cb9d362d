//! The example of LAYOUT.md, compared with what the registry stores.

use std::collections::BTreeMap;

use cw_multi_test::Executor;
use vaa_registry::{
    msg::{MigrateMsg, OutcomeKind},
    state::{LAYOUT, Layout, schema},
};
use wormhole_vaa::{Address, Body, SecretKey, Vaa, keccak256};

use super::suite::{Suite, body, governance, key, keys, quorum_sign, upgrade};

const DOCUMENT: &str = include_str!("../../LAYOUT.md");

/// Returns the rows of the example, as what, key and value.
fn documented() -> Vec<[String; 3]> {
    let mut lines = DOCUMENT.lines();
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
        ("LAYOUT", hex::encode(LAYOUT)),
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

/// Whoever changes a table, a key, an index or a codec changes this number, and with it what a migration takes.
#[test]
fn the_layout_stands_for_the_tables() {
    let schema = cosmwasm_std::to_json_vec(&schema()).unwrap();
    assert_eq!(hex::encode(LAYOUT), hex::encode(keccak256(&schema)));
}

/// A store of another layout, or of none, is not migrated, and stays as it is.
#[test]
fn another_layout_is_not_migrated() {
    let mut suite = Suite::of_keys(&keys(1..=1));
    let migrate = |suite: &mut Suite| {
        let (user, registry) = (suite.user.clone(), suite.registry.clone());
        let code = suite.app.contract_data(&registry).unwrap().code_id;
        suite
            .app
            .migrate_contract(user, registry, &MigrateMsg {}, code)
            .map_err(|error| format!("{error:?}"))
    };
    migrate(&mut suite).unwrap();
    for change in [None, Some([7; 32])] {
        let registry = suite.registry.clone();
        let mut storage = suite.app.contract_storage_mut(&registry);
        Layout::TABLE.delete(storage.as_mut(), &0).unwrap();
        if let Some(digest) = change {
            let row = Layout { id: 0, digest };
            Layout::TABLE.insert(storage.as_mut(), &row).unwrap();
        }
        drop(storage);
        let before = suite.dump();
        let error = migrate(&mut suite).unwrap_err();
        assert!(error.contains("[E313]"), "{error}");
        assert_eq!(suite.dump(), before);
        let mut storage = suite.app.contract_storage_mut(&registry);
        let row = Layout {
            id: 0,
            digest: LAYOUT,
        };
        Layout::TABLE.upsert(storage.as_mut(), row).unwrap();
    }
    migrate(&mut suite).unwrap();
}
