//! Export and import.

use cw_orm::Namespace;

use super::{GET, NONE, PROBE, check, families::messages, orders, refused};
use crate::{
    fixture::{Counts, MESSAGES, ORDERS, Store, TRADES, Trade, trade},
    genesis::pages,
};

/// Trades with two index entries each, one of them unique.
fn trades(rows: u64) -> Store {
    let mut store = Store::default();
    for px in 1..=rows {
        let code = Some(format!("c{px}"));
        TRADES
            .insert(&mut store, &mut Trade { code, ..trade(px) })
            .unwrap();
    }
    store
}

#[test]
fn export() {
    let page = Counts {
        open: 1,
        next: 3,
        ..NONE
    };
    let mut store = orders(5);
    let first = check(&mut store, page, |store| ORDERS.export(store, None, 2));
    let key = first.next_key;
    check(&mut store, page, |store| {
        ORDERS.export(store, key.as_ref(), 2)
    });
    let mut store = trades(5);
    check(&mut store, Counts { get: 1, ..page }, |store| {
        TRADES.export(store, None, 2)
    });
    let mut store = messages(5);
    let merged = Counts {
        open: 3,
        next: 9,
        ..NONE
    };
    check(&mut store, merged, |store| MESSAGES.export(store, None, 2));
}

#[test]
fn import() {
    let exported = pages(|key| TRADES.export(&trades(3), key, 2));
    // Rows and two indexes are empty; three unique keys are free.
    let all = Counts {
        get: 1,
        open: 3 + 3,
        next: 3 + 3,
        set: 3 * 3 + 1,
        ..NONE
    };
    check(&mut Store::default(), all, |store| {
        TRADES.import(store, &exported)
    });
    refused(&mut trades(1), PROBE, |store| {
        TRADES.import(store, &exported)
    });
    let exported = pages(|key| MESSAGES.export(&messages(3), key, 2));
    let all = Counts {
        open: 6 + 3,
        next: 6 + 3,
        set: 3 * 6,
        ..NONE
    };
    check(&mut Store::default(), all, |store| {
        MESSAGES.import(store, &exported)
    });
}

#[test]
fn import_by_page() {
    let exported = pages(|key| TRADES.export(&trades(5), key, 2));
    let import = TRADES.import_by_page(Namespace::new(b"gs")).unwrap();
    let mut store = Store::default();
    let first = Counts {
        get: 2,
        open: 3 + 2,
        next: 3 + 2,
        set: 2 * 3 + 2,
        ..NONE
    };
    check(&mut store, first, |store| import.put(store, &exported[0]));
    check(&mut store, GET, |store| import.put(store, &exported[0]));
    check(&mut store, GET, |store| import.state(store));
    refused(&mut store, GET, |store| import.finish(store));
    refused(&mut store, GET, |store| import.put(store, &exported[2]));
    // Two rows that are not there yet, two unique keys; the sequence is right already.
    let second = Counts {
        get: 2,
        open: 2 + 2,
        next: 2 + 2,
        set: 2 * 3 + 1,
        ..NONE
    };
    check(&mut store, second, |store| import.put(store, &exported[1]));
    import.put(&mut store, &exported[2]).unwrap();
    let finish = Counts {
        get: 2,
        open: 1,
        next: 1,
        remove: 1,
        ..NONE
    };
    check(&mut store, finish, |store| import.finish(store));
    refused(&mut store, PROBE, |store| import.cancel(store));
    TRADES.clear(&mut store, 99).unwrap();
    let cancel = Counts {
        open: 3,
        next: 3,
        remove: 1,
        ..NONE
    };
    check(&mut store, cancel, |store| import.cancel(store));
}
