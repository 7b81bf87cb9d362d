//! Counters: what they say, whom they tell, and what damage does.

use cosmwasm_std::{Order::Ascending, Order::Descending, Storage};
use cw_orm::{IndexKind, IndexSet, Indexable, OrmError, PageRequest, Probe};

use crate::fixture::{
    ALL_HEADS, ALL_ITEMS, ALL_NOTES, BY_KIND, DOCS, Doc, HEADS, Head, ITEMS, Item, LISTED, NOTES,
    Note, PER_AUTHOR, PER_KIND, PER_SHELF, PER_SHOP, PER_TAG, PER_TOPIC, Store, TITLES, Text,
    counted, doc, first, item, note, nul, raw_key, total,
};

fn tagged(number: u32, kind: &str, tags: &[&str]) -> Item {
    Item {
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..item("a", number, kind)
    }
}

fn filled() -> Store {
    let mut store = Store::default();
    for row in [
        tagged(1, "x", &["p", "q"]),
        tagged(2, "x", &["p", "p"]),
        tagged(3, "y", &[]),
        item("ab", 1, "x"),
    ] {
        ITEMS.insert(&mut store, &row).unwrap();
    }
    store
}

fn kinds(store: &Store) -> Vec<(String, u64)> {
    let counts = ITEMS.counts(PER_KIND).unwrap();
    counts.all().iter(store, Ascending).read_all().unwrap()
}

fn named(counts: &[(&str, u64)]) -> Vec<(String, u64)> {
    counts
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect()
}

#[test]
fn counts_follow_rows() {
    let mut store = filled();
    let count = |store: &Store, kind: &str| {
        let counts = ITEMS.counts(PER_KIND).unwrap();
        counts.count(store, &kind.to_owned()).unwrap()
    };
    assert_eq!(
        (count(&store, "x"), count(&store, "y"), count(&store, "z")),
        (3, 1, 0)
    );
    ITEMS.update(&mut store, tagged(3, "x", &[])).unwrap();
    assert_eq!(
        kinds(&store),
        named(&[("x", 4)]),
        "a counter of 0 is removed"
    );
    ITEMS.delete(&mut store, &("a".into(), 1)).unwrap();
    ITEMS.upsert(&mut store, tagged(9, "z", &[])).unwrap();
    assert_eq!(kinds(&store), named(&[("x", 3), ("z", 1)]));
    let total = ITEMS.counts(ALL_ITEMS).unwrap();
    assert_eq!(total.count(&store, &()), Ok(4));
}

#[test]
fn a_row_counts_once_under_each_of_its_keys() {
    let mut store = filled();
    let counts = ITEMS.counts(PER_TAG).unwrap();
    let of = |tag: &str, kind: &str| (tag.to_owned(), kind.as_bytes().to_vec());
    assert_eq!(counts.count(&store, &of("p", "x")), Ok(2));
    assert_eq!(counts.count(&store, &of("q", "x")), Ok(1));
    ITEMS
        .update(&mut store, tagged(1, "xx", &["q", "p", "q"]))
        .unwrap();
    let all = counts.all().iter(&store, Descending).read_all().unwrap();
    assert_eq!(
        all,
        [(of("q", "xx"), 1), (of("p", "xx"), 1), (of("p", "x"), 1)]
    );
}

#[test]
fn deleting_every_row_leaves_no_counter() {
    let mut store = filled();
    for id in ITEMS.all().ids(&store, Ascending).read_all().unwrap() {
        ITEMS.delete(&mut store, &id).unwrap();
    }
    assert!(store.dump().is_empty());
}

#[test]
fn counters_are_listed_summed_and_paged() {
    let store = filled();
    let counts = ITEMS.counts(PER_TAG).unwrap();
    let of_p = counts.prefix(&("p".to_owned(),)).unwrap();
    assert_eq!(of_p.sum(&store), Ok(2));
    assert_eq!(counts.all().sum(&store), Ok(3));
    assert_eq!(
        counts.all().budget(1).sum(&store),
        Err(OrmError::ScanBudget {
            what: "sum",
            budget: 1
        })
    );
    assert_eq!(counts.all().budget(2).sum(&store), Ok(3));
    let from_q = counts.range(("q".to_owned(),)..).unwrap();
    assert_eq!(from_q.iter(&store, Ascending).count(), 1);
    let request = counted(0, 1);
    let page = counts.all().page(&store, &request).unwrap();
    assert_eq!((page.items.len(), page.page.total), (1, total(2)));
    let rest = request.after(&page.page).unwrap();
    let rest = counts.all().page(&store, &rest).unwrap();
    assert_eq!(
        (rest.items[0].0.0.as_str(), rest.page.next_key),
        ("q", None)
    );
    let over = counts.all().list().filter("two", |(_, count)| *count == 2);
    assert_eq!(over.page(&store, &first(5)).unwrap().items.len(), 1);
}

#[test]
fn totals_of_pages_come_from_counters() {
    let store = filled();
    let request = counted(0, 1);
    let of = |page: cw_orm::Page<Item>| page.page.total.unwrap().u64();
    assert_eq!(of(ITEMS.get_paginated(&store, &request).unwrap()), 4);
    let shop = ITEMS.prefix(&("a".to_owned(),)).unwrap();
    assert_eq!(of(shop.page(&store, &request).unwrap()), 3);
    assert_eq!(shop.count(&store), Ok(3));
    let kind = ITEMS.by(BY_KIND).unwrap().key(&"x".into()).unwrap();
    assert_eq!(of(kind.page(&store, &request).unwrap()), 3);
    let absent = ITEMS.by(BY_KIND).unwrap().key(&"w".into()).unwrap();
    assert_eq!(of(absent.page(&store, &request).unwrap()), 0);
    // A budget of one row suffices where nothing is passed.
    assert_eq!(of(ITEMS.all().budget(1).page(&store, &request).unwrap()), 4);
    let ids = ITEMS.all().budget(1).page_ids(&store, &request).unwrap();
    assert_eq!(ids.page.total, total(4));
    assert_eq!(ITEMS.all().budget(1).count(&store), Ok(4));
}

#[test]
fn a_total_is_told_once_and_with_every_limit() {
    let store = filled();
    let page = ITEMS.get_paginated(&store, &counted(0, 2)).unwrap();
    let next = PageRequest {
        count_total: true,
        ..counted(0, 2).after(&page.page).unwrap()
    };
    let rest = ITEMS.get_paginated(&store, &next).unwrap();
    assert_eq!((page.page.total, rest.page.total), (total(4), None));
    assert_eq!((rest.items.len(), rest.page.next_key), (2, None));
    for limit in 3..6 {
        let page = ITEMS.get_paginated(&store, &counted(0, limit)).unwrap();
        assert_eq!(page.page.total, total(4));
        assert_eq!(page.page.next_key.is_some(), limit < 4);
    }
    let page = ITEMS.get_paginated(&store, &counted(3, 2)).unwrap();
    assert_eq!(
        (page.items.len(), page.page),
        (
            1,
            cw_orm::PageResponse {
                next_key: None,
                total: total(4)
            }
        )
    );
    let plain = ITEMS.get_paginated(&store, &first(2)).unwrap();
    assert_eq!(plain.page.total, None);
}

#[test]
fn other_lists_are_counted_by_passing_them() {
    let store = filled();
    let request = counted(0, 1);
    let spent = Err(OrmError::ScanBudget {
        what: "total",
        budget: 1,
    });
    let filtered = || ITEMS.all().filter("x", |_, row| row.kind == "x");
    assert_eq!(
        filtered().page(&store, &request).unwrap().page.total,
        total(3)
    );
    assert_eq!(filtered().count(&store), Ok(3));
    assert_eq!(filtered().budget(1).page(&store, &request), spent);
    let range = || ITEMS.range(..("ab".to_owned(),)).unwrap();
    assert_eq!(range().page(&store, &request).unwrap().page.total, total(3));
    assert_eq!(range().budget(1).page(&store, &request), spent);
    let one = ITEMS.prefix(&("a".to_owned(), 1)).unwrap();
    assert_eq!(one.page(&store, &request).unwrap().page.total, total(1));
    let begun = ITEMS.prefix(&(cw_orm::TextPrefix("a"),)).unwrap();
    assert_eq!(begun.page(&store, &request).unwrap().page.total, total(4));
    let whole = ITEMS.by(BY_KIND).unwrap().all();
    assert_eq!(whole.page(&store, &request).unwrap().page.total, total(4));
    let listed = ITEMS.by(LISTED).unwrap().key(&"p".into()).unwrap();
    assert_eq!(listed.page(&store, &request).unwrap().page.total, total(2));
}

#[test]
fn counters_that_a_handle_does_not_keep_are_not_asked() {
    let mut store = Store::default();
    let items = ITEMS.with_indexes(IndexSet::ALL.without(ALL_ITEMS.id()).without(PER_KIND.id()));
    (0..3).for_each(|n| items.insert(&mut store, &item("a", n, "x")).unwrap());
    let unavailable = |index| OrmError::IndexUnavailable {
        table: "items",
        index,
    };
    assert_eq!(items.counts(ALL_ITEMS).unwrap_err(), unavailable("total"));
    assert_eq!(items.counts(PER_KIND).unwrap_err(), unavailable("per_kind"));
    let page = items.get_paginated(&store, &counted(0, 1)).unwrap();
    assert_eq!(page.page.total, total(3));
    let of_kind = items.by(BY_KIND).unwrap().key(&"x".into()).unwrap();
    assert_eq!(of_kind.count(&store), Ok(3));
    assert_eq!(
        of_kind.budget(2).count(&store),
        Err(OrmError::ScanBudget {
            what: "total",
            budget: 2
        })
    );
    // The handle that keeps them believes them.
    assert_eq!(ITEMS.counts(ALL_ITEMS).unwrap().count(&store, &()), Ok(0));
}

#[test]
fn damaged_counters_are_named_errors() {
    let key = raw_key("iK", &[&nul("x")]);
    let entry = hex::encode(nul("x"));
    let malformed = OrmError::MalformedEntry {
        table: "items",
        index: "per_kind",
        entry,
    };
    for damaged in [&[0][..], &[0xf8], &[0xf8, 1], &[1, 0], &[0xff; 10]] {
        let mut store = filled();
        store.set(&key, damaged);
        let before = store.dump();
        let counts = ITEMS.counts(PER_KIND).unwrap();
        assert_eq!(counts.count(&store, &"x".into()), Err(malformed.clone()));
        assert_eq!(counts.all().sum(&store), Err(malformed.clone()));
        let of_kind = ITEMS.by(BY_KIND).unwrap().key(&"x".into()).unwrap();
        assert_eq!(of_kind.page(&store, &counted(0, 1)), Err(malformed.clone()));
        assert!(of_kind.page(&store, &first(1)).is_ok(), "not asked for");
        assert_eq!(
            ITEMS.insert(&mut store, &item("b", 1, "x")),
            Err(malformed.clone())
        );
        assert_eq!(
            ITEMS.delete(&mut store, &("a".into(), 1)),
            Err(malformed.clone())
        );
        assert_eq!(store.dump(), before, "an error has written nothing");
    }
    let mut store = filled();
    store.set(&raw_key("iK", &[b"no end"]), &[1]);
    let counts = ITEMS.counts(PER_KIND).unwrap();
    assert!(matches!(
        counts.all().iter(&store, Ascending).read_all(),
        Err(OrmError::MalformedEntry {
            index: "per_kind",
            ..
        })
    ));
}

#[test]
fn a_counter_neither_wraps_nor_falls_below_zero() {
    let mut store = filled();
    let key = raw_key("iK", &[&nul("x")]);
    store.set(&key, &[0xff; 9]);
    let before = store.dump();
    let error = ITEMS.insert(&mut store, &item("b", 1, "x")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table `items`: index `per_kind`: counter 7800 can count no further"
    );
    store.remove(&key);
    let error = ITEMS.delete(&mut store, &("a".into(), 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table `items`: index `per_kind`: counter 7800 counts fewer rows than there are"
    );
    store.set(&key, &[0xff; 9]);
    assert_eq!(store.dump(), before);
    ITEMS.delete(&mut store, &("a".into(), 1)).unwrap();
    assert_eq!(kinds(&store)[0].1, u64::MAX - 1);
}

#[test]
fn a_key_that_cannot_be_encoded_is_refused() {
    let mut store = filled();
    let before = store.dump();
    let counts = ITEMS.counts(PER_KIND).unwrap();
    let bad = "x\0".to_owned();
    assert!(matches!(
        counts.count(&store, &bad),
        Err(OrmError::Index {
            index: "per_kind",
            ..
        })
    ));
    assert!(matches!(
        counts.prefix(&bad),
        Err(OrmError::Index {
            index: "per_kind",
            ..
        })
    ));
    assert!(matches!(counts.range(bad..), Err(OrmError::Key { .. })));
    assert!(matches!(
        counts.range("b".to_owned().."a".to_owned()),
        Err(OrmError::InvertedBounds { .. })
    ));
    let error = ITEMS
        .insert(&mut store, &tagged(9, "x", &["t\0"]))
        .unwrap_err();
    assert!(
        matches!(
            error,
            OrmError::Index {
                index: "per_tag",
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(store.dump(), before);
}

#[test]
fn counters_of_an_auto_uint64_table() {
    let mut store = Store::default();
    for topic in [1, 2, 1] {
        NOTES.insert(&mut store, &mut note(topic)).unwrap();
    }
    let bad = NOTES.insert(
        &mut store,
        &mut Note {
            text: "bad".into(),
            ..note(1)
        },
    );
    assert!(matches!(bad, Err(OrmError::Invalid { .. })));
    assert_eq!(NOTES.counts(ALL_NOTES).unwrap().count(&store, &()), Ok(3));
    NOTES.update(&mut store, Note { id: 2, ..note(1) }).unwrap();
    let counts = NOTES.counts(PER_TOPIC).unwrap();
    assert_eq!(
        (counts.count(&store, &1), counts.count(&store, &2)),
        (Ok(3), Ok(0))
    );
    let listed = NOTES.by(TITLES).unwrap().key(&1).unwrap();
    let page = listed.columns().page(&store, &counted(0, 1)).unwrap();
    assert_eq!(page.page.total, total(3));
}

#[test]
fn counters_of_a_family() {
    let mut store = Store::default();
    for n in 0..3 {
        DOCS.insert(&mut store, &doc(1, n, "ann")).unwrap();
    }
    let rest = Doc {
        head: None,
        ..doc(1, 3, "")
    };
    DOCS.insert(&mut store, &rest).unwrap();
    let heads = DOCS.counts::<Head, _>(ALL_HEADS).unwrap();
    let shelves = DOCS.counts::<Text, _>(PER_SHELF).unwrap();
    assert_eq!(
        (heads.count(&store, &()), shelves.count(&store, &1)),
        (Ok(3), Ok(4))
    );
    DOCS.family::<Head>().delete(&mut store, &(1, 0)).unwrap();
    DOCS.delete(&mut store, &(1, 1)).unwrap();
    assert_eq!(
        (heads.count(&store, &()), shelves.count(&store, &1)),
        (Ok(1), Ok(3))
    );
    let authors = DOCS.counts::<Head, _>(PER_AUTHOR).unwrap();
    assert_eq!(authors.count(&store, &"ann".into()), Ok(1));
    let shelf = DOCS.family::<Text>().prefix(&(1_u16,)).unwrap();
    assert_eq!(shelf.budget(1).count(&store), Ok(3));
    assert_eq!(DOCS.family::<Head>().all().budget(1).count(&store), Ok(1));
    let ann = DOCS
        .by::<Head, _>(HEADS)
        .unwrap()
        .key(&"ann".into())
        .unwrap();
    assert_eq!(ann.budget(1).count(&store), Ok(1));
}

#[test]
fn plain_reads_count_alike() {
    let mut store = Store::default();
    let items = ITEMS.with_probe(Probe::Get);
    items.insert(&mut store, &item("a", 1, "x")).unwrap();
    items.insert(&mut store, &item("a", 2, "x")).unwrap();
    items.delete(&mut store, &("a".into(), 1)).unwrap();
    assert_eq!(kinds(&store), named(&[("x", 1)]));
    assert_eq!(
        items.counts(PER_SHOP).unwrap().count(&store, &"a".into()),
        Ok(1)
    );
}

#[test]
fn facts_for_descriptors() {
    let facts = |index: &dyn Indexable<Item>| {
        (
            index.id(),
            index.name(),
            index.namespace().name(),
            index.kind(),
        )
    };
    assert_eq!(
        facts(&PER_KIND),
        (2, "per_kind", &b"iK"[..], IndexKind::Count)
    );
    assert_eq!(
        facts(&LISTED),
        (6, "listed", &b"il"[..], IndexKind::Covering)
    );
    assert_eq!((PER_KIND.id(), LISTED.id()), (2, 6));
}
