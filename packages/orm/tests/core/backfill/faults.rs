//! Known faults of upgrades: see the entry that each test names.

use cosmwasm_std::Order::Ascending;
use cw_orm::OrmError;

use super::{BY_GROUP, BY_TAG, ITEMS, Item, PLAIN, entries, item};
use crate::fixture::{Counts, Store, first, walk};

fn filled(rows: u32) -> Store {
    let mut store = Store::default();
    for number in 0..rows {
        let name = format!("{number:05}");
        PLAIN.insert(&mut store, &item(&name, 7)).unwrap();
    }
    store
}

/// An index is added, and rows of the time before must not be left out of its lists.
#[test]
fn f_10_an_added_index_answers_only_when_it_has_every_row() {
    let mut store = filled(5);
    let list = |store: &Store| {
        walk(&first(2), |request| {
            ITEMS.by(BY_GROUP)?.key(&7)?.page_ids(store, request)
        })
    };
    let refused = |store: &Store| {
        let page = ITEMS.by(BY_GROUP).unwrap().key(&7).unwrap();
        matches!(
            page.page_ids(store, &first(2)),
            Err(OrmError::IndexNotReady { .. })
        )
    };
    assert!(refused(&store));
    assert!(!ITEMS.backfill(&mut store, &BY_GROUP, 2).unwrap().done);
    assert!(refused(&store));
    ITEMS.insert(&mut store, &item("00000a", 7)).unwrap();
    ITEMS.insert(&mut store, &item("9", 7)).unwrap();
    ITEMS.delete(&mut store, &"00001".into()).unwrap();
    ITEMS.delete(&mut store, &"00004".into()).unwrap();
    while !ITEMS.backfill(&mut store, &BY_GROUP, 2).unwrap().done {
        assert!(refused(&store));
    }
    let want = ["00000", "00000a", "00002", "00003", "9"];
    assert_eq!(list(&store), want);
    let before = store.dump();
    assert!(ITEMS.backfill(&mut store, &BY_GROUP, 2).unwrap().done);
    assert_eq!(store.dump(), before);
}

/// The cursor moves with every step, whatever its size, and also where rows come and go.
#[test]
fn f_25_steps_of_any_size_end_and_take_each_row_once() {
    // A row that comes behind the cursor is taken, one before it was told to the index when it came.
    for (size, calls, taken) in [(10, 3, 25), (1, 26, 26), (1_000, 1, 25)] {
        let mut store = filled(25);
        let (mut steps, mut rows) = (0, 0);
        loop {
            let step = ITEMS.backfill(&mut store, &BY_GROUP, size).unwrap();
            rows += step.steps;
            steps += 1;
            if step.done {
                break;
            }
            if steps == 1 {
                ITEMS.insert(&mut store, &item("99999", 7)).unwrap();
                ITEMS.insert(&mut store, &item("000000", 7)).unwrap();
                ITEMS.delete(&mut store, &"00012".into()).unwrap();
            }
            assert!(steps < 30, "it does not end");
        }
        assert_eq!((steps, rows), (calls, taken));
        let found = ITEMS.by(BY_GROUP).unwrap().key(&7).unwrap();
        let all = ITEMS.all().ids(&store, Ascending).read_all().unwrap();
        assert_eq!(found.ids(&store, Ascending).read_all().unwrap(), all);
    }
}

/// What a step costs depends on its size, not on the table's.
#[test]
fn f_26_a_step_costs_the_same_in_a_large_table() {
    let mut cost = Vec::new();
    for rows in [100, 1_000, 5_000] {
        let mut store = filled(rows);
        let _ = ITEMS.backfill(&mut store, &BY_GROUP, 10).unwrap();
        let (done, counts) = store.count(|store| ITEMS.backfill(store, &BY_GROUP, 10));
        assert_eq!(done.unwrap().steps, 10);
        let (_, dropping) = store.count(|store| ITEMS.drop_index(store, &BY_GROUP, 10));
        cost.push((counts, dropping));
    }
    let step = Counts {
        get: 0,
        set: 11,
        remove: 0,
        open: 2,
        next: 1 + 11,
    };
    let dropping = Counts {
        get: 0,
        set: 0,
        remove: 11,
        open: 2,
        next: 1 + 11,
    };
    assert_eq!(cost, [(step, dropping); 3]);
}

/// Clearing an index leaves the others, and the rows, alone.
#[test]
fn f_03_a_dropped_index_takes_nothing_else_with_it() {
    let mut store = Store::default();
    for index in [&BY_GROUP, &BY_TAG] {
        assert!(ITEMS.backfill(&mut store, index, 1).unwrap().done);
    }
    for number in 0..12 {
        let row = Item {
            tags: vec![1, 2],
            ..item(&format!("{number:02}"), 7)
        };
        ITEMS.insert(&mut store, &row).unwrap();
    }
    while !ITEMS.drop_index(&mut store, &BY_GROUP, 5).unwrap().done {}
    assert_eq!((entries(&store, b"ig"), entries(&store, b"it")), (0, 24));
    let tagged = ITEMS.by(BY_TAG).unwrap().key(&2).unwrap();
    assert_eq!(tagged.rows(&store, Ascending).read_all().unwrap().len(), 12);
    ITEMS.delete(&mut store, &"03".into()).unwrap();
    ITEMS.insert(&mut store, &item("03", 7)).unwrap();
}
