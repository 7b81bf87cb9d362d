//! Each fault, by name.

use cosmwasm_std::{Storage, Uint64};
use cw_orm::{Fault, IndexSet, Json, Record};

use crate::fixture::{
    BY_CLIENT, Body, DOCS, ITEMS, Item, LEGACY, MESSAGES, Message, NOTES, ORDERS, Order, Phase,
    Quorum, Store, TRADES, Trade, doc, faults, item, note, order, raw_key, trade,
};

fn orders() -> Store {
    let mut store = Store::default();
    for seq in 1..4_u32 {
        let row = Order {
            client: Some(format!("c{seq}")),
            tags: vec!["x".into()],
            ..order("a", seq, "m")
        };
        ORDERS.insert(&mut store, &row).unwrap();
    }
    store
}

fn id(seq: u32) -> Vec<u8> {
    [&b"a\0"[..], &seq.to_be_bytes()].concat()
}

fn found(store: &Store) -> Vec<Fault> {
    faults(|key| ORDERS.check(store, key, 1_000))
}

fn hexed(parts: &[&[u8]]) -> String {
    hex::encode(parts.concat())
}

const TABLE: &str = "orders";

#[test]
fn nothing_in_a_sound_table() {
    assert_eq!(found(&Store::default()), []);
    assert_eq!(found(&orders()), []);
}

#[test]
fn a_missing_entry() {
    for (ns, index, part) in [("om", "by_market", &b"m\0"[..]), ("ot", "by_tag", b"x\0")] {
        let mut store = orders();
        store.remove(&raw_key(ns, &[part, &id(2)]));
        let fault = Fault::MissingEntry {
            table: TABLE.into(),
            index: index.into(),
            key: hexed(&[&id(2)]),
            entry: hexed(&[part, &id(2)]),
        };
        assert_eq!(found(&store), [fault]);
    }
    let mut store = orders();
    store.remove(&raw_key("oc", &[b"c2\0"]));
    let fault = Fault::MissingEntry {
        table: TABLE.into(),
        index: "by_client".into(),
        key: hexed(&[&id(2)]),
        entry: hexed(&[b"c2\0"]),
    };
    let text = "table `orders`: index `by_client` lacks entry 633200 of row 610000000002";
    assert_eq!(fault.to_string(), text);
    assert_eq!(found(&store), [fault]);
}

#[test]
fn an_entry_with_a_wrong_value() {
    let mut store = orders();
    store.set(&raw_key("om", &[b"m\0", &id(2)]), &[2]);
    // Another row holds the unique key of row 1.
    store.set(&raw_key("oc", &[b"c1\0"]), &id(3));
    let wrong = |index: &str, row: u32, entry: &[&[u8]]| Fault::WrongEntry {
        table: TABLE.into(),
        index: index.into(),
        key: hexed(&[&id(row)]),
        entry: hexed(entry),
    };
    let stray = Fault::StrayEntry {
        table: TABLE.into(),
        index: "by_client".into(),
        key: hexed(&[&id(3)]),
        entry: hexed(&[b"c1\0"]),
    };
    let want = [
        wrong("by_client", 1, &[b"c1\0"]),
        wrong("by_market", 2, &[b"m\0", &id(2)]),
        stray,
    ];
    assert_eq!(found(&store), want);
}

#[test]
fn an_entry_that_no_row_accounts_for() {
    let mut store = orders();
    let stray = |index: &str, row: u32, entry: &[&[u8]]| Fault::StrayEntry {
        table: TABLE.into(),
        index: index.into(),
        key: hexed(&[&id(row)]),
        entry: hexed(entry),
    };
    // Of a row that is gone, and of one that has another key.
    store.set(&raw_key("om", &[b"m\0", &id(9)]), &[1]);
    store.set(&raw_key("om", &[b"n\0", &id(1)]), &[1]);
    store.set(&raw_key("oc", &[b"new\0"]), &id(1));
    let want = [
        stray("by_market", 9, &[b"m\0", &id(9)]),
        stray("by_market", 1, &[b"n\0", &id(1)]),
        stray("by_client", 1, &[b"new\0"]),
    ];
    assert_eq!(found(&store), want);
    let text = want[0].to_string();
    assert_eq!(
        text,
        "table `orders`: index `by_market` has an entry 6d00610000000009 that row 610000000009 does not account for"
    );
    let mut store = orders();
    store.remove(&raw_key("o", &[&id(2)]));
    let indexes = found(&store);
    let names: Vec<_> = indexes
        .iter()
        .map(|fault| match fault {
            Fault::StrayEntry { index, key, .. } if *key == hexed(&[&id(2)]) => &index[..],
            fault => panic!("{fault}"),
        })
        .collect();
    assert_eq!(names, ["by_market", "by_tag", "by_client", "by_memo"]);
}

#[test]
fn keys_and_entries_that_are_none() {
    let mut store = orders();
    store.set(&raw_key("o", &[b"no end"]), &[1]);
    store.set(&raw_key("o", &[b"\0", &1_u32.to_be_bytes()]), &[1]);
    store.set(&raw_key("om", &[b"no end"]), &[1]);
    store.set(&raw_key("oc", &[b"c1\0more"]), &id(1));
    let malformed = |index: &str, entry: &[u8]| Fault::MalformedEntry {
        table: TABLE.into(),
        index: index.into(),
        entry: hex::encode(entry),
    };
    let found = found(&store);
    assert!(
        matches!(&found[0], Fault::MalformedRow { key, .. } if *key == hexed(&[b"\0", &1_u32.to_be_bytes()])),
        "an empty owner with a number is a key: {}",
        found[0]
    );
    assert!(
        matches!(&found[1], Fault::MalformedKey { table, key, .. } if table == TABLE && *key == hexed(&[b"no end"]))
    );
    assert_eq!(
        found[2..],
        [
            malformed("by_market", b"no end"),
            malformed("by_client", b"c1\0more")
        ]
    );
    let mut store = Store::default();
    store.set(&raw_key("legacy", &[]), b"{}");
    let empty = faults(|key| LEGACY.check(&store, key, 9));
    assert!(
        matches!(&empty[..], [Fault::MalformedKey { key, .. }] if key.is_empty()),
        "{empty:?}"
    );
}

#[test]
fn rows_that_cannot_be_read_or_are_invalid() {
    let mut store = orders();
    let entries = store.dump().len();
    store.set(&raw_key("o", &[&id(2)]), &[7, 0]);
    let broken = found(&store);
    // Its entries lead to a row, which is told of once.
    let [Fault::MalformedRow { table, key, reason }] = &broken[..] else {
        panic!("{broken:?}")
    };
    assert_eq!((&table[..], key), (TABLE, &hexed(&[&id(2)])));
    assert!(
        reason.ends_with("is of version 7, but this code knows 1"),
        "{reason}"
    );
    let invalid = Order {
        client: Some("c2".into()),
        tags: vec!["x".into()],
        amount: 13,
        ..order("a", 2, "m")
    };
    let value = [vec![1], invalid.encode().unwrap()].concat();
    store.set(&raw_key("o", &[&id(2)]), &value);
    let fault = Fault::InvalidRow {
        table: TABLE.into(),
        key: hexed(&[&id(2)]),
        reason: "an amount of 13".into(),
    };
    assert_eq!(found(&store), [fault]);
    assert_eq!(store.dump().len(), entries);
}

#[test]
fn a_row_under_the_key_of_another() {
    let mut store = Store::default();
    store.set(&raw_key("legacy", &[b"a"]), br#"{"name":"b","points":1}"#);
    let fault = Fault::OtherKey {
        table: "legacy".into(),
        key: "61".into(),
        carried: "62".into(),
    };
    assert_eq!(faults(|key| LEGACY.check(&store, key, 9)), [fault]);
    let _ = Json;
}

#[test]
fn a_row_whose_index_keys_cannot_be_told() {
    let mut store = orders();
    let nul = Order {
        tags: vec!["x\0y".into()],
        client: Some("c2".into()),
        ..order("a", 2, "m")
    };
    let value = [vec![1], nul.encode().unwrap()].concat();
    store.set(&raw_key("o", &[&id(2)]), &value);
    let found = found(&store);
    let [
        Fault::IndexFailed { index, key, .. },
        Fault::StrayEntry { index: stray, .. },
    ] = &found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!(
        (&index[..], &stray[..], key),
        ("by_tag", "by_tag", &hexed(&[&id(2)]))
    );
}

#[test]
fn a_sequence_below_an_id_or_none() {
    let mut store = Store::default();
    assert_eq!(faults(|key| TRADES.check(&store, key, 9)), []);
    for px in 1..4 {
        TRADES.insert(&mut store, &mut trade(px)).unwrap();
    }
    let behind = |sequence, id| Fault::SequenceBehind {
        table: "trades".into(),
        sequence: Uint64::new(sequence),
        id: Uint64::new(id),
    };
    let found = |store: &Store| faults(|key| TRADES.check(store, key, 2));
    assert_eq!(found(&store), []);
    let sequence = raw_key("ts", &[]);
    store.set(&sequence, &2_u64.to_be_bytes());
    assert_eq!(found(&store), [behind(2, 3)]);
    store.remove(&sequence);
    assert_eq!(found(&store), [behind(0, 3)]);
    for junk in [&[1][..], &[0; 9]] {
        store.set(&sequence, junk);
        let table = "trades".into();
        assert_eq!(found(&store), [Fault::MalformedSequence { table }]);
    }
    // Keys that are no ids do not hide the largest one.
    store.set(&sequence, &2_u64.to_be_bytes());
    for key in [&[0xff; 9][..], &[0xff; 10], &[0xff]] {
        store.set(&raw_key("t", &[key]), &[1]);
    }
    let all = found(&store);
    assert_eq!(all.len(), 4);
    assert!(all.contains(&behind(2, 3)));
    // A row of the table as such has no sequence to compare with.
    let rows_only: &cw_orm::Table<Trade> = &TRADES;
    assert_eq!(faults(|key| rows_only.check(&store, key, 9)).len(), 3);
}

#[test]
fn columns_in_an_entry_that_are_not_the_row_s() {
    let mut store = Store::default();
    NOTES.insert(&mut store, &mut note(1)).unwrap();
    let entry = [&[1][..], &1_u64.to_be_bytes()].concat();
    store.set(&raw_key("nt", &[&entry]), b"\x04\x02t2");
    let fault = Fault::WrongEntry {
        table: "notes".into(),
        index: "titles".into(),
        key: hex::encode(1_u64.to_be_bytes()),
        entry: hex::encode(&entry),
    };
    assert_eq!(faults(|key| NOTES.check(&store, key, 9)), [fault]);
    store.set(&raw_key("nt", &[&[9], &1_u64.to_be_bytes()]), b"\x04\x02t1");
    let found = faults(|key| NOTES.check(&store, key, 9));
    assert!(
        matches!(&found[1], Fault::StrayEntry { index, .. } if index == "titles"),
        "{found:?}"
    );
}

#[test]
fn counts_that_are_not_the_number_of_rows() {
    let mut store = Store::default();
    for number in 0..5 {
        let tags = vec!["x".into(), "x".into(), format!("t{}", number % 2)];
        let row = Item {
            tags,
            ..item("s", number, if number < 2 { "k" } else { "l" })
        };
        ITEMS.insert(&mut store, &row).unwrap();
    }
    let check = |store: &Store| faults(|key| ITEMS.check(store, key, 3));
    assert_eq!(check(&store), []);
    let wrong = |index: &str, entry: &[u8], stored, rows| Fault::WrongSum {
        table: "items".into(),
        index: index.into(),
        entry: hex::encode(entry),
        stored: Uint64::new(stored),
        rows: Uint64::new(rows),
    };
    store.set(&raw_key("iK", &[b"l\0"]), &[9]);
    store.set(&raw_key("iK", &[b"none\0"]), &[1]);
    store.set(&raw_key("in", &[]), &[4]);
    let want = [
        wrong("per_kind", b"l\0", 9, 3),
        wrong("per_kind", b"none\0", 1, 0),
        wrong("total", b"", 4, 5),
    ];
    assert_eq!(check(&store), want);
    let text = "table `items`: index `total` has 4 in entry , but its rows add up to 5";
    assert_eq!(want[2].to_string(), text);
    store.remove(&raw_key("in", &[]));
    store.set(&raw_key("iK", &[b"l\0"]), &[3]);
    store.remove(&raw_key("iK", &[b"none\0"]));
    let missing = check(&store);
    assert_eq!(missing.len(), 5, "each row lacks its counter");
    assert!(
        missing
            .iter()
            .all(|fault| matches!(fault, Fault::MissingEntry { index, .. } if index == "total"))
    );
    store.set(&raw_key("in", &[]), &[0]);
    let zero = check(&store);
    assert!(
        matches!(&zero[..], [Fault::MalformedEntry { index, .. }] if index == "total"),
        "{zero:?}"
    );
}

#[test]
fn families_each_by_its_name() {
    let mut store = Store::default();
    for sequence in 1..3 {
        let row = Message {
            chain: 1,
            sequence,
            body: Some(Body {
                nonce: 7,
                payload: vec![],
            }),
            quorum: Some(Quorum {
                digest: format!("d{sequence}"),
            }),
            phase: Some(Phase { phases: vec![1, 2] }),
        };
        MESSAGES.insert(&mut store, &row).unwrap();
    }
    let check = |store: &Store| faults(|key| MESSAGES.check(store, key, 2));
    assert_eq!(check(&store), []);
    let key = [&[0, 1][..], &2_u64.to_be_bytes()].concat();
    store.set(&raw_key("mq", &[b"junk"]), &[1]);
    store.remove(&raw_key("mp", &[&key]));
    let found = check(&store);
    let [
        Fault::MalformedKey {
            table, key: junk, ..
        },
        Fault::StrayEntry {
            index, key: gone, ..
        },
        Fault::StrayEntry { .. },
    ] = &found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!((&table[..], junk), ("messages", &hex::encode("junk")));
    assert_eq!((&index[..], gone), ("by_phase", &hex::encode(&key)));
    // One family alone.
    assert_eq!(
        faults(|key| MESSAGES.family::<Phase>().check(&store, key, 9)).len(),
        2
    );
    assert_eq!(
        faults(|key| MESSAGES.family::<Body>().check(&store, key, 9)),
        []
    );

    let mut store = Store::default();
    (0..3).for_each(|number| DOCS.insert(&mut store, &doc(1, number, "a")).unwrap());
    store.set(&raw_key("ds", &[&[0, 1]]), &[2]);
    let found = faults(|key| DOCS.check(&store, key, 2));
    assert!(
        matches!(&found[..], [Fault::WrongSum { index, .. }] if index == "per_shelf"),
        "{found:?}"
    );
}

#[test]
fn only_kept_indexes_are_looked_at() {
    let mut store = orders();
    store.set(&raw_key("oc", &[b"junk\0"]), &[1]);
    let without = ORDERS.with_indexes(IndexSet::ALL.without(BY_CLIENT.id()));
    assert_eq!(faults(|key| without.check(&store, key, 9)), []);
    assert_eq!(found(&store).len(), 1);
}

#[test]
fn faults_travel_as_json() {
    let fault = Fault::MalformedEntry {
        table: "t".into(),
        index: "i".into(),
        entry: "0a".into(),
    };
    let json = cosmwasm_std::to_json_string(&fault).unwrap();
    assert_eq!(
        json,
        r#"{"malformed_entry":{"table":"t","index":"i","entry":"0a"}}"#
    );
    assert_eq!(cosmwasm_std::from_json::<Fault>(&json).unwrap(), fault);
}
