//! Known faults of migrations: see the entry that each test names.

use super::{ONE, TWO, v1, v2};
use crate::fixture::{Counts, Store};

fn filled(rows: u32) -> Store {
    let mut store = Store::default();
    for id in 1..=rows {
        ONE.insert(&mut store, &v1(id, &id.to_string(), 7)).unwrap();
    }
    store
}

/// Rows are rewritten while they are walked, and each is once.
#[test]
fn f_25_rewriting_rows_in_steps_ends_and_converts_each_once() {
    for (size, calls) in [(10, 3), (1, 25), (1_000, 1)] {
        let mut store = filled(25);
        let mut steps = 1;
        while !TWO.upgrade_rows(&mut store, size).unwrap().done {
            if steps == 1 {
                TWO.insert(&mut store, &v2(26, "x", "9")).unwrap();
                TWO.delete(&mut store, &12).unwrap();
            }
            steps += 1;
            assert!(steps < 30, "it does not end");
        }
        assert_eq!(steps, calls);
        let first = if size == 1_000 { 1..=25 } else { 1..=26 };
        for id in first {
            let row = TWO.get(&store, &id).unwrap();
            assert_eq!(row.is_none(), id == 12 && size < 1_000);
            if let Some(row) = row {
                assert_eq!(row.score, if id == 26 { "9" } else { "7" });
            }
        }
        let before = store.dump();
        assert!(TWO.upgrade_rows(&mut store, size).unwrap().done);
        assert_eq!(store.dump(), before);
    }
}

/// What a step costs depends on its size, not on the table's.
#[test]
fn f_26_a_step_costs_the_same_in_a_large_table() {
    for rows in [100, 1_000, 5_000] {
        let mut store = filled(rows);
        TWO.upgrade_rows(&mut store, 10).unwrap();
        let (_, counts) = store.count(|store| TWO.upgrade_rows(store, 10).unwrap());
        let step = Counts {
            get: 1,
            set: 11,
            remove: 0,
            open: 1 + 20,
            next: 11 + 20,
        };
        assert_eq!(counts, step);
    }
}
