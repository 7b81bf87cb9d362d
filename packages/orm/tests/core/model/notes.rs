//! The same over ids that the table gives.

use std::collections::BTreeMap;

use cosmwasm_std::Order::Ascending;
use cw_orm::OrmError;
use proptest::prelude::*;

use super::{Outcome, cases, outcome};
use crate::fixture::{
    ALL_NOTES, Dump, NOTES, Note, PER_TOPIC, Store, TITLES, counted, raw_key, total,
};

#[derive(Clone, Debug)]
enum Op {
    Insert(Note),
    Update(Note),
    Modify(Note),
    Delete(u64),
}

#[derive(Default)]
struct Model {
    last: u64,
    rows: BTreeMap<u64, Note>,
}

fn row(id: impl Strategy<Value = u64>) -> impl Strategy<Value = Note> {
    (id, 0_u8..3, "|t|tt", "|x|bad").prop_map(|(id, topic, title, text)| Note {
        id,
        topic,
        title,
        text,
    })
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        5 => row(Just(0)).prop_map(Op::Insert),
        3 => row(0..6_u64).prop_map(Op::Update),
        3 => row(0..6_u64).prop_map(Op::Modify),
        3 => (0..6_u64).prop_map(Op::Delete),
    ]
}

fn expect(model: &mut Model, op: &Op) -> Outcome<()> {
    match op {
        Op::Insert(row) if row.text == "bad" => return Outcome::Invalid,
        Op::Insert(row) => {
            let id = model.last + 1;
            model.last = id;
            model.rows.insert(id, Note { id, ..row.clone() });
        }
        Op::Update(row) | Op::Modify(row) => {
            if !model.rows.contains_key(&row.id) {
                return Outcome::Missing;
            }
            if row.text == "bad" {
                return Outcome::Invalid;
            }
            model.rows.insert(row.id, row.clone());
        }
        Op::Delete(id) => {
            if model.rows.remove(id).is_none() {
                return Outcome::Missing;
            }
        }
    }
    Outcome::Done(())
}

fn run(store: &mut Store, op: Op) -> Outcome<()> {
    outcome(match op {
        Op::Insert(mut row) => NOTES.insert(store, &mut row).map(drop),
        Op::Update(row) => NOTES.update(store, row).map(drop),
        Op::Modify(row) => NOTES
            .modify(store, row.id, |_| Ok::<_, OrmError>(row))
            .map(drop),
        Op::Delete(id) => NOTES.delete(store, id).map(drop),
    })
}

fn image(model: &Model) -> Dump {
    let mut image = Dump::new();
    if model.last > 0 {
        image.insert(raw_key("nq", &[]), model.last.to_be_bytes().to_vec());
    }
    let mut topics: BTreeMap<u8, u8> = BTreeMap::new();
    for row in model.rows.values() {
        let id = row.id.to_be_bytes();
        let columns = postcard::to_allocvec(&(row.topic, &row.title, &row.text)).unwrap();
        image.insert(raw_key("n", &[&id]), [vec![1], columns].concat());
        let title = postcard::to_allocvec(&row.title).unwrap();
        let covered = [vec![4], title].concat();
        image.insert(raw_key("nt", &[&[row.topic], &id]), covered);
        *topics.entry(row.topic).or_default() += 1;
    }
    for (topic, count) in topics {
        image.insert(raw_key("np", &[&[topic]]), vec![count]);
    }
    if !model.rows.is_empty() {
        image.insert(raw_key("nn", &[]), vec![model.rows.len() as u8]);
    }
    image
}

fn compare(store: &Store, model: &Model) -> Result<(), TestCaseError> {
    let all = model.rows.len() as u64;
    prop_assert_eq!(NOTES.counts(ALL_NOTES).unwrap().count(store, &()), Ok(all));
    for topic in 0..3 {
        let rows = model.rows.values().filter(|row| row.topic == topic);
        let want: Vec<_> = rows.map(|row| (topic, row.id, row.title.clone())).collect();
        let scan = || NOTES.by(TITLES).unwrap().key(&topic).unwrap();
        let found = scan().columns().iter(store, Ascending).read_all().unwrap();
        prop_assert_eq!(&found, &want);
        let page = scan()
            .budget(1)
            .columns()
            .page(store, &counted(0, 1))
            .unwrap();
        prop_assert_eq!(page.page.total, total(want.len() as u64));
        let counts = NOTES.counts(PER_TOPIC).unwrap();
        prop_assert_eq!(counts.count(store, &topic), Ok(want.len() as u64));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(600))]
    #[test]
    fn counts_and_covered_columns_follow_given_ids(ops in proptest::collection::vec(op(), 1..16)) {
        let (mut store, mut model) = (Store::default(), Model::default());
        for op in ops {
            let (before, want) = (store.dump(), expect(&mut model, &op));
            let got = run(&mut store, op.clone());
            prop_assert_eq!(&got, &want, "{:?}", op);
            let after = store.dump();
            if !matches!(got, Outcome::Done(())) {
                prop_assert_eq!(&after, &before, "a refused {:?} changed the store", op);
            }
            prop_assert_eq!(&after, &image(&model), "after {:?}", op);
        }
        compare(&store, &model)?;
    }
}
