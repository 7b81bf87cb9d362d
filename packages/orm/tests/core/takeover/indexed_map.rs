//! An `IndexedMap`, taken over with its indexes: the whole way.

use cosmwasm_std::{Order::Ascending, Storage};
use cw_orm::{Namespace, OrmError, Progress, Schema, SchemaChange, SchemaStep, StoragePlusIndex};

use super::{
    BY_OWNER, MOVED_OWNER, MOVED_SERIAL, MOVING, TOKENS, Token, count, indexed_map, moved, token,
};
use crate::{
    fixture::{Store, first, raw_key, walk},
    schema::{SCHEMA, refused},
};

const OWNER: StoragePlusIndex =
    StoragePlusIndex::multi("tokens", "owner", Namespace::new(b"tokens__owner"));
const SERIAL: StoragePlusIndex =
    StoragePlusIndex::unique("tokens", "serial", Namespace::new(b"tokens__serial"));

fn stored() -> Store {
    let mut store = Store::default();
    let map = indexed_map();
    for (id, owner, serial) in [
        ("a", "x", 3),
        ("ab", "y", 1),
        ("b", "x", 300),
        ("c", "", 4),
        ("d", "yy", 70_000),
    ] {
        map.save(&mut store, id, &token(id, owner, serial)).unwrap();
    }
    store
}

const fn progress(steps: u32, done: bool) -> Progress {
    Progress { steps, done }
}

#[test]
fn the_whole_way() {
    let mut store = stored();
    let map = indexed_map();
    let all = || -> Vec<Token> {
        let rows = map.range(&store, None, None, Ascending);
        rows.map(|row| row.unwrap().1).collect()
    };
    // As it stands.
    let rows = all();
    assert_eq!(
        TOKENS.all().rows(&store, Ascending).read_all().unwrap(),
        rows
    );
    // With an index of ours, built while rows are written.
    let of_owner = |store: &Store, owner: &str| {
        let found = TOKENS.by(BY_OWNER).unwrap().key(&owner.to_owned()).unwrap();
        found.ids(store, Ascending).read_all()
    };
    assert!(of_owner(&store, "x").is_err());
    assert!(!TOKENS.backfill(&mut store, &BY_OWNER, 2).unwrap().done);
    TOKENS.insert(&mut store, &token("e", "x", 9)).unwrap();
    TOKENS.delete(&mut store, &"a".into()).unwrap();
    while !TOKENS.backfill(&mut store, &BY_OWNER, 2).unwrap().done {}
    assert_eq!(of_owner(&store, "x").unwrap(), ["b", "e"]);
    assert_eq!(of_owner(&store, "").unwrap(), ["c"]);
    // The map's own indexes go. Those of rows that the table deleted were left behind.
    assert_eq!(
        (
            count(&store, "tokens__owner"),
            count(&store, "tokens__serial")
        ),
        (5, 5)
    );
    assert_eq!(OWNER.clear(&mut store, 3), Ok(progress(3, false)));
    assert_eq!(OWNER.clear(&mut store, 3), Ok(progress(2, true)));
    assert_eq!(OWNER.clear(&mut store, 3), Ok(progress(0, true)));
    assert_eq!(SERIAL.clear(&mut store, 0), Ok(progress(1, false)));
    assert_eq!(SERIAL.clear(&mut store, 9), Ok(progress(4, true)));
    assert_eq!(
        TOKENS.all().ids(&store, Ascending).read_all().unwrap(),
        ["ab", "b", "c", "d", "e"]
    );
    // To the native layout.
    let moving = OrmError::Moving { table: "tokens" };
    assert_eq!(MOVING.by(&store, MOVED_OWNER).unwrap_err(), moving.clone());
    assert_eq!(MOVING.move_rows(&mut store, 2), Ok(progress(2, false)));
    MOVING.update(&mut store, moved("d", "x", 70_000)).unwrap();
    assert_eq!(MOVING.moved(&store).unwrap_err(), moving);
    while !MOVING.move_rows(&mut store, 2).unwrap().done {}
    let owners = MOVING.by(&store, MOVED_OWNER).unwrap();
    let of_x = owners.key(&"x".into()).unwrap();
    assert_eq!(
        of_x.ids(&store, Ascending).read_all().unwrap(),
        ["b", "d", "e"]
    );
    let serials = MOVING.by(&store, MOVED_SERIAL).unwrap();
    let found = serials.get(&store, &300).unwrap().unwrap();
    assert_eq!(found.1, moved("b", "x", 300));
    // Nothing of the old is left, but the state of its index.
    assert_eq!((count(&store, "tokens"), count(&store, "to")), (0, 0));
    assert_eq!(count(&store, "t"), 5);
    let rows = walk(&first(2), |request| {
        MOVING.moved(&store)?.get_paginated(&store, request)
    });
    assert_eq!(rows.len(), 5);
}

#[test]
fn a_namespace_that_is_of_something_else_is_not_cleared() {
    let mut store = stored();
    TOKENS.insert(&mut store, &token("e", "x", 9)).unwrap();
    while !TOKENS.backfill(&mut store, &BY_OWNER, 9).unwrap().done {}
    let before = store.dump();
    let name = |namespace| StoragePlusIndex::multi("tokens", "owner", Namespace::new(namespace));
    let unique = |namespace| StoragePlusIndex::unique("tokens", "owner", Namespace::new(namespace));
    for wrong in [
        name(b"tokens"),
        name(b"tokens__serial"),
        unique(b"tokens"),
        unique(b"tokens__owner"),
        unique(b"to"),
    ] {
        let error = wrong.clear(&mut store, 9).unwrap_err();
        assert!(matches!(
            error,
            OrmError::MalformedEntry {
                table: "tokens",
                index: "owner",
                ..
            }
        ));
        assert_eq!(store.dump(), before);
    }
    // Also if only one of the entries is none.
    store.set(&raw_key("tokens__owner", &[b"zz"]), b"9");
    let before = store.dump();
    assert!(OWNER.clear(&mut store, 9).is_err());
    assert_eq!(store.dump(), before);
}

/// The schema sees a table whose indexes have nothing of its rows.
#[test]
fn a_taken_over_table_goes_through_the_schema() {
    let mut store = stored();
    SCHEMA.init(&mut store, &Schema::new()).unwrap();
    let code = Schema::new().with(&TOKENS);
    let add = SchemaStep::AddTable { table: "tokens" };
    let mut untracked = code.clone();
    untracked.tables[0].records[0].indexes[0].tracked = false;
    let not_filled = SchemaChange::IndexNotFilled {
        index: "by_owner".into(),
    };
    assert_eq!(
        SCHEMA.migrate(&mut store, &untracked, &[add]),
        Err(refused("tokens", not_filled))
    );
    SCHEMA.migrate(&mut store, &code, &[add]).unwrap();
    while !TOKENS.backfill(&mut store, &BY_OWNER, 2).unwrap().done {}
    // The new layout is another table, of another name, until the old one is dropped.
    let mut both = Schema::new().with(&TOKENS).with(&MOVING);
    both.tables[1].name = "moved".into();
    let add = SchemaStep::AddTable { table: "moved" };
    SCHEMA.migrate(&mut store, &both, &[add]).unwrap();
    while !MOVING.move_rows(&mut store, 2).unwrap().done {}
    let code = Schema::new().with(&MOVING);
    let steps = [SchemaStep::DropTable { table: "tokens" }];
    let mut renamed = code.clone();
    renamed.tables[0].name = "moved".into();
    SCHEMA.migrate(&mut store, &renamed, &steps).unwrap();
    SCHEMA.migrate(&mut store, &code, &[]).unwrap();
    assert!(SCHEMA.clear_dropped(&mut store, 9).unwrap().done);
    assert_eq!(count(&store, "t"), 5);
}
