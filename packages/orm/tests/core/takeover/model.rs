//! Random writes and page walks between steps of random sizes, against a plain map.

use std::collections::BTreeMap;

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{OrmError, PrimaryKeyTable};
use proptest::{collection::vec, prelude::*, sample::select};

use super::{MOVED_OWNER, MOVING, Moved, indexed_map, moved, token};
use crate::fixture::{Store, first, last};

type Model = BTreeMap<String, Moved>;

#[derive(Clone, Debug)]
enum Op {
    Insert(Moved),
    Upsert(Moved),
    Update(Moved),
    Delete(String),
    Move(u32),
}

fn rows() -> impl Strategy<Value = Moved> {
    let ids = select(vec!["a", "a\u{1}", "ab", "b", "ba", "c", "cc", "é"]);
    (ids, select(vec!["x", "y", ""]), 0_u32..20)
        .prop_map(|(id, owner, serial)| moved(id, owner, serial))
}

fn ops() -> impl Strategy<Value = Op> {
    prop_oneof![
        2 => rows().prop_map(Op::Insert),
        2 => rows().prop_map(Op::Upsert),
        2 => rows().prop_map(Op::Update),
        1 => rows().prop_map(|row| Op::Delete(row.id)),
        2 => (0_u32..4).prop_map(Op::Move),
    ]
}

/// Applies a write that the store made; checks that one that it refused had to be.
fn apply(
    store: &mut Store,
    model: &mut Model,
    row: Moved,
    write: impl FnOnce(&mut Store, Moved) -> Result<(), OrmError>,
) {
    let before = store.dump();
    match write(store, row.clone()) {
        Ok(()) => {
            model.insert(row.id.clone(), row);
        }
        Err(error) => {
            let taken = model
                .values()
                .any(|other| other.id != row.id && other.serial == row.serial);
            match error {
                OrmError::AlreadyExists { .. } => assert!(model.contains_key(&row.id)),
                OrmError::NotFound { .. } => assert!(!model.contains_key(&row.id)),
                OrmError::UniqueViolation { .. } => assert!(taken),
                other => panic!("{other}"),
            }
            assert_eq!(store.dump(), before);
        }
    }
}

/// Takes a step; where a row that has moved has the serial of one that is to, deletes one of them.
fn step(store: &mut Store, model: &mut Model, size: u32) -> bool {
    let before = store.dump();
    match MOVING.move_rows(store, size) {
        Ok(step) => {
            assert!(step.steps <= size.max(1));
            step.done
        }
        Err(OrmError::DuplicateKey { second, .. }) => {
            assert_eq!(store.dump(), before);
            let id = String::from_utf8(hex::decode(second).unwrap()).unwrap();
            let id = id.trim_end_matches('\0').to_owned();
            MOVING.delete(store, &id).unwrap();
            model.remove(&id).unwrap();
            false
        }
        Err(other) => panic!("{other}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_table_that_moves_in_use_is_a_map(
        before in vec(rows(), 0..8),
        ops in vec(ops(), 0..40),
        size in 1_u32..4,
    ) {
        let (mut store, mut model) = (Store::default(), Model::new());
        let map = indexed_map();
        for row in before {
            let old = token(&row.id, &row.owner, row.serial);
            let id: &'static str = Box::leak(row.id.clone().into_boxed_str());
            // The map checks its unique index before it writes a row, but not before it removed the old one's entries.
            let taken = model.values().any(|other| other.serial == row.serial);
            if !taken {
                map.save(&mut store, id, &old).unwrap();
                model.insert(row.id.clone(), row);
            }
        }
        for op in ops {
            match op {
                Op::Insert(row) => apply(&mut store, &mut model, row, |store, row| {
                    MOVING.insert(store, &row)
                }),
                Op::Upsert(row) => {
                    let old = model.get(&row.id).cloned();
                    apply(&mut store, &mut model, row, |store, row| {
                        MOVING.upsert(store, row).map(|found| assert_eq!(found, old))
                    });
                }
                Op::Update(row) => {
                    let old = model.get(&row.id).cloned();
                    apply(&mut store, &mut model, row, |store, row| {
                        MOVING.update(store, row).map(|found| assert_eq!(Some(found), old))
                    });
                }
                Op::Delete(id) => {
                    prop_assert_eq!(MOVING.delete(&mut store, &id).ok(), model.remove(&id));
                }
                Op::Move(size) => {
                    step(&mut store, &mut model, size);
                }
            }
            for order in [Ascending, Descending] {
                let rows = MOVING.all().unwrap().rows(&store, order).read_all().unwrap();
                let mut want: Vec<_> = model.values().cloned().collect();
                if order == Descending {
                    want.reverse();
                }
                prop_assert_eq!(rows, want);
            }
        }
        // A walk through pages, with a step between each two.
        for request in [first(u64::from(size)), last(u64::from(size))] {
            let (mut ids, mut next) = (Vec::new(), Some(request.clone()));
            let before: Vec<_> = model.keys().cloned().collect();
            while let Some(request) = next {
                let page = MOVING.get_paginated(&store, &request).unwrap();
                ids.extend(page.items.into_iter().map(|row| row.id));
                next = request.after(&page.page);
                if let Ok(moved) = MOVING.move_rows(&mut store, 1) {
                    prop_assert!(moved.steps <= 1);
                }
            }
            if request.reverse {
                ids.reverse();
            }
            prop_assert_eq!(ids, before);
        }
        let mut steps = 0;
        while !step(&mut store, &mut model, size) {
            steps += 1;
            prop_assert!(steps < 50, "it does not end");
        }
        for owner in ["x", "y", ""] {
            let found = MOVING.by(&store, MOVED_OWNER).unwrap().key(&owner.into()).unwrap();
            let want = model.values().filter(|row| row.owner == owner);
            let rows = found.rows(&store, Ascending).read_all().unwrap();
            prop_assert_eq!(rows, want.cloned().collect::<Vec<_>>());
        }
        // Byte for byte what it is if the rows had always been in the new layout, beside the map's own indexes.
        let (mut fresh, table) = (Store::default(), PrimaryKeyTable::<Moved>::new());
        for row in model.values() {
            table.insert(&mut fresh, row).unwrap();
        }
        let mut end = store.dump();
        end.retain(|key, _| !key.starts_with(b"\0\x0dtokens__owner"));
        end.retain(|key, _| !key.starts_with(b"\0\x0etokens__serial"));
        prop_assert_eq!(end, fresh.dump());
    }
}
