use std::collections::BTreeMap;

use cosmwasm_std::Order::Ascending;
use cw_orm::OrmError;
use proptest::prelude::*;

use super::{Outcome, cases, outcome};
use crate::fixture::{BY_CODE, BY_PX, Dump, Store, TRADES, Trade, nul, raw_key};

#[derive(Clone, Debug)]
enum Op {
    Insert(Trade),
    Update(Trade),
    Modify(u64, Trade),
    Delete(u64),
}

#[derive(Default)]
struct Model {
    last: u64,
    rows: BTreeMap<u64, Trade>,
}

fn row(id: impl Strategy<Value = u64>) -> impl Strategy<Value = Trade> {
    (id, 0_u64..3, proptest::option::of("c|d|cd"), "|n|bad")
        .prop_map(|(id, px, code, note)| Trade { id, px, code, note })
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => row(Just(0)).prop_map(Op::Insert),
        1 => row(1..6_u64).prop_map(Op::Insert),
        3 => row(0..8_u64).prop_map(Op::Update),
        3 => (0..8_u64, row(0..8_u64), any::<bool>()).prop_map(|(id, mut row, keep)| {
            if keep {
                row.id = id;
            }
            Op::Modify(id, row)
        }),
        3 => (0..8_u64).prop_map(Op::Delete),
    ]
}

fn expect(model: &mut Model, op: &Op) -> Outcome<Trade> {
    let refused = |model: &Model, id: u64, row: &Trade| {
        let taken =
            |other: &Trade| other.id != id && other.code.is_some() && other.code == row.code;
        match row.note == "bad" {
            true => Some(Outcome::Invalid),
            false => model.rows.values().any(taken).then_some(Outcome::Taken),
        }
    };
    match op {
        Op::Insert(row) if row.id != 0 => Outcome::IdSet,
        Op::Insert(row) => {
            let id = model.last + 1;
            refused(model, id, row).unwrap_or_else(|| {
                let row = Trade { id, ..row.clone() };
                model.last = id;
                model.rows.insert(id, row.clone());
                Outcome::Done(row)
            })
        }
        Op::Update(row) if !model.rows.contains_key(&row.id) => Outcome::Missing,
        Op::Modify(id, _) if !model.rows.contains_key(id) => Outcome::Missing,
        Op::Modify(id, row) if *id != row.id => Outcome::KeyChanged,
        Op::Update(row) => refused(model, row.id, row)
            .unwrap_or_else(|| Outcome::Done(model.rows.insert(row.id, row.clone()).unwrap())),
        Op::Modify(_, row) => refused(model, row.id, row).unwrap_or_else(|| {
            model.rows.insert(row.id, row.clone());
            Outcome::Done(row.clone())
        }),
        Op::Delete(id) => model
            .rows
            .remove(id)
            .map_or(Outcome::Missing, Outcome::Done),
    }
}

fn run(store: &mut Store, op: Op) -> Outcome<Trade> {
    outcome(match op {
        Op::Insert(mut row) => {
            let given = row.id;
            let answer = TRADES.insert(store, &mut row);
            assert_eq!(
                row.id,
                answer.clone().unwrap_or(given),
                "the row has the id given, a refused one keeps its own"
            );
            answer.map(|_| row)
        }
        Op::Update(row) => TRADES.update(store, row),
        Op::Modify(id, row) => TRADES.modify(store, id, |_| Ok::<_, OrmError>(row)),
        Op::Delete(id) => TRADES.delete(store, id),
    })
}

fn image(model: &Model) -> Dump {
    let mut image = Dump::new();
    if model.last > 0 {
        image.insert(raw_key("ts", &[]), model.last.to_be_bytes().to_vec());
    }
    for row in model.rows.values() {
        let id = row.id.to_be_bytes();
        let columns = postcard::to_allocvec(&(row.px, &row.code, &row.note)).unwrap();
        image.insert(raw_key("t", &[&id]), [vec![2], columns].concat());
        image.insert(raw_key("tp", &[&row.px.to_be_bytes(), &id]), vec![1]);
        if let Some(code) = &row.code {
            image.insert(raw_key("tc", &[&nul(code)]), id.to_vec());
        }
    }
    image
}

fn compare(store: &Store, model: &Model) -> Result<(), TestCaseError> {
    prop_assert_eq!(TRADES.sequence().current(store), Ok(model.last));
    let rows = TRADES.all().rows(store, Ascending).read_all().unwrap();
    prop_assert_eq!(rows, model.rows.values().cloned().collect::<Vec<_>>());
    for px in 0..3 {
        let found = TRADES
            .by(BY_PX)
            .unwrap()
            .key(&px)
            .unwrap()
            .rows(store, Ascending)
            .read_all()
            .unwrap();
        prop_assert_eq!(
            found,
            model
                .rows
                .values()
                .filter(|row| row.px == px)
                .cloned()
                .collect::<Vec<_>>()
        );
    }
    for code in ["c", "d", "cd"].map(String::from) {
        let holder = model
            .rows
            .values()
            .find(|row| row.code.as_ref() == Some(&code));
        prop_assert_eq!(
            TRADES.by(BY_CODE).unwrap().row_key(store, &code).unwrap(),
            holder.map(|row| row.id)
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(400))]
    #[test]
    fn auto_uint64_table_is_a_map_with_a_counter(ops in proptest::collection::vec(op(), 1..25)) {
        let (mut store, mut model) = (Store::default(), Model::default());
        for op in ops {
            let (before, want) = (store.dump(), expect(&mut model, &op));
            let got = run(&mut store, op.clone());
            prop_assert_eq!(&got, &want, "{:?}", op);
            let after = store.dump();
            if !matches!(got, Outcome::Done(_)) {
                prop_assert_eq!(&after, &before, "a refused {:?} changed the store", op);
            }
            prop_assert_eq!(&after, &image(&model), "after {:?}", op);
        }
        compare(&store, &model)?;
    }
}
