//! Random writes, of the old code and then of the new, between steps of random sizes.

use std::collections::BTreeMap;

use cosmwasm_std::{Order::Ascending, Storage};
use cw_orm::OrmError;
use proptest::{collection::vec, prelude::*};

use super::{ONE, TWO, V2, V2_CODE, V2_NAME, v1, v2};
use crate::fixture::Store;

#[derive(Clone, Debug)]
enum Op {
    Insert(u32, u8, u8),
    Upsert(u32, u8, u8),
    Delete(u32),
    Step(u32),
}

fn ops() -> impl Strategy<Value = Op> {
    let row = || (0_u32..12, 0_u8..9, 20_u8..30);
    prop_oneof![
        2 => row().prop_map(|(id, name, score)| Op::Insert(id, name, score)),
        3 => row().prop_map(|(id, name, score)| Op::Upsert(id, name, score)),
        1 => (0_u32..12).prop_map(Op::Delete),
        2 => (0_u32..5).prop_map(Op::Step),
    ]
}

/// Whether a write was made; a refused one must be of a row that exists or a name that is taken.
fn made(written: Result<(), OrmError>, model: &BTreeMap<u32, V2>, row: &V2, new: bool) -> bool {
    let taken = model
        .values()
        .any(|other| other.id != row.id && other.name == row.name);
    match written {
        Ok(()) => true,
        Err(OrmError::AlreadyExists { .. }) => {
            assert!(new && model.contains_key(&row.id));
            false
        }
        Err(OrmError::UniqueViolation { .. }) => {
            assert!(taken);
            false
        }
        Err(other) => panic!("{other}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rows_upgraded_between_random_writes_are_all_of_the_new_version(
        before in vec((0_u32..12, 0_u8..9, 20_u8..30), 0..12),
        ops in vec(ops(), 0..50),
        size in 1_u32..6,
    ) {
        let (mut store, mut model) = (Store::default(), BTreeMap::new());
        for (id, name, score) in before {
            let row = v2(id, &name.to_string(), &score.to_string());
            let written = ONE.upsert(&mut store, v1(id, &row.name, score)).map(|_| ());
            if made(written, &model, &row, false) {
                model.insert(id, row);
            }
        }
        for op in ops {
            match op {
                Op::Insert(id, name, score) => {
                    let row = v2(id, &name.to_string(), &score.to_string());
                    if made(TWO.insert(&mut store, &row), &model, &row, true) {
                        model.insert(id, row);
                    }
                }
                Op::Upsert(id, name, score) => {
                    let row = v2(id, &name.to_string(), &score.to_string());
                    let written = TWO.upsert(&mut store, row.clone()).map(|_| ());
                    if made(written, &model, &row, false) {
                        model.insert(id, row);
                    }
                }
                Op::Delete(id) => {
                    prop_assert_eq!(TWO.delete(&mut store, &id).ok(), model.remove(&id));
                }
                Op::Step(size) => {
                    let step = TWO.upgrade_rows(&mut store, size).unwrap();
                    prop_assert!(step.steps <= size.max(1));
                }
            }
            let rows = TWO.all().rows(&store, Ascending).read_all().unwrap();
            prop_assert_eq!(rows, model.values().cloned().collect::<Vec<_>>());
        }
        let mut steps = 0;
        while !TWO.upgrade_rows(&mut store, size).unwrap().done {
            steps += 1;
            prop_assert!(steps < 50, "it does not end");
        }
        // Every row is of version 2: raw, beside the state.
        let rows: Vec<_> = store
            .range(Some(b"\0\x01v"), Some(b"\0\x01w"), Ascending)
            .map(|(_, value)| value[0])
            .collect();
        prop_assert_eq!(rows, vec![2; model.len()]);
        let by_name = TWO.by(V2_NAME).unwrap().all().rows(&store, Ascending);
        let mut want: Vec<_> = model.values().cloned().collect();
        want.sort_by(|a, b| a.name.cmp(&b.name));
        prop_assert_eq!(by_name.read_all().unwrap(), want.clone());
        let by_code = TWO.by(V2_CODE).unwrap().all().rows(&store, Ascending);
        prop_assert_eq!(by_code.read_all().unwrap(), want);
        let end = store.dump();
        prop_assert!(TWO.upgrade_rows(&mut store, size).unwrap().done);
        prop_assert_eq!(store.dump(), end);
    }
}
