//! Every byte that a fixed scenario stores. A difference is a change of layout: a new namespace and a migration, or a
//! mistake.

use cosmwasm_std::Order::Ascending;

use crate::fixture::{
    Body, LEGACY, Legacy, MESSAGES, Message, ORDERS, Order, Phase, Quorum, Store, TRADES, Trade,
    order, trade,
};

const GOLDEN: &str = include_str!("golden.txt");

fn scenario() -> Store {
    let mut store = Store::default();
    // Composite key; multi-key indexes with one, none and many keys; unique index with and without; an escaped one.
    let tags = vec!["y".into(), "x".into(), "y".into()];
    let memo = vec![0, 0xff, 1];
    let rich = Order {
        tags,
        client: Some("client".into()),
        memo,
        amount: 300,
        ..order("alice", 1, "btc")
    };
    ORDERS.insert(&mut store, &rich).unwrap();
    ORDERS
        .insert(&mut store, &order("alice", 2, "btc"))
        .unwrap();
    ORDERS
        .insert(&mut store, &order("bob", u32::MAX, ""))
        .unwrap();
    ORDERS.insert(&mut store, &order("bob", 7, "gone")).unwrap();
    ORDERS
        .update(
            &mut store,
            Order {
                client: Some("c2".into()),
                ..order("alice", 2, "eth")
            },
        )
        .unwrap();
    ORDERS.delete(&mut store, &("bob".into(), 7)).unwrap();
    // Ids and their sequence, which a deleted row does not take back.
    for (px, code) in [
        (10, Some("one")),
        (10, None),
        (u64::MAX, Some("three")),
        (1, None),
    ] {
        TRADES
            .insert(
                &mut store,
                &mut Trade {
                    code: code.map(Into::into),
                    note: "é".into(),
                    ..trade(px)
                },
            )
            .unwrap();
    }
    TRADES.delete(&mut store, 4).unwrap();
    // Families, all and some.
    let message = |sequence, body, quorum, phase| Message {
        chain: 2,
        sequence,
        body,
        quorum,
        phase,
    };
    let body = Body {
        nonce: 0x0102_0304,
        payload: vec![0xde, 0xad],
    };
    let (quorum, phase) = (
        Quorum {
            digest: "ab".into(),
        },
        Phase { phases: vec![3, 1] },
    );
    MESSAGES
        .insert(
            &mut store,
            &message(1, Some(body), Some(quorum), Some(phase.clone())),
        )
        .unwrap();
    MESSAGES
        .insert(&mut store, &message(u64::MAX, None, None, Some(phase)))
        .unwrap();
    // JSON under a raw key.
    LEGACY
        .insert(
            &mut store,
            &Legacy {
                name: "carol".into(),
                points: 5,
            },
        )
        .unwrap();
    store
}

#[test]
fn golden_dump() {
    let entries = scenario().dump().into_iter();
    let dump: String = entries
        .map(|(key, value)| format!("{} {}\n", hex::encode(key), hex::encode(value)))
        .collect();
    assert!(
        dump == GOLDEN,
        "the store holds, instead of what golden.txt says:\n{dump}"
    );
}

#[test]
fn golden_rows_read_back() {
    use cosmwasm_std::Storage;
    let mut store = Store::default();
    for line in GOLDEN.lines() {
        let (key, value) = line.split_once(' ').expect("key and value");
        store.set(&hex::decode(key).unwrap(), &hex::decode(value).unwrap());
    }
    let made = scenario();
    assert_eq!(
        ORDERS.all().rows(&store, Ascending).read_all(),
        ORDERS.all().rows(&made, Ascending).read_all()
    );
    assert_eq!(
        TRADES
            .all()
            .rows(&store, Ascending)
            .read_all()
            .unwrap()
            .len(),
        3
    );
    assert_eq!(TRADES.sequence().peek(&store), Ok(5));
    let messages = MESSAGES
        .all(cw_orm::Families::ALL)
        .rows(&store, Ascending)
        .read_all()
        .unwrap();
    assert_eq!(
        messages.iter().map(|row| row.sequence).collect::<Vec<_>>(),
        [1, u64::MAX]
    );
    assert_eq!(
        LEGACY.get(&store, &"carol".into()).unwrap().unwrap().points,
        5
    );
}
