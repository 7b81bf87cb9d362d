//! Pagination: the Cosmos SDK's meaning, what it lacks, cursors, and the faults of other implementations.

mod cursor;
mod faults;
mod filter;
mod semantics;

use crate::fixture::{Store, TRADES, trade};

/// A store with trades 1 to `n`, at the prices that `px` gives.
pub(crate) fn trades(n: u64, px: impl Fn(u64) -> u64) -> Store {
    let mut store = Store::default();
    for id in 1..=n {
        TRADES.insert(&mut store, &mut trade(px(id))).unwrap();
    }
    store
}

/// Returns the ids of a page.
pub(crate) fn ids(page: &cw_orm::Page<crate::fixture::Trade>) -> Vec<u64> {
    page.items.iter().map(|row| row.id).collect()
}
