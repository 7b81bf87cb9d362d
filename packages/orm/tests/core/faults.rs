//! Faults that users of comparable stores met: indexes left behind, uniqueness not kept, namespaces mixed up.

use cosmwasm_std::Order::Ascending;
use cw_orm::{IndexSet, Namespace, OrmError, assert_distinct};

use crate::fixture::{BY_CLIENT, BY_MARKET, BY_TAG, ORDERS, Order, Store, order, single_key_table};

fn row(seq: u32) -> Order {
    let tags = vec!["x".into(), format!("t{seq}")];
    Order {
        tags,
        client: Some(format!("c{seq}")),
        ..order("a", seq, "m")
    }
}

fn filled(rows: u32) -> Store {
    let mut store = Store::default();
    (0..rows).for_each(|seq| ORDERS.insert(&mut store, &row(seq)).unwrap());
    store
}

#[test]
fn f03_deleting_every_row_leaves_nothing() {
    let mut store = filled(12);
    for seq in 0..12 {
        ORDERS.delete(&mut store, &("a".into(), seq)).unwrap();
    }
    assert!(store.dump().is_empty());
    assert!(
        ORDERS
            .by(BY_MARKET)
            .unwrap()
            .all()
            .is_empty(&store)
            .unwrap()
    );
    ORDERS
        .insert(
            &mut store,
            &Order {
                client: Some("c7".into()),
                ..row(3)
            },
        )
        .unwrap();
    assert_eq!(
        ORDERS
            .by(BY_CLIENT)
            .unwrap()
            .get(&store, &"c7".into())
            .unwrap()
            .unwrap()
            .0,
        ("a".into(), 3)
    );
}

#[test]
fn f03_deleting_by_index_value_leaves_nothing() {
    let mut store = filled(12);
    let found = ORDERS
        .by(BY_TAG)
        .unwrap()
        .key(&"x".into())
        .unwrap()
        .ids(&store, Ascending)
        .read_all()
        .unwrap();
    for id in found {
        ORDERS.delete(&mut store, &id).unwrap();
    }
    assert!(store.dump().is_empty());
}

#[test]
fn f14_an_update_to_a_taken_value_changes_nothing() {
    let mut store = filled(3);
    let before = store.dump();
    let stolen = Order {
        client: Some("c1".into()),
        market: "n".into(),
        tags: vec![],
        amount: 9,
        ..row(2)
    };
    let key = hex::encode(b"c1\0");
    let taken = OrmError::UniqueViolation {
        table: "orders",
        index: "by_client",
        key,
    };
    assert_eq!(
        ORDERS.update(&mut store, stolen.clone()),
        Err(taken.clone())
    );
    assert_eq!(
        ORDERS.upsert(&mut store, stolen.clone()),
        Err(taken.clone())
    );
    assert_eq!(
        ORDERS.modify(&mut store, &("a".into(), 2), |_| Ok::<_, OrmError>(
            stolen.clone()
        )),
        Err(taken.clone())
    );
    assert_eq!(
        ORDERS.insert(&mut store, &Order { seq: 9, ..stolen }),
        Err(taken)
    );
    assert_eq!(store.dump(), before);
}

#[test]
fn f14_a_row_does_not_conflict_with_itself() {
    let mut store = filled(2);
    ORDERS
        .update(
            &mut store,
            Order {
                market: "n".into(),
                amount: 9,
                ..row(1)
            },
        )
        .unwrap();
    let (id, found) = ORDERS
        .by(BY_CLIENT)
        .unwrap()
        .get(&store, &"c1".into())
        .unwrap()
        .unwrap();
    assert_eq!((id.1, found.market, found.amount), (1, "n".into(), 9));
    assert_eq!(
        ORDERS
            .by(BY_MARKET)
            .unwrap()
            .key(&"m".into())
            .unwrap()
            .ids(&store, Ascending)
            .count(),
        1
    );
}

#[test]
fn f14_a_change_that_fails_later_leaves_nothing() {
    let mut store = filled(2);
    let before = store.dump();
    let late = |row: Order| -> Result<Order, OrmError> {
        let _ = Order {
            client: Some("c9".into()),
            ..row
        };
        Err(OrmError::KeyAndOffset)
    };
    assert_eq!(
        ORDERS.modify(&mut store, &("a".into(), 1), late),
        Err(OrmError::KeyAndOffset)
    );
    let refused = Order {
        amount: 13,
        client: Some("c9".into()),
        ..row(1)
    };
    assert!(matches!(
        ORDERS.update(&mut store, refused),
        Err(OrmError::Invalid { .. })
    ));
    assert_eq!(store.dump(), before);
}

#[test]
fn f14_a_key_that_cannot_be_encoded_changes_nothing() {
    let mut store = filled(1);
    let before = store.dump();
    // The tag is refused by the second index, after the first agreed.
    let bad = Order {
        market: "n".into(),
        tags: vec!["x\0y".into()],
        ..row(0)
    };
    let error = ORDERS.update(&mut store, bad.clone()).unwrap_err();
    assert!(
        matches!(
            &error,
            OrmError::Index {
                index: "by_tag",
                ..
            }
        ),
        "{error}"
    );
    assert!(ORDERS.insert(&mut store, &Order { seq: 5, ..bad }).is_err());
    let long = Order {
        memo: vec![0; 256],
        ..row(0)
    };
    assert!(matches!(
        ORDERS.update(&mut store, long),
        Err(OrmError::Index {
            index: "by_memo",
            ..
        })
    ));
    assert_eq!(store.dump(), before);
}

single_key_table!(Plain, PLAINS, String, b"m", Delimited);
single_key_table!(Longer, LONGERS, String, b"ms", Delimited);
single_key_table!(Numbers, NUMBERS, u64, b"msg", Delimited);
single_key_table!(Deeper, DEEPER, String, b"msg_sig", Delimited);

#[test]
fn f15_a_namespace_that_begins_another_keeps_to_itself() {
    let mut store = Store::default();
    // The keys of `m` are chosen to look like those of `ms` after an unprefixed `m`.
    for (n, key) in ["s", "sa", "s\u{1}"].into_iter().enumerate() {
        PLAINS
            .insert(
                &mut store,
                &Plain {
                    key: key.into(),
                    n: 1,
                },
            )
            .unwrap();
        LONGERS
            .insert(
                &mut store,
                &Longer {
                    key: key.into(),
                    n: 2,
                },
            )
            .unwrap();
        NUMBERS
            .insert(
                &mut store,
                &Numbers {
                    key: n as u64,
                    n: 3,
                },
            )
            .unwrap();
        DEEPER
            .insert(
                &mut store,
                &Deeper {
                    key: key.into(),
                    n: 4,
                },
            )
            .unwrap();
    }
    assert!(
        PLAINS
            .all()
            .rows(&store, Ascending)
            .read_all()
            .unwrap()
            .iter()
            .all(|row| row.n == 1)
    );
    assert!(
        LONGERS
            .all()
            .rows(&store, Ascending)
            .read_all()
            .unwrap()
            .iter()
            .all(|row| row.n == 2)
    );
    assert_eq!(
        NUMBERS.all().ids(&store, Ascending).read_all().unwrap(),
        [0, 1, 2]
    );
    for id in PLAINS.all().ids(&store, Ascending).read_all().unwrap() {
        PLAINS.delete(&mut store, &id).unwrap();
    }
    let left = [
        LONGERS.all().ids(&store, Ascending).count(),
        DEEPER.all().ids(&store, Ascending).count(),
    ];
    assert_eq!(
        (
            left,
            NUMBERS.all().ids(&store, Ascending).count(),
            store.dump().len()
        ),
        ([3, 3], 3, 9)
    );
}

#[test]
fn f15_distinct_namespaces_pass() {
    const NESTED: &[Namespace] = &[
        Namespace::new(b"m"),
        Namespace::new(b"ms"),
        Namespace::new(b"msg"),
    ];
    const _: () = assert_distinct(NESTED);
    assert_distinct(&[]);
}

#[test]
#[should_panic(expected = "two tables, families or indexes share a namespace")]
fn f15_equal_namespaces_are_refused() {
    assert_distinct(&[
        Namespace::new(b"sets"),
        Namespace::new(b"m"),
        Namespace::new(b"sets"),
    ]);
}

#[test]
fn an_index_left_out_is_not_kept_and_not_answered_from() {
    let mut store = Store::default();
    let orders = ORDERS.with_indexes(IndexSet::ALL.without(BY_CLIENT.id()).without(BY_TAG.id()));
    orders.insert(&mut store, &row(0)).unwrap();
    orders
        .insert(&mut store, &Order { seq: 1, ..row(0) })
        .unwrap();
    assert_eq!(store.dump().len(), 6, "a row and two entries each");
    let unavailable = OrmError::IndexUnavailable {
        table: "orders",
        index: "by_client",
    };
    assert_eq!(orders.by(BY_CLIENT).unwrap_err(), unavailable);
    assert!(orders.by(BY_MARKET).is_ok());
    assert!(
        ORDERS
            .with_indexes(IndexSet::NONE.with(BY_TAG.id()))
            .by(BY_TAG)
            .is_ok()
    );
}
