//! What requests mean. The reference's rows are trades 1, 2 and 4 of price 7, trade 3 of another.

use cosmwasm_std::{Binary, Order::Ascending, Uint64};
use cw_orm::{Families, OrmError, Page, PageRequest, PageResponse};

use super::{ids, trades};
use crate::fixture::{
    BY_PX, Body, MESSAGES, Message, Store, TRADES, Trade, counted, first, last, total, walk,
};

fn of_price_7(request: &PageRequest) -> Result<Page<Trade>, OrmError> {
    let store = trades(4, |id| if id == 3 { 8 } else { 7 });
    TRADES.by(BY_PX)?.key(&7)?.page(&store, request)
}

fn ask(request: &PageRequest) -> (Vec<u64>, PageResponse) {
    let page = of_price_7(request).unwrap();
    (ids(&page), page.page)
}

fn next(page: &PageResponse) -> PageRequest {
    first(0).after(page).expect("a next key")
}

#[test]
fn limit_1() {
    let (found, page) = ask(&first(1));
    assert_eq!((found, page.total), (vec![1], None));
    assert_eq!(ask(&next(&page)).0, [2, 4]);
}

#[test]
fn limit_3_and_count() {
    let (found, page) = ask(&counted(0, 3));
    assert_eq!(
        (found, page),
        (
            vec![1, 2, 4],
            PageResponse {
                next_key: None,
                total: total(3)
            }
        )
    );
}

#[test]
fn limit_2_and_count() {
    let (found, page) = ask(&counted(0, 2));
    assert_eq!((found, page.total), (vec![1, 2], total(3)));
    assert_eq!(ask(&next(&page)), (vec![4], PageResponse::default()));
}

#[test]
fn no_match() {
    let store = trades(4, |_| 1);
    let page = TRADES
        .by(BY_PX)
        .unwrap()
        .key(&7)
        .unwrap()
        .page(&store, &counted(0, 3))
        .unwrap();
    assert_eq!(
        (ids(&page), page.page),
        (
            vec![],
            PageResponse {
                next_key: None,
                total: total(0)
            }
        )
    );
}

#[test]
fn offset_1_limit_2_and_count() {
    assert_eq!(
        ask(&counted(1, 2)),
        (
            vec![2, 4],
            PageResponse {
                next_key: None,
                total: total(3)
            }
        )
    );
}

#[test]
fn empty_request() {
    assert_eq!(
        ask(&PageRequest::default()),
        (vec![1, 2, 4], PageResponse::default())
    );
}

#[test]
fn key_and_offset() {
    let (_, page) = ask(&first(1));
    let request = PageRequest {
        offset: Some(Uint64::one()),
        ..next(&page)
    };
    assert_eq!(of_price_7(&request), Err(OrmError::KeyAndOffset));
    let request = PageRequest {
        offset: Some(Uint64::zero()),
        ..next(&page)
    };
    assert_eq!(ask(&request).0, [2, 4], "an offset of nothing is none");
}

#[test]
fn key_and_count() {
    let (_, page) = ask(&first(1));
    let request = PageRequest {
        limit: Some(Uint64::one()),
        count_total: true,
        ..next(&page)
    };
    let (found, page) = ask(&request);
    assert_eq!(
        (found, page.total),
        (vec![2], None),
        "a count is for the first page"
    );
    assert_eq!(ask(&next(&page)).0, [4]);
}

#[test]
fn key_and_limit_2() {
    let (_, page) = ask(&first(1));
    let (found, page) = ask(&PageRequest {
        limit: Some(Uint64::new(2)),
        ..next(&page)
    });
    assert_eq!((found, page), (vec![2, 4], PageResponse::default()));
}

#[test]
fn empty_key_is_no_key() {
    let request = PageRequest {
        key: Some(Binary::default()),
        ..counted(1, 1)
    };
    assert_eq!(ask(&request).0, [2]);
}

#[test]
fn reverse() {
    let (found, page) = ask(&last(2));
    assert_eq!(found, [4, 2]);
    let request = last(2).after(&page).unwrap();
    assert_eq!(ask(&request), (vec![1], PageResponse::default()));
}

#[test]
fn reverse_with_offset_and_count() {
    let request = PageRequest {
        reverse: true,
        ..counted(1, 1)
    };
    let (found, page) = ask(&request);
    assert_eq!((found, page.total), (vec![2], total(3)));
    assert_eq!(ask(&request.after(&page).unwrap()).0, [1]);
}

#[test]
fn pages_by_offset_and_by_key_rebuild_the_list() {
    let store = trades(23, |id| id % 3);
    let want = TRADES.all().ids(&store, Ascending).read_all().unwrap();
    for limit in 1..=25 {
        let by_key = walk(&first(limit), |request| {
            TRADES.get_paginated(&store, request)
        });
        assert_eq!(by_key.iter().map(|row| row.id).collect::<Vec<_>>(), want);
        let by_offset: Vec<u64> = (0..=23 / limit)
            .flat_map(|page| {
                ids(&TRADES
                    .get_paginated(&store, &counted(page * limit, limit))
                    .unwrap())
            })
            .collect();
        assert_eq!(by_offset, want);
    }
}

#[test]
fn absent_and_zero_limits_are_the_default() {
    let store = trades(40, |_| 1);
    for limit in [None, Some(Uint64::zero())] {
        let page = TRADES
            .get_paginated(
                &store,
                &PageRequest {
                    limit,
                    ..PageRequest::default()
                },
            )
            .unwrap();
        assert_eq!(
            (
                page.items.len(),
                page.page.next_key.is_some(),
                page.page.total
            ),
            (10, true, None)
        );
    }
}

#[test]
fn large_limits_are_capped() {
    let store = trades(40, |_| 1);
    for (limit, rows) in [
        (29, 29),
        (30, 30),
        (31, 30),
        (u64::from(u32::MAX) + 1, 30),
        (u64::MAX, 30),
    ] {
        assert_eq!(
            TRADES
                .get_paginated(&store, &first(limit))
                .unwrap()
                .items
                .len(),
            rows,
            "limit {limit}"
        );
    }
}

#[test]
fn pages_of_ids_and_entries_agree() {
    let store = trades(9, |id| id % 2);
    let scan = TRADES.by(BY_PX).unwrap().all();
    let rows = scan.page(&store, &counted(1, 5)).unwrap();
    let found = scan.page_ids(&store, &counted(1, 5)).unwrap();
    let entries = scan.page_entries(&store, &counted(1, 5)).unwrap();
    assert_eq!(found.items, ids(&rows));
    assert_eq!(
        entries.items,
        rows.items
            .iter()
            .map(|row| (row.id, row.clone()))
            .collect::<Vec<_>>()
    );
    assert!(
        found.page == rows.page && entries.page == rows.page,
        "one cursor fits all three"
    );
}

#[test]
fn merged_families() {
    let mut store = Store::default();
    for sequence in 0..7 {
        let body = Some(Body {
            nonce: 1,
            payload: vec![],
        });
        MESSAGES
            .insert(
                &mut store,
                &Message {
                    chain: 1,
                    sequence,
                    body,
                    quorum: None,
                    phase: None,
                },
            )
            .unwrap();
    }
    let scan = MESSAGES.prefix(&(1_u16,), Families::ALL).unwrap();
    let page = scan.page(&store, &counted(2, 4)).unwrap();
    assert_eq!(
        page.items
            .iter()
            .map(|row| row.sequence)
            .collect::<Vec<_>>(),
        [2, 3, 4, 5]
    );
    assert_eq!(page.page.total, total(7));
    let rest = scan
        .page(&store, &counted(0, 4).after(&page.page).unwrap())
        .unwrap();
    assert_eq!((rest.items.len(), rest.page), (1, PageResponse::default()));
    assert_eq!(
        walk(&last(2), |request| scan.page(&store, request)).len(),
        7
    );
}

#[test]
fn requests_and_answers_in_json() {
    let request: PageRequest =
        cosmwasm_std::from_json(br#"{"key":"AQA=","limit":"18446744073709551615","reverse":true}"#)
            .unwrap();
    assert_eq!(
        (request.limit, request.reverse, request.offset),
        (Some(Uint64::MAX), true, None)
    );
    assert_eq!(
        cosmwasm_std::from_json::<PageRequest>(b"{}").unwrap(),
        PageRequest::default()
    );
    assert!(cosmwasm_std::from_json::<PageRequest>(br#"{"limt":"1"}"#).is_err());
    let answer = PageResponse {
        next_key: Some(Binary::new(vec![1])),
        total: total(1 << 60),
    };
    let text = cosmwasm_std::to_json_string(&answer).unwrap();
    assert_eq!(text, r#"{"next_key":"AQ==","total":"1152921504606846976"}"#);
    assert_eq!(
        cosmwasm_std::from_json::<PageResponse>(text).unwrap(),
        answer
    );
    assert_eq!(
        cosmwasm_std::from_json::<PageResponse>("{}").unwrap(),
        PageResponse::default()
    );
}
