//! Walks over families: all of a row, one alone, its indexes; and over two of them merged by hand.

use core::ops::Bound;

use cosmwasm_std::{Order, Storage};
use cw_orm::{Families, Iter, PageTerms, paginate, paginate_some};

use super::*;
use crate::fixture::{BY_DIGEST, DOCS, Doc, HEADS, Head, MESSAGES, Message, Quorum, Text, doc};

/// A doc that has a head, a text or both; one with a head is listed by its author.
fn write_doc(store: &mut dyn Storage, n: u8, come: bool) {
    let (shelf, number) = (u16::from(n % 2), u64::from(n));
    if come {
        let row = Doc {
            head: (n % 4 != 1).then(|| Head {
                author: format!("{}", n % 5),
                title: n.to_string(),
            }),
            text: (n % 4 != 2).then(|| Text {
                text: n.to_string(),
            }),
            ..doc(shelf, number, "")
        };
        DOCS.insert(store, &row).unwrap();
    } else {
        DOCS.delete(store, &(shelf, number)).unwrap();
    }
}

fn only(walk: &mut Walk, keep: impl Fn(u8) -> bool) {
    walk.rows.retain(|n| keep(*n));
    for (come, go) in &mut walk.changes {
        come.retain(|n| keep(*n));
        go.retain(|n| keep(*n));
    }
}

fn write_quorum(store: &mut dyn Storage, n: u8, come: bool) {
    let (chain, sequence) = (u16::from(n % 2), u64::from(n));
    if come {
        let quorum = Some(Quorum {
            digest: format!("{:02}", 99 - n),
        });
        let row = Message {
            chain,
            sequence,
            body: None,
            quorum,
            phase: None,
        };
        MESSAGES.insert(store, &row).unwrap();
    } else {
        MESSAGES.delete(store, &(chain, sequence)).unwrap();
    }
}

/// The numbers of both families' rows, of each once, merged by hand.
fn merged<'s>(
    store: &'s dyn Storage,
    after: Option<(u16, u64)>,
    order: Order,
) -> Iter<'s, ((u16, u64), u8)> {
    let bounds = match (after, order) {
        (None, _) => (Bound::Unbounded, Bound::Unbounded),
        (Some(key), Order::Ascending) => (Bound::Excluded(key), Bound::Unbounded),
        (Some(key), Order::Descending) => (Bound::Unbounded, Bound::Excluded(key)),
    };
    let heads = DOCS
        .family::<Head>()
        .range(bounds)
        .unwrap()
        .ids(store, order);
    let texts = DOCS
        .family::<Text>()
        .range(bounds)
        .unwrap()
        .ids(store, order);
    let (mut heads, mut texts) = (heads.peekable(), texts.peekable());
    Iter::new(std::iter::from_fn(move || {
        let (head, text) = (heads.peek().cloned(), texts.peek().cloned());
        let (head, text) = (head.map(Result::unwrap), text.map(Result::unwrap));
        let next = match order {
            Order::Ascending => [head, text].into_iter().flatten().min()?,
            Order::Descending => [head, text].into_iter().flatten().max()?,
        };
        if head == Some(next) {
            heads.next();
        }
        if text == Some(next) {
            texts.next();
        }
        Some(Ok((next, next.1 as u8)))
    }))
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn over_all_families(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| match walk.budget {
            None => DOCS.get_paginated(store, request, Families::ALL)?.try_map(|row| Ok(row.number as u8)),
            Some(budget) => {
                let scan = DOCS.all(Families::ALL).filter("kept", |row| kept(row.number as u8)).budget(budget);
                scan.page(store, request)?.try_map(|row| Ok(row.number as u8))
            }
        };
        take(&walk, write_doc, page, |n| (n % 2, n))?;
    }

    #[test]
    fn over_one_family(mut walk in walks()) {
        only(&mut walk, |n| n % 4 != 1);
        let page = |store: &dyn Storage, request: &PageRequest| {
            let scan = DOCS.family::<Head>().all();
            let scan = match walk.budget {
                None => scan,
                Some(budget) => scan.filter("kept", |key, _| kept(key.1 as u8)).budget(budget),
            };
            scan.page_ids(store, request)?.try_map(|key| Ok(key.1 as u8))
        };
        take(&walk, write_doc, page, |n| (n % 2, n))?;
    }

    #[test]
    fn over_a_named_family(mut walk in walks()) {
        only(&mut walk, |n| n % 4 != 2);
        walk.budget = None;
        let page = |store: &dyn Storage, request: &PageRequest| {
            DOCS.get_paginated(store, request, Families::at(1))?.try_map(|row| {
                assert_eq!((row.head, row.text.is_some()), (None, true));
                Ok(row.number as u8)
            })
        };
        take(&walk, write_doc, page, |n| (n % 2, n))?;
    }

    #[test]
    fn over_covered_columns_of_a_family(mut walk in walks()) {
        only(&mut walk, |n| n % 4 != 1);
        let page = |store: &dyn Storage, request: &PageRequest| {
            let list = DOCS.by::<Head, _>(HEADS)?.all().columns();
            let list = match walk.budget {
                None => list,
                Some(budget) => list.filter("kept", |(_, key, _)| kept(key.1 as u8)).budget(budget),
            };
            list.page(store, request)?.try_map(|(_, key, (shelf, title))| {
                assert_eq!((key.0, key.1.to_string()), (shelf, title));
                Ok(key.1 as u8)
            })
        };
        take(&walk, write_doc, page, |n| (n % 5, n % 2, n))?;
    }

    #[test]
    fn over_a_unique_index_of_a_family(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            let scan = MESSAGES.by::<Quorum, _>(BY_DIGEST)?.all();
            let scan = match walk.budget {
                None => scan,
                Some(budget) => scan.filter("kept", |key, _| kept(key.1 as u8)).budget(budget),
            };
            scan.page_entries(store, request)?.try_map(|(key, _)| Ok(key.1 as u8))
        };
        take(&walk, write_quorum, page, |n| 99 - n)?;
    }

    #[test]
    fn over_an_iterator_of_two_tables(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| match walk.budget {
            None => paginate(&PageTerms::new("docs"), request, |after, order| Ok(merged(store, after, order))),
            Some(budget) => {
                let terms = PageTerms::new("docs").argument("kept").budget(budget);
                paginate_some(&terms, request, |after, order| {
                    let found = merged(store, after, order);
                    Ok(Iter::new(found.map(|item| item.map(|(at, n)| (at, Some(n).filter(|n| kept(*n)))))))
                })
            }
        };
        take(&walk, write_doc, page, |n| (n % 2, n))?;
    }
}
