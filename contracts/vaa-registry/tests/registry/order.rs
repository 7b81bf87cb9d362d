//! Lists in the order of ids, which are made of each emitter's messages: walks, cursors, counts.

use cosmwasm_std::{Binary, Uint64};
use cw_orm::PageRequest;
use proptest::prelude::*;
use vaa_registry::msg::{Limits, MessageResponse, MessagesResponse, QueryMsg};
use wormhole_vaa::{Address, Body, MessageId};

use super::{
    lists::filled,
    suite::{START, Suite, addresses, body, instantiate_msg, keys, quorum_sign, set_init},
};

/// A message of one of a few emitters, with sequences where the key's bytes grow.
fn any_message() -> impl Strategy<Value = (u16, u8, u64)> {
    let chain = prop::sample::select(vec![0, 1, 2, 247, 248, 255, 256, u16::MAX]);
    let emitter = prop::sample::select(vec![0, 1, 4, 0x80, 0xff]);
    let sequence = prop::sample::select(vec![0, 1, 247, 248, 255, 256, u64::MAX - 1, u64::MAX]);
    (chain, emitter, sequence)
}

fn message(id: (u16, u8, u64)) -> Body {
    let (chain, emitter, sequence) = id;
    let mut address = [0; 32];
    // Short addresses and long ones, which sort as numbers do.
    address[if emitter < 0x80 { 31 } else { 0 }] = emitter;
    Body {
        emitter_chain: chain,
        emitter_address: Address(address),
        ..body(sequence, b"")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever comes in between two pages, a walk in the order of ids shows each message once, in order, and none that
    /// was there from the start is missed.
    #[test]
    fn walks_in_the_order_of_ids_survive_inserts(
        before in prop::collection::btree_set(any_message(), 1..12),
        between in prop::collection::vec(any_message(), 0..8),
        limit in 1..5_u64,
        reverse in any::<bool>(),
        chain in prop::option::of(prop::sample::select(vec![1_u16, 247, 248])),
    ) {
        let keys = keys(1..=1);
        let mut suite = Suite::of_keys(&keys);
        let vaa = |id| quorum_sign(0, &keys, &message(id));
        suite.submit(&before.iter().copied().map(vaa).collect::<Vec<_>>());
        let mut between = between.into_iter();
        let query = |page| match chain {
            Some(chain) => QueryMsg::MessagesByChain { chain, page, families: None, filter: None },
            None => QueryMsg::Messages { page, families: None, filter: None },
        };
        let mut request = PageRequest { reverse, ..PageRequest::first(limit) };
        let mut seen = Vec::new();
        loop {
            let found: MessagesResponse = suite.ask(&query(Some(request.clone())));
            prop_assert!(found.messages.len() as u64 <= limit);
            let keys = |message: &MessageResponse| message.id.parse::<MessageId>().unwrap();
            seen.extend(found.messages.iter().map(keys));
            match request.after(&found.page) {
                Some(next) => request = next,
                None => break,
            }
            if let Some(id) = between.next() {
                suite.submit_one(&vaa(id));
            }
        }
        let mut sorted = seen.clone();
        sorted.sort();
        sorted.dedup();
        if reverse {
            sorted.reverse();
        }
        prop_assert_eq!(&seen, &sorted);
        for id in before {
            let id = message(id).id();
            prop_assert_eq!(seen.contains(&id), chain.is_none_or(|chain| chain == id.chain));
        }
    }
}

#[test]
fn no_cursor_makes_a_list_panic() {
    let (suite, _) = filled();
    for reverse in [false, true] {
        let first = PageRequest {
            reverse,
            ..PageRequest::first(3)
        };
        let ask = |page| {
            suite.query::<MessagesResponse>(&QueryMsg::MessagesByChain {
                chain: 2,
                page: Some(page),
                families: None,
                filter: None,
            })
        };
        let key = ask(first.clone()).unwrap().page.next_key.unwrap().to_vec();
        let cut = (1..key.len()).map(|len| key[..len].to_vec());
        let changed = (0..key.len()).flat_map(|at| {
            [0, 1, 0x7f, 0xf8, 0xff].map(|byte| {
                let mut key = key.clone();
                key[at] = byte;
                key
            })
        });
        for forged in cut.chain(changed) {
            let forged = PageRequest {
                key: Some(Binary::new(forged)),
                ..first.clone()
            };
            match ask(forged) {
                Ok(page) => assert!(page.messages.iter().all(|found| found.emitter_chain == 2)),
                Err(error) => assert!(error.contains("[E211]"), "{error}"),
            }
        }
    }
}

#[test]
fn a_page_can_end_at_the_last_sequence_there_is() {
    let keys = keys(1..=1);
    let mut suite = Suite::of_keys(&keys);
    for id in [(1, 1, u64::MAX), (1, 4, 0)] {
        suite.stored(&quorum_sign(0, &keys, &message(id)));
    }
    for (reverse, expected) in [(false, [u64::MAX, 0]), (true, [0, u64::MAX])] {
        let mut request = PageRequest {
            reverse,
            ..PageRequest::first(1)
        };
        let ask = |page| -> MessagesResponse {
            suite.ask(&QueryMsg::Messages {
                page: Some(page),
                families: None,
                filter: None,
            })
        };
        let first = ask(request.clone());
        request = request.after(&first.page).unwrap();
        let second = ask(request);
        let found = [first, second].map(|page| page.messages[0].sequence.u64());
        assert_eq!(found, expected);
    }
}

#[test]
fn a_count_or_offset_over_the_budget_is_refused() {
    let keys = keys(1..=1);
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys), None)]);
    msg.limits = Some(Limits {
        scan_budget: 4,
        ..Limits::default()
    });
    let mut suite = Suite::create(&msg, START).unwrap();
    let ids = [(1, 1, 0), (1, 1, 1), (1, 4, 0), (2, 1, 0), (2, 1, 1)];
    for id in ids {
        suite.stored(&quorum_sign(0, &keys, &message(id)));
    }
    let ask = |request| {
        suite.query::<MessagesResponse>(&QueryMsg::Messages {
            page: Some(request),
            families: None,
            filter: None,
        })
    };
    let count = PageRequest {
        count_total: true,
        ..PageRequest::first(1)
    };
    assert!(ask(count).unwrap_err().contains("[E211]"));
    let offset = |rows| PageRequest {
        offset: Some(Uint64::new(rows)),
        ..PageRequest::first(1)
    };
    assert_eq!(ask(offset(3)).unwrap().messages[0].sequence.u64(), 0);
    // What was passed used the budget up: the page is empty, and says where to go on.
    let passed = ask(offset(4)).unwrap();
    assert!(passed.messages.is_empty());
    let next = PageRequest::first(1).after(&passed.page).unwrap();
    assert_eq!(ask(next).unwrap().messages[0].sequence.u64(), 1);
    assert!(ask(offset(5)).unwrap_err().contains("[E211]"));
}
