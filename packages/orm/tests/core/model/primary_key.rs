use std::collections::{BTreeMap, BTreeSet};

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::OrmError;
use proptest::prelude::*;

use super::{Outcome, cases, outcome};
use crate::fixture::{
    BY_CLIENT, BY_MARKET, BY_MEMO, BY_TAG, Dump, ORDERS, Order, Store, nul, raw_key,
};

type Key = (String, u32);
type Model = BTreeMap<Key, Order>;

#[derive(Clone, Debug)]
enum Op {
    Insert(Order),
    Update(Order),
    Upsert(Order),
    /// Makes the row with this key into that one, whose key may be another.
    Modify(Key, Order),
    Delete(Key),
}

fn key() -> impl Strategy<Value = Key> {
    ("a|b|ab", 0_u32..3)
}

fn row() -> impl Strategy<Value = Order> {
    let columns = (
        prop_oneof![Just(""), Just("m"), Just("mm")],
        proptest::collection::vec("x|y|xy", 0..4),
        proptest::option::of("c|d|cd"),
        proptest::collection::vec(prop_oneof![Just(0), Just(1), Just(0xff)], 0..3),
        prop_oneof![8 => 0_u64..3, 1 => Just(13)],
    );
    (key(), columns).prop_map(
        |((owner, seq), (market, tags, client, memo, amount))| Order {
            owner,
            seq,
            market: market.into(),
            tags,
            client,
            memo,
            amount,
        },
    )
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => row().prop_map(Op::Insert),
        3 => row().prop_map(Op::Update),
        3 => row().prop_map(Op::Upsert),
        2 => (key(), row(), any::<bool>()).prop_map(|(key, mut row, keep)| {
            if keep {
                (row.owner, row.seq) = key.clone();
            }
            Op::Modify(key, row)
        }),
        2 => key().prop_map(Op::Delete),
    ]
}

fn id(row: &Order) -> Key {
    (row.owner.clone(), row.seq)
}

fn taken(model: &Model, row: &Order) -> bool {
    row.client.is_some()
        && model
            .values()
            .any(|other| id(other) != id(row) && other.client == row.client)
}

/// Says what an operation gives, and does it to the model.
fn expect(model: &mut Model, op: &Op) -> Outcome<Option<Order>> {
    let write = |model: &mut Model, row: &Order| {
        if row.amount == 13 {
            return Outcome::Invalid;
        }
        if taken(model, row) {
            return Outcome::Taken;
        }
        Outcome::Done(model.insert(id(row), row.clone()))
    };
    match op {
        Op::Insert(row) if row.amount != 13 && model.contains_key(&id(row)) => Outcome::Exists,
        Op::Update(row) if !model.contains_key(&id(row)) => Outcome::Missing,
        Op::Insert(row) | Op::Update(row) | Op::Upsert(row) => write(model, row),
        Op::Modify(key, _) if !model.contains_key(key) => Outcome::Missing,
        Op::Modify(key, row) if *key != id(row) => Outcome::KeyChanged,
        Op::Modify(_, row) => match write(model, row) {
            Outcome::Done(_) => Outcome::Done(Some(row.clone())),
            refused => refused,
        },
        Op::Delete(key) => model
            .remove(key)
            .map_or(Outcome::Missing, |row| Outcome::Done(Some(row))),
    }
}

fn run(store: &mut Store, op: Op) -> Outcome<Option<Order>> {
    outcome(match op {
        Op::Insert(row) => ORDERS.insert(store, &row).map(|()| None),
        Op::Update(row) => ORDERS.update(store, row).map(Some),
        Op::Upsert(row) => ORDERS.upsert(store, row),
        Op::Modify(key, row) => ORDERS
            .modify(store, &key, |_| Ok::<_, OrmError>(row))
            .map(Some),
        Op::Delete(key) => ORDERS.delete(store, &key).map(Some),
    })
}

/// Returns `bytes` escaped.
fn escaped(bytes: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| {
            if *byte == 0 {
                vec![0, 0xff]
            } else {
                vec![*byte]
            }
        })
        .collect();
    out.extend([0, 1]);
    out
}

/// Returns the store that holds the model's rows, made without the ORM.
fn image(model: &Model) -> Dump {
    let mut image = Dump::new();
    for row in model.values() {
        let seq = row.seq.to_be_bytes();
        let row_id = [&nul(&row.owner)[..], &seq].concat();
        let columns = (&row.market, &row.tags, &row.client, &row.memo, row.amount);
        image.insert(
            raw_key("o", &[&row_id]),
            [vec![1], postcard::to_allocvec(&columns).unwrap()].concat(),
        );
        image.insert(raw_key("om", &[&nul(&row.market), &row_id]), vec![1]);
        for tag in &row.tags {
            image.insert(raw_key("ot", &[&nul(tag), &row_id]), vec![1]);
        }
        if let Some(client) = &row.client {
            image.insert(raw_key("oc", &[&nul(client)]), row_id.clone());
        }
        image.insert(
            raw_key("oo", &[&escaped(&row.memo), &seq, &row_id]),
            vec![1],
        );
    }
    image
}

/// Compares what the ORM answers with the model.
fn compare(store: &Store, model: &Model) -> Result<(), TestCaseError> {
    let rows: Vec<Order> = ORDERS.all().rows(store, Ascending).read_all().unwrap();
    prop_assert_eq!(&rows, &model.values().cloned().collect::<Vec<_>>());
    let ids: Vec<Key> = ORDERS.all().ids(store, Descending).read_all().unwrap();
    prop_assert_eq!(ids, model.keys().rev().cloned().collect::<Vec<_>>());

    let mut by_market: Vec<(String, Key)> = model
        .values()
        .map(|row| (row.market.clone(), id(row)))
        .collect();
    by_market.sort();
    let found = ORDERS
        .by(BY_MARKET)
        .unwrap()
        .all()
        .entries(store, Ascending)
        .read_all()
        .unwrap();
    prop_assert_eq!(found.len(), by_market.len());
    for ((key, row), (market, want)) in found.iter().zip(&by_market) {
        prop_assert_eq!((key, &row.market, row), (want, market, &model[want]));
    }

    let mut by_tag: BTreeMap<&String, BTreeSet<Key>> = BTreeMap::new();
    for row in model.values() {
        for tag in &row.tags {
            by_tag.entry(tag).or_default().insert(id(row));
        }
    }
    for tag in ["x", "y", "xy"].map(String::from) {
        let view = ORDERS.by(BY_TAG).unwrap();
        let found = view
            .key(&tag)
            .unwrap()
            .ids(store, Ascending)
            .read_all()
            .unwrap();
        prop_assert_eq!(
            found,
            by_tag
                .get(&tag)
                .into_iter()
                .flatten()
                .cloned()
                .collect::<Vec<_>>()
        );
        prop_assert_eq!(view.has(store, &tag).unwrap(), by_tag.contains_key(&tag));
    }

    let view = ORDERS.by(BY_CLIENT).unwrap();
    for client in ["c", "d", "cd"].map(String::from) {
        let holder = model
            .values()
            .find(|row| row.client.as_ref() == Some(&client));
        prop_assert_eq!(
            view.get(store, &client).unwrap(),
            holder.map(|row| (id(row), row.clone()))
        );
    }

    let mut by_memo: Vec<((Vec<u8>, u32), Key)> = model
        .values()
        .map(|row| ((row.memo.clone(), row.seq), id(row)))
        .collect();
    by_memo.sort();
    let found = ORDERS
        .by(BY_MEMO)
        .unwrap()
        .all()
        .ids(store, Ascending)
        .read_all()
        .unwrap();
    prop_assert_eq!(
        found,
        by_memo.into_iter().map(|(_, id)| id).collect::<Vec<_>>()
    );
    Ok(())
}

proptest! {
    #![proptest_config(cases(400))]
    #[test]
    fn primary_key_table_is_a_map(ops in proptest::collection::vec(op(), 1..25)) {
        let (mut store, mut model) = (Store::default(), Model::new());
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
