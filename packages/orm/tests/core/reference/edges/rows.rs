//! Edges of rows, indexes and iterators.

use core::ops::Bound;

use cosmwasm_std::{Order::Ascending, Storage};
use cw_orm::{Key, KeyRule::Delimited, OrmError};

use crate::{
    fixture::{
        BY_CLIENT, BY_MARKET, BY_TAG, ORDERS, Order, Store, TRADES, Trade, order, raw_key, trade,
    },
    reference::model::{GIVEN, GIVEN_BY_METADATA, Given, given},
};

mod edge_08 {
    use cw_orm::{
        Indexable, KeyRule, Namespace, PageLimits, Postcard, PrimaryKeyTable, PrimaryKeyed, Record,
        TableMeta,
    };

    use super::*;

    /// A row of its key alone, whose columns are no bytes.
    #[derive(Clone, Debug, PartialEq)]
    struct Flag(u8);

    const FLAGS: PrimaryKeyTable<Flag> = PrimaryKeyTable::new();

    impl Record for Flag {
        type PrimaryKey = u8;
        type Codec = Postcard;
        const META: TableMeta = TableMeta {
            name: "flags",
            namespace: Namespace::new(b"rel"),
            version: 1,
            key_rule: KeyRule::Delimited,
            limits: PageLimits::DEFAULT,
        };
        const INDEXES: &'static [&'static dyn Indexable<Self>] = &[];

        fn encode(&self) -> Result<Vec<u8>, String> {
            Ok(Vec::new())
        }

        fn decode(key: &u8, _: u8, bytes: &[u8]) -> Result<Self, String> {
            if bytes.is_empty() {
                Ok(Self(*key))
            } else {
                Err("bytes".into())
            }
        }
    }

    impl PrimaryKeyed for Flag {
        fn primary_key_fields(&self) -> u8 {
            self.0
        }
    }

    #[test]
    fn edge_08_a_row_without_columns_is_a_row() {
        let mut store = Store::default();
        FLAGS.insert(&mut store, &Flag(7)).unwrap();
        assert_eq!(FLAGS.has(&store, &7), Ok(true));
        assert_eq!(FLAGS.get_one(&store, &7), Ok(Flag(7)));
        assert!(matches!(
            FLAGS.insert(&mut store, &Flag(7)),
            Err(OrmError::AlreadyExists { .. })
        ));
        assert_eq!(
            FLAGS.all().rows(&store, Ascending).read_all(),
            Ok(vec![Flag(7)])
        );
        assert_eq!(FLAGS.delete(&mut store, &7), Ok(Flag(7)));
        assert!(store.dump().is_empty());
    }
}

/// In the reference the row is written first, and the old entry of a unique key is gone before the new one is refused.
#[test]
fn edge_09_a_conflict_is_found_before_anything_is_written() {
    let mut store = Store::default();
    let client = |seq, client: &str| Order {
        client: Some(client.into()),
        tags: vec![format!("t{seq}")],
        ..order("a", seq, "m")
    };
    ORDERS.insert(&mut store, &client(1, "c1")).unwrap();
    ORDERS.insert(&mut store, &client(2, "c2")).unwrap();
    let before = store.dump();
    let stolen = Order {
        market: "n".into(),
        tags: vec!["t9".into()],
        ..client(2, "c1")
    };
    // A caller that catches the error finds everything as it was.
    let (answer, counts) = store.count(|store| ORDERS.update(store, stolen));
    assert!(matches!(answer, Err(OrmError::UniqueViolation { .. })));
    assert_eq!((counts.set, counts.remove), (0, 0));
    assert_eq!(store.dump(), before);
    let held = ORDERS.by(BY_CLIENT).unwrap();
    assert_eq!(
        held.row_key(&store, &"c2".into()),
        Ok(Some(("a".into(), 2)))
    );
    assert_eq!(
        ORDERS.by(BY_TAG).unwrap().has(&store, &"t2".into()),
        Ok(true)
    );
    assert_eq!(
        ORDERS.by(BY_MARKET).unwrap().has(&store, &"n".into()),
        Ok(false)
    );
}

#[test]
fn edge_10_a_refused_row_burns_no_id() {
    let mut store = Store::default();
    let coded = |code: &str, note: &str| Trade {
        code: Some(code.into()),
        note: note.into(),
        ..trade(1)
    };
    assert_eq!(TRADES.insert(&mut store, &mut coded("c", "")), Ok(1));
    for mut refused in [coded("d", "bad"), coded("c", ""), coded("\0", "")] {
        assert!(TRADES.insert(&mut store, &mut refused).is_err());
        assert_eq!((refused.id, TRADES.sequence().current(&store)), (0, Ok(1)));
    }
    assert_eq!(TRADES.insert(&mut store, &mut coded("d", "")), Ok(2));
}

#[test]
fn edge_10_the_greatest_id_is_given_found_and_the_last() {
    let mut store = Store::default();
    TRADES.sequence().init(&mut store, u64::MAX - 1).unwrap();
    assert_eq!(TRADES.insert(&mut store, &mut trade(5)), Ok(u64::MAX));
    let before = store.dump();
    let exhausted = OrmError::SequenceExhausted { table: "trades" };
    assert_eq!(TRADES.insert(&mut store, &mut trade(5)), Err(exhausted));
    assert_eq!(store.dump(), before);
    let ids = |scan: cw_orm::Scan<Trade>| scan.ids(&store, Ascending).read_all().unwrap();
    assert_eq!(ids(TRADES.range(1..=u64::MAX).unwrap()), [u64::MAX]);
    assert_eq!(ids(TRADES.range(1..u64::MAX).unwrap()), [0; 0]);
    let open = (Bound::Excluded(u64::MAX - 1), Bound::<u64>::Unbounded);
    assert_eq!(ids(TRADES.range(open).unwrap()), [u64::MAX]);
}

#[test]
fn edge_12_keys_that_an_index_function_repeats_are_one() {
    let mut store = Store::default();
    let tags = |tags: &[&str]| Order {
        tags: tags.iter().map(ToString::to_string).collect(),
        ..order("a", 1, "m")
    };
    ORDERS.insert(&mut store, &tags(&["x", "y", "x"])).unwrap();
    assert_eq!(
        ORDERS
            .by(BY_TAG)
            .unwrap()
            .all()
            .ids(&store, Ascending)
            .count(),
        2
    );
    let (answer, counts) = store.count(|store| ORDERS.update(store, tags(&["y", "y"])));
    answer.unwrap();
    assert_eq!((counts.remove, counts.set), (1, 1), "x; the row");
    ORDERS.delete(&mut store, &("a".into(), 1)).unwrap();
    assert!(store.dump().is_empty());
}

/// An index has keys of one type, so that a number and a text of the same bytes never meet.
#[test]
fn edge_12_keys_are_compared_with_their_delimiters() {
    let text = "\u{1}\u{2}".to_owned();
    assert_ne!(text.encode(Delimited).unwrap(), [1, 2]);
    assert_ne!(
        vec![1_u8, 2].encode(Delimited).unwrap(),
        0x0102_u16.encode(Delimited).unwrap()
    );
}

#[test]
fn edge_14_an_entry_without_its_row_is_an_error_that_ends_the_scan() {
    let mut store = given(&[b"m", b"m", b"m"]);
    store.remove(&raw_key("rg", &[&2_u64.to_be_bytes()]));
    let found = GIVEN
        .by(GIVEN_BY_METADATA)
        .unwrap()
        .key(&b"m".to_vec())
        .unwrap();
    let mut rows = found.rows(&store, Ascending);
    let dangling = OrmError::DanglingEntry {
        table: "Given",
        index: "by_metadata",
        key: hex::encode(2_u64.to_be_bytes()),
    };
    assert_eq!(rows.next().unwrap().unwrap().id, 1);
    assert_eq!(rows.next(), Some(Err(dangling.clone())));
    assert_eq!((rows.next(), rows.next()), (None, None));
    let found = GIVEN
        .by(GIVEN_BY_METADATA)
        .unwrap()
        .key(&b"m".to_vec())
        .unwrap();
    assert_eq!(
        found.page(&store, &Default::default()).unwrap_err(),
        dangling
    );
}

/// An iterator borrows the store, so that nothing can be written while it is open; what it gave can be.
#[test]
fn edge_14_rows_are_read_before_they_are_changed() {
    let mut store = given(&[b"m", b"m", b"n"]);
    let found = GIVEN
        .by(GIVEN_BY_METADATA)
        .unwrap()
        .key(&b"m".to_vec())
        .unwrap();
    let ids = found.ids(&store, Ascending).read_all().unwrap();
    for id in ids {
        GIVEN
            .modify(&mut store, id, |row| {
                Ok::<_, OrmError>(Given {
                    metadata: b"n".to_vec(),
                    ..row
                })
            })
            .unwrap();
    }
    let found = GIVEN
        .by(GIVEN_BY_METADATA)
        .unwrap()
        .key(&b"n".to_vec())
        .unwrap();
    assert_eq!(found.ids(&store, Ascending).read_all(), Ok(vec![1, 2, 3]));
}
