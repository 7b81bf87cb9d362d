//! Out of one store and into another.

mod corrupt;
mod import;
mod paged;
mod round_trip;

use cosmwasm_std::Binary;
use cw_orm::{GenesisError, GenesisPage, OrmError};

use crate::fixture::{Dump, Store, TRADES, Trade, trade};

/// Takes an export's pages.
pub(crate) fn pages(
    mut export: impl FnMut(Option<&Binary>) -> Result<GenesisPage, OrmError>,
) -> Vec<GenesisPage> {
    let mut pages = vec![export(None).expect("export")];
    while let Some(key) = pages.last().and_then(|page| page.next_key.clone()) {
        pages.push(export(Some(&key)).expect("export"));
    }
    pages
}

/// Trades 1 to `rows`, each with a code.
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

fn trade_pages(store: &Store, limit: u32) -> Vec<GenesisPage> {
    pages(|key| TRADES.export(store, key, limit))
}

fn genesis(source: GenesisError) -> OrmError {
    OrmError::Genesis {
        table: "trades",
        source,
    }
}

/// Makes the digests right again, as somebody would who changes pages on purpose.
fn reseal(pages: &mut [GenesisPage]) {
    let mut before = cosmwasm_std::Uint64::zero();
    for page in pages {
        page.digest = page.digest_after(before);
        before = page.digest;
    }
}

fn assert_untouched(store: &Store) {
    assert_eq!(store.dump(), Dump::new());
}
