//! Tracked indexes: a probe for the state in each write and each read, and nothing else.

use cosmwasm_std::Order::Ascending;

use super::{GET, NONE, PROBE, check, refused};
use crate::{
    backfill::{BY_CODE, BY_GROUP, BY_TAG, GROUP_SIZE, ITEMS, Item, item},
    fixture::{Counts, Store, first},
};

/// The four states that a write of an item looks at.
const STATES: Counts = Counts {
    open: 4,
    next: 4,
    ..NONE
};

fn and(a: Counts, b: Counts) -> Counts {
    Counts {
        get: a.get + b.get,
        set: a.set + b.set,
        remove: a.remove + b.remove,
        open: a.open + b.open,
        next: a.next + b.next,
    }
}

#[test]
fn writes_while_indexes_are_off() {
    let mut store = Store::default();
    check(
        &mut store,
        and(PROBE, and(STATES, Counts { set: 1, ..NONE })),
        |store| ITEMS.insert(store, &item("a", 1)),
    );
    check(
        &mut store,
        and(GET, and(STATES, Counts { set: 1, ..NONE })),
        |store| ITEMS.update(store, item("a", 2)),
    );
    check(&mut store, GET, |store| ITEMS.update(store, item("a", 2)));
    check(
        &mut store,
        and(GET, and(STATES, Counts { remove: 1, ..NONE })),
        |store| ITEMS.delete(store, &"a".into()),
    );
}

#[test]
fn writes_while_indexes_are_ready() {
    let mut store = Store::default();
    for index in [&BY_GROUP, &BY_TAG] {
        let _ = ITEMS.backfill(&mut store, index, 1).unwrap();
    }
    let row = Item {
        tags: vec![1, 2],
        ..item("a", 1)
    };
    check(
        &mut store,
        and(PROBE, and(STATES, Counts { set: 4, ..NONE })),
        |store| ITEMS.insert(store, &row),
    );
    check(
        &mut store,
        and(GET, and(STATES, Counts { remove: 4, ..NONE })),
        |store| ITEMS.delete(store, &"a".into()),
    );
}

#[test]
fn reads() {
    let mut store = Store::default();
    refused(&mut store, PROBE, |store| {
        ITEMS.by(BY_GROUP)?.key(&1)?.page(store, &first(1))
    });
    let _ = ITEMS.backfill(&mut store, &BY_GROUP, 1).unwrap();
    let _ = ITEMS.backfill(&mut store, &BY_CODE, 1).unwrap();
    for name in ["a", "b", "c"] {
        ITEMS.insert(&mut store, &item(name, 1)).unwrap();
    }
    let scan = |next| {
        and(
            PROBE,
            Counts {
                open: 1,
                next,
                ..NONE
            },
        )
    };
    check(&mut store, scan(4), |store| {
        let found = ITEMS.by(BY_GROUP)?.key(&1)?;
        found.ids(store, Ascending).read_all()
    });
    check(&mut store, scan(3), |store| {
        ITEMS.by(BY_GROUP)?.key(&1)?.page_ids(store, &first(2))
    });
    check(&mut store, and(PROBE, PROBE), |store| {
        ITEMS.by(BY_CODE)?.get(store, &1)
    });
}

#[test]
fn steps() {
    let mut store = Store::default();
    for name in ["a", "b", "c", "d", "e"] {
        ITEMS.insert(&mut store, &item(name, 1)).unwrap();
    }
    // The state, whether there are old entries, and the rows; writes: the entries and the state.
    let first_step = Counts {
        open: 3,
        next: 1 + 1 + 3,
        set: 3,
        ..NONE
    };
    check(&mut store, first_step, |store| {
        ITEMS.backfill(store, &BY_GROUP, 2)
    });
    let step = Counts {
        open: 2,
        next: 1 + 3,
        set: 3,
        ..NONE
    };
    check(&mut store, step, |store| {
        ITEMS.backfill(store, &BY_GROUP, 2)
    });
    let last = Counts {
        open: 2,
        next: 1 + 2,
        set: 2,
        ..NONE
    };
    check(&mut store, last, |store| {
        ITEMS.backfill(store, &BY_GROUP, 2)
    });
    check(&mut store, PROBE, |store| {
        ITEMS.backfill(store, &BY_GROUP, 2)
    });
    // What a step changes more than once is written once.
    let sizes = Counts {
        open: 3,
        next: 1 + 1 + 6,
        get: 1,
        set: 2,
        ..NONE
    };
    check(&mut store, sizes, |store| {
        ITEMS.backfill(store, &GROUP_SIZE, 9)
    });
    let dropped = Counts {
        open: 2,
        next: 1 + 3,
        remove: 1 + 2,
        ..NONE
    };
    check(&mut store, dropped, |store| {
        ITEMS.drop_index(store, &BY_GROUP, 2)
    });
}
