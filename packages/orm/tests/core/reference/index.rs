//! Scans over indexes, both directions, and the unique index.

use core::ops::RangeBounds;

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{OrmError, PrefixOf};

use crate::fixture::{
    BY_CLIENT, BY_CODE, BY_MARKET, BY_MEMO, BY_PX, ORDERS, Order, Store, TRADES, Trade, first,
    order, trade,
};

/// Trades 1 to 4 at the prices 10, 10, 20, 30.
fn store() -> Store {
    let mut store = Store::default();
    for px in [10, 10, 20, 30] {
        TRADES.insert(&mut store, &mut trade(px)).unwrap();
    }
    store
}

fn scan<P: PrefixOf<u64>>(bounds: impl RangeBounds<P> + Clone) -> Result<Vec<u64>, OrmError> {
    let store = store();
    let view = TRADES.by(BY_PX)?;
    let forward = view
        .range::<P>(bounds.clone())?
        .ids(&store, Ascending)
        .read_all()?;
    let mut backward = view
        .range::<P>(bounds)?
        .ids(&store, Descending)
        .read_all()?;
    backward.reverse();
    assert_eq!(forward, backward);
    Ok(forward)
}

const INVERTED: Result<Vec<u64>, OrmError> = Err(OrmError::InvertedBounds { table: "trades" });

#[test]
fn exact_match_with_a_single_row() {
    assert_eq!(scan::<u64>(20..=20), Ok(vec![3]));
}

#[test]
fn exact_match_with_two_rows() {
    assert_eq!(scan::<u64>(10..11), Ok(vec![1, 2]));
}

#[test]
fn open_end_some() {
    assert_eq!(scan::<u64>(20..), Ok(vec![3, 4]));
}

#[test]
fn open_end_all() {
    assert_eq!(scan::<u64>(0..), Ok(vec![1, 2, 3, 4]));
}

#[test]
fn open_start() {
    assert_eq!(scan::<u64>(..20), Ok(vec![1, 2]));
}

#[test]
fn open_both() {
    assert_eq!(scan::<u64>(..), Ok(vec![1, 2, 3, 4]));
}

#[test]
fn all_between() {
    assert_eq!(scan::<u64>(10..=30), Ok(vec![1, 2, 3, 4]));
}

#[test]
fn none_between() {
    assert_eq!(scan::<u64>(11..20), Ok(vec![]));
}

#[test]
fn start_is_end() {
    assert_eq!(scan::<u64>(10..10), INVERTED);
}

#[test]
fn start_after_end() {
    let (start, end) = (30, 10);
    assert_eq!(scan::<u64>(start..end), INVERTED);
}

#[test]
fn text_index() {
    let mut store = Store::default();
    for (seq, market) in ["b", "a", "ab", ""].into_iter().enumerate() {
        ORDERS
            .insert(&mut store, &order("o", seq as u32, market))
            .unwrap();
    }
    let view = ORDERS.by(BY_MARKET).unwrap();
    let seqs = |scan: cw_orm::Scan<Order, _>| -> Vec<u32> {
        let ids: Vec<(String, u32)> = scan.ids(&store, Ascending).read_all().unwrap();
        ids.into_iter().map(|id| id.1).collect()
    };
    assert_eq!(seqs(view.all()), [3, 1, 2, 0]);
    assert_eq!(
        seqs(view.range("a".to_owned()..="ab".to_owned()).unwrap()),
        [1, 2]
    );
    assert_eq!(
        seqs(view.key(&"a".into()).unwrap()),
        [1],
        "an exact key, no prefix"
    );
}

/// The reference encodes an empty search key to nothing and finds everything.
#[test]
fn empty_search_key_is_an_exact_key() {
    let mut store = Store::default();
    ORDERS.insert(&mut store, &order("o", 1, "m")).unwrap();
    let view = ORDERS.by(BY_MARKET).unwrap();
    assert_eq!(view.has(&store, &String::new()), Ok(false));
    ORDERS.insert(&mut store, &order("o", 2, "")).unwrap();
    assert_eq!(view.has(&store, &String::new()), Ok(true));
    assert_eq!(
        view.key(&String::new())
            .unwrap()
            .ids(&store, Ascending)
            .read_all()
            .unwrap(),
        [("o".into(), 2)]
    );
}

#[test]
fn search_key_that_cannot_be_encoded() {
    let store = Store::default();
    let view = ORDERS.by(BY_MARKET).unwrap();
    let reason = "text has a NUL at byte 1".to_owned();
    let error = OrmError::Index {
        table: "orders",
        index: "by_market",
        reason,
    };
    assert_eq!(view.has(&store, &"a\0".into()), Err(error.clone()));
    assert_eq!(view.prefix(&"a\0".to_owned()).unwrap_err(), error);
}

#[test]
fn prefix_of_a_composite_key() {
    let mut store = Store::default();
    for (seq, memo) in [(1, vec![0]), (2, vec![0, 0]), (3, vec![0])] {
        ORDERS
            .insert(
                &mut store,
                &Order {
                    memo,
                    ..order("o", seq, "m")
                },
            )
            .unwrap();
    }
    let found = ORDERS
        .by(BY_MEMO)
        .unwrap()
        .prefix(&(vec![0],))
        .unwrap()
        .ids(&store, Descending)
        .read_all()
        .unwrap();
    assert_eq!(found, [("o".into(), 3), ("o".into(), 1)]);
}

#[test]
fn within_a_key_by_primary_key() {
    let store = store();
    let view = TRADES.by(BY_PX).unwrap();
    let ids = |scan: Result<cw_orm::Scan<_, _>, _>| {
        scan.unwrap().ids(&store, Ascending).read_all().unwrap()
    };
    assert_eq!(ids(view.key_within(&10, 2_u64..)), [2]);
    assert_eq!(ids(view.key_within(&10, ..2_u64)), [1]);
    assert_eq!(ids(view.key_within(&10, ..=u64::MAX)), [1, 2]);
    assert_eq!(ids(view.key_within::<u64>(&10, ..)), [1, 2]);
    assert_eq!(ids(view.key_within(&20, ..3_u64)), [0; 0]);
}

fn with_codes() -> Store {
    let mut store = Store::default();
    for code in [Some("b"), None, Some("a"), Some("ab")] {
        TRADES
            .insert(
                &mut store,
                &mut Trade {
                    code: code.map(Into::into),
                    ..trade(1)
                },
            )
            .unwrap();
    }
    store
}

#[test]
fn unique_has_and_get() {
    let store = with_codes();
    let view = TRADES.by(BY_CODE).unwrap();
    assert_eq!(view.has(&store, &"a".into()), Ok(true));
    assert_eq!(view.has(&store, &"c".into()), Ok(false));
    let (id, row) = view.get(&store, &"a".into()).unwrap().unwrap();
    assert_eq!((id, row.code), (3, Some("a".into())));
    assert_eq!(view.get(&store, &"".into()), Ok(None));
}

#[test]
fn unique_scans() {
    let store = with_codes();
    let view = TRADES.by(BY_CODE).unwrap();
    assert_eq!(
        view.all().ids(&store, Ascending).read_all().unwrap(),
        [3, 4, 1]
    );
    assert_eq!(
        view.all().ids(&store, Descending).read_all().unwrap(),
        [1, 4, 3]
    );
    let some = view.range("a".to_owned().."b".to_owned()).unwrap();
    assert_eq!(some.rows(&store, Ascending).read_all().unwrap().len(), 2);
}

#[test]
fn unique_pages() {
    let store = with_codes();
    let scan = TRADES.by(BY_CODE).unwrap().key(&"a".into()).unwrap();
    let page = scan.page_ids(&store, &first(1)).unwrap();
    assert_eq!((page.items, page.page.next_key), (vec![3], None));
}

/// The reference's own test of this cannot fail; the key of the row is another here, so only the index can refuse.
#[test]
fn unique_refuses_a_duplicate() {
    let mut store = with_codes();
    let before = store.dump();
    let mut again = Trade {
        code: Some("a".into()),
        ..trade(9)
    };
    let taken = OrmError::UniqueViolation {
        table: "trades",
        index: "by_code",
        key: hex::encode(b"a\0"),
    };
    assert_eq!(TRADES.insert(&mut store, &mut again), Err(taken));
    assert_eq!(store.dump(), before);
}

#[test]
fn unique_delete_frees_the_key() {
    let mut store = with_codes();
    TRADES.delete(&mut store, 3).unwrap();
    assert_eq!(
        TRADES.by(BY_CODE).unwrap().has(&store, &"a".into()),
        Ok(false)
    );
    assert_eq!(
        TRADES.insert(
            &mut store,
            &mut Trade {
                code: Some("a".into()),
                ..trade(9)
            }
        ),
        Ok(5)
    );
}

#[test]
fn unique_absence_never_conflicts() {
    let mut store = Store::default();
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    ORDERS.insert(&mut store, &order("a", 2, "m")).unwrap();
    assert_eq!(
        ORDERS
            .by(BY_CLIENT)
            .unwrap()
            .all()
            .ids(&store, Ascending)
            .count(),
        0
    );
}
