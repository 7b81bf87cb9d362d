//! How often each operation calls the store, exactly: one more read, write or scan is a regression.

mod bulk;
mod check;
mod families;
mod genesis;
mod indexes;
mod plain;
mod tracked;

use cw_orm::OrmError;

use crate::fixture::{Counts, ORDERS, Order, Store, order};

pub(crate) const NONE: Counts = Counts {
    get: 0,
    set: 0,
    remove: 0,
    open: 0,
    next: 0,
};
/// A probe: a scan opened for one key, which looks at one entry at most.
pub(crate) const PROBE: Counts = Counts {
    open: 1,
    next: 1,
    ..NONE
};
pub(crate) const GET: Counts = Counts { get: 1, ..NONE };

/// An order with an entry in each index, two in `by_tag`: a row and five entries.
pub(crate) fn full(seq: u32) -> Order {
    let tags = vec!["x".into(), "y".into()];
    Order {
        tags,
        client: Some(format!("c{seq}")),
        memo: vec![1],
        ..order("a", seq, "m")
    }
}

pub(crate) fn orders(n: u32) -> Store {
    let mut store = Store::default();
    (0..n).for_each(|seq| ORDERS.insert(&mut store, &full(seq)).unwrap());
    store
}

#[track_caller]
pub(crate) fn check<T>(
    store: &mut Store,
    want: Counts,
    call: impl FnOnce(&mut Store) -> Result<T, OrmError>,
) -> T {
    let (answer, counts) = store.count(call);
    assert_eq!(counts, want);
    answer.unwrap()
}

#[track_caller]
pub(crate) fn refused<T: core::fmt::Debug>(
    store: &mut Store,
    want: Counts,
    call: impl FnOnce(&mut Store) -> Result<T, OrmError>,
) {
    let (answer, counts) = store.count(call);
    assert_eq!(counts, want);
    answer.unwrap_err();
}
