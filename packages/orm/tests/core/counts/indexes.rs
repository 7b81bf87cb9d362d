//! Counters, covering indexes, and lists that read no row.

use cosmwasm_std::Order::Ascending;
use cw_orm::Probe;

use super::{GET, NONE, PROBE, check, refused};
use crate::fixture::{
    ALL_ITEMS, BY_KIND, Counts, ITEMS, Item, LISTED, PER_KIND, PER_TAG, Store, counted, first, item,
};

/// An item with one entry in `by_kind`, a counter in each count, and two covering entries.
fn full(number: u32) -> Item {
    let tags = vec!["p".into(), "q".into()];
    Item {
        tags,
        ..item("a", number, "k")
    }
}

fn items(n: u32) -> Store {
    let mut store = Store::default();
    (0..n).for_each(|number| ITEMS.insert(&mut store, &full(number)).unwrap());
    store
}

/// The counters of a full item: of its kind, of all, of its shop, and of its two tags.
const COUNTERS: u32 = 5;

#[test]
fn insert_and_delete() {
    let mut store = Store::default();
    let probes = Counts {
        open: 1 + COUNTERS,
        next: 1 + COUNTERS,
        ..NONE
    };
    let insert = Counts {
        set: 1 + 1 + COUNTERS + 2,
        ..probes
    };
    check(&mut store, insert, |store| ITEMS.insert(store, &full(0)));
    check(&mut store, insert, |store| ITEMS.insert(store, &full(1)));
    refused(&mut store, PROBE, |store| ITEMS.insert(store, &full(1)));
    let counted = Counts {
        open: COUNTERS,
        next: COUNTERS,
        ..GET
    };
    let delete = Counts {
        set: COUNTERS,
        remove: 1 + 1 + 2,
        ..counted
    };
    check(&mut store, delete, |store| {
        ITEMS.delete(store, &("a".into(), 0))
    });
    let last = Counts {
        remove: 1 + 1 + 2 + COUNTERS,
        ..counted
    };
    check(&mut store, last, |store| {
        ITEMS.delete(store, &("a".into(), 1))
    });
    assert!(store.dump().is_empty());
}

#[test]
fn insert_by_plain_reads() {
    let mut store = Store::default();
    let items = ITEMS.with_probe(Probe::Get);
    let insert = Counts {
        get: 1 + COUNTERS,
        set: 1 + 1 + COUNTERS + 2,
        ..NONE
    };
    check(&mut store, insert, |store| items.insert(store, &full(0)));
}

#[test]
fn update_of_nothing_and_of_a_column_in_no_index() {
    let mut store = items(1);
    check(&mut store, GET, |store| ITEMS.update(store, full(0)));
    let text = Item {
        text: "new".into(),
        ..full(0)
    };
    check(&mut store, Counts { set: 1, ..GET }, |store| {
        ITEMS.update(store, text)
    });
}

#[test]
fn update_of_a_covered_column() {
    let mut store = items(1);
    let price = Item {
        price: 9,
        ..full(0)
    };
    check(&mut store, Counts { set: 1 + 2, ..GET }, |store| {
        ITEMS.update(store, price)
    });
}

#[test]
fn update_of_a_counted_column() {
    let mut store = items(2);
    // The kind: an entry moves, a counter of it and of each tag goes down and one up, both covering entries hold it.
    let kind = Item {
        kind: "l".into(),
        ..full(0)
    };
    let moved = Counts {
        open: 2 + 4,
        next: 2 + 4,
        set: 1 + 1 + 2 + 4 + 2,
        remove: 1,
        ..GET
    };
    check(&mut store, moved, |store| ITEMS.update(store, kind));
    // One tag: a counter and an entry each.
    let tag = Item {
        tags: vec!["p".into(), "r".into()],
        ..full(1)
    };
    let moved = Counts {
        open: 2,
        next: 2,
        set: 1 + 1 + 1,
        remove: 1 + 1,
        ..GET
    };
    check(&mut store, moved, |store| ITEMS.update(store, tag));
}

#[test]
fn counts_in_one_probe() {
    let mut store = items(40);
    check(&mut store, PROBE, |store| {
        ITEMS.counts(PER_KIND)?.count(store, &"k".into())
    });
    check(&mut store, PROBE, |store| {
        ITEMS.counts(ALL_ITEMS)?.count(store, &())
    });
    check(&mut store, PROBE, |store| ITEMS.all().count(store)).then_is(40);
    check(
        &mut store,
        Counts {
            open: 1,
            next: 3,
            ..NONE
        },
        |store| ITEMS.counts(PER_TAG)?.all().sum(store),
    )
    .then_is(80);
}

trait ThenIs {
    fn then_is(self, want: u64);
}

impl ThenIs for u64 {
    #[track_caller]
    fn then_is(self, want: u64) {
        assert_eq!(self, want);
    }
}

#[test]
fn a_counted_page_costs_one_probe_more() {
    let mut store = items(40);
    let page = Counts {
        open: 1 + 1,
        next: 4 + 1,
        ..NONE
    };
    check(&mut store, page, |store| {
        ITEMS.get_paginated(store, &counted(0, 3))
    });
    check(&mut store, page, |store| {
        ITEMS.all().page_ids(store, &counted(0, 3))
    });
    check(&mut store, Counts { get: 3, ..page }, |store| {
        ITEMS
            .by(BY_KIND)?
            .key(&"k".into())?
            .page(store, &counted(0, 3))
    });
}

#[test]
fn a_covered_page_reads_no_row() {
    let mut store = items(9);
    let page = Counts {
        open: 1,
        next: 4,
        ..NONE
    };
    let list = || ITEMS.by(LISTED)?.key(&"p".into());
    check(&mut store, page, |store| {
        list()?.columns().page(store, &first(3))
    });
    check(&mut store, page, |store| {
        list()?.index_keys().page(store, &first(3))
    });
    check(&mut store, page, |store| {
        list()?.only_ids().page(store, &first(3))
    });
    let all = Counts {
        open: 1,
        next: 10,
        ..NONE
    };
    check(&mut store, all, |store| {
        list()?.columns().iter(store, Ascending).read_all()
    });
    check(&mut store, Counts { get: 3, ..page }, |store| {
        list()?.page(store, &first(3))
    });
}
