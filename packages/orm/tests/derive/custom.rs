//! Indexes of a contract's own: the examples, held to what they say.

use cosmwasm_std::{Order, Storage, testing::MockStorage};
use cw_orm::{IndexKind, Indexable, OrmError, PageRequest, Record};
use proptest::prelude::*;

use crate::dump;

#[allow(dead_code)]
#[path = "../../examples/gaps.rs"]
mod gaps;
#[allow(dead_code)]
#[path = "../../examples/latest.rs"]
mod latest;

use gaps::{Message, message};
use latest::{Price, latest_price};

fn price(feed: &str, amount: u64) -> Price {
    Price {
        id: 0,
        feed: feed.into(),
        amount,
    }
}

#[test]
fn facts() {
    let facts: Vec<_> = Price::INDEXES
        .iter()
        .map(|index| (index.id(), index.name(), index.namespace(), index.kind()))
        .collect();
    let latest = (
        2,
        "latest",
        Price::NAMESPACES[3],
        IndexKind::Custom("latest"),
    );
    assert_eq!(facts[1], latest);
    assert_eq!(
        Indexable::<Message>::namespace(&Message::CAME).name(),
        b"m\x01"
    );
}

#[test]
fn the_latest_rows_are_listed_and_paged() {
    let mut store = MockStorage::new();
    for (feed, amount) in [("b", 1), ("a", 2), ("b", 3), ("c", 4), ("a", 5)] {
        Price::TABLE
            .insert(&mut store, &mut price(feed, amount))
            .unwrap();
    }
    let feeds = || Price::TABLE.by(Price::LATEST).unwrap();
    let ids = feeds().all().ids(&store, Order::Ascending).read_all();
    assert_eq!(ids, Ok(vec![5, 3, 4]));
    let page = feeds()
        .get_paginated(&store, &PageRequest::first(2))
        .unwrap();
    assert_eq!(page.items.len(), 2);
    let rest = PageRequest::first(2).after(&page.page).unwrap();
    assert_eq!(
        feeds().get_paginated(&store, &rest).unwrap().items[0].amount,
        4
    );
    let b = feeds().key(&"b".into()).unwrap();
    assert_eq!(b.first(&store).unwrap().unwrap().amount, 3);
    let keys = feeds().all().index_keys().iter(&store, Order::Descending);
    assert_eq!(keys.first(), Ok(Some(("c".to_owned(), 4))));
    let error = Price::TABLE
        .insert(&mut store, &mut price("x\0", 1))
        .unwrap_err();
    assert!(matches!(error, OrmError::Index { .. }));
}

#[test]
fn gaps_are_found_and_close() {
    let mut store = MockStorage::new();
    for number in [0, 1, 3, 255, 256, 258, u64::MAX] {
        Message::TABLE
            .insert(&mut store, &message("a", number))
            .unwrap();
    }
    let missing = |store: &MockStorage, numbers, limit| {
        Message::CAME.missing(store, "a", numbers, limit).unwrap()
    };
    assert_eq!(missing(&store, 0..=3, 9), [2]);
    assert_eq!(missing(&store, 254..=259, 9), [254, 257, 259]);
    assert_eq!(missing(&store, 254..=259, 2), [254, 257]);
    assert_eq!(missing(&store, u64::MAX - 1..=u64::MAX, 9), [u64::MAX - 1]);
    Message::TABLE.insert(&mut store, &message("a", 2)).unwrap();
    assert_eq!(missing(&store, 0..=3, 9), Vec::<u64>::new());
    assert_eq!(Message::CAME.missing(&store, "b", 0..=1, 9), Ok(vec![0, 1]));
    for number in [0, 1, 2, 3, 255, 256, 258, u64::MAX] {
        Message::TABLE
            .delete(&mut store, &("a".into(), number))
            .unwrap();
    }
    assert!(dump(&store).is_empty());
}

#[test]
fn damaged_bits_are_a_named_error() {
    let mut store = MockStorage::new();
    Message::TABLE.insert(&mut store, &message("a", 1)).unwrap();
    let (key, _) = dump(&store)
        .into_iter()
        .find(|(key, _)| key.starts_with("00026d01"))
        .unwrap();
    store.set(&hex::decode(key).unwrap(), &[1]);
    let before = dump(&store);
    let error = Message::TABLE
        .insert(&mut store, &message("a", 2))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "table `messages`: index `came`: malformed bits 0 of `a`"
    );
    assert_eq!(dump(&store), before);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn latest_is_the_last_of_each_feed(ops in proptest::collection::vec((0_u8..4, 1_u64..8, "a|b"), 1..30)) {
        let mut store = MockStorage::new();
        for (op, id, feed) in ops {
            match op {
                0 | 1 => drop(Price::TABLE.insert(&mut store, &mut price(&feed, id)).unwrap()),
                2 => drop(Price::TABLE.delete(&mut store, id)),
                _ => drop(Price::TABLE.update(&mut store, Price { id, ..price(&feed, 0) })),
            }
            let rows = Price::TABLE.all().rows(&store, Order::Ascending).read_all().unwrap();
            for feed in ["a", "b"].map(String::from) {
                let last = rows.iter().rfind(|row| row.feed == feed).cloned();
                prop_assert_eq!(latest_price(&store, &feed).unwrap(), last);
            }
        }
        for id in Price::TABLE.all().ids(&store, Order::Ascending).read_all().unwrap() {
            Price::TABLE.delete(&mut store, id).unwrap();
        }
        prop_assert!(dump(&store).len() <= 1, "nothing but the sequence is left");
    }
}
