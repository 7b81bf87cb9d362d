//! Properties: a sequence is a counter, and pages of any size, by key or by offset, are the list. (That tables are maps is
//! in `model`.)

use cosmwasm_std::Uint64;
use cw_orm::{Namespace, Page, PageRequest, Sequence};
use proptest::prelude::*;

use super::model::{GIVEN, GIVEN_BY_METADATA, Given, given};
use crate::{
    fixture::{Store, walk},
    model::cases,
};

const SEQUENCE: Sequence = Sequence::new("things", Namespace::new(b"rps"));

#[derive(Clone, Copy, Debug)]
enum Op {
    Init(u64),
    Next,
    Peek,
    Current,
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        1 => any::<u64>().prop_map(Op::Init),
        1 => Just(Op::Init(u64::MAX - 1)),
        4 => Just(Op::Next),
        2 => Just(Op::Peek),
        2 => Just(Op::Current),
    ]
}

fn page(store: &Store, request: &PageRequest) -> Page<Given> {
    let scan = GIVEN
        .by(GIVEN_BY_METADATA)
        .unwrap()
        .key(&b"m".to_vec())
        .unwrap();
    scan.page(store, request).unwrap()
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn sequence_is_a_counter(ops in proptest::collection::vec(op(), 1..30)) {
        let (mut store, mut counter) = (Store::default(), None::<u64>);
        for op in ops {
            let last = counter.unwrap_or(0);
            match op {
                Op::Init(value) => {
                    prop_assert_eq!(SEQUENCE.init(&mut store, value).is_ok(), counter.is_none());
                    counter = counter.or(Some(value));
                }
                Op::Next => {
                    let next = last.checked_add(1);
                    prop_assert_eq!(SEQUENCE.next(&mut store).ok(), next);
                    counter = next.or(counter);
                }
                Op::Peek => prop_assert_eq!(SEQUENCE.peek(&store).ok(), last.checked_add(1)),
                Op::Current => prop_assert_eq!(SEQUENCE.current(&store), Ok(last)),
            }
        }
    }

    #[test]
    fn pages_by_key_and_by_offset_are_the_list(
        rows in proptest::collection::vec(any::<bool>(), 0..40), limit in 1_u64..12, reverse in any::<bool>(),
    ) {
        let metadata: Vec<&[u8]> = rows.iter().map(|hit| if *hit { &b"m"[..] } else { b"n" }).collect();
        let store = given(&metadata);
        let mut want: Vec<u64> = (1..).zip(&rows).filter(|(_, hit)| **hit).map(|(id, _)| id).collect();
        if reverse {
            want.reverse();
        }
        let request = PageRequest { reverse, ..PageRequest::first(limit) };
        let by_key = walk(&request, |request| Ok(page(&store, request)));
        let ids = |rows: Vec<Given>| rows.into_iter().map(|row| row.id).collect::<Vec<u64>>();
        prop_assert_eq!(&ids(by_key), &want);

        let mut by_offset = Vec::new();
        for number in 0..=want.len() as u64 / limit {
            let offset = Some(Uint64::new(number * limit));
            by_offset.extend(page(&store, &PageRequest { offset, ..request.clone() }).items);
        }
        prop_assert_eq!(ids(by_offset), want);
    }
}
