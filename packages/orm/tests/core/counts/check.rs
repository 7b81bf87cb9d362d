//! The integrity check.

use super::{NONE, check, orders, refused};
use crate::fixture::{Counts, ITEMS, ORDERS, Store, TRADES, item, trade};

#[test]
fn rows_and_entries() {
    let mut store = orders(3);
    // Rows, and the entries of four indexes, each scan to its end; each row's five entries and each entry's row.
    let whole = Counts {
        open: 5,
        next: (3 + 1) + (3 + 1) + (6 + 1) + (3 + 1) + (3 + 1),
        get: 15 + 15,
        ..NONE
    };
    check(&mut store, whole, |store| ORDERS.check(store, None, 99));
    let step = Counts {
        open: 1,
        next: 3,
        get: 10,
        ..NONE
    };
    check(&mut store, step, |store| ORDERS.check(store, None, 2));
    refused(&mut store, NONE, |store| ORDERS.check(store, None, 0));
}

#[test]
fn sequence() {
    let mut store = Store::default();
    for px in 0..2 {
        TRADES.insert(&mut store, &mut trade(px)).unwrap();
    }
    // By price each an entry, by code none; then the sequence and the last row.
    let whole = Counts {
        open: 4,
        next: 3 + 3 + 1 + 1,
        get: 2 + 2 + 1,
        ..NONE
    };
    check(&mut store, whole, |store| TRADES.check(store, None, 99));
}

#[test]
fn sums() {
    let mut store = Store::default();
    for number in 0..2 {
        ITEMS.insert(&mut store, &item("s", number, "k")).unwrap();
    }
    // Rows with four entries each; one index of rows, two without entries; three of one counter each, which is found,
    // added up over the rows, compared, and not followed by another.
    let whole = Counts {
        open: 1 + 1 + 2 + 3 * 3,
        next: 3 + 3 + 2 + 3 * (2 + 3 + 1),
        get: 8 + 2 + 3,
        ..NONE
    };
    check(&mut store, whole, |store| ITEMS.check(store, None, 99));
}
