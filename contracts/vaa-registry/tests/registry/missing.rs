//! Missing sequences, against a plain model.

use std::collections::BTreeSet;

use cosmwasm_std::Uint64;
use cw_orm::PageRequest;
use proptest::prelude::*;
use vaa_registry::msg::{Limits, MissingSequencesResponse, QueryMsg};
use wormhole_vaa::{Body, SecretKey};

use super::{
    observed::code,
    suite::{START, Suite, addresses, body, instantiate_msg, keys, quorum_sign, set_init},
};

const EMITTER: &str = "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

fn registry(scan_budget: u32, sequences: &BTreeSet<u64>) -> Suite {
    let keys = keys(1..=1);
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys), None)]);
    msg.limits = Some(Limits {
        batch: 1_000,
        scan_budget,
        ..Limits::default()
    });
    let mut suite = Suite::create(&msg, START).unwrap();
    let vaas: Vec<_> = sequences.iter().map(|at| vaa(&keys, *at)).collect();
    for vaas in vaas.chunks(1_000) {
        suite.submit(vaas);
    }
    suite
}

fn vaa(keys: &[SecretKey], sequence: u64) -> Vec<u8> {
    quorum_sign(0, keys, &body(sequence, b"a"))
}

fn ask(
    suite: &Suite,
    from: Option<u64>,
    to: Option<u64>,
    page: PageRequest,
) -> Result<MissingSequencesResponse, String> {
    suite.query(&QueryMsg::MissingSequences {
        chain: 2,
        emitter: EMITTER.into(),
        from: from.map(Uint64::new),
        to: to.map(Uint64::new),
        page: Some(page),
    })
}

/// Follows the pages, and says how many there were.
fn all(
    suite: &Suite,
    from: Option<u64>,
    to: Option<u64>,
    limit: u64,
    reverse: bool,
) -> (Vec<(u64, u64)>, usize) {
    let mut request = PageRequest {
        reverse,
        ..PageRequest::first(limit)
    };
    let (mut found, mut pages) = (Vec::new(), 0);
    loop {
        let answer = ask(suite, from, to, request.clone()).unwrap();
        assert!(answer.ranges.len() as u64 <= limit);
        found.extend(
            answer
                .ranges
                .iter()
                .map(|range| (range.first.u64(), range.last.u64())),
        );
        pages += 1;
        match request.after(&answer.page) {
            Some(next) => request = next,
            None => return (found, pages),
        }
    }
}

/// What is missing, by walking what is there.
fn model(there: &BTreeSet<u64>, from: Option<u64>, to: Option<u64>) -> Vec<(u64, u64)> {
    let (Some(from), Some(to)) = (
        from.or(there.first().copied()),
        to.or(there.last().copied()),
    ) else {
        return Vec::new();
    };
    let mut missing = Vec::new();
    let mut next = u128::from(from);
    for at in there
        .iter()
        .map(|at| u128::from(*at))
        .chain([u128::from(to) + 1])
    {
        if at > u128::from(to) + 1 {
            continue;
        }
        if next < at {
            missing.push((next as u64, (at - 1) as u64));
        }
        next = next.max(at + 1);
    }
    missing
}

#[test]
fn gaps_of_a_real_bridge_are_told_as_ranges() {
    let there = BTreeSet::from([832_032, 832_034, 832_038]);
    let suite = registry(1_000, &there);
    let between = vec![(832_033, 832_033), (832_035, 832_037)];
    assert_eq!(all(&suite, None, None, 10, false).0, between);
    let from_zero = [vec![(0, 832_031)], between.clone()].concat();
    assert_eq!(all(&suite, Some(0), None, 10, false).0, from_zero);
    let behind = (832_039, u64::MAX);
    assert_eq!(
        all(&suite, Some(832_036), Some(u64::MAX), 1, false).0,
        [(832_036, 832_037), behind]
    );
}

#[test]
fn the_ends_of_the_range_are_exact() {
    let ends = BTreeSet::from([0, u64::MAX]);
    let suite = registry(1_000, &ends);
    for reverse in [false, true] {
        assert_eq!(all(&suite, None, None, 10, reverse).0, [(1, u64::MAX - 1)]);
        assert_eq!(all(&suite, Some(0), Some(0), 10, reverse).0, []);
        assert_eq!(all(&suite, Some(u64::MAX), None, 10, reverse).0, []);
        assert_eq!(all(&suite, Some(7), Some(7), 10, reverse).0, [(7, 7)]);
    }
    let none = registry(1_000, &BTreeSet::new());
    assert_eq!(all(&none, None, None, 10, false).0, []);
    assert_eq!(all(&none, Some(3), None, 10, false).0, []);
    assert_eq!(
        all(&none, Some(0), Some(u64::MAX), 10, true).0,
        [(0, u64::MAX)]
    );
}

/// A run without a gap takes as many pages as its length takes budgets, none of them over it.
#[test]
fn a_dense_run_is_passed_within_the_budget() {
    let there: BTreeSet<u64> = (10..60).chain([70]).collect();
    let suite = registry(20, &there);
    for reverse in [false, true] {
        let (found, pages) = all(&suite, None, None, 30, reverse);
        assert_eq!(found, [(60, 69)]);
        assert_eq!(pages, 3);
    }
}

#[test]
fn a_range_or_an_emitter_that_is_none_is_refused() {
    let suite = registry(1_000, &BTreeSet::from([5]));
    let wrong = ask(&suite, Some(2), Some(1), PageRequest::first(1)).unwrap_err();
    assert_eq!(code(&wrong), "E220");
    let query = QueryMsg::MissingSequences {
        chain: 2,
        emitter: "ee".into(),
        from: None,
        to: None,
        page: None,
    };
    let wrong = suite.query::<MissingSequencesResponse>(&query).unwrap_err();
    assert_eq!(code(&wrong), "E204");
    let page = ask(&suite, Some(0), Some(9), PageRequest::first(1)).unwrap();
    let key = page.page.next_key.unwrap();
    let foreign = suite.query::<MissingSequencesResponse>(&QueryMsg::MissingSequences {
        chain: 3,
        emitter: EMITTER.into(),
        from: None,
        to: None,
        page: Some(PageRequest {
            key: Some(key),
            ..PageRequest::first(1)
        }),
    });
    assert_eq!(code(&foreign.unwrap_err()), "E211");
}

/// A message that came second, and one of another emitter, are no sequences of this one.
#[test]
fn only_what_stands_counts() {
    let keys = keys(1..=1);
    let mut suite = registry(1_000, &BTreeSet::from([5, 7]));
    suite.submit_one(&quorum_sign(0, &keys, &body(5, b"second")));
    let other = Body {
        emitter_chain: 3,
        ..body(6, b"a")
    };
    suite.stored(&quorum_sign(0, &keys, &other));
    assert_eq!(all(&suite, None, None, 10, false).0, [(6, 6)]);
}

fn sequence() -> impl Strategy<Value = u64> {
    prop_oneof![0..24_u64, (u64::MAX - 24)..=u64::MAX, any::<u64>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn missing_sequences_are_those_of_the_model(
        there in prop::collection::btree_set(sequence(), 0..30),
        ends in prop::collection::vec((prop::option::of(sequence()), prop::option::of(sequence())), 4),
        limit in 1..8_u64,
        budget in prop_oneof![Just(3_u32), Just(1_000)],
    ) {
        let suite = registry(budget, &there);
        for (from, to) in ends {
            if let (Some(from), Some(to)) = (from, to) && from > to {
                continue;
            }
            let expected = model(&there, from, to);
            prop_assert_eq!(&all(&suite, from, to, limit, false).0, &expected);
            let mut backward = all(&suite, from, to, limit, true).0;
            backward.reverse();
            prop_assert_eq!(&backward, &expected);
        }
    }
}

/// A cursor stands for a place in the range that it is of, and is refused in one without that place: it would lead out of
/// the range.
#[test]
fn a_cursor_of_another_range_is_refused() {
    let suite = registry(1_000, &(0..50).map(|at| at * 10).collect());
    for reverse in [false, true] {
        let first = PageRequest {
            reverse,
            ..PageRequest::first(3)
        };
        let page = ask(&suite, Some(0), Some(490), first.clone()).unwrap();
        let next = first.after(&page.page).unwrap();
        assert!(ask(&suite, None, None, next.clone()).is_ok());
        let narrow = ask(&suite, Some(100), Some(200), next.clone());
        assert_eq!(code(&narrow.unwrap_err()), "E211");
        let beyond = ask(&suite, Some(u64::MAX), Some(u64::MAX), next);
        assert_eq!(code(&beyond.unwrap_err()), "E211");
    }
}
