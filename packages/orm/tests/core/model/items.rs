//! Counters, and entries that hold columns.

use std::collections::{BTreeMap, BTreeSet};

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{CompactUint64, Key as _, KeyRule, OrmError};
use proptest::prelude::*;

use super::{Outcome, cases, outcome};
use crate::fixture::{
    ALL_ITEMS, BY_KIND, Dump, ITEMS, Item, LISTED, PER_KIND, PER_SHOP, PER_TAG, Store, counted,
    nul, raw_key, total,
};

type Key = (String, u32);
type Model = BTreeMap<Key, Item>;

#[derive(Clone, Debug)]
enum Op {
    Insert(Item),
    Update(Item),
    Upsert(Item),
    Modify(Key, Item),
    Delete(Key),
}

fn key() -> impl Strategy<Value = Key> {
    ("a|ab", 0_u32..3)
}

fn row() -> impl Strategy<Value = Item> {
    let tags = proptest::collection::vec("x|y|xy", 0..3);
    (key(), "|k|kk", tags, 0_u64..3, "|t").prop_map(|((shop, number), kind, tags, price, text)| {
        Item {
            shop,
            number,
            kind,
            tags,
            price,
            text,
        }
    })
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => row().prop_map(Op::Insert),
        3 => row().prop_map(Op::Update),
        3 => row().prop_map(Op::Upsert),
        2 => (key(), row()).prop_map(|(key, row)| {
            let (shop, number) = key.clone();
            Op::Modify(key, Item { shop, number, ..row })
        }),
        3 => key().prop_map(Op::Delete),
    ]
}

fn id(row: &Item) -> Key {
    (row.shop.clone(), row.number)
}

fn expect(model: &mut Model, op: &Op) -> Outcome<()> {
    match op {
        Op::Insert(row) if model.contains_key(&id(row)) => return Outcome::Exists,
        Op::Update(row) | Op::Modify(_, row) if !model.contains_key(&id(row)) => {
            return Outcome::Missing;
        }
        Op::Insert(row) | Op::Update(row) | Op::Upsert(row) | Op::Modify(_, row) => {
            model.insert(id(row), row.clone());
        }
        Op::Delete(key) => {
            if model.remove(key).is_none() {
                return Outcome::Missing;
            }
        }
    }
    Outcome::Done(())
}

fn run(store: &mut Store, op: Op) -> Outcome<()> {
    outcome(match op {
        Op::Insert(row) => ITEMS.insert(store, &row),
        Op::Update(row) => ITEMS.update(store, row).map(drop),
        Op::Upsert(row) => ITEMS.upsert(store, row).map(drop),
        Op::Modify(key, row) => ITEMS
            .modify(store, &key, |_| Ok::<_, OrmError>(row))
            .map(drop),
        Op::Delete(key) => ITEMS.delete(store, &key).map(drop),
    })
}

/// How many rows have each key that `keys` gives.
fn tally<K: Ord>(model: &Model, keys: impl Fn(&Item) -> BTreeSet<K>) -> BTreeMap<K, u64> {
    let mut counts = BTreeMap::new();
    for key in model.values().flat_map(keys) {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

fn tags(row: &Item) -> BTreeSet<(String, Vec<u8>)> {
    let kind = row.kind.as_bytes().to_vec();
    row.tags
        .iter()
        .map(|tag| (tag.clone(), kind.clone()))
        .collect()
}

fn image(model: &Model) -> Dump {
    let mut image = Dump::new();
    for row in model.values() {
        let row_id = [&nul(&row.shop)[..], &row.number.to_be_bytes()].concat();
        let columns = (&row.kind, &row.tags, row.price, &row.text);
        image.insert(
            raw_key("i", &[&row_id]),
            [vec![1], postcard::to_allocvec(&columns).unwrap()].concat(),
        );
        image.insert(raw_key("ik", &[&nul(&row.kind), &row_id]), vec![1]);
        let covered = postcard::to_allocvec(&(row.price, &row.kind)).unwrap();
        for tag in &row.tags {
            let covered = [&[1], &covered[..]].concat();
            image.insert(raw_key("il", &[&nul(tag), &row_id]), covered);
        }
    }
    let mut count = |ns: &str, key: Vec<u8>, count: u64| {
        let value = CompactUint64(count).encode(KeyRule::Delimited).unwrap();
        image.insert(raw_key(ns, &[&key]), value);
    };
    let one = |text: &String| BTreeSet::from([text.clone()]);
    for (kind, n) in tally(model, |row| one(&row.kind)) {
        count("iK", nul(&kind), n);
    }
    for (shop, n) in tally(model, |row| one(&row.shop)) {
        count("is", nul(&shop), n);
    }
    for ((tag, kind), n) in tally(model, tags) {
        // No kind has a NUL, so that escaping adds but the end.
        count("it", [nul(&tag), kind, vec![0, 1]].concat(), n);
    }
    if !model.is_empty() {
        count("in", vec![], model.len() as u64);
    }
    image
}

fn compare(store: &Store, model: &Model) -> Result<(), TestCaseError> {
    let all = model.len() as u64;
    prop_assert_eq!(ITEMS.counts(ALL_ITEMS).unwrap().count(store, &()), Ok(all));
    let page = ITEMS.get_paginated(store, &counted(0, 2)).unwrap();
    prop_assert_eq!(page.page.total, total(all));
    for shop in ["a", "ab", "b"].map(String::from) {
        let want = model.values().filter(|row| row.shop == shop).count() as u64;
        let counts = ITEMS.counts(PER_SHOP).unwrap();
        prop_assert_eq!(counts.count(store, &shop), Ok(want));
        let scan = ITEMS.prefix(&(shop.clone(),)).unwrap();
        prop_assert_eq!(scan.budget(1).count(store), Ok(want));
    }
    for kind in ["", "k", "kk"].map(String::from) {
        let want = model.values().filter(|row| row.kind == kind).count() as u64;
        let of_kind = ITEMS.by(BY_KIND).unwrap().key(&kind).unwrap();
        prop_assert_eq!(of_kind.count(store), Ok(want));
        let request = counted(0, 1);
        prop_assert_eq!(
            of_kind.page(store, &request).unwrap().page.total,
            total(want)
        );
    }
    let counters = ITEMS.counts(PER_TAG).unwrap().all();
    let counters = counters.iter(store, Ascending).read_all().unwrap();
    prop_assert_eq!(counters, tally(model, tags).into_iter().collect::<Vec<_>>());
    let kinds = ITEMS.counts(PER_KIND).unwrap().all().sum(store);
    prop_assert_eq!(kinds, Ok(all));
    let mut listed: Vec<_> = model
        .values()
        .flat_map(|row| {
            let tags: BTreeSet<_> = row.tags.iter().cloned().collect();
            tags.into_iter()
                .map(|tag| (tag, id(row), (row.price, row.kind.clone())))
        })
        .collect();
    listed.sort();
    listed.reverse();
    let found = ITEMS.by(LISTED).unwrap().all().columns();
    prop_assert_eq!(found.iter(store, Descending).read_all().unwrap(), listed);
    Ok(())
}

proptest! {
    #![proptest_config(cases(600))]
    #[test]
    fn counts_and_covered_columns_follow_the_rows(ops in proptest::collection::vec(op(), 1..16)) {
        let (mut store, mut model) = (Store::default(), Model::new());
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
