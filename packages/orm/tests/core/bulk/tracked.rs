//! Bulk deletes, genesis and the check of a table whose indexes are being built.

use cw_orm::{IndexState, OrmError};

use crate::{
    backfill::{BY_CODE, BY_GROUP, BY_TAG, GROUP_SIZE, ITEMS, Item, PLAIN, entries, item},
    fixture::{Store, faults},
};

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Rows, of which the first three are in each index.
fn half_built() -> Store {
    let mut store = Store::default();
    for (name, code) in NAMES.into_iter().zip(1..) {
        let row = Item {
            tags: vec![1, 2],
            code: Some(code),
            ..item(name, 1)
        };
        PLAIN.insert(&mut store, &row).unwrap();
    }
    for done in [
        ITEMS.backfill(&mut store, &BY_GROUP, 3),
        ITEMS.backfill(&mut store, &BY_TAG, 3),
        ITEMS.backfill(&mut store, &BY_CODE, 3),
        ITEMS.backfill(&mut store, &GROUP_SIZE, 3),
    ] {
        assert!(!done.unwrap().done);
    }
    store
}

fn assert_sound(store: &Store) {
    assert_eq!(faults(|key| ITEMS.check(store, key, 2)), []);
}

#[test]
fn an_index_that_is_not_ready_is_not_deleted_by() {
    let mut store = half_built();
    let before = store.dump();
    let group = ITEMS.by(BY_GROUP).unwrap().key(&1).unwrap();
    let refused = OrmError::IndexNotReady {
        table: "items",
        index: "by_group",
        state: IndexState::Building,
    };
    assert_eq!(
        ITEMS.delete_where(&mut store, &group, None, 9),
        Err(refused)
    );
    assert_eq!(store.dump(), before);
    while !ITEMS.backfill(&mut store, &BY_GROUP, 2).unwrap().done {}
    let deleted = ITEMS.delete_where(&mut store, &group, None, 9).unwrap();
    assert_eq!((deleted.rows, deleted.more), (6, false));
}

#[test]
fn rows_in_and_not_yet_in_it_are_deleted_alike() {
    let mut store = half_built();
    assert_sound(&store);
    // Row by row, with steps of the building in between.
    for left in (0..6).rev() {
        let deleted = ITEMS.clear(&mut store, 1).unwrap();
        assert_eq!(
            (deleted.rows, deleted.stray_entries, deleted.more),
            (1, 0, left > 0)
        );
        assert_sound(&store);
        if left == 4 {
            ITEMS.backfill(&mut store, &BY_TAG, 1).unwrap();
            assert_sound(&store);
        }
    }
    for namespace in [&b"ig"[..], b"it", b"ic", b"is"] {
        assert_eq!(entries(&store, namespace), 0);
    }
    let mut store = half_built();
    let range = ITEMS.range("b".to_owned().."e".to_owned()).unwrap();
    assert_eq!(
        ITEMS
            .delete_where(&mut store, &range, None, 9)
            .unwrap()
            .rows,
        3
    );
    assert_sound(&store);
    for index in [&BY_GROUP, &BY_TAG] {
        while !ITEMS.backfill(&mut store, index, 2).unwrap().done {}
    }
    while !ITEMS.backfill(&mut store, &BY_CODE, 2).unwrap().done {}
    while !ITEMS.backfill(&mut store, &GROUP_SIZE, 2).unwrap().done {}
    assert_sound(&store);
    assert_eq!(GROUP_SIZE.of(&store, 1), 3);
}

#[test]
fn rows_are_imported_into_what_is_built_of_it() {
    let old = half_built();
    let page = ITEMS.export(&old, None, 9).unwrap();
    // Nothing is built yet, or all.
    let mut new = Store::default();
    assert_eq!(ITEMS.import(&mut new, std::slice::from_ref(&page)), Ok(6));
    assert_sound(&new);
    assert_eq!(new.dump().len(), 6);
    let mut new = Store::default();
    for index in [&BY_GROUP, &BY_TAG] {
        assert!(ITEMS.backfill(&mut new, index, 1).unwrap().done);
    }
    assert_eq!(ITEMS.import(&mut new, &[page]), Ok(6));
    assert_sound(&new);
    assert_eq!((entries(&new, b"ig"), entries(&new, b"it")), (6, 12));
    assert_eq!((entries(&new, b"ic"), entries(&new, b"is")), (0, 0));
}
