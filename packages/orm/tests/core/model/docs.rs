//! The same over column families.

use std::collections::BTreeMap;

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{Families, OrmError};
use proptest::prelude::*;

use super::{Outcome, cases, outcome};
use crate::fixture::{
    ALL_HEADS, DOCS, Doc, Dump, HEADS, Head, PER_AUTHOR, PER_SHELF, Store, Text, nul, raw_key,
};

type Key = (u16, u64);
type Model = BTreeMap<Key, (Option<Head>, Option<Text>)>;

#[derive(Clone, Debug)]
enum Op {
    Insert(Doc),
    Upsert(Doc),
    Delete(Key),
    UpsertHead(Key, Head),
    ModifyHead(Key, Head),
    DeleteHead(Key),
    InsertText(Key, Text),
}

fn key() -> impl Strategy<Value = Key> {
    (1_u16..3, 0_u64..3)
}

fn head() -> impl Strategy<Value = Head> {
    ("a|b", "|t").prop_map(|(author, title)| Head { author, title })
}

fn text() -> impl Strategy<Value = Text> {
    "|x".prop_map(|text| Text { text })
}

fn row() -> impl Strategy<Value = Doc> {
    use proptest::option::of;
    (key(), of(head()), of(text())).prop_map(|((shelf, number), head, text)| Doc {
        shelf,
        number,
        head,
        text,
    })
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => row().prop_map(Op::Insert),
        3 => row().prop_map(Op::Upsert),
        2 => key().prop_map(Op::Delete),
        2 => (key(), head()).prop_map(|(key, head)| Op::UpsertHead(key, head)),
        2 => (key(), head()).prop_map(|(key, head)| Op::ModifyHead(key, head)),
        2 => key().prop_map(Op::DeleteHead),
        2 => (key(), text()).prop_map(|(key, text)| Op::InsertText(key, text)),
    ]
}

fn expect(model: &mut Model, op: &Op) -> Outcome<()> {
    let held = |model: &Model, key: &Key| model.get(key).cloned().unwrap_or_default();
    match op.clone() {
        Op::Insert(row) | Op::Upsert(row) => {
            let key = (row.shelf, row.number);
            if matches!(op, Op::Insert(_)) && model.contains_key(&key) {
                return Outcome::Exists;
            }
            if row.head.is_none() && row.text.is_none() {
                return Outcome::Invalid;
            }
            model.insert(key, (row.head, row.text));
        }
        Op::Delete(key) => {
            if model.remove(&key).is_none() {
                return Outcome::Missing;
            }
        }
        Op::UpsertHead(key, head) => {
            let (_, text) = held(model, &key);
            model.insert(key, (Some(head), text));
        }
        Op::ModifyHead(key, head) => {
            let (old, text) = held(model, &key);
            if old.is_none() {
                return Outcome::Missing;
            }
            model.insert(key, (Some(head), text));
        }
        Op::DeleteHead(key) => {
            let (old, text) = held(model, &key);
            if old.is_none() {
                return Outcome::Missing;
            }
            match text {
                Some(text) => drop(model.insert(key, (None, Some(text)))),
                None => drop(model.remove(&key)),
            }
        }
        Op::InsertText(key, text) => {
            let (head, old) = held(model, &key);
            if old.is_some() {
                return Outcome::Exists;
            }
            model.insert(key, (head, Some(text)));
        }
    }
    Outcome::Done(())
}

fn run(store: &mut Store, op: Op) -> Outcome<()> {
    let heads = DOCS.family::<Head>();
    outcome(match op {
        Op::Insert(row) => DOCS.insert(store, &row),
        Op::Upsert(row) => DOCS.upsert(store, &row).map(drop),
        Op::Delete(key) => DOCS.delete(store, &key).map(drop),
        Op::UpsertHead(key, head) => heads.upsert(store, &key, head).map(drop),
        Op::ModifyHead(key, head) => heads
            .modify(store, &key, |_| Ok::<_, OrmError>(head))
            .map(drop),
        Op::DeleteHead(key) => heads.delete(store, &key).map(drop),
        Op::InsertText(key, text) => DOCS.family::<Text>().insert(store, &key, &text),
    })
}

fn image(model: &Model) -> Dump {
    let mut image = Dump::new();
    let mut counts: BTreeMap<Vec<u8>, u8> = BTreeMap::new();
    for (key, (head, text)) in model {
        let id = [&key.0.to_be_bytes()[..], &key.1.to_be_bytes()].concat();
        let versioned = |bytes: Vec<u8>| [vec![1], bytes].concat();
        if let Some(head) = head {
            let columns = postcard::to_allocvec(head).unwrap();
            image.insert(raw_key("dh", &[&id]), versioned(columns));
            let covered = postcard::to_allocvec(&(key.0, &head.title)).unwrap();
            let entry = raw_key("da", &[&nul(&head.author), &id]);
            image.insert(entry, versioned(covered));
            *counts
                .entry(raw_key("dA", &[&nul(&head.author)]))
                .or_default() += 1;
            *counts.entry(raw_key("dn", &[])).or_default() += 1;
        }
        if let Some(text) = text {
            let columns = postcard::to_allocvec(text).unwrap();
            image.insert(raw_key("dt", &[&id]), versioned(columns));
            *counts
                .entry(raw_key("ds", &[&key.0.to_be_bytes()]))
                .or_default() += 1;
        }
    }
    image.extend(counts.into_iter().map(|(key, count)| (key, vec![count])));
    image
}

fn compare(store: &Store, model: &Model) -> Result<(), TestCaseError> {
    let heads = || {
        model
            .iter()
            .filter_map(|(key, (head, _))| Some((key, head.as_ref()?)))
    };
    let all = heads().count() as u64;
    let counts = DOCS.counts::<Head, _>(ALL_HEADS).unwrap();
    prop_assert_eq!(counts.count(store, &()), Ok(all));
    prop_assert_eq!(DOCS.family::<Head>().all().budget(1).count(store), Ok(all));
    for author in ["a", "b"].map(String::from) {
        let want: Vec<_> = heads()
            .filter(|(_, head)| head.author == author)
            .map(|(key, head)| (author.clone(), *key, (key.0, head.title.clone())))
            .collect();
        let found = DOCS.by::<Head, _>(HEADS).unwrap().key(&author).unwrap();
        let found = found.columns().iter(store, Ascending).read_all().unwrap();
        prop_assert_eq!(&found, &want);
        let counts = DOCS.counts::<Head, _>(PER_AUTHOR).unwrap();
        prop_assert_eq!(counts.count(store, &author), Ok(want.len() as u64));
    }
    for shelf in 1..3_u16 {
        let texts = model
            .iter()
            .filter(|(key, (_, text))| key.0 == shelf && text.is_some());
        let counts = DOCS.counts::<Text, _>(PER_SHELF).unwrap();
        prop_assert_eq!(counts.count(store, &shelf), Ok(texts.count() as u64));
        let rows: Vec<Key> = model.keys().filter(|key| key.0 == shelf).copied().collect();
        let bounds = (shelf,)..=(shelf,);
        let ids = |rows: Vec<Doc>| -> Vec<Key> {
            rows.iter().map(|row| (row.shelf, row.number)).collect()
        };
        let scan = DOCS
            .prefix_scan(store, bounds.clone(), Families::ALL)
            .unwrap();
        prop_assert_eq!(&ids(scan.read_all().unwrap()), &rows);
        let scan = DOCS
            .reverse_prefix_scan(store, bounds, Families::ALL)
            .unwrap();
        let mut found = ids(scan.read_all().unwrap());
        found.reverse();
        prop_assert_eq!(&found, &rows);
    }
    let all = DOCS.all(Families::ALL).ids(store, Descending).count();
    prop_assert_eq!(all, model.len());
    Ok(())
}

proptest! {
    #![proptest_config(cases(600))]
    #[test]
    fn counts_and_covered_columns_follow_families(ops in proptest::collection::vec(op(), 1..16)) {
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
