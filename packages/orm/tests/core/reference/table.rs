//! Creating, updating, deleting and getting rows.

use cw_orm::{KeyError, OrmError};

use crate::fixture::{BY_MARKET, ORDERS, Order, Store, TRADES, Trade, order, trade};

fn filled() -> Store {
    let mut store = Store::default();
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    ORDERS.insert(&mut store, &order("a", 2, "m")).unwrap();
    store
}

fn not_found(key: &[u8]) -> OrmError {
    OrmError::NotFound {
        table: "orders",
        key: hex::encode(key),
    }
}

#[test]
fn create() {
    let store = filled();
    assert_eq!(
        ORDERS.get_one(&store, &("a".into(), 1)),
        Ok(order("a", 1, "m"))
    );
    assert_eq!(ORDERS.has(&store, &("a".into(), 1)), Ok(true));
}

#[test]
fn create_existing() {
    let mut store = filled();
    let before = store.dump();
    let exists = OrmError::AlreadyExists {
        table: "orders",
        key: hex::encode(b"a\0\0\0\0\x01"),
    };
    assert_eq!(
        ORDERS.insert(&mut store, &order("a", 1, "other")),
        Err(exists)
    );
    assert_eq!(store.dump(), before);
}

#[test]
fn create_refused_by_validation() {
    let mut store = Store::default();
    let refused = Err(OrmError::Invalid {
        table: "orders",
        reason: "an amount of 13".into(),
    });
    assert_eq!(
        ORDERS.insert(
            &mut store,
            &Order {
                amount: 13,
                ..order("a", 1, "m")
            }
        ),
        refused
    );
    assert_eq!(ORDERS.has(&store, &("a".into(), 1)), Ok(false));
    assert_eq!(
        ORDERS.get_one(&store, &("a".into(), 1)),
        Err(not_found(b"a\0\0\0\0\x01"))
    );
}

#[test]
fn create_with_an_empty_key() {
    crate::fixture::single_key_table!(Row, ROWS, Vec<u8>, b"rb", Delimited);
    let mut store = Store::default();
    let empty = OrmError::Key {
        table: "Row",
        source: KeyError::Empty,
    };
    let row = Row {
        key: Vec::new(),
        n: 1,
    };
    assert_eq!(ROWS.insert(&mut store, &row), Err(empty.clone()));
    assert_eq!(ROWS.upsert(&mut store, row.clone()), Err(empty.clone()));
    assert_eq!(ROWS.update(&mut store, row.clone()), Err(empty.clone()));
    assert_eq!(ROWS.delete(&mut store, &Vec::new()), Err(empty.clone()));
    assert_eq!(ROWS.has(&store, &Vec::new()), Err(empty.clone()));
    assert_eq!(ROWS.contains(&store, &row), Err(empty));
    assert!(store.dump().is_empty());
}

#[test]
fn update() {
    let mut store = filled();
    let old = ORDERS.update(&mut store, order("a", 1, "n")).unwrap();
    assert_eq!(
        (
            old.market,
            ORDERS.get_one(&store, &("a".into(), 1)).unwrap().market
        ),
        ("m".into(), "n".into())
    );
}

#[test]
fn update_missing() {
    let mut store = filled();
    let before = store.dump();
    assert_eq!(
        ORDERS.update(&mut store, order("b", 1, "m")),
        Err(not_found(b"b\0\0\0\0\x01"))
    );
    assert_eq!(store.dump(), before);
}

#[test]
fn update_refused_by_validation() {
    let mut store = filled();
    assert!(
        ORDERS
            .update(
                &mut store,
                Order {
                    amount: 13,
                    ..order("a", 1, "n")
                }
            )
            .is_err()
    );
    assert_eq!(
        ORDERS.get_one(&store, &("a".into(), 1)),
        Ok(order("a", 1, "m"))
    );
}

#[test]
fn update_with_a_changed_primary_key() {
    let mut store = filled();
    let before = store.dump();
    let (from, to) = (hex::encode(b"a\0\0\0\0\x01"), hex::encode(b"a\0\0\0\0\x09"));
    let changed = OrmError::PrimaryKeyChanged {
        table: "orders",
        from,
        to,
    };
    let change = |row: Order| Ok::<_, OrmError>(Order { seq: 9, ..row });
    assert_eq!(
        ORDERS.modify(&mut store, &("a".into(), 1), change),
        Err(changed)
    );
    assert_eq!(store.dump(), before);
}

#[test]
fn delete() {
    let mut store = filled();
    assert_eq!(
        ORDERS.delete(&mut store, &("a".into(), 1)),
        Ok(order("a", 1, "m"))
    );
    assert_eq!(
        ORDERS.get_one(&store, &("a".into(), 1)),
        Err(not_found(b"a\0\0\0\0\x01"))
    );
    assert_eq!(ORDERS.has(&store, &("a".into(), 2)), Ok(true));
}

#[test]
fn delete_missing() {
    let mut store = filled();
    let before = store.dump();
    assert_eq!(
        ORDERS.delete(&mut store, &("a".into(), 3)),
        Err(not_found(b"a\0\0\0\0\x03"))
    );
    assert_eq!(store.dump(), before);
}

#[test]
fn contains() {
    let store = filled();
    let row = order("a", 1, "m");
    assert_eq!(ORDERS.contains(&store, &row), Ok(true));
    assert_eq!(
        ORDERS.contains(
            &store,
            &Order {
                amount: 7,
                ..row.clone()
            }
        ),
        Ok(true),
        "the key decides"
    );
    assert_eq!(ORDERS.contains(&store, &Order { seq: 7, ..row }), Ok(false));
}

#[test]
fn row_getter_of_an_unknown_row() {
    let store = filled();
    assert_eq!(ORDERS.get(&store, &("z".into(), 1)), Ok(None));
    assert_eq!(
        ORDERS.get_one(&store, &("z".into(), 1)),
        Err(not_found(b"z\0\0\0\0\x01"))
    );
}

mod row_getter {
    use cw_orm::RowGetter;

    use super::*;

    const ROW_1: &[u8] = b"a\0\0\0\0\x01";

    #[test]
    fn happy_path() {
        assert_eq!(ORDERS.get_row(&filled(), ROW_1), Ok(order("a", 1, "m")));
    }

    #[test]
    fn unknown_row_id() {
        let unknown = b"a\0\0\0\0\x09";
        assert_eq!(ORDERS.get_row(&filled(), unknown), Err(not_found(unknown)));
    }

    #[test]
    fn empty_row_id() {
        let empty = OrmError::Key {
            table: "orders",
            source: KeyError::Empty,
        };
        assert_eq!(ORDERS.get_row(&filled(), b""), Err(empty));
    }

    /// A row id of another table, as far as it can be told.
    #[test]
    fn row_id_of_another_type() {
        let refused = ORDERS.get_row(&filled(), &1_u64.to_be_bytes()).unwrap_err();
        assert!(matches!(refused, OrmError::Key { .. }), "{refused}");
    }
}

/// The reference takes bytes of any type and fails with `InvalidType`; here a foreign row is one that does not decode.
#[test]
fn row_getter_of_a_foreign_row() {
    use cosmwasm_std::Storage;
    let mut store = filled();
    store.set(
        &crate::fixture::raw_key("o", &[b"a\0", &[0, 0, 0, 1]]),
        &[1, 0xff],
    );
    assert!(matches!(
        ORDERS.get(&store, &("a".into(), 1)),
        Err(OrmError::Decode { .. })
    ));
}

/// The reference's table answers `NotFound` and `false`; here an empty key is refused wherever it is given.
#[test]
fn row_getter_of_an_empty_key() {
    crate::fixture::single_key_table!(Row, ROWS, String, b"re", Delimited);
    let store = Store::default();
    let empty = OrmError::Key {
        table: "Row",
        source: KeyError::Empty,
    };
    assert_eq!(ROWS.get(&store, &String::new()), Err(empty.clone()));
    assert_eq!(ROWS.get_one(&store, &String::new()), Err(empty));
}

#[test]
fn scenario_of_an_indexed_row() {
    let mut store = Store::default();
    let count = |store: &Store, market: &str| {
        ORDERS
            .by(BY_MARKET)
            .unwrap()
            .key(&market.into())
            .unwrap()
            .ids(store, cosmwasm_std::Order::Ascending)
            .count()
    };
    ORDERS.insert(&mut store, &order("a", 1, "old")).unwrap();
    assert_eq!((count(&store, "old"), count(&store, "new")), (1, 0));
    ORDERS.update(&mut store, order("a", 1, "new")).unwrap();
    assert_eq!((count(&store, "old"), count(&store, "new")), (0, 1));
    ORDERS.delete(&mut store, &("a".into(), 1)).unwrap();
    assert_eq!((count(&store, "old"), count(&store, "new")), (0, 0));
}

#[test]
fn auto_create_gives_ids_from_1() {
    let mut store = Store::default();
    for want in 1..=3 {
        let mut row = trade(5);
        assert_eq!(TRADES.insert(&mut store, &mut row), Ok(want));
        assert_eq!(TRADES.get_one(&store, &want), Ok(row.clone()));
        assert_eq!(row.id, want);
    }
}

/// The reference burns an id for each refused row.
#[test]
fn auto_create_refused_burns_no_id() {
    let mut store = Store::default();
    let mut bad = Trade {
        note: "bad".into(),
        ..trade(5)
    };
    assert!(matches!(
        TRADES.insert(&mut store, &mut bad),
        Err(OrmError::Invalid { .. })
    ));
    assert!(store.dump().is_empty());
    assert_eq!(
        (bad.id, TRADES.insert(&mut store, &mut trade(5))),
        (0, Ok(1))
    );
}

#[test]
fn auto_create_with_an_id() {
    let mut store = Store::default();
    let set = OrmError::IdAlreadySet {
        table: "trades",
        id: 7,
    };
    assert_eq!(
        TRADES.insert(&mut store, &mut Trade { id: 7, ..trade(5) }),
        Err(set)
    );
    assert!(store.dump().is_empty());
}

#[test]
fn auto_delete_gives_no_id_back() {
    let mut store = Store::default();
    TRADES.insert(&mut store, &mut trade(5)).unwrap();
    TRADES.delete(&mut store, 1).unwrap();
    assert_eq!(TRADES.insert(&mut store, &mut trade(5)), Ok(2));
}

#[test]
fn auto_contains() {
    let mut store = Store::default();
    TRADES.insert(&mut store, &mut trade(5)).unwrap();
    assert_eq!(
        TRADES.contains(&store, &Trade { id: 1, ..trade(9) }),
        Ok(true)
    );
    assert_eq!(TRADES.contains(&store, &trade(5)), Ok(false));
}
