//! Bulk deletes.

use cw_orm::Families;

use super::{NONE, check, families::messages, orders, refused};
use crate::fixture::{
    BY_MARKET, BY_NONCE, BY_TAG, Body, Counts, ITEMS, MESSAGES, ORDERS, Store, TRADES, item, trade,
};

/// Two rows of six keys each, found by a scan that looks at one more.
const TWO: Counts = Counts {
    open: 1,
    next: 3,
    remove: 12,
    ..NONE
};

#[test]
fn clear() {
    let mut store = orders(5);
    check(&mut store, TWO, |store| ORDERS.clear(store, 2));
    check(&mut store, TWO, |store| ORDERS.clear(store, 2));
    // The last row, and a look into each of four indexes.
    let last = Counts {
        open: 5,
        next: 6,
        remove: 6,
        ..NONE
    };
    check(&mut store, last, |store| ORDERS.clear(store, 2));
    refused(&mut store, NONE, |store| ORDERS.clear(store, 0));
}

#[test]
fn delete_prefix_and_ranges() {
    let mut store = orders(9);
    check(&mut store, TWO, |store| {
        ORDERS.delete_prefix(store, &("a".to_owned(),), 2)
    });
    let range = ORDERS.range(("a".to_owned(), 4)..).unwrap();
    check(&mut store, TWO, |store| {
        ORDERS.delete_where(store, &range, None, 2)
    });
    let filtered = ORDERS.all().filter("later", |key, _| key.1 > 5);
    let passed = Counts { next: 5, ..TWO };
    let deleted = check(&mut store, passed, |store| {
        ORDERS.delete_where(store, &filtered, None, 2)
    });
    assert_eq!((deleted.rows, deleted.passed), (2, 4));
}

#[test]
fn delete_where_by_an_index() {
    let mut store = orders(7);
    let market = ORDERS.by(BY_MARKET).unwrap().key(&"m".into()).unwrap();
    let two = Counts { get: 2, ..TWO };
    let deleted = check(&mut store, two, |store| {
        ORDERS.delete_where(store, &market, None, 2)
    });
    let key = deleted.next_key;
    check(&mut store, two, |store| {
        ORDERS.delete_where(store, &market, key.as_ref(), 2)
    });
    // Three rows with two tags each: a row is read once.
    let tags = ORDERS.by(BY_TAG).unwrap().all();
    let three = Counts {
        open: 1,
        next: 7,
        get: 3,
        remove: 18,
        ..NONE
    };
    check(&mut store, three, |store| {
        ORDERS.delete_where(store, &tags, None, 9)
    });
}

#[test]
fn a_counter_is_read_and_written_once_a_step() {
    let mut store = Store::default();
    for number in 0..5 {
        ITEMS.insert(&mut store, &item("s", number, "k")).unwrap();
    }
    // Three rows and their entries in one index; three counters.
    let three = Counts {
        open: 1 + 3,
        next: 4 + 3,
        remove: 6,
        set: 3,
        ..NONE
    };
    check(&mut store, three, |store| {
        ITEMS.delete_prefix(store, &("s".to_owned(),), 3)
    });
}

#[test]
fn f26_a_step_costs_the_same_whatever_the_table() {
    for rows in [3, 100, 1_000] {
        let mut store = orders(rows);
        check(&mut store, TWO, |store| ORDERS.clear(store, 2));
        let mut store = orders(rows);
        let none = ORDERS.all().filter("none", |_, _| false).budget(2);
        let passed = Counts { remove: 0, ..TWO };
        check(&mut store, passed, |store| {
            ORDERS.delete_where(store, &none, None, 9)
        });
    }
}

#[test]
fn families() {
    let mut store = messages(9);
    let two = Counts {
        open: 3,
        next: 9,
        remove: 12,
        ..NONE
    };
    check(&mut store, two, |store| {
        MESSAGES.delete_prefix(store, &(1,), 2)
    });
    check(&mut store, two, |store| MESSAGES.clear(store, 2));
    let by_nonce = MESSAGES.by::<Body, _>(BY_NONCE).unwrap().all();
    check(&mut store, Counts { get: 6, ..TWO }, |store| {
        MESSAGES.delete_where_member(store, &by_nonce, None, 2)
    });
    let bodies = MESSAGES.all(Families::at(0));
    check(&mut store, Counts { get: 4, ..TWO }, |store| {
        MESSAGES.delete_where(store, &bodies, None, 2)
    });
    // The last row's body alone, and its entry.
    let body = Counts {
        open: 2,
        next: 3,
        remove: 2,
        ..NONE
    };
    check(&mut store, body, |store| {
        MESSAGES.family::<Body>().clear(store, 2)
    });
}

#[test]
fn reset_sequence() {
    let mut store = Store::default();
    TRADES.insert(&mut store, &mut trade(1)).unwrap();
    refused(&mut store, super::PROBE, |store| {
        TRADES.reset_sequence(store)
    });
    TRADES.clear(&mut store, 9).unwrap();
    let reset = Counts {
        remove: 1,
        ..super::PROBE
    };
    check(&mut store, reset, |store| TRADES.reset_sequence(store));
}
