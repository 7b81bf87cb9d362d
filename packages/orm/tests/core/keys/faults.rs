//! Faults that users of comparable codecs met.

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{OrmError, PrimaryKeyTable};

use crate::fixture::{BY_MARKET, ORDERS, Store, order, raw_key, single_key_table};

single_key_table!(TextRow, TEXTS, String, b"ft", Delimited);
single_key_table!(BytesRow, BYTES, Vec<u8>, b"fb", Delimited);
single_key_table!(RawRow, RAW, Vec<u8>, b"fr", RawLast);
single_key_table!(NextRow, NEXT, u64, b"fs", Delimited);

fn prefix_keys<R>(table: PrimaryKeyTable<R>, keys: &[R], short: &R::PrimaryKey)
where
    R: cw_orm::PrimaryKeyed + Clone + PartialEq + core::fmt::Debug,
{
    let mut store = Store::default();
    for row in &keys[1..] {
        table.insert(&mut store, row).unwrap();
    }
    assert!(!table.has(&store, short).unwrap());
    assert_eq!(table.get(&store, short).unwrap(), None);
    assert!(matches!(
        table.delete(&mut store, short),
        Err(OrmError::NotFound { .. })
    ));
    table.insert(&mut store, &keys[0]).unwrap();
    assert_eq!(table.delete(&mut store, short).unwrap(), keys[0]);
    for row in &keys[1..] {
        assert_eq!(
            table
                .get(&store, &row.primary_key_fields())
                .unwrap()
                .as_ref(),
            Some(row)
        );
    }
}

#[test]
fn f02_a_longer_key_is_another_key() {
    let text = |key: &str| TextRow {
        key: key.into(),
        n: 7,
    };
    prefix_keys(
        TEXTS,
        &[text("row-1"), text("row-12"), text("row-123")],
        &"row-1".into(),
    );
    let bytes = |key: &str| BytesRow {
        key: key.into(),
        n: 7,
    };
    prefix_keys(
        BYTES,
        &[bytes("row-1"), bytes("row-12"), bytes("row-123")],
        &"row-1".into(),
    );
    let raw = |key: &str| RawRow {
        key: key.into(),
        n: 7,
    };
    prefix_keys(
        RAW,
        &[raw("row-1"), raw("row-12"), raw("row-123")],
        &"row-1".into(),
    );
}

#[test]
fn f02_index_entries_of_the_longer_key_stay() {
    let mut store = Store::default();
    ORDERS.insert(&mut store, &order("row-1", 2, "m")).unwrap();
    ORDERS.insert(&mut store, &order("row-12", 2, "m")).unwrap();
    ORDERS.delete(&mut store, &("row-1".into(), 2)).unwrap();
    let ids = ORDERS
        .by(BY_MARKET)
        .unwrap()
        .key(&"m".into())
        .unwrap()
        .ids(&store, Ascending)
        .read_all()
        .unwrap();
    assert_eq!(ids, [("row-12".to_owned(), 2)]);
}

#[test]
fn f02_the_empty_key_is_no_wildcard() {
    let mut store = Store::default();
    TEXTS
        .insert(
            &mut store,
            &TextRow {
                key: "row-12".into(),
                n: 1,
            },
        )
        .unwrap();
    assert!(matches!(
        TEXTS.has(&store, &String::new()),
        Err(OrmError::Key { .. })
    ));
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    assert!(
        !ORDERS
            .by(BY_MARKET)
            .unwrap()
            .has(&store, &String::new())
            .unwrap()
    );
    assert_eq!(
        ORDERS
            .by(BY_MARKET)
            .unwrap()
            .key(&String::new())
            .unwrap()
            .first(&store)
            .unwrap(),
        None
    );
}

/// The raw spans that the fault is about: single-part keys under `RawLast` are the bytes themselves.
#[test]
fn f16_prefixes_at_ff_lose_no_key() {
    use cosmwasm_std::Storage;
    use cw_storage_plus::range_with_prefix;

    let keys: [&[u8]; 8] = [
        &[1],
        &[1, 0],
        &[1, 0xff],
        &[1, 0xff, 0xff],
        &[2],
        &[0xff],
        &[0xff, 0xff],
        &[0xff, 0xff, 0xff, 0],
    ];
    let mut store = Store::default();
    for key in keys {
        RAW.insert(
            &mut store,
            &RawRow {
                key: key.to_vec(),
                n: 1,
            },
        )
        .unwrap();
    }
    // Rows of the neighbours on both sides.
    store.set(&raw_key("fq", &[&[0xff; 9]]), b"x");
    store.set(&raw_key("fs", &[&[0]]), b"x");

    let prefixes: [(&[u8], usize); 5] = [
        (&[1], 4),
        (&[1, 0xff], 2),
        (&[0xff], 3),
        (&[0xff, 0xff], 2),
        (&[], 8),
    ];
    for (prefix, count) in prefixes {
        let want: Vec<Vec<u8>> = keys
            .iter()
            .filter(|key| key.starts_with(prefix))
            .map(|key| key.to_vec())
            .collect();
        assert_eq!(want.len(), count);
        let end = cw_orm::successor(prefix);
        let found = |order| -> Vec<Vec<u8>> {
            let from = Some(cw_storage_plus::RawBound::Inclusive(prefix.to_vec()));
            let until = end.clone().map(cw_storage_plus::RawBound::Exclusive);
            range_with_prefix(&store, &raw_key("fr", &[]), from, until, order)
                .map(|(key, _)| key)
                .collect()
        };
        assert_eq!(found(Ascending), want);
        assert_eq!(
            found(Descending),
            want.iter().rev().cloned().collect::<Vec<_>>()
        );
    }
    let all = RAW.all().ids(&store, Ascending).read_all().unwrap();
    assert_eq!(all, keys.map(<[u8]>::to_vec));
}

single_key_table!(Triple, TRIPLES, (u8, Vec<u8>, u8), b"fx", Ordered);

#[test]
fn f16_typed_prefixes_at_ff_lose_no_key() {
    let mut store = Store::default();
    let keys: Vec<(u8, Vec<u8>, u8)> = vec![
        (1, vec![], 0),
        (1, vec![0xff], 0xff),
        (0xff, vec![], 0),
        (0xff, vec![0xff], 0),
        (0xff, vec![0xff; 9], 0xff),
    ];
    for key in &keys {
        TRIPLES
            .insert(
                &mut store,
                &Triple {
                    key: key.clone(),
                    n: 1,
                },
            )
            .unwrap();
    }
    let ids = |first: u8, order| {
        TRIPLES
            .prefix(&(first,))
            .unwrap()
            .ids(&store, order)
            .read_all()
            .unwrap()
    };
    assert_eq!(ids(1, Ascending), keys[..2]);
    assert_eq!(ids(0xff, Ascending), keys[2..]);
    assert_eq!(
        ids(0xff, Descending),
        keys[2..].iter().rev().cloned().collect::<Vec<_>>()
    );
    let inner = TRIPLES
        .prefix(&(0xff, vec![0xff]))
        .unwrap()
        .ids(&store, Descending)
        .read_all()
        .unwrap();
    assert_eq!(inner, keys[3..4]);
}

#[test]
fn f16_least_and_greatest_u64() {
    let mut store = Store::default();
    for key in [0, u64::MAX] {
        NEXT.insert(&mut store, &NextRow { key, n: 1 }).unwrap();
    }
    let ids = |scan: cw_orm::Scan<NextRow>| scan.ids(&store, Ascending).read_all().unwrap();
    assert_eq!(ids(NEXT.range(..=u64::MAX).unwrap()), [0, u64::MAX]);
    assert_eq!(ids(NEXT.range(..u64::MAX).unwrap()), [0]);
    assert_eq!(ids(NEXT.range(1..).unwrap()), [u64::MAX]);
    assert_eq!(ids(NEXT.range(u64::MAX..=u64::MAX).unwrap()), [u64::MAX]);
    assert_eq!(ids(NEXT.prefix(&u64::MAX).unwrap()), [u64::MAX]);
    assert_eq!(ids(NEXT.prefix(&0).unwrap()), [0]);
}
