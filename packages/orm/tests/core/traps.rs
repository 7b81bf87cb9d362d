//! Traps of storage layouts that others fell into: the input, and that it does no harm here.

use cosmwasm_std::{
    Order::{Ascending, Descending},
    Storage,
};
use cw_orm::{
    CompactUint64, Key, KeyError,
    KeyRule::{Delimited, Ordered},
    MAX_BYTES_PART, Namespace, OrmError, Sequence, successor,
};
use cw_storage_plus::{Item, Map};

use crate::fixture::{
    BY_CLIENT, BY_MARKET, ORDERS, Order, Store, TRADES, nul, order, raw_key, single_key_table,
    trade,
};

single_key_table!(Text, TEXTS, String, b"tt", Delimited);
single_key_table!(Texts, TEXT_PAIRS, (String, String), b"tp", Delimited);
single_key_table!(Blob, BLOBS, Vec<u8>, b"tb", Delimited);
single_key_table!(Sorted, SORTED, Vec<u8>, b"to", Ordered);
single_key_table!(Number, NUMBERS, u64, b"tn", Delimited);

/// A chain panics on an empty value, and so does the store of these tests.
#[test]
fn trap_empty_values_no_table_writes_any() {
    let mut store = Store::default();
    let everything = Order {
        tags: vec!["".into()],
        client: Some("".into()),
        market: "".into(),
        ..order("a", 0, "")
    };
    ORDERS.insert(&mut store, &everything).unwrap();
    TRADES.insert(&mut store, &mut trade(0)).unwrap();
    assert!(store.dump().values().all(|value| !value.is_empty()));
}

/// An index entry needs no length of the row id in its value: the index key ends itself.
#[test]
fn trap_multi_index_entries_hold_one_byte() {
    let mut store = Store::default();
    ORDERS.insert(&mut store, &order("ann", 7, "m")).unwrap();
    let entry = raw_key("om", &[&nul("m"), &nul("ann"), &[0, 0, 0, 7]]);
    assert_eq!(store.dump().remove(&entry), Some(vec![1]));
}

/// A unique index that keeps a copy of the row pays for it twice, and can disagree with it.
#[test]
fn trap_unique_index_entries_hold_the_primary_key_and_no_copy_of_the_row() {
    let mut store = Store::default();
    let client = Some("c".to_owned());
    let row = Order {
        client,
        memo: vec![9; 100],
        ..order("ann", 7, "m")
    };
    ORDERS.insert(&mut store, &row).unwrap();
    let entry = store.dump().remove(&raw_key("oc", &[&nul("c")])).unwrap();
    assert_eq!(entry, [&nul("ann")[..], &[0, 0, 0, 7]].concat());
    // So a change of another column does not touch it, and is seen through it.
    ORDERS
        .update(&mut store, Order { amount: 99, ..row })
        .unwrap();
    let (_, found) = ORDERS
        .by(BY_CLIENT)
        .unwrap()
        .get(&store, &"c".into())
        .unwrap()
        .unwrap();
    assert_eq!(found.amount, 99);
}

/// Elsewhere a part's length of 70,000 panics, and one of 256 is cut to 0, so that rows are read under other keys.
#[test]
fn trap_long_parts_neither_panic_nor_are_cut() {
    let mut store = Store::default();
    let long = Blob {
        key: vec![7; 70_000],
        n: 1,
    };
    let too_long = OrmError::Key {
        table: "Blob",
        source: KeyError::PartTooLong { len: 70_000 },
    };
    assert_eq!(BLOBS.insert(&mut store, &long), Err(too_long));
    assert_eq!((MAX_BYTES_PART, store.dump().len()), (255, 0));

    let pair = |a: String, b: String| Texts { key: (a, b), n: 1 };
    TEXT_PAIRS
        .insert(&mut store, &pair("x".repeat(256), "y".into()))
        .unwrap();
    let other = (String::new(), "x".repeat(256) + "y");
    assert_eq!(TEXT_PAIRS.get(&store, &other), Ok(None));
    let key = ("x".repeat(256), "y".to_owned());
    assert_eq!(
        TEXT_PAIRS.all().ids(&store, Ascending).read_all(),
        Ok(vec![key])
    );
    // Text ends in a NUL and has no length; what a chain takes as a key (64 KiB) is its own limit.
    TEXTS
        .insert(
            &mut store,
            &Text {
                key: "x".repeat(60_000),
                n: 1,
            },
        )
        .unwrap();
    assert_eq!(TEXTS.has(&store, &"x".repeat(60_000)), Ok(true));
    assert_eq!(TEXTS.has(&store, &"x".repeat(59_999)), Ok(false));
}

/// The end of a range that is counted up from bytes that are all `ff` comes out as zeros, and the range as empty.
#[test]
fn trap_prefixes_of_ff_have_no_end_and_lose_no_row() {
    assert_eq!(successor(&[0xff; 8]), None);
    let mut store = Store::default();
    for key in [vec![0xfe], vec![0xff], vec![0xff, 0], vec![0xff; 255]] {
        SORTED.insert(&mut store, &Sorted { key, n: 1 }).unwrap();
    }
    NUMBERS
        .insert(
            &mut store,
            &Number {
                key: u64::MAX,
                n: 1,
            },
        )
        .unwrap();
    let from = SORTED.range(vec![0xff]..).unwrap();
    assert_eq!(from.ids(&store, Descending).count(), 3);
    assert_eq!(
        SORTED
            .prefix(&cw_orm::BytesPrefix(&[0xff]))
            .unwrap()
            .ids(&store, Ascending)
            .count(),
        3
    );
    assert_eq!(
        NUMBERS
            .range(u64::MAX..)
            .unwrap()
            .ids(&store, Ascending)
            .read_all(),
        Ok(vec![u64::MAX])
    );
    assert_eq!(
        NUMBERS
            .prefix(&u64::MAX)
            .unwrap()
            .ids(&store, Ascending)
            .read_all(),
        Ok(vec![u64::MAX])
    );
}

/// An item's key has no length in front: one that is named like a length and a map's name is in that map. Everything that
/// a table writes, its sequence too, is behind its namespace's length.
#[test]
fn trap_items_without_a_prefix_do_not_reach_into_tables() {
    let mut store = Store::default();
    Item::<u8>::new("tt").save(&mut store, &1).unwrap();
    Item::<u8>::new("config").save(&mut store, &2).unwrap();
    Map::<&str, u8>::new("t").save(&mut store, "t", &3).unwrap();
    Sequence::new("other", Namespace::new(b"t"))
        .next(&mut store)
        .unwrap();
    assert!(TEXTS.all().is_empty(&store).unwrap());
    TEXTS
        .insert(
            &mut store,
            &Text {
                key: "k".into(),
                n: 1,
            },
        )
        .unwrap();
    assert_eq!(Item::<u8>::new("tt").load(&store).unwrap(), 1);
    for key in store.dump().into_keys().filter(|key| key.starts_with(&[0])) {
        let len = usize::from(u16::from_be_bytes([key[0], key[1]]));
        assert!(len > 0 && key.len() >= 2 + len);
    }
}

#[test]
fn trap_empty_primary_keys_are_refused() {
    let mut store = Store::default();
    let empty = OrmError::Key {
        table: "Text",
        source: KeyError::Empty,
    };
    assert_eq!(
        TEXTS.insert(
            &mut store,
            &Text {
                key: String::new(),
                n: 1
            }
        ),
        Err(empty)
    );
    assert!(store.dump().is_empty());
}

/// Elsewhere an empty iterator, in which a slip of the pen goes unseen.
#[test]
fn trap_a_least_bound_over_the_greatest_is_an_error() {
    let inverted = OrmError::InvertedBounds { table: "Number" };
    let (from, to) = (2, 1);
    assert_eq!(NUMBERS.range(from..=to).unwrap_err(), inverted);
    let view = ORDERS.by(BY_MARKET).unwrap();
    let inverted = OrmError::InvertedBounds { table: "orders" };
    assert_eq!(
        view.range("b".to_owned().."a".to_owned()).unwrap_err(),
        inverted
    );
}

/// A codec's varints do not sort: 256 would come before 2.
#[test]
fn trap_numbers_in_keys_are_big_endian_or_ordered_otherwise() {
    let numbers = [
        0,
        1,
        2,
        127,
        128,
        247,
        248,
        255,
        256,
        65_535,
        65_536,
        1 << 32,
        u64::MAX,
    ];
    let mut store = Store::default();
    for key in numbers.into_iter().rev() {
        NUMBERS.insert(&mut store, &Number { key, n: 1 }).unwrap();
    }
    assert_eq!(
        NUMBERS.all().ids(&store, Ascending).read_all().unwrap(),
        numbers
    );
    let compact = numbers.map(|n| CompactUint64(n).encode(Delimited).unwrap());
    assert!(compact.is_sorted() && compact.iter().all(|bytes| bytes.len() <= 9));
    assert_eq!(300_u64.encode(Ordered), Ok(300_u64.to_be_bytes().to_vec()));
    store.set(&raw_key("tn", &[&[1]]), &[1, 1]);
    let broken = NUMBERS.all().ids(&store, Ascending).read_all().unwrap_err();
    assert!(
        matches!(
            broken,
            OrmError::Key {
                source: KeyError::Truncated,
                ..
            }
        ),
        "{broken}"
    );
}
