//! Faults that users of comparable pagination met.

use cosmwasm_std::{Order::Ascending, Storage, Uint64};
use cw_orm::{OrmError, PageRequest, PageResponse};

use super::{ids, trades};
use crate::fixture::{BY_PX, Store, TRADES, counted, first, last, raw_key, total, walk};

/// Trades 1 to 11: two at 4, seven at 5, two at 6, mixed.
fn runs() -> Store {
    trades(11, |id| match id {
        2 | 9 => 4,
        1 | 10 => 6,
        _ => 5,
    })
}

#[test]
fn f08_pages_over_a_run_of_equal_index_keys() {
    let store = runs();
    let scan = TRADES.by(BY_PX).unwrap().all();
    let want = [2, 9, 3, 4, 5, 6, 7, 8, 11, 1, 10];
    let up = walk(&first(3), |request| scan.page_ids(&store, request));
    assert_eq!(up, want);
    let down = walk(&last(3), |request| scan.page_ids(&store, request));
    assert_eq!(down, want.iter().rev().copied().collect::<Vec<_>>());
}

#[test]
fn f08_bounds_on_an_index_key_take_or_leave_whole_runs() {
    use core::ops::Bound::{Excluded, Unbounded};
    let store = runs();
    let view = TRADES.by(BY_PX).unwrap();
    let count = |scan: Result<cw_orm::Scan<_, _>, _>| {
        scan.unwrap()
            .ids(&store, Ascending)
            .read_all()
            .unwrap()
            .len()
    };
    assert_eq!(count(view.range(4_u64..=5)), 9);
    assert_eq!(count(view.range(4_u64..5)), 2);
    assert_eq!(count(view.range(5_u64..=5)), 7);
    assert_eq!(count(view.range((Excluded(5_u64), Unbounded))), 2);
    assert_eq!(count(view.range((Excluded(4_u64), Excluded(5)))), 0);
    assert_eq!(count(view.range((Excluded(4_u64), Excluded(6)))), 7);
}

#[test]
fn f08_the_cursor_carries_index_key_and_row_id() {
    let store = runs();
    let page = TRADES
        .by(BY_PX)
        .unwrap()
        .all()
        .page_ids(&store, &first(4))
        .unwrap();
    let cursor = page.page.next_key.unwrap();
    assert_eq!(
        cursor[10..],
        [5_u64.to_be_bytes(), 4_u64.to_be_bytes()].concat()
    );
}

fn offset(offset: u64, limit: u64) -> PageRequest {
    PageRequest {
        count_total: false,
        ..counted(offset, limit)
    }
}

#[test]
fn f17_offset_and_limit_do_not_overflow() {
    let store = trades(10, |_| 1);
    for limit in [u64::MAX, u64::from(u32::MAX), 1 << 63] {
        let page = TRADES.get_paginated(&store, &offset(3, limit)).unwrap();
        assert_eq!(
            (ids(&page), page.page),
            ((4..=10).collect(), PageResponse::default())
        );
    }
    for far in [u64::MAX, 11, 10] {
        let page = TRADES.get_paginated(&store, &offset(far, 1)).unwrap();
        assert_eq!((ids(&page), page.page), (vec![], PageResponse::default()));
        let page = TRADES.get_paginated(&store, &counted(far, 1)).unwrap();
        assert_eq!((ids(&page), page.page.total), (vec![], total(10)));
    }
}

#[test]
fn f17_a_total_over_many_rows_is_refused() {
    let mut store = Store::default();
    for id in 1..=20_000_u64 {
        store.set(&raw_key("t", &[&id.to_be_bytes()]), &[2, 1, 0, 0]);
    }
    let (answer, counts) = store.count(|store| TRADES.get_paginated(store, &counted(0, 1)));
    assert_eq!(
        answer,
        Err(OrmError::ScanBudget {
            what: "total",
            budget: 1_000
        })
    );
    assert_eq!(counts.next, 1_001);
    assert_eq!(
        TRADES
            .all()
            .budget(20_000)
            .page(&store, &counted(0, 1))
            .unwrap()
            .page
            .total,
        total(20_000)
    );
}

#[test]
fn f19_limits_around_the_number_of_rows() {
    for rows in [0, 1, 5_u64] {
        let store = trades(rows, |_| 7);
        for reverse in [false, true] {
            for limit in [rows.saturating_sub(1), rows, rows + 1]
                .into_iter()
                .filter(|limit| *limit > 0)
            {
                let request = PageRequest {
                    reverse,
                    ..counted(0, limit)
                };
                let page = TRADES.get_paginated(&store, &request).unwrap();
                let by_index = TRADES
                    .by(BY_PX)
                    .unwrap()
                    .all()
                    .page(&store, &request)
                    .unwrap();
                assert_eq!(page.items, by_index.items);
                assert_eq!(page.items.len() as u64, limit.min(rows));
                assert_eq!(page.page.total, total(rows));
                assert_eq!(
                    page.page.next_key.is_some(),
                    limit < rows,
                    "{limit} of {rows}, reverse {reverse}"
                );
                if let Some(request) = request.after(&page.page) {
                    let rest = TRADES.get_paginated(&store, &request).unwrap();
                    assert_eq!((rest.items.len(), rest.page), (1, PageResponse::default()));
                }
            }
        }
    }
}

#[test]
fn f28_a_capped_page_says_that_there_is_more() {
    let store = trades(45, |_| 1);
    for limit in [None, Some(100), Some(30)] {
        let request = PageRequest {
            limit: limit.map(Uint64::new),
            ..PageRequest::default()
        };
        assert!(
            TRADES
                .get_paginated(&store, &request)
                .unwrap()
                .page
                .next_key
                .is_some()
        );
        let all = walk(&request, |request| TRADES.get_paginated(&store, request));
        assert_eq!(
            all.iter().map(|row| row.id).collect::<Vec<_>>(),
            (1..=45).collect::<Vec<_>>()
        );
    }
}
