//! A table on its way, by hand.

use cosmwasm_std::{Order::Ascending, Order::Descending, Storage};
use cw_orm::{OrmError, PrimaryKeyTable, Progress};
use cw_storage_plus::Map;

use super::{
    ALIKE, Alike, LEVELS, Level, MOVED_OWNER, MOVING, Moved, STEPS, Token, UNLIKE, VOTES, Vote,
    count, moved, token,
};
use crate::fixture::{Counts, Store, counted, first, last, raw_key, total, walk};

const MAP: Map<&str, Token> = Map::new("tokens");
const NEW: PrimaryKeyTable<Moved> = PrimaryKeyTable::new();

/// Some rows in the map, some moved: `b` and `d`.
fn half() -> Store {
    let mut store = Store::default();
    for (id, serial) in [("a", 1), ("ab", 2), ("c", 3)] {
        MAP.save(&mut store, id, &token(id, "x", serial)).unwrap();
    }
    for (id, serial) in [("b", 4), ("d", 5)] {
        MOVING.insert(&mut store, &moved(id, "x", serial)).unwrap();
    }
    store
}

#[test]
fn reads_see_both_layouts_as_one() {
    let store = half();
    assert_eq!(
        MOVING.get(&store, &"a".into()).unwrap(),
        Some(moved("a", "x", 1))
    );
    assert_eq!(
        MOVING.get_one(&store, &"b".into()).unwrap(),
        moved("b", "x", 4)
    );
    assert_eq!(MOVING.get(&store, &"e".into()).unwrap(), None);
    assert!(matches!(
        MOVING.get_one(&store, &"e".into()),
        Err(OrmError::NotFound { .. })
    ));
    for (id, there) in [("ab", true), ("d", true), ("aa", false)] {
        assert_eq!(MOVING.has(&store, &id.into()), Ok(there));
    }
    let ids = |order| MOVING.all().unwrap().ids(&store, order).read_all().unwrap();
    assert_eq!(ids(Ascending), ["a", "ab", "b", "c", "d"]);
    assert_eq!(ids(Descending), ["d", "c", "b", "ab", "a"]);
    let scan = || MOVING.all().unwrap();
    assert_eq!(scan().first(&store).unwrap().unwrap().id, "a");
    assert_eq!(scan().last(&store).unwrap().unwrap().id, "d");
    let range = MOVING.range("ab".to_owned()..="c".to_owned()).unwrap();
    let rows = range.rows(&store, Ascending).read_all().unwrap();
    let want = [moved("ab", "x", 2), moved("b", "x", 4), moved("c", "x", 3)];
    assert_eq!(rows, want);
    // A whole key under a rule that is not prefix-free is one row.
    let one = MOVING.prefix(&"a".to_owned()).unwrap();
    assert_eq!(one.ids(&store, Ascending).read_all().unwrap(), ["a"]);
    let inverted = MOVING.range("c".to_owned().."a".to_owned());
    assert!(matches!(inverted, Err(OrmError::InvertedBounds { .. })));
}

#[test]
fn writes_go_to_the_new_layout_and_remove_the_old() {
    let mut store = half();
    let taken = MOVING.insert(&mut store, &moved("a", "y", 9));
    assert!(matches!(taken, Err(OrmError::AlreadyExists { .. })));
    let old = MOVING.update(&mut store, moved("a", "y", 9)).unwrap();
    assert_eq!(old, moved("a", "x", 1));
    let old = MOVING.upsert(&mut store, moved("ab", "y", 8)).unwrap();
    assert_eq!(old, Some(moved("ab", "x", 2)));
    assert_eq!(MOVING.upsert(&mut store, moved("e", "y", 7)), Ok(None));
    let changed = MOVING.modify(&mut store, &"c".into(), |row| {
        Ok::<_, OrmError>(Moved {
            owner: "y".into(),
            ..row
        })
    });
    assert_eq!(changed, Ok(moved("c", "y", 3)));
    assert_eq!((count(&store, "tokens"), count(&store, "t")), (0, 6));
    let mut store = half();
    assert_eq!(
        MOVING.delete(&mut store, &"a".into()),
        Ok(moved("a", "x", 1))
    );
    assert_eq!(
        MOVING.delete(&mut store, &"b".into()),
        Ok(moved("b", "x", 4))
    );
    assert_eq!((count(&store, "tokens"), count(&store, "t")), (2, 1));
    for missing in ["a", "b", "zz"] {
        let id = missing.to_owned();
        let error = MOVING.delete(&mut store, &id).unwrap_err();
        assert!(matches!(error, OrmError::NotFound { .. }));
        let error = MOVING
            .update(&mut store, moved(missing, "x", 0))
            .unwrap_err();
        assert!(matches!(error, OrmError::NotFound { .. }));
    }
}

#[test]
fn refused_writes_leave_everything() {
    let mut store = half();
    let before = store.dump();
    // A key of a unique index that a moved row holds, for a row that would move.
    let taken = MOVING.update(&mut store, moved("a", "x", 4));
    assert!(matches!(taken, Err(OrmError::UniqueViolation { .. })));
    let changed = MOVING.modify(&mut store, &"a".into(), |row| {
        Ok::<_, OrmError>(Moved {
            id: "z".into(),
            ..row
        })
    });
    assert!(matches!(changed, Err(OrmError::PrimaryKeyChanged { .. })));
    let stopped = MOVING.modify(&mut store, &"a".into(), |_| Err(OrmError::KeyAndOffset));
    assert_eq!(stopped, Err(OrmError::KeyAndOffset));
    assert_eq!(store.dump(), before);
}

#[test]
fn the_end_is_as_if_the_rows_had_always_been_there() {
    let mut store = half();
    let mut calls = 0;
    while !MOVING.move_rows(&mut store, 2).unwrap().done {
        calls += 1;
    }
    assert_eq!(calls, 1);
    let end = store.dump();
    assert_eq!(
        MOVING.move_rows(&mut store, 2),
        Ok(Progress {
            steps: 0,
            done: true
        })
    );
    assert_eq!(store.dump(), end);
    let mut fresh = Store::default();
    for (id, serial) in [("a", 1), ("ab", 2), ("b", 4), ("c", 3), ("d", 5)] {
        NEW.insert(&mut fresh, &moved(id, "x", serial)).unwrap();
    }
    assert_eq!(end, fresh.dump());
}

#[test]
fn a_page_goes_on_while_rows_move_and_with_the_new_table_after() {
    for (request, want) in [
        (first(2), ["a", "ab", "b", "c", "d"]),
        (last(2), ["d", "c", "b", "ab", "a"]),
    ] {
        let mut store = half();
        let page = MOVING.get_paginated(&store, &request).unwrap();
        let mut ids: Vec<_> = page.items.iter().map(|row| row.id.clone()).collect();
        assert!(!MOVING.move_rows(&mut store, 1).unwrap().done);
        let next = request.after(&page.page).unwrap();
        let page = MOVING.get_paginated(&store, &next).unwrap();
        ids.extend(page.items.iter().map(|row| row.id.clone()));
        while !MOVING.move_rows(&mut store, 1).unwrap().done {}
        let next = next.after(&page.page).unwrap();
        let table = MOVING.moved(&store).unwrap();
        let page = table.get_paginated(&store, &next).unwrap();
        ids.extend(page.items.iter().map(|row| row.id.clone()));
        assert_eq!(page.page.next_key, None);
        assert_eq!(ids, want);
    }
    let store = half();
    let page = MOVING.get_paginated(&store, &counted(1, 3)).unwrap();
    assert_eq!(page.page.total, total(5));
    assert_eq!(page.items[0].id, "ab");
    let small = MOVING.all().unwrap().budget(2);
    let error = small.page(&store, &counted(0, 1)).unwrap_err();
    assert!(matches!(error, OrmError::ScanBudget { .. }));
}

#[test]
fn forged_cursors_are_typed_errors() {
    let store = half();
    let page = MOVING.get_paginated(&store, &first(1)).unwrap();
    let cursor = page.page.next_key.unwrap().to_vec();
    for tail in [&b""[..], b"no nul", b"\xff\0", b"\0"] {
        let request = cw_orm::PageRequest {
            key: Some([&cursor[..10], tail].concat().into()),
            ..first(1)
        };
        assert_eq!(
            MOVING.get_paginated(&store, &request).unwrap_err(),
            OrmError::MalformedCursor
        );
    }
}

#[test]
fn a_table_that_sorts_differently_is_moved_but_not_listed() {
    let mut store = Store::default();
    for (poll, voter) in [("z", 1), ("aa", 2), ("aa", 300), ("b", 4)] {
        let poll = poll.to_owned();
        VOTES.insert(&mut store, &Vote { poll, voter }).unwrap();
    }
    let differs = OrmError::OrderDiffers { table: "votes" };
    assert_eq!(UNLIKE.all().unwrap_err(), differs);
    let of_aa = UNLIKE.prefix(&("aa".to_owned(),));
    assert_eq!(of_aa.unwrap_err(), differs);
    let key = ("aa".to_owned(), 300);
    assert!(UNLIKE.get(&store, &key).unwrap().is_some());
    // Under the map's own rule it is listed as ever.
    let alike = |store: &Store| {
        let rows = walk(&first(2), |request| ALIKE.get_paginated(store, request));
        rows.into_iter()
            .map(|Alike { poll, voter }| (poll, voter))
            .collect::<Vec<_>>()
    };
    let want = [("b", 4), ("z", 1), ("aa", 2), ("aa", 300)].map(|(a, b)| (a.to_owned(), b));
    assert_eq!(alike(&store), want);
    assert!(!ALIKE.move_rows(&mut store, 3).unwrap().done);
    assert_eq!(alike(&store), want);
    let of_aa = ALIKE.prefix(&("aa".to_owned(),)).unwrap();
    assert_eq!(
        of_aa.ids(&store, Descending).read_all().unwrap(),
        [key, ("aa".into(), 2)]
    );
}

#[test]
fn composite_keys_that_sort_alike_are_listed() {
    let mut store = Store::default();
    let mut want = Vec::new();
    for tier in [-2, 0, 7] {
        for name in ["a", "ab", "b"] {
            let key = (tier, 255, name.to_owned());
            let name = name.to_owned();
            LEVELS
                .insert(
                    &mut store,
                    &Level {
                        tier,
                        at: 255,
                        name,
                    },
                )
                .unwrap();
            want.push(key);
        }
    }
    loop {
        let ids = STEPS.all().unwrap().ids(&store, Ascending).read_all();
        assert_eq!(ids.unwrap(), want);
        let of_0 = STEPS.prefix(&(0,)).unwrap().ids(&store, Ascending);
        assert_eq!(of_0.read_all().unwrap(), want[3..6]);
        if STEPS.move_rows(&mut store, 2).unwrap().done {
            break;
        }
    }
    assert!(STEPS.is_moved(&store));
}

#[test]
fn what_stops_a_move_is_named_and_nothing_of_the_step_is_written() {
    let duplicate = |first: &str, second: &str| OrmError::DuplicateKey {
        table: "tokens",
        index: "by_serial",
        key: "00000004".into(),
        first: hex::encode(format!("{first}\0")),
        second: hex::encode(format!("{second}\0")),
    };
    let mut store = half();
    MAP.save(&mut store, "c", &token("c", "x", 4)).unwrap();
    let before = store.dump();
    assert_eq!(MOVING.move_rows(&mut store, 9), Err(duplicate("b", "c")));
    // Two rows of one step.
    MAP.save(&mut store, "a", &token("a", "x", 4)).unwrap();
    MOVING.delete(&mut store, &"b".into()).unwrap();
    assert_eq!(MOVING.move_rows(&mut store, 9), Err(duplicate("a", "c")));
    MOVING.delete(&mut store, &"c".into()).unwrap();
    assert!(MOVING.move_rows(&mut store, 9).unwrap().done);
    assert_ne!(store.dump(), before);

    let mut store = half();
    MAP.save(&mut store, "c", &token("c", "cursed", 3)).unwrap();
    let before = store.dump();
    let cursed = OrmError::Upgrade {
        table: "tokens",
        key: hex::encode("c\0"),
        reason: "a cursed row".into(),
    };
    assert_eq!(MOVING.move_rows(&mut store, 9), Err(cursed.clone()));
    assert_eq!(MOVING.get(&store, &"c".into()), Err(cursed.clone()));
    let page = MOVING.get_paginated(&store, &first(5));
    assert_eq!(page.unwrap_err(), cursed);
    assert_eq!(store.dump(), before);

    // A row that something else wrote to both: the new one counts, and the step says so.
    let mut store = half();
    MAP.save(&mut store, "b", &token("b", "old", 6)).unwrap();
    assert_eq!(MOVING.get_one(&store, &"b".into()).unwrap().owner, "x");
    assert_eq!(MOVING.all().unwrap().ids(&store, Ascending).count(), 5);
    assert!(matches!(
        MOVING.move_rows(&mut store, 9),
        Err(OrmError::AlreadyExists { .. })
    ));
    // A key that is none.
    let mut store = half();
    store.set(&raw_key("tokens", &[&[0xff]]), b"{}");
    assert!(matches!(
        MOVING.move_rows(&mut store, 9),
        Err(OrmError::Key { .. })
    ));
    let ids = MOVING.all().unwrap().ids(&store, Ascending).read_all();
    assert!(matches!(ids, Err(OrmError::Key { .. })));
}

#[test]
fn what_it_costs() {
    let none = Counts::default();
    let mut store = half();
    let read = |get, probes| Counts {
        get,
        open: probes,
        next: probes,
        ..none
    };
    for (id, want) in [("b", read(1, 0)), ("a", read(1, 1)), ("zz", read(1, 1))] {
        let (_, counts) = store.count(|store| MOVING.get(store, &id.into()).unwrap());
        assert_eq!(counts, want, "{id}");
    }
    let (_, counts) = store.count(|store| MOVING.by(store, MOVED_OWNER).unwrap_err());
    assert_eq!(counts, read(0, 1));
    // One row: itself, whether it and its serial are taken; the index that the old layout could have is off. It and two
    // entries are written, and the old is removed.
    let (_, counts) = store.count(|store| MOVING.move_rows(store, 1).unwrap());
    let step = Counts {
        get: 0,
        open: 1 + 1 + 2,
        next: 2 + 1 + 2,
        set: 3,
        remove: 1,
    };
    assert_eq!(counts, step);
    let (_, counts) = store.count(|store| MOVING.update(store, moved("ab", "x", 2)).unwrap());
    let update = Counts {
        get: 1,
        open: 1 + 1 + 1,
        next: 1 + 1 + 1,
        set: 3,
        remove: 1,
    };
    assert_eq!(counts, update);
    // When all have moved, a write to a row costs what it does in the new table.
    while !MOVING.move_rows(&mut store, 9).unwrap().done {}
    let (_, counts) = store.count(|store| MOVING.update(store, moved("ab", "x", 2)).unwrap());
    assert_eq!(counts, read(1, 0));
}

/// A step's cost depends on its size alone.
#[test]
fn f_26_a_step_costs_the_same_in_a_large_table() {
    let mut cost = Vec::new();
    for rows in [100, 2_000] {
        let mut store = Store::default();
        for serial in 0..rows {
            let id = format!("{serial:05}");
            MAP.save(&mut store, &id, &token(&id, "x", serial)).unwrap();
        }
        let (_, counts) = store.count(|store| MOVING.move_rows(store, 10).unwrap());
        cost.push(counts);
    }
    assert_eq!(cost[0], cost[1]);
}
