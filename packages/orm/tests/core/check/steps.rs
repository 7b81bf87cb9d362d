//! A check in steps finds what one at once does, and is not disturbed by writes in between.

use cosmwasm_std::{Binary, Storage};
use cw_orm::{CheckReport, OrmError};
use proptest::prelude::*;

use crate::{
    fixture::{
        DOCS, ITEMS, Item, NOTES, ORDERS, Order, Store, TRADES, Trade, doc, faults, first, item,
        note, order, raw_key, trade,
    },
    model::cases,
};

fn orders(rows: u32) -> Store {
    let mut store = Store::default();
    for seq in 0..rows {
        let row = Order {
            client: Some(format!("c{seq}")),
            tags: vec!["x".into(), format!("t{seq}")],
            ..order("a", seq, "m")
        };
        ORDERS.insert(&mut store, &row).unwrap();
    }
    store
}

#[test]
fn a_step_looks_at_no_more_than_its_budget() {
    let store = orders(10);
    // A row has five entries.
    for budget in [1, 7, 59, 60, 61, u32::MAX] {
        let (mut key, mut steps, mut passed) = (None, 0, 0);
        loop {
            let report = ORDERS.check(&store, key.as_ref(), budget).unwrap();
            assert!(report.passed <= budget && report.faults.is_empty());
            (steps, passed) = (steps + 1, passed + report.passed);
            key = report.next_key;
            if key.is_none() {
                break;
            }
        }
        assert_eq!((passed, steps), (60, 60_u32.div_ceil(budget)));
    }
    let report = ORDERS.check(&Store::default(), None, 1);
    assert_eq!(report, Ok(CheckReport::default()));
    let zero = OrmError::ZeroLimit { table: "orders" };
    assert_eq!(ORDERS.check(&store, None, 0), Err(zero));
}

#[test]
fn a_step_ends_at_a_hundred_faults() {
    let mut store = Store::default();
    for n in 0..250_u32 {
        store.set(&raw_key("om", &[&n.to_be_bytes(), b"x"]), &[1]);
    }
    let report = ORDERS.check(&store, None, u32::MAX).unwrap();
    assert_eq!((report.faults.len(), report.passed), (100, 100));
    assert_eq!(faults(|key| ORDERS.check(&store, key, u32::MAX)).len(), 250);
}

#[test]
fn a_key_of_something_else_is_refused() {
    let mut store = orders(10);
    TRADES.insert(&mut store, &mut trade(1)).unwrap();
    let key = ORDERS.check(&store, None, 3).unwrap().next_key.unwrap();
    assert_eq!(
        TRADES.check(&store, Some(&key), 3),
        Err(OrmError::ForeignCursor)
    );
    let bare = ORDERS.with_indexes(cw_orm::IndexSet::NONE);
    assert_eq!(
        bare.check(&store, Some(&key), 3),
        Err(OrmError::ForeignCursor)
    );
    let listed = ORDERS
        .get_paginated(&store, &first(2))
        .unwrap()
        .page
        .next_key;
    assert_eq!(
        ORDERS.check(&store, listed.as_ref(), 3),
        Err(OrmError::ForeignCursor)
    );
    for junk in [&b"x"[..], &key[..key.len() - 1], &[&key[..], &[0]].concat()] {
        let junk = Binary::from(junk);
        assert_eq!(
            ORDERS.check(&store, Some(&junk), 3),
            Err(OrmError::MalformedCursor)
        );
    }
    // No bytes are no key.
    assert_eq!(
        ORDERS
            .check(&store, Some(&Binary::default()), 3)
            .unwrap()
            .passed,
        3
    );
    // A place behind everything is the end; forged, it harms nobody.
    let mut end = key.to_vec();
    end.truncate(10);
    end.extend(
        postcard::to_allocvec(&(
            99_u32,
            None::<Vec<u8>>,
            Vec::<(Vec<u8>, u64)>::new(),
            false,
            None::<Vec<u8>>,
        ))
        .unwrap(),
    );
    assert_eq!(
        ORDERS.check(&store, Some(&end.into()), 3),
        Ok(CheckReport::default())
    );
}

/// A store with several tables, a hundred counters in one of them.
fn filled() -> Store {
    let mut store = orders(8);
    for number in 0..70_u32 {
        let tags = vec![format!("t{number}"), "x".into()];
        let row = Item {
            tags,
            ..item(if number % 2 == 0 { "s" } else { "t" }, number, "k")
        };
        ITEMS.insert(&mut store, &row).unwrap();
    }
    for n in 0..6 {
        NOTES.insert(&mut store, &mut note(n)).unwrap();
        let code = Some(format!("c{n}"));
        TRADES
            .insert(
                &mut store,
                &mut Trade {
                    code,
                    ..trade(n.into())
                },
            )
            .unwrap();
        DOCS.insert(&mut store, &doc(1, n.into(), "a")).unwrap();
    }
    store
}

type Check = fn(&Store, Option<&Binary>, u32) -> Result<CheckReport, OrmError>;

const CHECKS: [Check; 5] = [
    |store, key, budget| ORDERS.check(store, key, budget),
    |store, key, budget| ITEMS.check(store, key, budget),
    |store, key, budget| NOTES.check(store, key, budget),
    |store, key, budget| TRADES.check(store, key, budget),
    |store, key, budget| DOCS.check(store, key, budget),
];

proptest! {
    #![proptest_config(cases(25))]

    /// Removes or overwrites some of what is stored.
    #[test]
    fn in_steps_as_at_once(damage in proptest::collection::vec((any::<prop::sample::Index>(), proptest::option::of(any::<[u8; 2]>())), 0..4), budget in 1_u32..40) {
        let mut store = filled();
        let keys: Vec<_> = store.dump().into_keys().collect();
        for (at, value) in damage {
            let key = &keys[at.index(keys.len())];
            match value {
                Some(value) => store.set(key, &value),
                None => store.remove(key),
            }
        }
        for check in CHECKS {
            let at_once = faults(|key| check(&store, key, u32::MAX));
            prop_assert_eq!(faults(|key| check(&store, key, budget)), at_once);
        }
    }

    /// Any one thing taken away is missed.
    #[test]
    fn nothing_can_be_taken_away_unseen(at in any::<prop::sample::Index>()) {
        let mut store = filled();
        let keys: Vec<_> = store.dump().into_keys().collect();
        store.remove(&keys[at.index(keys.len())]);
        let found: Vec<_> = CHECKS.iter().flat_map(|check| faults(|key| check(&store, key, 1_000))).collect();
        prop_assert!(!found.is_empty());
    }

    #[test]
    fn writes_in_between_seem_no_faults(writes in proptest::collection::vec((any::<bool>(), 0_u32..12, 0_u32..3), 1..60), budget in 1_u32..9) {
        let mut store = orders(8);
        let mut key = None;
        for (insert, seq, market) in writes {
            let report = ORDERS.check(&store, key.as_ref(), budget).unwrap();
            prop_assert_eq!(report.faults, []);
            key = report.next_key;
            if insert {
                let row = Order { client: Some(format!("c{seq}")), ..order("a", seq, &format!("m{market}")) };
                ORDERS.upsert(&mut store, row).unwrap();
            } else {
                let _ = ORDERS.delete(&mut store, &("a".into(), seq));
            }
        }
    }
}
