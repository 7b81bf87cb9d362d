//! The examples of LAYOUT.md, compared with what the code does.

use std::collections::BTreeMap;

use cosmwasm_std::{Timestamp, Uint64};
use cw_orm::{CompactUint64, Key, KeyError, KeyRule, Namespace};

use crate::fixture::{
    Body, Dump, ITEMS, Item, MESSAGES, Message, ORDERS, Order, Phase, Store, TRADES, first, item,
    order, trade, unhex,
};

const LAYOUT: &str = include_str!("../../LAYOUT.md");

/// Returns the rows of the tables whose header is `header`, cell by cell.
fn rows(header: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut lines = LAYOUT.lines();
    while lines.by_ref().any(|line| line == header) {
        let rows = lines
            .by_ref()
            .skip(1)
            .take_while(|line| line.starts_with('|'));
        found.extend(rows.map(|row| {
            row.trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().replace('`', ""))
                .collect()
        }));
    }
    found
}

/// Returns the bytes of `key` under each rule, nothing where it is no primary key.
fn under_all<K: Key>(key: &K) -> [Vec<u8>; 3] {
    let encode = |rule| {
        key.encode(rule)
            .unwrap_or_else(|error: KeyError| panic!("{error}"))
    };
    [KeyRule::Delimited, KeyRule::Ordered, KeyRule::RawLast].map(encode)
}

#[test]
fn key_examples() {
    let text = |text: &str| text.to_owned();
    let known: BTreeMap<&str, [Vec<u8>; 3]> = BTreeMap::from([
        ("7u8", under_all(&7_u8)),
        ("258u16", under_all(&258_u16)),
        ("1u32", under_all(&1_u32)),
        ("u64::MAX", under_all(&u64::MAX)),
        ("1u128", under_all(&1_u128)),
        ("-1i8", under_all(&-1_i8)),
        ("0i16", under_all(&0_i16)),
        ("i64::MIN", under_all(&i64::MIN)),
        ("true", under_all(&true)),
        ("()", under_all(&())),
        ("[1, 0, 2]", under_all(&[1_u8, 0, 2])),
        (r#"b"\x01\x00""#, under_all(&vec![1_u8, 0])),
        (r#"b"""#, under_all(&Vec::<u8>::new())),
        (r#""ab""#, under_all(&text("ab"))),
        (r#""""#, under_all(&text(""))),
        ("1s", under_all(&Timestamp::from_seconds(1))),
        ("Uint64 1", under_all(&Uint64::one())),
        ("CompactUint64 247", under_all(&CompactUint64(247))),
        ("CompactUint64 248", under_all(&CompactUint64(248))),
        ("CompactUint64 65536", under_all(&CompactUint64(65_536))),
        ("None", under_all(&None::<u8>)),
        (r#"Some("a")"#, under_all(&Some(text("a")))),
        (r#"("a", 7u16)"#, under_all(&(text("a"), 7_u16))),
        (r#"(7u16, "a")"#, under_all(&(7_u16, text("a")))),
        (
            r#"(b"\x01", b"\x02")"#,
            under_all(&(vec![1_u8], vec![2_u8])),
        ),
        (
            r#"(("a", 7u16), "b")"#,
            under_all(&((text("a"), 7_u16), text("b"))),
        ),
    ]);
    let documented = rows("| type | value | `Delimited` | `Ordered` | `RawLast` |");
    assert_eq!(
        documented.len(),
        known.len(),
        "each example is known, and each known one documented"
    );
    for row in documented {
        let bytes = known
            .get(&row[1][..])
            .unwrap_or_else(|| panic!("unknown example {}", row[1]));
        assert_eq!(
            row[2..].iter().map(|cell| unhex(cell)).collect::<Vec<_>>(),
            bytes,
            "{}",
            row[1]
        );
    }
}

#[test]
fn entry_examples() {
    let mut store = Store::default();
    let (tags, client) = (vec!["x".into()], Some("c".into()));
    ORDERS
        .insert(
            &mut store,
            &Order {
                tags,
                client,
                memo: vec![0],
                amount: 300,
                ..order("al", 1, "btc")
            },
        )
        .unwrap();
    TRADES.insert(&mut store, &mut trade(10)).unwrap();
    let listed = Item {
        tags: vec!["x".into()],
        price: 300,
        ..item("al", 1, "k")
    };
    ITEMS.insert(&mut store, &listed).unwrap();
    let (body, phase) = (
        Some(Body {
            nonce: 7,
            payload: vec![0xde, 0xad],
        }),
        Some(Phase { phases: vec![3] }),
    );
    MESSAGES
        .insert(
            &mut store,
            &Message {
                chain: 2,
                sequence: 9,
                body,
                quorum: None,
                phase,
            },
        )
        .unwrap();
    let documented: Dump = rows("| what | key | value |")
        .iter()
        .map(|row| (unhex(&row[1]), unhex(&row[2])))
        .collect();
    assert_eq!(store.dump(), documented);
}

#[test]
fn import_example() {
    let (mut old, mut new) = (Store::default(), Store::default());
    for px in 0..3 {
        TRADES.insert(&mut old, &mut trade(px)).unwrap();
    }
    let import = TRADES.import_by_page(Namespace::new(b"gs")).unwrap();
    let page = TRADES.export(&old, None, 2).unwrap();
    import.put(&mut new, &page).unwrap();
    let documented = rows("| import state | key | value |");
    let [row] = &documented[..] else {
        panic!("one example")
    };
    let (key, value) = (unhex(&row[1]), unhex(&row[2]));
    assert_eq!(
        new.dump().get(&key).map(hex::encode),
        Some(hex::encode(value))
    );
}

#[test]
fn cursor_example() {
    let mut store = Store::default();
    for px in 0..3 {
        TRADES.insert(&mut store, &mut trade(px)).unwrap();
    }
    let plain = TRADES.get_paginated(&store, &first(2)).unwrap().page;
    let all = || TRADES.all().only_ids();
    let chained = all().then("trades", |_| Ok(TRADES.all()));
    let chained = chained.page(&store, &first(2)).unwrap().page;
    let cursors = [plain, chained].map(|page| hex::encode(page.next_key.unwrap()));
    let documented = rows("| what | bytes |");
    let documented: Vec<_> = documented
        .iter()
        .map(|row| row[1].replace(' ', ""))
        .collect();
    assert_eq!(cursors[..], documented);
}
