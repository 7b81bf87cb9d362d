//! Pages: every list, both ways, with the families asked for.

use cosmwasm_std::{Binary, Uint64};
use cw_orm::{PageRequest, PageResponse};
use vaa_registry::msg::{FamilySelection, IndexFlags, MessageResponse, MessagesResponse, QueryMsg};
use wormhole_vaa::{Address, Body};

use super::suite::{
    START, Suite, addresses, body, governance, instantiate_msg, key, keys, quorum_sign, set_init,
    upgrade,
};

type Query = Box<dyn Fn(Option<PageRequest>) -> QueryMsg>;

/// Follows pages to the end.
fn walk(suite: &Suite, query: &Query, limit: u64, reverse: bool) -> Vec<MessageResponse> {
    let mut request = PageRequest {
        reverse,
        ..PageRequest::first(limit)
    };
    let mut all = Vec::new();
    loop {
        let MessagesResponse { messages, page } = suite.ask(&query(Some(request.clone())));
        assert!(messages.len() as u64 <= limit);
        all.extend(messages);
        match request.after(&page) {
            Some(next) => request = next,
            None => return all,
        }
    }
}

fn sequences(messages: &[MessageResponse]) -> Vec<u64> {
    messages
        .iter()
        .map(|message| message.sequence.u64())
        .collect()
}

/// 45 messages of two chains and three emitters, of falling times; transfers to two recipients among them.
pub fn filled() -> (Suite, Vec<Body>) {
    let keys = keys(1..=1);
    let mut suite = Suite::of_keys(&keys);
    let mut bodies = Vec::new();
    for sequence in 0..45_u64 {
        let mut transfer = vec![1; 133];
        transfer[99..101].copy_from_slice(&[0, 5]);
        transfer[67..99].copy_from_slice(&[sequence as u8 % 2; 32]);
        let payload = if sequence % 3 == 0 {
            transfer
        } else {
            b"hello".to_vec()
        };
        bodies.push(Body {
            timestamp: 1_000 - (sequence as u32 / 2),
            emitter_chain: if sequence < 30 { 2 } else { 10 },
            emitter_address: Address([if sequence % 2 == 0 { 1 } else { 0xff }; 32]),
            ..body(sequence, &payload)
        });
    }
    for batch in bodies.chunks(15) {
        let vaas: Vec<_> = batch
            .iter()
            .map(|body| quorum_sign(0, &keys, body))
            .collect();
        suite.submit(&vaas);
    }
    (suite, bodies)
}

/// How a list is ordered.
#[derive(Clone, Copy)]
enum By {
    /// Chain, emitter, sequence.
    Id,
    /// When the registry first met the emitter, then sequence.
    Arrival,
    /// Time, then as [`By::Arrival`].
    Time,
}

fn expect(bodies: &[Body], keep: impl Fn(&Body) -> bool, order: By) -> Vec<u64> {
    let emitter = |body: &Body| (body.emitter_chain, body.emitter_address);
    let arrival = |body| {
        bodies
            .iter()
            .position(|first| emitter(first) == emitter(body))
    };
    let mut kept: Vec<&Body> = bodies.iter().filter(|body| keep(body)).collect();
    kept.sort_by_key(|body| body.sequence);
    match order {
        By::Id => kept.sort_by_key(|body| emitter(body)),
        By::Arrival => kept.sort_by_key(|body| arrival(body)),
        By::Time => kept.sort_by_key(|body| (body.timestamp, arrival(body))),
    }
    kept.iter().map(|body| body.sequence).collect()
}

#[test]
fn every_list_is_complete_in_order_and_walks_both_ways() {
    let (suite, bodies) = filled();
    let emitter = "FF".repeat(32);
    let lists: Vec<(Query, Vec<u64>)> = vec![
        (
            Box::new(|page| QueryMsg::Messages {
                page,
                families: None,
                filter: None,
            }),
            expect(&bodies, |_| true, By::Id),
        ),
        (
            Box::new(|page| QueryMsg::MessagesByChain {
                chain: 2,
                page,
                families: None,
                filter: None,
            }),
            expect(&bodies, |body| body.emitter_chain == 2, By::Id),
        ),
        (
            {
                let emitter = emitter.clone();
                Box::new(move |page| QueryMsg::MessagesByEmitter {
                    chain: 10,
                    emitter: emitter.clone(),
                    page,
                    families: None,
                    filter: None,
                })
            },
            expect(
                &bodies,
                |body| body.emitter_chain == 10 && body.emitter_address.0[0] == 0xff,
                By::Id,
            ),
        ),
        (
            time(None, None, None, None),
            expect(&bodies, |_| true, By::Time),
        ),
        (
            time(None, None, Some(985), Some(990)),
            expect(
                &bodies,
                |body| (985..=990).contains(&body.timestamp),
                By::Time,
            ),
        ),
        (
            time(Some(2), None, None, Some(990)),
            expect(
                &bodies,
                |b| b.emitter_chain == 2 && b.timestamp <= 990,
                By::Time,
            ),
        ),
        (
            time(Some(2), Some(emitter.clone()), Some(990), None),
            expect(
                &bodies,
                |b| b.emitter_chain == 2 && b.emitter_address.0[0] == 0xff && b.timestamp >= 990,
                By::Time,
            ),
        ),
        (
            Box::new(|page| QueryMsg::MessagesByGuardianSet {
                index: 0,
                page,
                families: None,
                filter: None,
            }),
            expect(&bodies, |_| true, By::Arrival),
        ),
        (
            Box::new(|page| QueryMsg::MessagesByRecipient {
                chain: 5,
                address: Some("01".repeat(32)),
                page,
                families: None,
                filter: None,
            }),
            expect(
                &bodies,
                |b| b.payload.len() == 133 && b.sequence % 2 == 1,
                By::Arrival,
            ),
        ),
    ];
    for (number, (query, expected)) in lists.iter().enumerate() {
        assert!(!expected.is_empty());
        for limit in [1, 7, 30] {
            assert_eq!(
                sequences(&walk(&suite, query, limit, false)),
                *expected,
                "list {number}, pages of {limit}"
            );
            let mut backward = sequences(&walk(&suite, query, limit, true));
            backward.reverse();
            assert_eq!(
                backward, *expected,
                "list {number}, pages of {limit} backward"
            );
        }
        let request = PageRequest {
            count_total: true,
            ..PageRequest::first(2)
        };
        let counted: MessagesResponse = suite.ask(&query(Some(request)));
        assert_eq!(
            counted.page.total,
            Some(Uint64::new(expected.len() as u64)),
            "list {number}"
        );
    }
}

fn time(chain: Option<u16>, emitter: Option<String>, from: Option<u32>, to: Option<u32>) -> Query {
    Box::new(move |page| QueryMsg::MessagesByTime {
        chain,
        emitter: emitter.clone(),
        from,
        to,
        page,
        families: None,
        filter: None,
    })
}

#[test]
fn only_the_families_asked_for_are_answered() {
    let (suite, _) = filled();
    for bits in 0..8_u8 {
        let families = FamilySelection {
            message_publication: bits & 1 != 0,
            quorum_state: bits & 2 != 0,
            status: bits & 4 != 0,
        };
        let by_key = QueryMsg::Messages {
            page: None,
            families: Some(families),
            filter: None,
        };
        let by_time = QueryMsg::MessagesByTime {
            chain: None,
            emitter: None,
            from: None,
            to: None,
            page: None,
            families: Some(families),
            filter: None,
        };
        for query in [by_key, by_time] {
            let found: MessagesResponse = suite.ask(&query);
            assert_eq!(found.messages.len(), 10);
            for message in found.messages {
                assert_eq!(
                    message.message_publication.is_some(),
                    families.message_publication
                );
                assert_eq!(message.quorum_state.is_some(), families.quorum_state);
                assert_eq!(message.status.is_some(), families.status);
            }
        }
    }
}

#[test]
fn a_cursor_of_another_list_is_refused() {
    let (suite, _) = filled();
    let list = |chain, page| QueryMsg::MessagesByChain {
        chain,
        page: Some(page),
        families: None,
        filter: None,
    };
    let first: MessagesResponse = suite.ask(&list(2, PageRequest::first(3)));
    let next = PageRequest::first(3).after(&first.page).unwrap();
    let second: MessagesResponse = suite.ask(&list(2, next.clone()));
    assert_eq!(second.messages.len(), 3);
    let ask = |query| suite.query::<MessagesResponse>(&query).unwrap_err();
    assert!(ask(list(10, next.clone())).contains("[E211]"));
    assert!(
        ask(list(
            2,
            PageRequest {
                reverse: true,
                ..next.clone()
            }
        ))
        .contains("[E211]")
    );
    assert!(
        ask(list(
            2,
            PageRequest {
                offset: Some(Uint64::new(1)),
                ..next.clone()
            }
        ))
        .contains("[E211]")
    );
    assert!(
        ask(QueryMsg::Messages {
            page: Some(next.clone()),
            families: None,
            filter: None
        })
        .contains("[E211]")
    );
    let short = PageRequest {
        key: Some(Binary::new(vec![1, 2])),
        ..next
    };
    assert!(ask(list(2, short)).contains("[E211]"));
}

#[test]
fn an_absent_index_is_named() {
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys(1..=1)), None)]);
    msg.indexes = Some(IndexFlags::NONE);
    let suite = Suite::create(&msg, START).unwrap();
    let queries = [
        (time(None, None, None, None), "by_time"),
        (time(Some(1), None, None, None), "by_chain_time"),
        (
            time(Some(1), Some("01".repeat(32)), None, None),
            "by_emitter_time",
        ),
        (
            Box::new(|page| QueryMsg::MessagesByGuardianSet {
                index: 0,
                page,
                families: None,
                filter: None,
            }),
            "by_guardian_set",
        ),
        (
            Box::new(|page| QueryMsg::MessagesByRecipient {
                chain: 1,
                address: None,
                page,
                families: None,
                filter: None,
            }),
            "by_recipient",
        ),
    ];
    for (query, name) in queries {
        let error = suite.query::<MessagesResponse>(&query(None)).unwrap_err();
        assert!(error.contains("[E208]") && error.contains(name), "{error}");
    }
    let error = suite
        .query::<MessagesResponse>(&time(None, Some("01".repeat(32)), None, None)(None))
        .unwrap_err();
    assert!(error.contains("[E209]"), "{error}");
    let error = suite
        .query::<MessagesResponse>(&time(None, None, Some(2), Some(1))(None))
        .unwrap_err();
    assert!(error.contains("[E210]"), "{error}");
}

#[test]
fn a_message_is_listed_under_every_set_that_signed_it() {
    let (old, new) = (vec![key(1)], vec![key(2)]);
    let mut suite = Suite::of_keys(&old);
    suite.stored(&quorum_sign(0, &old, &body(1, b"both")));
    suite.stored(&quorum_sign(0, &old, &body(2, b"old")));
    suite.stored(&quorum_sign(0, &old, &governance(3, &upgrade(1, &new))));
    suite.stored(&quorum_sign(1, &new, &body(4, b"new")));
    assert_eq!(
        suite.verdict(&quorum_sign(1, &new, &body(1, b"both"))),
        "resigned"
    );
    let of = |index| {
        let found: MessagesResponse = suite.ask(&QueryMsg::MessagesByGuardianSet {
            index,
            page: None,
            families: None,
            filter: None,
        });
        sequences(&found.messages)
    };
    assert_eq!(of(0), [3, 1, 2]);
    assert_eq!(of(1), [1, 4]);
    assert_eq!(of(2), [0_u64; 0]);
}

#[test]
fn an_empty_registry_has_empty_pages() {
    let suite = Suite::of_keys(&keys(1..=1));
    let found: MessagesResponse = suite.ask(&QueryMsg::Messages {
        page: None,
        families: None,
        filter: None,
    });
    assert_eq!(
        (found.messages.len(), found.page),
        (0, PageResponse::default())
    );
}
