//! Pages of any iterator: merged tables, iterators of a test's own, positions without items.

use std::cell::Cell;

use cosmwasm_std::{Binary, Order, Uint64};
use cw_orm::{Iter, OrmError, Page, PageLimits, PageRequest, PageTerms, paginate, paginate_some};

use crate::fixture::{Store, counted, first, last, single_key_table, total, walk};

single_key_table!(Left, LEFT, u32, b"ql", Delimited);
single_key_table!(Right, RIGHT, u32, b"qr", Delimited);

/// Opens both tables after a position, merged: of a key in both, left comes before right.
fn merged<'s>(
    store: &'s Store,
    after: Option<(u32, bool)>,
    order: Order,
) -> Iter<'s, ((u32, bool), String)> {
    let left = LEFT.all().rows(store, Order::Ascending);
    let right = RIGHT.all().rows(store, Order::Ascending);
    let left = left.map(|row| {
        (
            (row.as_ref().unwrap().key, false),
            format!("l{}", row.unwrap().n),
        )
    });
    let right = right.map(|row| {
        (
            (row.as_ref().unwrap().key, true),
            format!("r{}", row.unwrap().n),
        )
    });
    let mut all: Vec<_> = left.chain(right).collect();
    all.sort();
    if order == Order::Descending {
        all.reverse();
    }
    let left = all.into_iter().filter(move |(at, _)| match (after, order) {
        (None, _) => true,
        (Some(after), Order::Ascending) => *at > after,
        (Some(after), Order::Descending) => *at < after,
    });
    Iter::new(left.map(Ok))
}

fn filled() -> Store {
    let mut store = Store::default();
    for key in [1, 3, 5] {
        LEFT.insert(&mut store, &Left { key, n: key }).unwrap();
    }
    for key in [2, 3, 9] {
        RIGHT.insert(&mut store, &Right { key, n: key }).unwrap();
    }
    store
}

fn page(store: &Store, request: &PageRequest) -> Result<Page<String>, OrmError> {
    let terms = PageTerms::new("merged");
    paginate(&terms, request, |after, order| {
        Ok(merged(store, after, order))
    })
}

const ALL: [&str; 6] = ["l1", "r2", "l3", "r3", "l5", "r9"];

#[test]
fn merged_tables_in_both_directions() {
    let store = filled();
    for limit in 1..8 {
        assert_eq!(walk(&first(limit), |request| page(&store, request)), ALL);
        let mut back = walk(&last(limit), |request| page(&store, request));
        back.reverse();
        assert_eq!(back, ALL);
    }
}

#[test]
fn a_page_goes_on_after_rows_that_come_and_go() {
    let mut store = filled();
    let one = page(&store, &first(3)).unwrap();
    assert_eq!(one.items, ALL[..3]);
    LEFT.delete(&mut store, &3).unwrap();
    LEFT.insert(&mut store, &Left { key: 4, n: 4 }).unwrap();
    RIGHT.insert(&mut store, &Right { key: 1, n: 1 }).unwrap();
    let two = page(&store, &first(9).after(&one.page).unwrap());
    assert_eq!(two.unwrap().items, ["r3", "l4", "l5", "r9"][..]);
}

#[test]
fn requests_mean_what_they_do_for_a_scan() {
    let store = filled();
    let found = page(&store, &counted(4, 1)).unwrap();
    assert_eq!(
        (found.items, found.page.total),
        (vec!["l5".to_owned()], total(6))
    );
    let next = counted(0, 9).after(&found.page).unwrap();
    let rest = page(&store, &next).unwrap();
    assert_eq!(
        (rest.items, rest.page.next_key, rest.page.total),
        (vec!["r9".to_owned()], None, None)
    );
    let beyond = page(&store, &counted(6, 1)).unwrap();
    assert_eq!((beyond.items.len(), beyond.page.next_key), (0, None));
    let both = PageRequest {
        offset: Some(Uint64::one()),
        ..next
    };
    assert_eq!(page(&store, &both), Err(OrmError::KeyAndOffset));
    let exact = page(&store, &first(6)).unwrap();
    assert_eq!((exact.items.len(), exact.page.next_key), (6, None));
}

#[test]
fn page_sizes_are_the_terms() {
    let store = filled();
    let sizes = PageTerms::new("merged").limits(PageLimits { default: 2, max: 4 });
    let size = |limit: Option<u64>| {
        let request = PageRequest {
            limit: limit.map(Uint64::new),
            ..PageRequest::default()
        };
        paginate(&sizes, &request, |after, order| {
            Ok(merged(&store, after, order))
        })
        .unwrap()
        .items
        .len()
    };
    assert_eq!(
        (
            size(None),
            size(Some(0)),
            size(Some(3)),
            size(Some(4)),
            size(Some(u64::MAX))
        ),
        (2, 2, 3, 4, 4)
    );
}

#[test]
fn a_cursor_of_another_list_is_refused() {
    let store = filled();
    let one = page(&store, &first(2)).unwrap();
    let next = first(2).after(&one.page).unwrap();
    let under = |terms: PageTerms, request: &PageRequest| {
        paginate(&terms, request, |after, order| {
            Ok(merged(&store, after, order))
        })
    };
    let merge = || PageTerms::new("merged");
    assert!(under(merge(), &next).is_ok());
    assert!(
        under(merge().budget(9).total(1), &next).is_ok(),
        "the same list"
    );
    assert_eq!(
        under(PageTerms::new("other"), &next),
        Err(OrmError::ForeignCursor)
    );
    assert_eq!(
        under(merge().argument(""), &next),
        Err(OrmError::ForeignCursor)
    );
    let a = under(merge().argument("a"), &first(2)).unwrap();
    let after_a = first(2).after(&a.page).unwrap();
    assert!(under(merge().argument("a"), &after_a).is_ok());
    assert_eq!(
        under(merge().argument("b"), &after_a),
        Err(OrmError::ForeignCursor)
    );
    assert_eq!(
        under(merge().argument("a").argument(""), &after_a),
        Err(OrmError::ForeignCursor)
    );
    let back = PageRequest {
        reverse: true,
        ..next.clone()
    };
    assert_eq!(under(merge(), &back), Err(OrmError::ForeignCursor));
    let mut cut = next.key.clone().unwrap().to_vec();
    cut.pop();
    let cut = PageRequest {
        key: Some(Binary::new(cut)),
        ..next
    };
    assert_eq!(under(merge(), &cut), Err(OrmError::MalformedCursor));
}

#[test]
fn a_known_total_is_told_to_who_asks() {
    let store = filled();
    let terms = PageTerms::new("merged").total(77).budget(1);
    let get = |request: &PageRequest| {
        paginate(&terms, request, |after, order| {
            Ok(merged(&store, after, order))
        })
        .unwrap()
    };
    let page = get(&counted(0, 2));
    assert_eq!((page.items.len(), page.page.total), (2, total(77)));
    assert_eq!(get(&first(2)).page.total, None);
    assert_eq!(
        get(&counted(0, 2).after(&page.page).unwrap()).page.total,
        None
    );
}

#[test]
fn work_is_within_the_budget() {
    let read = Cell::new(0_u32);
    let numbers = |after: Option<u64>, order: Order| {
        assert_eq!(order, Order::Ascending);
        let from = after.map_or(0, |after| after + 1);
        Ok(Iter::new((from..1_000_000).map(|n| {
            read.set(read.get() + 1);
            Ok((n, n))
        })))
    };
    let terms = PageTerms::new("numbers").budget(100);
    let page = paginate(&terms, &first(5), numbers).unwrap();
    assert_eq!((page.items, read.take()), (vec![0, 1, 2, 3, 4], 6));
    let spent = |what| Err(OrmError::ScanBudget { what, budget: 100 });
    assert_eq!(paginate(&terms, &counted(0, 5), numbers), spent("total"));
    assert_eq!(read.take(), 101);
    let skip = PageRequest {
        count_total: false,
        ..counted(101, 5)
    };
    assert_eq!(paginate(&terms, &skip, numbers), spent("offset"));
    assert_eq!(read.take(), 101);
}

#[test]
fn positions_without_an_item_are_passed_within_the_budget() {
    let evens = |after: Option<u64>, order: Order| {
        let all: Vec<u64> = match order {
            Order::Ascending => (0..40)
                .filter(|n| after.is_none_or(|after| *n > after))
                .collect(),
            Order::Descending => (0..40)
                .rev()
                .filter(|n| after.is_none_or(|after| *n < after))
                .collect(),
        };
        let found = all.into_iter().map(|n| Ok((n, (n % 10 == 9).then_some(n))));
        Ok(Iter::new(found))
    };
    let terms = |budget| PageTerms::new("nines").budget(budget);
    for budget in [1, 3, 7, 40, 41] {
        let found = walk(&first(2), |request| {
            paginate_some(&terms(budget), request, evens)
        });
        assert_eq!(found, [9, 19, 29, 39]);
        let back = walk(&last(2), |request| {
            paginate_some(&terms(budget), request, evens)
        });
        assert_eq!(back, [39, 29, 19, 9]);
    }
    let short = paginate_some(&terms(5), &first(2), evens).unwrap();
    assert!(short.items.is_empty() && short.page.next_key.is_some());
    let whole = paginate_some(&terms(40), &counted(1, 2), evens).unwrap();
    assert_eq!((whole.items, whole.page.total), (vec![19, 29], total(4)));
    let all = paginate_some(&terms(40), &first(4), evens).unwrap();
    assert_eq!(
        all.page.next_key, None,
        "nothing is left, though a position is"
    );
    let foreign = paginate(
        &terms(5),
        &first(2).after(&short.page).unwrap(),
        |after, _| Ok(Iter::new(after.into_iter().map(|n: u64| Ok((n, n))))),
    );
    assert_eq!(foreign, Err(OrmError::ForeignCursor));
}

#[test]
fn errors_of_the_iterator_are_the_pages() {
    let wrong = OrmError::MalformedSequence { table: "x" };
    let open = |_: Option<u8>, _: Order| Err::<Iter<'static, (u8, u8)>, _>(wrong.clone());
    let terms = PageTerms::new("broken");
    assert_eq!(paginate(&terms, &first(2), open), Err(wrong.clone()));
    let late = |_: Option<u8>, _: Order| {
        Ok(Iter::new(
            [Ok((1, 1)), Err(wrong.clone()), Ok((3, 3))].into_iter(),
        ))
    };
    assert_eq!(paginate(&terms, &first(1), late), Err(wrong.clone()));
    let text =
        |_: Option<String>, _: Order| Ok(Iter::new(core::iter::once(Ok(("a\0".to_owned(), 1)))));
    assert_eq!(
        paginate(&terms, &first(1), text),
        Err(OrmError::Key {
            table: "broken",
            source: cw_orm::KeyError::NulInText { at: 1 }
        })
    );
}
