//! Pages taken while rows come and go: every row that was there from the first page to the last appears once, in order.

mod docs;
mod items;

use std::collections::BTreeSet;

use cosmwasm_std::{Storage, Uint64};
use cw_orm::{Families, OrmError, Page, PageRequest};
use proptest::prelude::*;

use super::cases;
use crate::fixture::{
    BY_CODE, BY_NONCE, BY_PX, Body, MESSAGES, Message, Phase, Store, TRADES, Trade,
};

/// What happens between two pages: rows to come and rows to go.
type Change = (BTreeSet<u8>, BTreeSet<u8>);

#[derive(Clone, Debug)]
struct Walk {
    rows: BTreeSet<u8>,
    changes: Vec<Change>,
    limit: u64,
    reverse: bool,
    /// Rows a page may pass; a filter keeps every third row then.
    budget: Option<u32>,
}

fn walks() -> impl Strategy<Value = Walk> {
    let some = |most| proptest::collection::btree_set(0_u8..60, 0..most);
    let changes = proptest::collection::vec((some(4), some(4)), 0..12);
    (
        some(40),
        changes,
        1_u64..6,
        any::<bool>(),
        proptest::option::of(1_u32..8),
    )
        .prop_map(|(rows, changes, limit, reverse, budget)| Walk {
            rows,
            changes,
            limit,
            reverse,
            budget,
        })
}

const fn kept(n: u8) -> bool {
    n.is_multiple_of(3)
}

/// Takes the walk; `page` gives numbers in the order of `rank`.
fn take<R: Ord>(
    walk: &Walk,
    write: impl Fn(&mut dyn Storage, u8, bool),
    page: impl Fn(&dyn Storage, &PageRequest) -> Result<Page<u8>, OrmError>,
    rank: impl Fn(u8) -> R,
) -> Result<(), TestCaseError> {
    let mut store = Store::default();
    walk.rows.iter().for_each(|n| write(&mut store, *n, true));
    let (mut present, mut throughout) = (walk.rows.clone(), walk.rows.clone());
    let mut request = PageRequest {
        limit: Some(Uint64::new(walk.limit)),
        reverse: walk.reverse,
        ..PageRequest::default()
    };
    let mut seen = Vec::new();
    let mut changes = walk.changes.iter();
    let mut pages = 0;
    loop {
        let answer = page(&store, &request).unwrap();
        pages += 1;
        prop_assert!(pages < 200, "the walk does not end");
        prop_assert!(answer.items.len() as u64 <= walk.limit);
        prop_assert!(
            answer.items.iter().all(|n| present.contains(n)),
            "a page gives rows that exist"
        );
        if walk.budget.is_none() && answer.page.next_key.is_some() {
            prop_assert_eq!(
                answer.items.len() as u64,
                walk.limit,
                "a page with a successor is full"
            );
        }
        seen.extend(answer.items);
        match request.after(&answer.page) {
            Some(next) => request = next,
            None => break,
        }
        if let Some((come, go)) = changes.next() {
            for n in go.iter().filter(|n| present.remove(n)) {
                write(&mut store, *n, false);
                throughout.remove(n);
            }
            for n in come.iter().filter(|n| present.insert(**n)) {
                write(&mut store, *n, true);
            }
        }
    }
    let ordered = |mut rows: Vec<u8>| {
        rows.sort_by_key(|n| rank(*n));
        if walk.reverse {
            rows.reverse();
        }
        rows
    };
    prop_assert_eq!(
        &seen,
        &ordered(
            seen.iter()
                .copied()
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect()
        ),
        "in order, once"
    );
    let filtered = |n: &u8| walk.budget.is_none() || kept(*n);
    let want = ordered(throughout.iter().copied().filter(filtered).collect());
    seen.retain(|n| throughout.contains(n));
    prop_assert_eq!(seen, want);
    Ok(())
}

/// Trades with ids of the test's choosing: the sequence is set before each.
fn write_trade(store: &mut dyn Storage, n: u8, come: bool) {
    let id = u64::from(n) + 1;
    if come {
        store.set(&crate::fixture::raw_key("ts", &[]), &(id - 1).to_be_bytes());
        let mut row = Trade {
            id: 0,
            px: u64::from(n % 4),
            code: Some(format!("{:02}", 99 - n)),
            note: n.to_string(),
        };
        TRADES.insert(store, &mut row).unwrap();
    } else {
        TRADES.delete(store, id).unwrap();
    }
}

fn number(row: &Trade) -> u8 {
    row.note.parse().unwrap()
}

fn numbers(page: Result<Page<Trade>, OrmError>) -> Result<Page<u8>, OrmError> {
    page?.try_map(|row| Ok(number(&row)))
}

macro_rules! scan {
    ($scan:expr, $budget:expr) => {
        match $budget {
            None => $scan,
            Some(budget) => $scan
                .filter("kept", |_, row| kept(number(row)))
                .budget(budget),
        }
    };
}

/// A message that has a body, a phase or both.
fn write_message(store: &mut dyn Storage, n: u8, come: bool) {
    let (chain, sequence) = (u16::from(n % 2), u64::from(n));
    if come {
        let body = (n % 3 != 1).then(|| Body {
            nonce: u32::from(n % 5),
            payload: vec![n],
        });
        let phase = (n % 3 != 2).then(|| Phase {
            phases: vec![100 + n],
        });
        MESSAGES
            .insert(
                store,
                &Message {
                    chain,
                    sequence,
                    body,
                    quorum: None,
                    phase,
                },
            )
            .unwrap();
    } else {
        MESSAGES.delete(store, &(chain, sequence)).unwrap();
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn over_a_table(walk in walks()) {
        take(&walk, write_trade, |store, request| numbers(scan!(TRADES.all(), walk.budget).page(store, request)), |n| n)?;
    }

    #[test]
    fn over_a_multi_key_index(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            numbers(scan!(TRADES.by(BY_PX)?.all(), walk.budget).page(store, request))
        };
        take(&walk, write_trade, page, |n| (n % 4, n))?;
    }

    #[test]
    fn over_a_unique_index(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            numbers(scan!(TRADES.by(BY_CODE)?.all(), walk.budget).page(store, request))
        };
        take(&walk, write_trade, page, |n| 99 - n)?;
    }

    #[test]
    fn over_merged_families(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            let scan = MESSAGES.all(Families::ALL);
            let scan = match walk.budget {
                None => scan,
                Some(budget) => scan.filter("kept", |row| kept(row.sequence as u8)).budget(budget),
            };
            scan.page(store, request)?.try_map(|row| Ok(row.sequence as u8))
        };
        take(&walk, write_message, page, |n| (n % 2, n))?;
    }

    #[test]
    fn over_an_index_of_a_family(mut walk in walks()) {
        walk.rows.retain(|n| n % 3 != 1);
        for (come, go) in &mut walk.changes {
            come.retain(|n| n % 3 != 1);
            go.retain(|n| n % 3 != 1);
        }
        walk.budget = None;
        let page = |store: &dyn Storage, request: &PageRequest| {
            let view = MESSAGES.by::<Body, _>(BY_NONCE)?;
            view.all().page_ids(store, request)?.try_map(|(_, sequence)| Ok(sequence as u8))
        };
        take(&walk, write_message, page, |n| (n % 5, n % 2, n))?;
    }
}
