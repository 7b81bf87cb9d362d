//! Bulk deletes of random rows in random steps, with other writes in between, against a plain map.

use std::collections::{BTreeMap, BTreeSet};

use cosmwasm_std::{Binary, Order::Ascending};
use cw_orm::{Deleted, Families};
use proptest::prelude::*;

use crate::{
    fixture::{
        BY_KIND, DOCS, Doc, HEADS, Head, ITEMS, Item, LISTED, NOTES, Note, Store, TITLES, Text,
        faults,
    },
    model::cases,
};

/// A table in a store, with a map beside it.
trait Subject {
    type Key: Clone + Ord + core::fmt::Debug;
    type Row: Clone + PartialEq + core::fmt::Debug;

    /// Writes a row, and says under which key; nothing if it is refused.
    fn put(store: &mut Store, row: &Self::Row) -> Option<(Self::Key, Self::Row)>;
    fn remove(store: &mut Store, key: &Self::Key);
    fn rows(store: &Store) -> BTreeMap<Self::Key, Self::Row>;
    fn assert_sound(store: &Store);

    /// Makes a step of the `way`-th kind of delete.
    fn step(store: &mut Store, way: u8, budget: u32, key: Option<&Binary>, limit: u32) -> Deleted;

    /// Says where a row stands in the list of that kind, and whether it is to go from there.
    fn places(way: u8, key: &Self::Key, row: &Self::Row) -> Vec<(String, bool)>;
}

#[derive(Clone, Debug)]
enum Op<R> {
    Put(R),
    /// Removes the row at this place of those there are.
    Remove(usize),
    Step(u32),
}

fn ops<R: Clone + core::fmt::Debug + 'static>(
    row: impl Strategy<Value = R> + Clone + 'static,
) -> impl Strategy<Value = (Vec<R>, Vec<Op<R>>, u8, u32)> {
    let op = prop_oneof![
        2 => row.clone().prop_map(Op::Put),
        1 => any::<usize>().prop_map(Op::Remove),
        4 => (1_u32..5).prop_map(Op::Step),
    ];
    (
        proptest::collection::vec(row, 0..20),
        proptest::collection::vec(op, 1..20),
        0_u8..6,
        1_u32..12,
    )
}

fn run<S: Subject>(
    rows: Vec<S::Row>,
    ops: Vec<Op<S::Row>>,
    way: u8,
    budget: u32,
) -> Result<(), TestCaseError> {
    let (mut store, mut model) = (Store::default(), BTreeMap::new());
    for row in &rows {
        model.extend(S::put(&mut store, row));
    }
    // Where the delete stands, as the store and as the model see it.
    let (mut key, mut place) = (None::<Binary>, None::<(String, S::Key)>);
    let (mut left, mut steps) = (ops.len(), ops);
    steps.extend(vec![Op::Step(3); 200]);
    let mut ended = false;
    for op in steps {
        match op {
            Op::Put(row) => model.extend(S::put(&mut store, &row)),
            Op::Remove(at) => {
                let Some(id) = model.keys().nth(at % model.len().max(1)).cloned() else {
                    continue;
                };
                S::remove(&mut store, &id);
                model.remove(&id);
            }
            Op::Step(limit) => {
                let list: BTreeSet<(String, S::Key, bool)> = model
                    .iter()
                    .flat_map(|(id, row)| {
                        let at = |(at, goes)| (at, id.clone(), goes);
                        S::places(way, id, row).into_iter().map(at)
                    })
                    .filter(|(at, id, _)| place.as_ref() < Some(&(at.clone(), id.clone())))
                    .collect();
                let (mut gone, mut passed, mut more) = (BTreeSet::new(), 0, false);
                for (at, id, goes) in list {
                    if gone.len() == limit as usize || passed == budget {
                        more = true;
                        break;
                    }
                    passed += 1;
                    if goes {
                        gone.insert(id.clone());
                    }
                    place = Some((at, id));
                }
                let done = S::step(&mut store, way, budget, key.as_ref(), limit);
                let told = (
                    done.rows as usize,
                    done.passed,
                    done.more,
                    done.stray_entries,
                );
                prop_assert_eq!(told, (gone.len(), passed, more, 0));
                model.retain(|id, _| !gone.contains(id));
                // A walk that has ended begins anew; one without a key always does.
                key = done.next_key;
                if key.is_none() {
                    place = None;
                }
                ended |= !more;
            }
        }
        S::assert_sound(&store);
        prop_assert_eq!(S::rows(&store), model.clone());
        left = left.saturating_sub(1);
        if ended && left == 0 {
            break;
        }
    }
    prop_assert!(ended, "the steps do not end");
    Ok(())
}

struct Items;

impl Subject for Items {
    type Key = (String, u32);
    type Row = Item;

    fn put(store: &mut Store, row: &Item) -> Option<(Self::Key, Item)> {
        ITEMS.upsert(store, row.clone()).unwrap();
        Some(((row.shop.clone(), row.number), row.clone()))
    }

    fn remove(store: &mut Store, key: &Self::Key) {
        ITEMS.delete(store, key).unwrap();
    }

    fn rows(store: &Store) -> BTreeMap<Self::Key, Item> {
        let rows = ITEMS.all().entries(store, Ascending);
        rows.collect::<Result<_, _>>().unwrap()
    }

    fn assert_sound(store: &Store) {
        assert_eq!(faults(|key| ITEMS.check(store, key, 1_000)), []);
    }

    fn step(store: &mut Store, way: u8, budget: u32, key: Option<&Binary>, limit: u32) -> Deleted {
        let dear = |_: &Self::Key, row: &Item| row.price > 1;
        let deleted = match way {
            0 => return ITEMS.clear(store, limit.min(budget)).unwrap(),
            1 => {
                return ITEMS
                    .delete_prefix(store, &("s".to_owned(),), limit.min(budget))
                    .unwrap();
            }
            2 => ITEMS.delete_where(
                store,
                &ITEMS.all().filter("dear", dear).budget(budget),
                key,
                limit,
            ),
            3 => {
                let kind = ITEMS.by(BY_KIND).unwrap().key(&"k".into()).unwrap();
                ITEMS.delete_where(store, &kind.budget(budget), key, limit)
            }
            4 => {
                let tags = ITEMS.by(LISTED).unwrap().all().filter("dear", dear);
                ITEMS.delete_where(store, &tags.budget(budget), key, limit)
            }
            _ => {
                let tags = ITEMS.by(LISTED).unwrap().range("y".to_owned()..).unwrap();
                ITEMS.delete_where(store, &tags.budget(budget), key, limit)
            }
        };
        deleted.unwrap()
    }

    fn places(way: u8, key: &Self::Key, row: &Item) -> Vec<(String, bool)> {
        let tags = row.tags.iter().collect::<BTreeSet<_>>().into_iter();
        match way {
            0 => vec![(String::new(), true)],
            1 if key.0 == "s" => vec![(String::new(), true)],
            2 => vec![(String::new(), row.price > 1)],
            3 if row.kind == "k" => vec![(String::new(), true)],
            4 => tags.map(|tag| (tag.clone(), row.price > 1)).collect(),
            5 => tags
                .filter(|tag| tag.as_str() >= "y")
                .map(|tag| (tag.clone(), true))
                .collect(),
            _ => vec![],
        }
    }
}

fn an_item() -> impl Strategy<Value = Item> + Clone {
    let tags = proptest::collection::vec("x|y|z", 0..4);
    ("s|t", 0_u32..6, "k|l", tags, 0_u64..4).prop_map(|(shop, number, kind, tags, price)| Item {
        shop,
        number,
        kind,
        tags,
        price,
        text: String::new(),
    })
}

struct Notes;

impl Subject for Notes {
    type Key = u64;
    type Row = Note;

    fn put(store: &mut Store, row: &Note) -> Option<(u64, Note)> {
        let mut row = row.clone();
        let id = NOTES.insert(store, &mut row).unwrap();
        Some((id, row))
    }

    fn remove(store: &mut Store, key: &u64) {
        NOTES.delete(store, *key).unwrap();
    }

    fn rows(store: &Store) -> BTreeMap<u64, Note> {
        let rows = NOTES.all().entries(store, Ascending);
        rows.collect::<Result<_, _>>().unwrap()
    }

    fn assert_sound(store: &Store) {
        assert_eq!(faults(|key| NOTES.check(store, key, 1_000)), []);
    }

    fn step(store: &mut Store, way: u8, budget: u32, key: Option<&Binary>, limit: u32) -> Deleted {
        let old = NOTES.range(..5_u64).unwrap().budget(budget);
        let topic = NOTES.by(TITLES).unwrap().key(&1).unwrap().budget(budget);
        let deleted = match way % 3 {
            0 => return NOTES.clear(store, limit.min(budget)).unwrap(),
            1 => NOTES.delete_where(store, &old, key, limit),
            _ => NOTES.delete_where(
                store,
                &topic.filter("t", |_, row| row.title == "t"),
                key,
                limit,
            ),
        };
        deleted.unwrap()
    }

    fn places(way: u8, key: &u64, row: &Note) -> Vec<(String, bool)> {
        match way % 3 {
            0 => vec![(String::new(), true)],
            1 if *key < 5 => vec![(String::new(), true)],
            2 if row.topic == 1 => vec![(String::new(), row.title == "t")],
            _ => vec![],
        }
    }
}

fn a_note() -> impl Strategy<Value = Note> + Clone {
    (0_u8..3, "t|u").prop_map(|(topic, title)| Note {
        id: 0,
        topic,
        title,
        text: String::new(),
    })
}

struct Docs;

impl Subject for Docs {
    type Key = (u16, u64);
    type Row = Doc;

    fn put(store: &mut Store, row: &Doc) -> Option<(Self::Key, Doc)> {
        DOCS.upsert(store, row).ok()?;
        Some(((row.shelf, row.number), row.clone()))
    }

    fn remove(store: &mut Store, key: &Self::Key) {
        DOCS.delete(store, key).unwrap();
    }

    fn rows(store: &Store) -> BTreeMap<Self::Key, Doc> {
        let rows = DOCS.all(Families::ALL).rows(store, Ascending);
        let keyed = |row: Doc| ((row.shelf, row.number), row);
        rows.map(|row| keyed(row.unwrap())).collect()
    }

    fn assert_sound(store: &Store) {
        assert_eq!(faults(|key| DOCS.check(store, key, 1_000)), []);
    }

    fn step(store: &mut Store, way: u8, budget: u32, key: Option<&Binary>, limit: u32) -> Deleted {
        let texts = DOCS.all(Families::at(1)).budget(budget);
        let bare = DOCS.all(Families::ALL).budget(budget);
        let bare = bare.filter("bare", |row| row.text.is_none());
        let heads = DOCS.by::<Head, _>(HEADS).unwrap().key(&"a".into()).unwrap();
        let deleted = match way {
            0 => return DOCS.clear(store, limit.min(budget)).unwrap(),
            1 => return DOCS.delete_prefix(store, &(1,), limit.min(budget)).unwrap(),
            2 => DOCS.delete_where(store, &texts, key, limit),
            3 => DOCS.delete_where(store, &bare, key, limit),
            4 => DOCS.delete_where_member(store, &heads.budget(budget), key, limit),
            _ => {
                let texts = DOCS.family::<Text>().prefix(&(2,)).unwrap();
                DOCS.delete_where_member(store, &texts.budget(budget), key, limit)
            }
        };
        deleted.unwrap()
    }

    fn places(way: u8, key: &Self::Key, row: &Doc) -> Vec<(String, bool)> {
        let at = |listed: bool, goes| {
            if listed {
                vec![(String::new(), goes)]
            } else {
                vec![]
            }
        };
        match way {
            0 => at(true, true),
            1 => at(key.0 == 1, true),
            2 => at(row.text.is_some(), true),
            3 => at(true, row.text.is_none()),
            4 => at(
                row.head.as_ref().is_some_and(|head| head.author == "a"),
                true,
            ),
            _ => at(key.0 == 2 && row.text.is_some(), true),
        }
    }
}

fn a_doc() -> impl Strategy<Value = Doc> + Clone {
    use proptest::option::of;
    let head = ("a|b", "t|u").prop_map(|(author, title)| Head { author, title });
    let text = "x|y".prop_map(|text| Text { text });
    (1_u16..3, 0_u64..6, of(head), of(text)).prop_map(|(shelf, number, head, text)| Doc {
        shelf,
        number,
        head,
        text,
    })
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn steps_delete_just_what_is_to_go_from_a_table((rows, ops, way, budget) in ops(an_item())) {
        run::<Items>(rows, ops, way, budget)?;
    }

    #[test]
    fn steps_delete_just_what_is_to_go_from_a_table_that_gives_ids((rows, ops, way, budget) in ops(a_note())) {
        run::<Notes>(rows, ops, way, budget)?;
    }

    #[test]
    fn steps_delete_just_what_is_to_go_from_a_table_of_families((rows, ops, way, budget) in ops(a_doc())) {
        run::<Docs>(rows, ops, way, budget)?;
    }
}
