//! Scans of a table whose rows bring their keys. The reference gives raw bytes as bounds; here they are keys, and a key of
//! two parts, its first byte and the rest, stands for one that is cut at its first byte.

use core::ops::{Bound, RangeBounds};

use cosmwasm_std::Order;
use cw_orm::{OrmError, PrefixOf};

use super::both_ways;
use crate::fixture::{Store, single_key_table};

type Key = (u8, [u8; 7]);

single_key_table!(Row, ROWS, Key, b"rp", Delimited);

/// The big-endian bytes of an id.
fn key(id: u8) -> Key {
    (0, [0, 0, 0, 0, 0, 0, id])
}

fn scan<P: PrefixOf<Key>>(order: Order, bounds: impl RangeBounds<P>) -> Result<Vec<u8>, OrmError> {
    let mut store = Store::default();
    for id in 1..=3 {
        let row = Row {
            key: key(id),
            n: id.into(),
        };
        ROWS.insert(&mut store, &row).unwrap();
    }
    let rows = match order {
        Order::Ascending => ROWS.prefix_scan(&store, bounds)?,
        Order::Descending => ROWS.reverse_prefix_scan(&store, bounds)?,
    };
    let rows = rows.read_all()?;
    assert!(rows.iter().all(|row| row.key == key(row.n as u8)));
    Ok(rows.iter().map(|row| row.n as u8).collect())
}

const INVERTED: Result<Vec<u8>, OrmError> = Err(OrmError::InvertedBounds { table: "Row" });

const LEAST: Key = (0, [0; 7]);
const EVERY: (Bound<Key>, Bound<Key>) = (Bound::Unbounded, Bound::Unbounded);

both_ways! { scan:
    exact_match_with_a_single_result(key(1)..key(2)) => Ok(vec![1]);
    one_result_by_1st_byte(LEAST..key(2)) => Ok(vec![1]);
    open_end_query(key(3)..) => Ok(vec![3]);
    open_end_query_with_all(key(1)..) => Ok(vec![1, 2, 3]);
    open_start_query(..key(3)) => Ok(vec![1, 2]);
    open_start_and_end_query(EVERY) => Ok(vec![1, 2, 3]);
    all_matching_1st_byte((0,)..) => Ok(vec![1, 2, 3]);
    non_matching_1st_byte((1,)..) => Ok(vec![]);
    start_equals_end(key(1)..key(1)) => INVERTED;
    start_after_end(key(2)..key(1)) => INVERTED;
}

#[test]
fn contains_same_object() {
    let mut store = Store::default();
    let row = Row { key: key(1), n: 1 };
    ROWS.insert(&mut store, &row).unwrap();
    assert_eq!(ROWS.contains(&store, &row), Ok(true));
}

#[test]
fn contains_clone() {
    let mut store = Store::default();
    let row = Row { key: key(1), n: 1 };
    ROWS.insert(&mut store, &row).unwrap();
    assert_eq!(ROWS.contains(&store, &row.clone()), Ok(true));
    assert_eq!(
        ROWS.contains(&store, &Row { n: 9, ..row }),
        Ok(true),
        "the key decides"
    );
}

#[test]
fn contains_different_primary_key() {
    let mut store = Store::default();
    ROWS.insert(&mut store, &Row { key: key(1), n: 1 }).unwrap();
    assert_eq!(ROWS.contains(&store, &Row { key: key(2), n: 1 }), Ok(false));
}

/// A row of another type is not an argument of this table's `contains`; in a table of its own it is another row.
#[test]
fn contains_different_type_same_key() {
    single_key_table!(Other, OTHERS, Key, b"ro", Delimited);
    let mut store = Store::default();
    ROWS.insert(&mut store, &Row { key: key(1), n: 1 }).unwrap();
    assert_eq!(
        OTHERS.contains(&store, &Other { key: key(1), n: 1 }),
        Ok(false)
    );
}
