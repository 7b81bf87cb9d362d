//! Covering indexes: lists that need no row, and entries that follow the columns they hold.

use cosmwasm_std::{Order::Ascending, Order::Descending, Storage};
use cw_orm::{IndexSet, OrmError};

use crate::fixture::{
    DOCS, Doc, HEADS, Head, ITEMS, Item, LISTED, NOTES, Note, Store, TITLES, counted, doc, first,
    item, last, note, nul, raw_key, total, walk,
};

fn listed(number: u32, price: u64, tags: &[&str]) -> Item {
    Item {
        price,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..item("a", number, "k")
    }
}

fn filled() -> Store {
    let mut store = Store::default();
    for row in [
        listed(1, 10, &["p", "q"]),
        listed(2, 20, &["p"]),
        listed(3, 30, &[]),
        listed(4, 40, &["pp", "q"]),
    ] {
        ITEMS.insert(&mut store, &row).unwrap();
    }
    store
}

type Entry = (String, (String, u32), (u64, String));

fn entry(tag: &str, number: u32, price: u64) -> Entry {
    (tag.into(), ("a".into(), number), (price, "k".into()))
}

fn all(store: &Store) -> Vec<Entry> {
    let list = ITEMS.by(LISTED).unwrap().all().columns();
    list.iter(store, Ascending).read_all().unwrap()
}

#[test]
fn entries_hold_key_primary_key_and_columns() {
    let store = filled();
    let want = [
        entry("p", 1, 10),
        entry("p", 2, 20),
        entry("pp", 4, 40),
        entry("q", 1, 10),
        entry("q", 4, 40),
    ];
    assert_eq!(all(&store), want);
    let list = ITEMS
        .by(LISTED)
        .unwrap()
        .key(&"q".into())
        .unwrap()
        .columns();
    let back: Vec<_> = list.iter(&store, Descending).read_all().unwrap();
    assert_eq!(back, [entry("q", 4, 40), entry("q", 1, 10)]);
    let range = ITEMS.by(LISTED).unwrap().range("pp".to_owned()..).unwrap();
    assert_eq!(range.columns().iter(&store, Ascending).count(), 3);
}

#[test]
fn entries_follow_the_columns_they_hold() {
    let mut store = filled();
    ITEMS
        .update(&mut store, listed(1, 11, &["q", "r"]))
        .unwrap();
    let want = [
        entry("p", 2, 20),
        entry("pp", 4, 40),
        entry("q", 1, 11),
        entry("q", 4, 40),
        entry("r", 1, 11),
    ];
    assert_eq!(all(&store), want);
    ITEMS.delete(&mut store, &("a".into(), 1)).unwrap();
    ITEMS.update(&mut store, listed(4, 41, &[])).unwrap();
    assert_eq!(all(&store), [entry("p", 2, 20)]);
}

#[test]
fn pages_in_both_directions() {
    let store = filled();
    let list = || ITEMS.by(LISTED).unwrap().all().columns();
    let forward = walk(&first(2), |request| list().page(&store, request));
    assert_eq!(forward, all(&store));
    let mut backward = walk(&last(2), |request| list().page(&store, request));
    backward.reverse();
    assert_eq!(backward, all(&store));
    let page = list().page(&store, &counted(1, 2)).unwrap();
    assert_eq!(
        (page.items, page.page.total),
        (all(&store)[1..3].to_vec(), total(5))
    );
}

#[test]
fn a_cursor_is_good_for_rows_and_entries_of_one_scan_alike() {
    let store = filled();
    let scan = || ITEMS.by(LISTED).unwrap().all();
    let page = scan().columns().page(&store, &first(2)).unwrap();
    let next = first(2).after(&page.page).unwrap();
    let rows = scan().page(&store, &next).unwrap();
    let numbers: Vec<_> = rows.items.iter().map(|row| row.number).collect();
    assert_eq!(numbers, [4, 1]);
    let other = ITEMS.by(LISTED).unwrap().key(&"q".into()).unwrap();
    assert_eq!(
        other.columns().page(&store, &next),
        Err(OrmError::ForeignCursor)
    );
}

#[test]
fn filters_of_entries_and_of_rows() {
    let mut store = filled();
    ITEMS
        .update(
            &mut store,
            Item {
                text: "long".into(),
                ..listed(2, 20, &["p"])
            },
        )
        .unwrap();
    let scan = || ITEMS.by(LISTED).unwrap().all();
    let dear = scan()
        .columns()
        .filter("dear", |(_, _, (price, _))| *price > 15);
    let found = dear.page(&store, &first(9)).unwrap();
    assert_eq!(
        found.items,
        [entry("p", 2, 20), entry("pp", 4, 40), entry("q", 4, 40)]
    );
    let plain = scan().columns().page(&store, &first(1)).unwrap();
    let next = first(1).after(&plain.page).unwrap();
    assert_eq!(dear.page(&store, &next), Err(OrmError::ForeignCursor));
    let long = scan().filter("long", |_, row| !row.text.is_empty());
    assert_eq!(
        long.columns().iter(&store, Ascending).read_all(),
        Ok(vec![entry("p", 2, 20)])
    );
}

#[test]
fn rows_are_found_too() {
    let store = filled();
    let view = ITEMS.by(LISTED).unwrap();
    assert!(view.has(&store, &"pp".into()).unwrap());
    let rows = view.key(&"q".into()).unwrap().rows(&store, Ascending);
    assert_eq!(rows.read_all().unwrap().len(), 2);
    let without = ITEMS.with_indexes(IndexSet::ALL.without(LISTED.id()));
    assert!(matches!(
        without.by(LISTED),
        Err(OrmError::IndexUnavailable {
            index: "listed",
            ..
        })
    ));
}

#[test]
fn of_an_auto_uint64_table_and_of_a_family() {
    let mut store = Store::default();
    NOTES.insert(&mut store, &mut note(3)).unwrap();
    NOTES
        .insert(
            &mut store,
            &mut Note {
                title: "x".into(),
                ..note(3)
            },
        )
        .unwrap();
    let list = NOTES.by(TITLES).unwrap().key(&3).unwrap().columns();
    let titles = list.iter(&store, Descending).read_all().unwrap();
    assert_eq!(titles, [(3, 2, "x".to_owned()), (3, 1, "t3".to_owned())]);

    DOCS.insert(&mut store, &doc(5, 1, "ann")).unwrap();
    DOCS.insert(
        &mut store,
        &Doc {
            head: None,
            ..doc(5, 2, "")
        },
    )
    .unwrap();
    let head = Head {
        author: "ann".into(),
        title: "new".into(),
    };
    DOCS.family::<Head>()
        .upsert(&mut store, &(5, 1), head)
        .unwrap();
    let list = DOCS.by::<Head, _>(HEADS).unwrap().all().columns();
    let found = list.iter(&store, Ascending).read_all().unwrap();
    assert_eq!(found, [("ann".to_owned(), (5, 1), (5, "new".to_owned()))]);
}

#[test]
fn damaged_entries_are_named_errors() {
    let at = raw_key("il", &[&nul("p"), &nul("a"), &1_u32.to_be_bytes()]);
    let read = |store: &Store| {
        let list = ITEMS
            .by(LISTED)
            .unwrap()
            .key(&"p".into())
            .unwrap()
            .columns();
        list.iter(store, Ascending).read_all()
    };
    let entry = hex::encode([nul("p"), nul("a"), vec![0, 0, 0, 1]].concat());
    for damaged in [&[1][..], &[1, 5], &[1, 10, 1, b'k', 0]] {
        let mut store = filled();
        store.set(&at, damaged);
        let malformed = OrmError::MalformedEntry {
            table: "items",
            index: "listed",
            entry: entry.clone(),
        };
        assert_eq!(read(&store), Err(malformed));
    }
    let mut store = filled();
    store.set(&at, &[2, 10, 1, b'k']);
    assert_eq!(
        read(&store).unwrap_err().to_string(),
        format!("table `items`: index `listed`: entry {entry}: row version 2, this code knows 1")
    );
    let mut store = filled();
    store.set(&raw_key("il", &[b"no end"]), &[1]);
    let list = ITEMS.by(LISTED).unwrap().all().columns();
    assert!(matches!(
        list.iter(&store, Ascending).read_all(),
        Err(OrmError::MalformedEntry {
            index: "listed",
            ..
        })
    ));
    let keys = ITEMS.by(LISTED).unwrap().all().index_keys();
    assert!(matches!(
        keys.iter(&store, Ascending).read_all(),
        Err(OrmError::MalformedEntry {
            index: "listed",
            ..
        })
    ));
}

#[test]
fn an_entry_of_an_older_version_is_rewritten_with_its_row() {
    let mut store = Store::default();
    NOTES.insert(&mut store, &mut note(3)).unwrap();
    let key = raw_key("nt", &[&[3], &1_u64.to_be_bytes()]);
    assert_eq!(store.get(&key).unwrap(), [4, 2, b't', b'3']);
    store.set(&key, &[3, 2, b't', b'3']);
    NOTES
        .update(
            &mut store,
            Note {
                id: 1,
                title: "y".into(),
                ..note(3)
            },
        )
        .unwrap();
    assert_eq!(store.get(&key).unwrap(), [4, 1, b'y']);
}
