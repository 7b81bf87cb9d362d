//! Whatever happens to an export on its way, it is refused or it is the export.

use cosmwasm_std::{Uint64, from_json, to_json_vec};
use cw_orm::{GenesisPage, Namespace};
use proptest::{prelude::*, sample::Index};

use super::{assert_untouched, reseal, trade_pages, trades};
use crate::{
    fixture::{Store, TRADES, faults},
    model::cases,
};

const STATE: Namespace = Namespace::new(b"gs");

/// The pages without what only an export needs.
fn content(pages: &[GenesisPage]) -> Vec<GenesisPage> {
    let strip = |page: &GenesisPage| GenesisPage {
        next_key: None,
        ..page.clone()
    };
    pages.iter().map(strip).collect()
}

fn assert_refused(exported: &[GenesisPage], broken: &[GenesisPage]) -> Result<(), TestCaseError> {
    let mut store = Store::default();
    let answer = TRADES.import(&mut store, broken);
    if content(exported) == content(broken) {
        prop_assert_eq!(answer, Ok(7));
        return Ok(());
    }
    prop_assert!(answer.is_err());
    assert_untouched(&store);
    // Page by page: those before the broken one are taken, and it never comes to the end.
    let import = TRADES.import_by_page(STATE).unwrap();
    for page in broken {
        let before = store.dump();
        if import.put(&mut store, page).is_err() {
            prop_assert_eq!(store.dump(), before);
        }
        prop_assert_eq!(faults(|key| TRADES.check(&store, key, 100)), []);
    }
    let before = store.dump();
    match import.finish(&mut store) {
        // Pages that did not fit were left out, and the others are all.
        Ok(_) => prop_assert_eq!(store.dump(), trades(7).dump()),
        Err(_) => prop_assert_eq!(store.dump(), before),
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_changed_byte(page in any::<Index>(), at in any::<Index>(), bits in 1_u8..) {
        let exported = trade_pages(&trades(7), 3);
        let page = page.index(exported.len());
        let mut json = to_json_vec(&exported[page]).unwrap();
        let at = at.index(json.len());
        json[at] ^= bits;
        let Ok(changed) = from_json::<GenesisPage>(&json) else { return Ok(()) };
        let mut broken = exported.clone();
        broken[page] = changed;
        assert_refused(&exported, &broken)?;
    }

    #[test]
    fn pages_in_another_order(order in proptest::collection::vec(0_usize..3, 0..5)) {
        let exported = trade_pages(&trades(7), 3);
        let broken: Vec<_> = order.iter().map(|at| exported[*at].clone()).collect();
        assert_refused(&exported, &broken)?;
    }

    #[test]
    fn rows_in_another_order(order in proptest::collection::vec(0_usize..7, 0..9)) {
        let exported = trade_pages(&trades(7), 7);
        let mut broken = exported.clone();
        broken[0].rows = order.iter().map(|at| exported[0].rows[*at].clone()).collect();
        assert_refused(&exported, &broken)?;
        // With a digest and a total that fit, still only in order, each once.
        broken[0].total = Some(Uint64::new(order.len() as u64));
        reseal(&mut broken);
        let mut store = Store::default();
        let answer = TRADES.import(&mut store, &broken);
        let sorted = order.is_sorted_by(|a, b| a < b);
        prop_assert_eq!(answer.ok(), sorted.then_some(order.len() as u64));
        prop_assert_eq!(store.dump().is_empty(), !sorted);
        if sorted {
            prop_assert_eq!(faults(|key| TRADES.check(&store, key, 100)), []);
        }
    }

    /// Changed on purpose: taken only if the table would have written it, and then whole.
    #[test]
    fn a_changed_value_with_a_digest_that_fits(row in 0_usize..7, at in any::<Index>(), byte in any::<u8>()) {
        let exported = trade_pages(&trades(7), 3);
        let mut broken = exported.clone();
        let (page, place) = (row / 3, row % 3);
        let value = broken[page].rows[place].values[0].as_mut().unwrap();
        let mut bytes = value.to_vec();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        *value = bytes.into();
        reseal(&mut broken);
        let mut store = Store::default();
        match TRADES.import(&mut store, &broken) {
            Err(_) => assert_untouched(&store),
            Ok(rows) => {
                prop_assert_eq!(rows, 7);
                prop_assert_eq!(faults(|key| TRADES.check(&store, key, 100)), []);
                prop_assert_eq!(content(&trade_pages(&store, 3)), content(&broken));
            }
        }
    }
}
