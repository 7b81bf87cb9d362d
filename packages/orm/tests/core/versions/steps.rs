//! Reading old rows, and rewriting them, by hand.

use cosmwasm_std::{Order::Ascending, Storage};
use cw_orm::{Namespace, OrmError, Progress};

use super::{ONE, THREE, TWO, V2, V2_CODE, V2_NAME, V3_NAME, WRONG, WRONG_NAME, Wrong, v1, v2};
use crate::fixture::{Counts, LEGACY, Store, first, raw_key};

fn stored(rows: &[(u32, &str, u8)]) -> Store {
    let mut store = Store::default();
    for (id, name, score) in rows {
        ONE.insert(&mut store, &v1(*id, name, *score)).unwrap();
    }
    store
}

fn versions(store: &Store) -> Vec<u8> {
    let prefix = Namespace::new(b"v").prefix();
    let end = cw_orm::successor(&prefix);
    store
        .range(Some(&prefix), end.as_deref(), Ascending)
        .map(|(_, value)| value[0])
        .collect()
}

const fn progress(steps: u32, done: bool) -> Progress {
    Progress { steps, done }
}

#[test]
fn old_rows_are_read_through_their_migration() {
    let store = stored(&[(1, "a", 7), (2, "b", 8)]);
    let before = store.dump();
    assert_eq!(TWO.get(&store, &1), Ok(Some(v2(1, "a", "7"))));
    let both = vec![v2(1, "a", "7"), v2(2, "b", "8")];
    let rows = TWO.all().rows(&store, Ascending).read_all();
    assert_eq!(rows, Ok(both.clone()));
    let page = TWO.by(V2_NAME).unwrap().all().page(&store, &first(9));
    assert_eq!(page.unwrap().items, both);
    let found = TWO.by(V2_CODE).unwrap().get(&store, &"b".into());
    assert_eq!(found, Ok(Some((2, v2(2, "b", "8")))));
    assert_eq!(store.dump(), before);
}

#[test]
fn a_changed_row_is_written_in_the_new_version_and_its_entries_follow() {
    let mut store = stored(&[(1, "a", 7), (2, "b", 8), (3, "c", 9)]);
    TWO.update(&mut store, v2(1, "z", "7")).unwrap();
    // The same content is another layout.
    TWO.update(&mut store, v2(2, "b", "8")).unwrap();
    assert_eq!(versions(&store), [2, 2, 1]);
    TWO.delete(&mut store, &3).unwrap();
    let by_name = TWO.by(V2_NAME).unwrap();
    let ids = by_name.all().ids(&store, Ascending).read_all();
    assert_eq!(ids, Ok(vec![2, 1]));
    TWO.insert(&mut store, &v2(4, "a", "1")).unwrap();
    TWO.insert(&mut store, &v2(5, "c", "1")).unwrap();
    let taken = TWO.insert(&mut store, &v2(6, "z", "1"));
    assert!(matches!(taken, Err(OrmError::UniqueViolation { .. })));
}

#[test]
fn steps_rewrite_what_is_old_and_pass_over_what_is_not() {
    let mut store = stored(&[(1, "a", 1), (2, "b", 2), (3, "c", 3), (4, "d", 4)]);
    TWO.update(&mut store, v2(2, "b", "5")).unwrap();
    assert!(!TWO.is_upgraded(&store));
    assert_eq!(TWO.upgrade_rows(&mut store, 3), Ok(progress(3, false)));
    assert_eq!(versions(&store), [2, 2, 2, 1]);
    TWO.insert(&mut store, &v2(0, "e", "6")).unwrap();
    TWO.insert(&mut store, &v2(5, "f", "7")).unwrap();
    assert_eq!(TWO.upgrade_rows(&mut store, 3), Ok(progress(2, true)));
    assert_eq!(versions(&store), [2; 6]);
    assert!(TWO.is_upgraded(&store));
    let want = [(0, "6"), (1, "1"), (2, "5"), (3, "3"), (4, "4"), (5, "7")];
    for (id, score) in want {
        assert_eq!(TWO.get_one(&store, &id).unwrap().score, score);
    }
    let before = store.dump();
    assert_eq!(TWO.upgrade_rows(&mut store, 3), Ok(progress(0, true)));
    assert_eq!(store.dump(), before);
}

#[test]
fn a_further_version_begins_again_whatever_the_last_work_had_come_to() {
    for steps in [0, 1, 9] {
        let mut store = stored(&[(1, "a", 1), (2, "b", 2)]);
        if steps > 0 {
            TWO.upgrade_rows(&mut store, steps).unwrap();
        }
        assert!(!THREE.is_upgraded(&store));
        assert_eq!(THREE.upgrade_rows(&mut store, 1), Ok(progress(1, false)));
        assert_eq!(THREE.upgrade_rows(&mut store, 1), Ok(progress(1, true)));
        assert_eq!(versions(&store), [3, 3]);
        let rows = THREE.by(V3_NAME).unwrap().all().rows(&store, Ascending);
        let scores: Vec<u64> = rows.map(|row| row.unwrap().score).collect();
        assert_eq!(scores, [1, 2]);
    }
}

#[test]
fn a_newer_version_is_a_typed_error_in_every_call() {
    let mut store = Store::default();
    TWO.insert(&mut store, &v2(1, "a", "7")).unwrap();
    let before = store.dump();
    let newer = OrmError::NewerVersion {
        table: "scores",
        key: "00000001".into(),
        found: 2,
        known: 1,
    };
    assert_eq!(ONE.get(&store, &1), Err(newer.clone()));
    let rows = ONE.all().rows(&store, Ascending).read_all();
    assert_eq!(rows, Err(newer.clone()));
    assert_eq!(ONE.update(&mut store, v1(1, "a", 1)), Err(newer.clone()));
    assert_eq!(ONE.upsert(&mut store, v1(1, "a", 1)), Err(newer.clone()));
    assert_eq!(ONE.delete(&mut store, &1), Err(newer.clone()));
    assert_eq!(ONE.upgrade_rows(&mut store, 1), Err(newer.clone()));
    assert_eq!(store.dump(), before);
    assert_eq!(
        newer.to_string(),
        "table `scores`: row 00000001 is of version 2, but this code knows 1"
    );
}

#[test]
fn a_row_that_cannot_be_migrated_is_named_and_nothing_of_the_step_is_written() {
    for (name, score, reason) in [("b", 13, "a score of 13"), ("bad", 1, "a bad name")] {
        let mut store = stored(&[(1, "a", 1), (2, name, score), (3, "c", 3)]);
        let before = store.dump();
        let failed = OrmError::Upgrade {
            table: "scores",
            key: "00000002".into(),
            reason: reason.into(),
        };
        assert_eq!(TWO.upgrade_rows(&mut store, 9), Err(failed));
        assert_eq!(store.dump(), before);
        ONE.delete(&mut store, &2).unwrap();
        assert_eq!(TWO.upgrade_rows(&mut store, 9), Ok(progress(2, true)));
    }
}

/// Entries that the old code wrote must not be left behind by an index function that gives others.
#[test]
fn an_index_whose_keys_changed_is_found_before_an_entry_is_orphaned() {
    let mut store = stored(&[(1, "A", 1), (2, "b", 2)]);
    let before = store.dump();
    let changed = OrmError::IndexKeysChanged {
        table: "scores",
        index: "by_name",
        key: "00000002".into(),
        version: 1,
    };
    let row = |id, name: &str| Wrong {
        id,
        name: name.into(),
        score: 9,
    };
    assert_eq!(WRONG.update(&mut store, row(2, "c")), Err(changed.clone()));
    assert_eq!(WRONG.delete(&mut store, &2), Err(changed.clone()));
    assert_eq!(WRONG.upgrade_rows(&mut store, 9), Err(changed));
    assert_eq!(store.dump(), before);
    // A row whose keys are the same is written as ever.
    WRONG.update(&mut store, row(1, "x")).unwrap();
    let by_name = WRONG.by(WRONG_NAME).unwrap();
    assert!(by_name.has(&store, &"X".into()).unwrap());
    assert!(!by_name.has(&store, &"A".into()).unwrap());
}

#[test]
fn an_entry_of_a_unique_index_that_names_another_row_counts_as_missing() {
    let mut store = stored(&[(1, "a", 1)]);
    store.set(&raw_key("vc", &[b"a\0"]), &7_u32.to_be_bytes());
    assert!(matches!(
        TWO.upgrade_rows(&mut store, 9),
        Err(OrmError::IndexKeysChanged {
            index: "by_code",
            ..
        })
    ));
}

#[test]
fn progress_that_is_none_is_a_typed_error() {
    let mut store = stored(&[(1, "a", 1)]);
    let malformed = OrmError::MalformedState {
        table: "scores",
        subject: "the upgrade",
    };
    for broken in [&[2][..], &[2, 2], &[9, 7, 7]] {
        store.set(&raw_key("\0", &[b"v", b"v"]), broken);
        assert_eq!(TWO.upgrade_rows(&mut store, 1), Err(malformed.clone()));
    }
    store.set(&raw_key("\0", &[b"v", b"v"]), &[9, 0, 7]);
    assert_eq!(TWO.upgrade_rows(&mut store, 1), Ok(progress(1, true)));
}

#[test]
fn rows_of_a_codec_without_versions_have_nothing_to_upgrade() {
    let mut store = Store::default();
    let (done, counts) = store.count(|store| LEGACY.upgrade_rows(store, 1));
    assert_eq!((done, counts), (Ok(progress(0, true)), Counts::default()));
    assert!(LEGACY.is_upgraded(&store));
}

#[test]
fn an_old_row_costs_one_probe_an_entry_more_once() {
    let mut store = stored(&[(1, "a", 1), (2, "b", 2)]);
    let row = V2 {
        score: "5".into(),
        ..v2(1, "a", "1")
    };
    let (_, counts) = store.count(|store| TWO.update(store, row.clone()).unwrap());
    let write = Counts {
        get: 1,
        set: 1,
        ..Counts::default()
    };
    let probes = Counts {
        open: 2,
        next: 2,
        ..write
    };
    assert_eq!(counts, probes);
    let again = v2(1, "a", "6");
    let (_, counts) = store.count(|store| TWO.update(store, again).unwrap());
    assert_eq!(counts, write);
    // One row that is new already, one old: the progress, the rows, two entries.
    let (_, counts) = store.count(|store| TWO.upgrade_rows(store, 2).unwrap());
    let step = Counts {
        get: 1,
        open: 1 + 2,
        next: 3 + 2,
        set: 2,
        remove: 0,
    };
    assert_eq!(counts, step);
    let (_, counts) = store.count(|store| TWO.upgrade_rows(store, 2).unwrap());
    let nothing = Counts {
        get: 1,
        ..Counts::default()
    };
    assert_eq!(counts, nothing);
}
