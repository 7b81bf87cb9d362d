//! Random writes between steps of random sizes: the indexes end complete, each row once.

use std::collections::BTreeMap;

use cosmwasm_std::Order::Ascending;
use cw_orm::{IndexState, Indexable, OrmError};
use proptest::{collection::vec, option, prelude::*, sample::select};

use super::{BY_CODE, BY_GROUP, BY_TAG, GROUP_SIZE, ITEMS, Item, PLAIN, entries};
use crate::fixture::Store;

type Model = BTreeMap<String, Item>;

const ALL: [&dyn Indexable<Item>; 4] = [&BY_GROUP, &BY_TAG, &BY_CODE, &GROUP_SIZE];

#[derive(Clone, Debug)]
enum Op {
    Insert(Item),
    Upsert(Item),
    Delete(String),
    Build(usize, u32),
    Drop(usize, u32),
}

fn items() -> impl Strategy<Value = Item> {
    let names = select(vec!["a", "b", "c", "d", "e", "f", "g", "h"]);
    let tags = vec(0_u8..3, 0..3);
    (names, 0_u8..3, tags, option::of(0_u16..9)).prop_map(|(name, group, tags, code)| Item {
        name: name.into(),
        group,
        tags,
        code,
    })
}

fn ops() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => items().prop_map(Op::Insert),
        4 => items().prop_map(Op::Upsert),
        2 => items().prop_map(|row| Op::Delete(row.name)),
        5 => (0_usize..4, 0_u32..5).prop_map(|(index, size)| Op::Build(index, size)),
        1 => (0_usize..4, 0_u32..9).prop_map(|(index, size)| Op::Drop(index, size)),
    ]
}

/// Makes a write on both sides, unless the store refuses it for a key that another row does hold.
fn write(store: &mut Store, model: &mut Model, row: Item, new: bool) {
    let before = store.dump();
    let taken = model
        .values()
        .any(|other| other.name != row.name && other.code.is_some() && other.code == row.code);
    let written = if new {
        ITEMS.insert(store, &row)
    } else {
        ITEMS.upsert(store, row.clone()).map(|_| ())
    };
    match written {
        Ok(()) => {
            assert!(!(new && model.contains_key(&row.name)));
            let ready = ITEMS.index_state(store, &BY_CODE) == Ok(IndexState::Ready);
            assert!(!(ready && taken));
            model.insert(row.name.clone(), row);
        }
        Err(OrmError::AlreadyExists { .. }) => assert!(new && model.contains_key(&row.name)),
        Err(OrmError::UniqueViolation { .. }) => {
            assert!(taken);
            assert_eq!(store.dump(), before);
        }
        Err(other) => panic!("{other}"),
    }
}

/// Takes a step; where two rows have one key, deletes one of them.
fn build(store: &mut Store, model: &mut Model, index: &dyn Indexable<Item>, size: u32) -> bool {
    let before = store.dump();
    match ITEMS.backfill(store, index, size) {
        Ok(progress) => {
            assert!(progress.steps <= size.max(1));
            progress.done
        }
        Err(OrmError::DuplicateKey { first, second, .. }) => {
            assert_eq!(store.dump(), before);
            let name = |id: &str| {
                String::from_utf8(hex::decode(id).unwrap())
                    .unwrap()
                    .replace('\0', "")
            };
            let (first, second) = (name(&first), name(&second));
            assert_ne!(first, second);
            assert_eq!(model[&first].code, model[&second].code);
            ITEMS.delete(store, &second).unwrap();
            model.remove(&second);
            false
        }
        Err(other) => panic!("{other}"),
    }
}

/// Compares what each index says, if it says anything, with the model.
fn compare(store: &Store, model: &Model) {
    let state = |index| ITEMS.index_state(store, index).unwrap();
    for group in 0..3 {
        let want: Vec<_> = model.values().filter(|row| row.group == group).collect();
        let found = ITEMS.by(BY_GROUP).unwrap().key(&group).unwrap();
        match found.rows(store, Ascending).read_all() {
            Ok(found) => assert_eq!(found.iter().collect::<Vec<_>>(), want),
            Err(error) => assert!(refused(&error, state(&BY_GROUP)), "{error}"),
        }
        if state(&GROUP_SIZE) == IndexState::Ready {
            assert_eq!(usize::from(GROUP_SIZE.of(store, group)), want.len());
        }
    }
    for tag in 0..3 {
        let found = ITEMS.by(BY_TAG).unwrap().key(&tag).unwrap();
        let want = model.values().filter(|row| row.tags.contains(&tag));
        match found.rows(store, Ascending).read_all() {
            Ok(found) => assert_eq!(found.iter().collect::<Vec<_>>(), want.collect::<Vec<_>>()),
            Err(error) => assert!(refused(&error, state(&BY_TAG)), "{error}"),
        }
    }
    for code in 0..9 {
        let want = model.values().find(|row| row.code == Some(code));
        match ITEMS.by(BY_CODE).unwrap().get(store, &code) {
            Ok(found) => assert_eq!(found.map(|(_, row)| row).as_ref(), want),
            Err(error) => assert!(refused(&error, state(&BY_CODE)), "{error}"),
        }
    }
}

fn refused(error: &OrmError, state: IndexState) -> bool {
    matches!(error, OrmError::IndexNotReady { state: found, .. } if *found == state)
        && state != IndexState::Ready
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn indexes_built_between_random_writes_are_complete(
        before in vec(items(), 0..8),
        ops in vec(ops(), 0..60),
        size in 1_u32..6,
    ) {
        let (mut store, mut model) = (Store::default(), Model::new());
        for row in before {
            PLAIN.upsert(&mut store, row.clone()).unwrap();
            model.insert(row.name.clone(), row);
        }
        for op in ops {
            match op {
                Op::Insert(row) => write(&mut store, &mut model, row, true),
                Op::Upsert(row) => write(&mut store, &mut model, row, false),
                Op::Delete(name) => {
                    let found = ITEMS.delete(&mut store, &name).ok();
                    prop_assert_eq!(found, model.remove(&name));
                }
                Op::Build(index, size) => {
                    build(&mut store, &mut model, ALL[index], size);
                }
                Op::Drop(index, size) => {
                    let _ = ITEMS.drop_index(&mut store, ALL[index], size).unwrap();
                }
            }
            compare(&store, &model);
        }
        for index in ALL {
            let mut steps = 0;
            while !build(&mut store, &mut model, index, size) {
                steps += 1;
                prop_assert!(steps < 100, "it does not end");
            }
        }
        compare(&store, &model);
        let groups = model.len();
        let tags: usize = model
            .values()
            .map(|row| (0..3).filter(|tag| row.tags.contains(tag)).count())
            .sum();
        let codes = model.values().filter(|row| row.code.is_some()).count();
        prop_assert_eq!(
            (entries(&store, b"ig"), entries(&store, b"it"), entries(&store, b"ic")),
            (groups, tags, codes)
        );
        let end = store.dump();
        for index in ALL {
            prop_assert!(ITEMS.backfill(&mut store, index, size).unwrap().done);
        }
        prop_assert_eq!(store.dump(), end);
        for index in ALL {
            while !ITEMS.drop_index(&mut store, index, size).unwrap().done {}
        }
        prop_assert_eq!(store.dump().len(), model.len());
    }
}
