//! Tables of column families.

use cw_orm::{Families, OrmError};

use super::{GET, NONE, PROBE, check, refused};
use crate::fixture::{
    BY_DIGEST, BY_NONCE, Body, Counts, MESSAGES, Message, Phase, Quorum, Store, first,
};

/// A message with all three families and one entry in each one's index.
fn message(sequence: u64) -> Message {
    Message {
        chain: 1,
        sequence,
        body: Some(Body {
            nonce: 1,
            payload: vec![7; 9],
        }),
        quorum: Some(Quorum {
            digest: format!("d{sequence}"),
        }),
        phase: Some(Phase { phases: vec![1] }),
    }
}

pub(super) fn messages(n: u64) -> Store {
    let mut store = Store::default();
    (0..n).for_each(|sequence| MESSAGES.insert(&mut store, &message(sequence)).unwrap());
    store
}

#[test]
fn family_table_writes() {
    let mut store = Store::default();
    check(
        &mut store,
        Counts {
            open: 4,
            next: 4,
            set: 6,
            ..NONE
        },
        |store| MESSAGES.insert(store, &message(0)),
    );
    refused(&mut store, PROBE, |store| {
        MESSAGES.insert(store, &message(0))
    });
    let reads = Counts { get: 3, ..NONE };
    check(&mut store, reads, |store| {
        MESSAGES.update(store, &message(0))
    });
    let other = Message {
        body: Some(Body {
            nonce: 1,
            payload: vec![8],
        }),
        ..message(0)
    };
    check(&mut store, Counts { set: 1, ..reads }, |store| {
        MESSAGES.update(store, &other)
    });
    let without = Message {
        phase: None,
        ..other
    };
    check(&mut store, Counts { remove: 2, ..reads }, |store| {
        MESSAGES.upsert(store, &without)
    });
    check(&mut store, Counts { remove: 4, ..reads }, |store| {
        MESSAGES.delete(store, &(1, 0))
    });
}

#[test]
fn one_family_written_alone() {
    let mut store = messages(1);
    let phases = MESSAGES.family::<Phase>();
    let moved = Counts {
        set: 2,
        remove: 1,
        ..GET
    };
    check(&mut store, moved, |store| {
        phases.update(store, &(1, 0), Phase { phases: vec![2] })
    });
    check(&mut store, GET, |store| {
        phases.upsert(store, &(1, 0), Phase { phases: vec![2] })
    });
    let named = |row: Message| {
        Ok::<_, OrmError>(Message {
            phase: Some(Phase { phases: vec![3] }),
            ..row
        })
    };
    check(&mut store, moved, |store| {
        MESSAGES.modify(store, &(1, 0), Families::at(2), named)
    });
    check(&mut store, Counts { remove: 2, ..GET }, |store| {
        phases.delete(store, &(1, 0))
    });
    check(&mut store, Counts { set: 2, ..PROBE }, |store| {
        phases.insert(store, &(1, 0), &Phase { phases: vec![4] })
    });
}

#[test]
fn family_table_reads() {
    let mut store = messages(9);
    check(&mut store, Counts { get: 3, ..NONE }, |store| {
        MESSAGES.get(store, &(1, 0), Families::ALL)
    });
    check(&mut store, GET, |store| {
        MESSAGES.get(store, &(1, 0), Families::at(1))
    });
    check(&mut store, PROBE, |store| MESSAGES.has(store, &(1, 0)));
    check(
        &mut store,
        Counts {
            open: 3,
            next: 3,
            ..NONE
        },
        |store| MESSAGES.has(store, &(2, 0)),
    );
    let page = Counts {
        open: 1,
        next: 4,
        ..NONE
    };
    check(&mut store, page, |store| {
        MESSAGES.family::<Body>().get_paginated(store, &first(3))
    });
    check(&mut store, page, |store| {
        MESSAGES.all(Families::at(0)).page(store, &first(3))
    });
    let two = Families::at(0).and(Families::at(2));
    check(
        &mut store,
        Counts {
            open: 2,
            next: 8,
            ..NONE
        },
        |store| MESSAGES.all(two).page(store, &first(3)),
    );
    let by_nonce = MESSAGES.by::<Body, _>(BY_NONCE).unwrap().all();
    check(&mut store, Counts { get: 3, ..page }, |store| {
        by_nonce.page(store, &first(3))
    });
    check(&mut store, Counts { get: 1, ..PROBE }, |store| {
        MESSAGES
            .by::<Quorum, _>(BY_DIGEST)?
            .get(store, &"d0".into())
    });
}
