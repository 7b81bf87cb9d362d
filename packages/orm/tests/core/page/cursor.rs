//! Cursors: their bytes, and which are refused.

use cosmwasm_std::{Binary, Order::Ascending};
use cw_orm::{Families, OrmError, PageRequest};
use proptest::prelude::*;

use super::trades;
use crate::fixture::{BY_CODE, BY_PX, Body, MESSAGES, Message, Phase, Store, TRADES, first, last};

fn at(key: &Binary) -> PageRequest {
    PageRequest {
        key: Some(key.clone()),
        ..first(2)
    }
}

fn cursor(store: &Store) -> Binary {
    TRADES
        .get_paginated(store, &first(2))
        .unwrap()
        .page
        .next_key
        .unwrap()
}

/// FNV-1a, as LAYOUT.md has it.
fn fnv(parts: &[&[u8]]) -> u64 {
    let with_lengths = parts
        .iter()
        .flat_map(|part| [&(part.len() as u32).to_be_bytes()[..], part].concat());
    with_lengths.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn bytes_of_a_cursor() {
    let store = trades(5, |_| 1);
    let scope = fnv(&[b"t", b"", b"", b""]).to_be_bytes();
    assert_eq!(
        cursor(&store),
        [&[1, 0][..], &scope, &2_u64.to_be_bytes()].concat()
    );
    let down = TRADES
        .get_paginated(&store, &last(2))
        .unwrap()
        .page
        .next_key
        .unwrap();
    assert_eq!(down, [&[1, 1][..], &scope, &4_u64.to_be_bytes()].concat());

    let (from, until) = (
        [&[1][..], &2_u64.to_be_bytes()].concat(),
        [&[1][..], &5_u64.to_be_bytes()].concat(),
    );
    let scope = fnv(&[b"t", &from, &until, b"\0\0\0\x03odd"]).to_be_bytes();
    let scan = TRADES
        .range(2..5)
        .unwrap()
        .filter("odd", |id, _| id % 2 == 1)
        .budget(1);
    let page = scan.page_ids(&store, &first(2)).unwrap();
    assert_eq!(
        page.page.next_key.unwrap(),
        [&[1, 0][..], &scope, &2_u64.to_be_bytes()].concat()
    );
}

#[test]
fn of_another_direction() {
    let store = trades(5, |_| 1);
    let request = PageRequest {
        reverse: true,
        ..at(&cursor(&store))
    };
    assert_eq!(
        TRADES.get_paginated(&store, &request),
        Err(OrmError::ForeignCursor)
    );
}

#[test]
fn of_another_list() {
    let mut store = trades(5, |_| 1);
    for sequence in 0..5 {
        let (body, phase) = (
            Some(Body {
                nonce: 1,
                payload: vec![],
            }),
            Some(Phase { phases: vec![1] }),
        );
        MESSAGES
            .insert(
                &mut store,
                &Message {
                    chain: 1,
                    sequence,
                    body,
                    quorum: None,
                    phase,
                },
            )
            .unwrap();
    }
    let foreign = at(&cursor(&store));
    let refused =
        |answer: Result<Vec<u64>, OrmError>| assert_eq!(answer, Err(OrmError::ForeignCursor));
    let trades_of =
        |scan: cw_orm::Scan<_>, request| scan.page_ids(&store, request).map(|page| page.items);
    refused(
        TRADES
            .by(BY_PX)
            .unwrap()
            .all()
            .page_ids(&store, &foreign)
            .map(|page| page.items),
    );
    refused(
        TRADES
            .by(BY_CODE)
            .unwrap()
            .all()
            .page_ids(&store, &foreign)
            .map(|page| page.items),
    );
    refused(trades_of(TRADES.range(1..).unwrap(), &foreign));
    refused(trades_of(TRADES.range(..=9).unwrap(), &foreign));
    refused(trades_of(
        TRADES.all().filter("odd", |id, _| id % 2 == 1),
        &foreign,
    ));

    let odd = TRADES
        .all()
        .filter("odd", |id, _| id % 2 == 1)
        .page_ids(&store, &first(2))
        .unwrap();
    let odd = at(&odd.page.next_key.unwrap());
    refused(trades_of(TRADES.all(), &odd));
    refused(trades_of(
        TRADES.all().filter("even", |id, _| id % 2 == 0),
        &odd,
    ));
    assert_eq!(
        trades_of(TRADES.all().filter("odd", |id, _| id % 2 == 1), &odd),
        Ok(vec![5])
    );

    let both = MESSAGES
        .all(Families::at(0).and(Families::at(2)))
        .page(&store, &first(2))
        .unwrap();
    let both = at(&both.page.next_key.unwrap());
    for families in [Families::ALL, Families::at(0), Families::at(2)] {
        assert_eq!(
            MESSAGES.all(families).page(&store, &both),
            Err(OrmError::ForeignCursor)
        );
    }
    assert_eq!(
        MESSAGES.family::<Body>().get_paginated(&store, &both),
        Err(OrmError::ForeignCursor)
    );
}

#[test]
fn that_is_none() {
    let store = trades(5, |_| 1);
    let good = cursor(&store).to_vec();
    let ask = |key: Vec<u8>| {
        TRADES
            .get_paginated(&store, &at(&Binary::new(key)))
            .map(|page| page.items.len())
    };
    assert_eq!(ask(good.clone()), Ok(2));
    for len in 1..10 {
        assert_eq!(
            ask(good[..len].to_vec()),
            Err(OrmError::MalformedCursor),
            "{len} bytes"
        );
    }
    for (place, byte) in [(0, 0), (0, 2), (1, 2), (1, 0xff)] {
        let mut bad = good.clone();
        bad[place] = byte;
        assert_eq!(
            ask(bad),
            Err(OrmError::MalformedCursor),
            "{byte} at {place}"
        );
    }
    let mut bad = good;
    bad[5] ^= 1;
    assert_eq!(ask(bad), Err(OrmError::ForeignCursor));
}

#[test]
fn that_points_outside_its_range() {
    let store = trades(9, |_| 1);
    let scan = TRADES.range(3..=6).unwrap();
    let good = scan
        .page_ids(&store, &first(2))
        .unwrap()
        .page
        .next_key
        .unwrap();
    for outside in [2_u64, 7, u64::MAX] {
        let forged = [&good[..10], &outside.to_be_bytes()].concat();
        assert_eq!(
            scan.page_ids(&store, &at(&Binary::new(forged))),
            Err(OrmError::MalformedCursor)
        );
    }
}

#[test]
fn survives_the_row_that_it_names() {
    let mut store = trades(6, |_| 1);
    let next = at(&cursor(&store));
    TRADES.delete(&mut store, 2).unwrap();
    TRADES.delete(&mut store, 3).unwrap();
    let page = TRADES.all().page_ids(&store, &next).unwrap();
    assert_eq!(page.items, [4, 5]);
}

proptest! {
    #![proptest_config(crate::model::cases(2_000))]
    #[test]
    fn random_bytes_never_panic(random in proptest::collection::vec(any::<u8>(), 0..40), forged in any::<bool>(), reverse in any::<bool>()) {
        let store = trades(4, |id| id % 2);
        let head = TRADES.by(BY_PX).unwrap().all().page_ids(&store, &PageRequest { reverse, ..first(1) }).unwrap();
        let key = match forged {
            true => [&head.page.next_key.unwrap()[..10], &random].concat(),
            false => random,
        };
        let request = PageRequest { reverse, ..at(&Binary::new(key)) };
        let answer = TRADES.by(BY_PX).unwrap().all().page_ids(&store, &request);
        if forged {
            let all = TRADES.by(BY_PX).unwrap().all().ids(&store, Ascending).read_all().unwrap();
            prop_assert!(answer.unwrap().items.iter().all(|id| all.contains(id)));
        }
    }
}
