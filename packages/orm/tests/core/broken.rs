//! Stored bytes that no table wrote: named errors, never a panic or a silent skip.

use cosmwasm_std::{Order::Ascending, Storage};
use cw_orm::OrmError;

use crate::fixture::{BY_CLIENT, BY_MARKET, ORDERS, Order, Store, order, raw_key};

fn filled(rows: u32) -> Store {
    let mut store = Store::default();
    for seq in 0..rows {
        let client = Some(format!("c{seq}"));
        ORDERS
            .insert(
                &mut store,
                &Order {
                    client,
                    ..order("a", seq, "m")
                },
            )
            .unwrap();
    }
    store
}

#[test]
fn an_entry_without_its_row_is_a_named_error() {
    let mut store = filled(2);
    let id = raw_key("o", &[b"a\0", &1_u32.to_be_bytes()]);
    store.remove(&id);
    let market = ORDERS.by(BY_MARKET).unwrap().key(&"m".into()).unwrap();
    let key = hex::encode([&b"a\0"[..], &1_u32.to_be_bytes()].concat());
    let dangling = |index| OrmError::DanglingEntry {
        table: "orders",
        index,
        key: key.clone(),
    };
    assert_eq!(
        market.rows(&store, Ascending).read_all(),
        Err(dangling("by_market"))
    );
    assert_eq!(
        ORDERS.by(BY_CLIENT).unwrap().get(&store, &"c1".into()),
        Err(dangling("by_client"))
    );
}

#[test]
fn broken_rows_and_entries_are_named_errors() {
    let mut store = filled(1);
    let id = raw_key("o", &[b"a\0", &0_u32.to_be_bytes()]);
    for broken in [&[0, 0][..], &[1], &[1, 0, 0, 0, 0, 0, 0]] {
        store.set(&id, broken);
        let error = ORDERS.get(&store, &("a".into(), 0)).unwrap_err();
        assert!(
            matches!(
                error,
                OrmError::Decode {
                    table: "orders",
                    ..
                }
            ),
            "{error}"
        );
        assert!(matches!(
            ORDERS.delete(&mut store, &("a".into(), 0)),
            Err(OrmError::Decode { .. })
        ));
    }
    let mut store = filled(0);
    store.set(&raw_key("om", &[b"no end"]), &[1]);
    let entry = hex::encode(b"no end");
    let malformed = OrmError::MalformedEntry {
        table: "orders",
        index: "by_market",
        entry,
    };
    assert_eq!(
        ORDERS
            .by(BY_MARKET)
            .unwrap()
            .all()
            .ids(&store, Ascending)
            .read_all(),
        Err(malformed)
    );
}
