//! One step after the other, by hand.

use cosmwasm_std::{Order::Ascending, Storage};
use cw_orm::{IndexState, MultiKeyIndex, Namespace, OrmError, Progress};

use super::{BY_CODE, BY_GROUP, BY_TAG, GROUP_SIZE, ITEMS, Item, PLAIN, entries, item};
use crate::fixture::{BY_MARKET, ORDERS, Store, first, order, raw_key};

fn stored(names: &[&str]) -> Store {
    let mut store = Store::default();
    for name in names {
        PLAIN.insert(&mut store, &item(name, 1)).unwrap();
    }
    store
}

fn of_group(store: &Store, group: u8) -> Result<Vec<String>, OrmError> {
    let found = ITEMS.by(BY_GROUP)?.key(&group)?;
    found.ids(store, Ascending).read_all()
}

fn not_ready(index: &'static str, state: IndexState) -> OrmError {
    OrmError::IndexNotReady {
        table: "items",
        index,
        state,
    }
}

const fn progress(steps: u32, done: bool) -> Progress {
    Progress { steps, done }
}

#[test]
fn every_read_of_an_index_is_refused_until_it_is_ready() {
    let mut store = stored(&["a", "b", "c"]);
    for (steps, state) in [(0, IndexState::Off), (2, IndexState::Building)] {
        if steps > 0 {
            let done = ITEMS.backfill(&mut store, &BY_GROUP, steps).unwrap();
            assert_eq!(done, progress(steps, false));
            assert_eq!(
                ITEMS.backfill(&mut store, &BY_CODE, steps),
                Ok(progress(steps, false))
            );
        }
        let refused = not_ready("by_group", state);
        assert_eq!(ITEMS.index_state(&store, &BY_GROUP), Ok(state));
        let by = ITEMS.by(BY_GROUP).unwrap();
        let key = || by.key(&1).unwrap();
        assert_eq!(by.has(&store, &1), Err(refused.clone()));
        assert_eq!(
            key().ids(&store, Ascending).read_all(),
            Err(refused.clone())
        );
        assert_eq!(
            key().rows(&store, Ascending).read_all(),
            Err(refused.clone())
        );
        assert_eq!(
            key().entries(&store, Ascending).read_all(),
            Err(refused.clone())
        );
        assert_eq!(key().first(&store), Err(refused.clone()));
        assert_eq!(key().is_empty(&store), Err(refused.clone()));
        assert_eq!(key().page(&store, &first(1)).unwrap_err(), refused);
        assert_eq!(key().page_ids(&store, &first(1)).unwrap_err(), refused);
        let filtered = key().filter("all", |_, _| true);
        assert_eq!(filtered.page_ids(&store, &first(1)).unwrap_err(), refused);
        assert_eq!(
            filtered.ids(&store, Ascending).read_all(),
            Err(refused.clone())
        );
        let range = by.range::<u8>(..).unwrap();
        assert_eq!(
            range.ids(&store, Ascending).read_all(),
            Err(refused.clone())
        );
        assert_eq!(by.get_paginated(&store, &first(1)).unwrap_err(), refused);
        let unique = ITEMS.by(BY_CODE).unwrap();
        let refused = not_ready("by_code", state);
        assert_eq!(unique.get(&store, &7), Err(refused.clone()));
        assert_eq!(unique.row_key(&store, &7), Err(refused.clone()));
        assert_eq!(unique.has(&store, &7), Err(refused));
    }
    assert_eq!(
        ITEMS.backfill(&mut store, &BY_GROUP, 1),
        Ok(progress(1, true))
    );
    assert_eq!(of_group(&store, 1).unwrap(), ["a", "b", "c"]);
}

#[test]
fn writes_on_both_sides_of_the_cursor_stay_right() {
    let mut store = stored(&["b", "d", "f"]);
    for index in [&BY_GROUP as &dyn cw_orm::Indexable<Item>, &GROUP_SIZE] {
        let _ = ITEMS.backfill(&mut store, index, 2).unwrap();
    }
    // Built up to `d`.
    ITEMS.insert(&mut store, &item("a", 1)).unwrap();
    ITEMS.insert(&mut store, &item("e", 1)).unwrap();
    ITEMS.update(&mut store, item("b", 2)).unwrap();
    ITEMS.update(&mut store, item("f", 2)).unwrap();
    ITEMS.delete(&mut store, &"d".into()).unwrap();
    assert_eq!((entries(&store, b"ig"), GROUP_SIZE.of(&store, 1)), (2, 1));
    for index in [&BY_GROUP as &dyn cw_orm::Indexable<Item>, &GROUP_SIZE] {
        assert_eq!(ITEMS.backfill(&mut store, index, 9), Ok(progress(2, true)));
    }
    assert_eq!(of_group(&store, 1).unwrap(), ["a", "e"]);
    assert_eq!(of_group(&store, 2).unwrap(), ["b", "f"]);
    assert_eq!(GROUP_SIZE.of(&store, 1), 2);
    assert_eq!(GROUP_SIZE.of(&store, 2), 2);
}

#[test]
fn an_empty_table_is_ready_at_once_and_a_step_after_the_end_changes_nothing() {
    let mut store = Store::default();
    assert_eq!(
        ITEMS.backfill(&mut store, &BY_GROUP, 1),
        Ok(progress(0, true))
    );
    let before = store.dump();
    assert_eq!(before.len(), 1);
    assert_eq!(
        ITEMS.backfill(&mut store, &BY_GROUP, 1),
        Ok(progress(0, true))
    );
    assert_eq!(store.dump(), before);
    ITEMS.insert(&mut store, &item("a", 3)).unwrap();
    assert_eq!(of_group(&store, 3).unwrap(), ["a"]);
}

#[test]
fn a_limit_of_zero_is_one() {
    let mut store = stored(&["a", "b"]);
    assert_eq!(
        ITEMS.backfill(&mut store, &BY_GROUP, 0),
        Ok(progress(1, false))
    );
    assert_eq!(
        ITEMS.backfill(&mut store, &BY_GROUP, 0),
        Ok(progress(1, true))
    );
    assert_eq!(
        ITEMS.drop_index(&mut store, &BY_GROUP, 0),
        Ok(progress(1, false))
    );
}

#[test]
fn a_duplicate_names_both_rows_and_nothing_of_the_step_is_written() {
    let mut store = Store::default();
    for (name, code) in [("a", 7), ("b", 8), ("c", 9), ("d", 8), ("e", 1)] {
        let code = Some(code);
        PLAIN
            .insert(
                &mut store,
                &Item {
                    code,
                    ..item(name, 1)
                },
            )
            .unwrap();
    }
    // Found whether the first of them was written in this step or in one before.
    for first_step in [1, 2] {
        let mut store = clone(&store);
        let _ = ITEMS.backfill(&mut store, &BY_CODE, first_step).unwrap();
        let before = store.dump();
        let duplicate = OrmError::DuplicateKey {
            table: "items",
            index: "by_code",
            key: "0008".into(),
            first: hex::encode(b"b\0"),
            second: hex::encode(b"d\0"),
        };
        assert_eq!(
            ITEMS.backfill(&mut store, &BY_CODE, 9),
            Err(duplicate.clone())
        );
        assert_eq!(store.dump(), before);
        assert_eq!(
            duplicate.to_string(),
            "table `items`: rows 6200 and 6400 both have key 0008 of unique index `by_code`"
        );
        // A change of either row ends it.
        ITEMS.delete(&mut store, &"b".into()).unwrap();
        assert!(ITEMS.backfill(&mut store, &BY_CODE, 9).unwrap().done);
        let found = ITEMS.by(BY_CODE).unwrap().get(&store, &8).unwrap();
        assert_eq!(found.unwrap().0, "d");
    }
}

fn clone(store: &Store) -> Store {
    let mut copy = Store::default();
    for (key, value) in store.dump() {
        copy.set(&key, &value);
    }
    copy
}

/// An update of a row that is not in the index yet must leave alone the entry of another row that took its key.
#[test]
fn a_row_that_is_not_in_a_unique_index_yet_does_not_touch_another_rows_entry() {
    let mut store = Store::default();
    let coded = |name, code| Item {
        code: Some(code),
        ..item(name, 1)
    };
    PLAIN.insert(&mut store, &coded("b", 1)).unwrap();
    PLAIN.insert(&mut store, &coded("z", 7)).unwrap();
    let _ = ITEMS.backfill(&mut store, &BY_CODE, 1).unwrap();
    ITEMS.insert(&mut store, &coded("a", 7)).unwrap();
    ITEMS.update(&mut store, coded("z", 8)).unwrap();
    assert!(ITEMS.backfill(&mut store, &BY_CODE, 9).unwrap().done);
    let by_code = ITEMS.by(BY_CODE).unwrap();
    for (code, name) in [(1, "b"), (7, "a"), (8, "z")] {
        assert_eq!(by_code.row_key(&store, &code).unwrap().unwrap(), name);
    }
}

#[test]
fn dropping_clears_in_steps_and_then_nothing_is_left() {
    let mut store = stored(&["a", "b", "c", "d", "e"]);
    let before = store.dump();
    while !ITEMS.backfill(&mut store, &BY_GROUP, 3).unwrap().done {}
    assert_eq!(
        ITEMS.drop_index(&mut store, &BY_GROUP, 2),
        Ok(progress(2, false))
    );
    assert_eq!(
        of_group(&store, 1),
        Err(not_ready("by_group", IndexState::Off))
    );
    assert_eq!(
        ITEMS.drop_index(&mut store, &BY_GROUP, 2),
        Ok(progress(2, false))
    );
    assert_eq!(
        ITEMS.drop_index(&mut store, &BY_GROUP, 2),
        Ok(progress(1, true))
    );
    assert_eq!(store.dump(), before);
    assert_eq!(
        ITEMS.drop_index(&mut store, &BY_GROUP, 2),
        Ok(progress(0, true))
    );
    assert_eq!(store.dump(), before);
}

/// Entries of the time before are cleared first, so that none of a changed or deleted row is left.
#[test]
fn an_index_that_was_off_is_built_anew() {
    let mut store = stored(&["a", "b", "c", "d"]);
    while !ITEMS.backfill(&mut store, &BY_GROUP, 9).unwrap().done {}
    // Half cleared, then changed without it, then on again.
    let _ = ITEMS.drop_index(&mut store, &BY_GROUP, 1).unwrap();
    PLAIN.delete(&mut store, &"c".into()).unwrap();
    PLAIN.update(&mut store, item("d", 2)).unwrap();
    assert_eq!(entries(&store, b"ig"), 3);
    assert_eq!(
        ITEMS.backfill(&mut store, &BY_GROUP, 2),
        Ok(progress(2, false))
    );
    assert_eq!(
        ITEMS.backfill(&mut store, &BY_GROUP, 2),
        Ok(progress(1, false))
    );
    while !ITEMS.backfill(&mut store, &BY_GROUP, 2).unwrap().done {}
    assert_eq!(of_group(&store, 1).unwrap(), ["a", "b"]);
    assert_eq!(of_group(&store, 2).unwrap(), ["d"]);
    assert_eq!(entries(&store, b"ig"), 3);
}

#[test]
fn a_handle_that_omits_an_index_cannot_write_while_the_store_keeps_it() {
    let mut store = stored(&["a", "b"]);
    for steps in [1, 9] {
        let _ = ITEMS.backfill(&mut store, &BY_TAG, steps).unwrap();
        let before = store.dump();
        let omitted = OrmError::IndexOmitted {
            table: "items",
            index: "by_tag",
        };
        assert_eq!(
            PLAIN.insert(&mut store, &item("c", 1)),
            Err(omitted.clone())
        );
        assert_eq!(PLAIN.update(&mut store, item("a", 9)), Err(omitted.clone()));
        assert_eq!(PLAIN.upsert(&mut store, item("c", 1)), Err(omitted.clone()));
        assert_eq!(PLAIN.delete(&mut store, &"a".into()), Err(omitted));
        assert_eq!(store.dump(), before);
    }
    while !ITEMS.drop_index(&mut store, &BY_TAG, 9).unwrap().done {}
    PLAIN.insert(&mut store, &item("c", 1)).unwrap();
}

#[test]
fn what_cannot_be_built_is_refused() {
    let mut store = stored(&["a"]);
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    let before = store.dump();
    let untracked = OrmError::IndexUntracked {
        table: "orders",
        index: "by_market",
    };
    assert_eq!(
        ORDERS.backfill(&mut store, &BY_MARKET, 1),
        Err(untracked.clone())
    );
    assert_eq!(ORDERS.drop_index(&mut store, &BY_MARKET, 1), Err(untracked));
    let unavailable = |index| OrmError::IndexUnavailable {
        table: "items",
        index,
    };
    assert_eq!(
        PLAIN.backfill(&mut store, &BY_GROUP, 1),
        Err(unavailable("by_group"))
    );
    let foreign: MultiKeyIndex<Item, u8> =
        MultiKeyIndex::<Item, _>::new(1, "by_other", Namespace::new(b"xx"), |_, _| vec![1])
            .tracked();
    assert_eq!(
        ITEMS.backfill(&mut store, &foreign, 1),
        Err(unavailable("by_other"))
    );
    assert_eq!(
        ITEMS.drop_index(&mut store, &foreign, 1),
        Err(unavailable("by_other"))
    );
    assert_eq!(store.dump(), before);
}

#[test]
fn a_broken_row_stops_the_step_and_a_broken_state_everything() {
    let mut store = stored(&["a", "b", "c"]);
    store.set(&raw_key("i", &[b"b\0"]), &[1]);
    let before = store.dump();
    let error = ITEMS.backfill(&mut store, &BY_GROUP, 9).unwrap_err();
    assert!(matches!(error, OrmError::Decode { table: "items", .. }));
    assert_eq!(store.dump(), before);

    let malformed = OrmError::MalformedState {
        table: "items",
        subject: "by_group",
    };
    for state in [&[3][..], &[2, 0], &[0]] {
        store.set(&raw_key("\0", &[b"i", b"ig"]), state);
        assert_eq!(of_group(&store, 1), Err(malformed.clone()));
        assert_eq!(
            ITEMS.backfill(&mut store, &BY_GROUP, 9),
            Err(malformed.clone())
        );
        assert_eq!(
            ITEMS.insert(&mut store, &item("x", 1)),
            Err(malformed.clone())
        );
    }
}
