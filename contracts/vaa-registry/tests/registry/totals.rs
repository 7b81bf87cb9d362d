//! Totals, lists by governance module, filters, and indexes that are built later.

use std::collections::BTreeMap;

use cosmwasm_std::{Addr, Binary, from_json};
use cw_orm::PageRequest;
use vaa_registry::msg::{
    BuildIndexResponse, ChainTotalsResponse, ConfigResponse, DayTotalsResponse,
    EmitterTotalsResponse, ExecuteMsg, IndexFlags, IndexName, Limits, MessageFilter,
    MessageResponse, MessagesResponse, QueryMsg,
};
use wormhole_vaa::{Body, SecretKey};

use super::{
    data::{Row, rows, set},
    observed::code,
    suite::{
        START, Suite, addresses, body, governance, instantiate_msg, keys, quorum_sign, set_init,
        upgrade,
    },
};

/// Real VAAs of one guardian set, of many emitters, and some that come second.
fn archive() -> (Vec<String>, Vec<Vec<u8>>) {
    let of_set = |row: &Row| row.name.starts_with("mgs4-") || row.name.starts_with("mgs3-");
    let rows: Vec<_> = rows("mainnet.jsonl")
        .iter()
        .filter(|row| of_set(row))
        .map(Row::bytes)
        .collect();
    (
        set("mainnet:3"),
        rows.into_iter()
            .filter(|vaa| vaa[..5] == [1, 0, 0, 0, 3])
            .collect(),
    )
}

fn administered(index: u32, guardians: Vec<String>, indexes: IndexFlags) -> (Suite, Addr) {
    let mut msg = instantiate_msg(vec![set_init(index, guardians, None)]);
    let admin = cw_multi_test::App::default().api().addr_make("admin");
    msg.admin = Some(admin.to_string());
    msg.indexes = Some(indexes);
    (Suite::create(&msg, START).unwrap(), admin)
}

/// Follows the pages of a list.
fn follow<A: serde::de::DeserializeOwned, T>(
    suite: &Suite,
    limit: u64,
    reverse: bool,
    query: &dyn Fn(PageRequest) -> QueryMsg,
    parts: fn(A) -> (Vec<T>, cw_orm::PageResponse),
) -> Vec<T> {
    let mut request = PageRequest {
        reverse,
        ..PageRequest::first(limit)
    };
    let mut found = Vec::new();
    loop {
        let (rows, page) = parts(suite.ask(&query(request.clone())));
        found.extend(rows);
        match request.after(&page) {
            Some(next) => request = next,
            None => break,
        }
    }
    if reverse {
        found.reverse();
    }
    found
}

fn messages(
    suite: &Suite,
    filter: Option<&MessageFilter>,
    limit: u64,
    reverse: bool,
) -> Vec<MessageResponse> {
    let query = |page| QueryMsg::Messages {
        page: Some(page),
        families: None,
        filter: filter.cloned(),
    };
    follow(suite, limit, reverse, &query, |answer: MessagesResponse| {
        (answer.messages, answer.page)
    })
}

#[test]
fn totals_are_what_a_list_has() {
    let (guardians, vaas) = archive();
    let (mut suite, _) = administered(3, guardians, IndexFlags::ALL);
    for vaas in vaas.chunks(50) {
        suite.submit(vaas);
    }
    // Again, and nothing counts twice.
    for vaas in vaas.chunks(50) {
        suite.submit(vaas);
    }
    let (mut chains, mut emitters, mut days) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let all = messages(&suite, None, 30, false);
    assert!(all.len() > 40);
    for message in &all {
        *chains.entry(message.emitter_chain).or_insert(0_u64) += 1;
        *emitters
            .entry((message.emitter_chain, message.emitter_address.clone()))
            .or_insert(0_u64) += 1;
        let time = message.message_publication.as_ref().unwrap().timestamp;
        *days.entry(time / 86_400 * 86_400).or_insert(0_u64) += 1;
    }
    for (limit, reverse) in [(2, false), (30, true)] {
        let by_chain = follow(
            &suite,
            limit,
            reverse,
            &|page| QueryMsg::TotalsByChain {
                chain: None,
                page: Some(page),
            },
            |answer: ChainTotalsResponse| (answer.totals, answer.page),
        );
        let by_chain: Vec<_> = by_chain
            .iter()
            .map(|one| (one.chain, one.messages.u64()))
            .collect();
        assert_eq!(by_chain, chains.clone().into_iter().collect::<Vec<_>>());
        let by_emitter = follow(
            &suite,
            limit,
            reverse,
            &|page| QueryMsg::TotalsByEmitter {
                chain: None,
                emitter: None,
                page: Some(page),
            },
            |answer: EmitterTotalsResponse| (answer.totals, answer.page),
        );
        let by_emitter: Vec<_> = by_emitter
            .into_iter()
            .map(|one| ((one.chain, one.emitter), one.messages.u64()))
            .collect();
        assert_eq!(by_emitter, emitters.clone().into_iter().collect::<Vec<_>>());
        let by_day = follow(
            &suite,
            limit,
            reverse,
            &|page| QueryMsg::TotalsByDay {
                from: None,
                to: None,
                page: Some(page),
            },
            |answer: DayTotalsResponse| (answer.totals, answer.page),
        );
        let by_day: Vec<_> = by_day
            .iter()
            .map(|one| (one.day, one.messages.u64()))
            .collect();
        assert_eq!(by_day, days.clone().into_iter().collect::<Vec<_>>());
    }
    // One figure each.
    for ((chain, emitter), total) in &emitters {
        let one: EmitterTotalsResponse = suite.ask(&QueryMsg::TotalsByEmitter {
            chain: Some(*chain),
            emitter: Some(emitter.to_uppercase()),
            page: None,
        });
        assert_eq!(
            one.totals
                .iter()
                .map(|one| one.messages.u64())
                .collect::<Vec<_>>(),
            [*total]
        );
    }
    let (chain, total) = chains.iter().next().unwrap();
    let one: ChainTotalsResponse = suite.ask(&QueryMsg::TotalsByChain {
        chain: Some(*chain),
        page: None,
    });
    assert_eq!(
        (
            one.totals[0].chain,
            one.totals[0].messages.u64(),
            one.totals.len()
        ),
        (*chain, *total, 1)
    );
    let (day, total) = days.iter().next_back().unwrap();
    let one: DayTotalsResponse = suite.ask(&QueryMsg::TotalsByDay {
        from: Some(day + 86_399),
        to: Some(day + 1 + 86_398),
        page: None,
    });
    assert_eq!(
        (
            one.totals[0].day,
            one.totals[0].messages.u64(),
            one.totals.len()
        ),
        (*day, *total, 1)
    );
    let none: ChainTotalsResponse = suite.ask(&QueryMsg::TotalsByChain {
        chain: Some(9_999),
        page: None,
    });
    assert!(none.totals.is_empty());
}

/// F-12: of messages that claim one id, one counts, and what is resigned counts once.
#[test]
fn f_12_a_conflict_is_counted_once() {
    let keys = keys(1..=1);
    let (mut suite, _) = administered(0, addresses(&keys), IndexFlags::ALL);
    for payload in [b"a", b"b", b"a"] {
        suite.submit_one(&quorum_sign(0, &keys, &body(1, payload)));
    }
    let found: ChainTotalsResponse = suite.ask(&QueryMsg::TotalsByChain {
        chain: None,
        page: None,
    });
    assert_eq!(
        found
            .totals
            .iter()
            .map(|one| one.messages.u64())
            .sum::<u64>(),
        1
    );
}

#[test]
fn governance_is_listed_by_module_and_action() {
    let keys = keys(1..=1);
    let (mut suite, _) = administered(0, addresses(&keys), IndexFlags::ALL);
    let payload = |module: &str, action: u8| {
        let mut payload = vec![0; 32 - module.len()];
        payload.extend(module.as_bytes());
        payload.extend([action, 0, 0]);
        payload
    };
    let sent = [
        (1, payload("TokenBridge", 2)),
        (2, payload("Core", 3)),
        (3, payload("TokenBridge", 1)),
        (4, upgrade(7, &keys)),
        (5, b"short".to_vec()),
        (6, payload("TokenBridge", 2)),
    ];
    for (sequence, payload) in &sent {
        suite.stored(&quorum_sign(0, &keys, &governance(*sequence, payload)));
    }
    // Not governance, whatever it looks like.
    suite.stored(&quorum_sign(0, &keys, &body(1, &payload("Core", 3))));
    let list = |module: &str, action| {
        let found: MessagesResponse = suite.ask(&QueryMsg::MessagesByGovernanceModule {
            module: module.into(),
            action,
            page: None,
            families: None,
            filter: None,
        });
        found
            .messages
            .iter()
            .map(|one| one.sequence.u64())
            .collect::<Vec<_>>()
    };
    assert_eq!(list("TokenBridge", None), [3, 1, 6]);
    assert_eq!(list("TokenBridge", Some(2)), [1, 6]);
    assert_eq!(list("Core", None), [4, 2]);
    let hex = format!("0x{}{}", "00".repeat(28), "436F7265");
    assert_eq!(list(&hex, Some(3)), [2]);
    assert_eq!(list("core", None), [] as [u64; 0]);
    for module in ["", "a module with a name of over 32 bytes"] {
        let query = QueryMsg::MessagesByGovernanceModule {
            module: module.into(),
            action: None,
            page: None,
            families: None,
            filter: None,
        };
        assert_eq!(
            code(&suite.query::<MessagesResponse>(&query).unwrap_err()),
            "E204"
        );
    }
}

#[test]
fn a_query_of_totals_that_are_not_kept_is_refused() {
    let (suite, _) = administered(0, addresses(&keys(1..=1)), IndexFlags::NONE);
    let queries = [
        QueryMsg::TotalsByChain {
            chain: None,
            page: None,
        },
        QueryMsg::TotalsByEmitter {
            chain: None,
            emitter: None,
            page: None,
        },
        QueryMsg::TotalsByDay {
            from: None,
            to: None,
            page: None,
        },
        QueryMsg::MessagesByGovernanceModule {
            module: "Core".into(),
            action: None,
            page: None,
            families: None,
            filter: None,
        },
    ];
    for query in queries {
        assert_eq!(
            code(&suite.query::<serde_json::Value>(&query).unwrap_err()),
            "E208"
        );
    }
}

fn filters() -> Vec<MessageFilter> {
    let none = MessageFilter::default();
    vec![
        none.clone(),
        MessageFilter {
            nonce: Some(2),
            ..none.clone()
        },
        MessageFilter {
            consistency_level: Some(1),
            ..none.clone()
        },
        MessageFilter {
            payload_prefix: Some(Binary::from(b"ab")),
            ..none.clone()
        },
        MessageFilter {
            min_payload_length: Some(2),
            max_payload_length: Some(3),
            ..none.clone()
        },
        MessageFilter {
            nonce: Some(1),
            consistency_level: Some(0),
            min_payload_length: Some(1),
            ..none.clone()
        },
        MessageFilter {
            nonce: Some(77),
            ..none
        },
    ]
}

fn matches(filter: &MessageFilter, message: &MessageResponse) -> bool {
    let found = message.message_publication.as_ref().unwrap();
    filter.nonce.is_none_or(|nonce| nonce == found.nonce)
        && filter
            .consistency_level
            .is_none_or(|level| level == found.consistency_level)
        && filter
            .payload_prefix
            .as_ref()
            .is_none_or(|prefix| found.payload.starts_with(prefix))
        && filter
            .min_payload_length
            .is_none_or(|least| found.payload.len() >= least as usize)
        && filter
            .max_payload_length
            .is_none_or(|most| found.payload.len() <= most as usize)
}

fn varied(keys: &[SecretKey]) -> Vec<Vec<u8>> {
    let payloads: [&[u8]; 5] = [b"", b"a", b"ab", b"abc", b"bcde"];
    let of = |at: u64| Body {
        nonce: (at % 4) as u32,
        consistency_level: (at % 3) as u8,
        timestamp: 1_700_000_000 + (at as u32 % 7),
        emitter_chain: 2 + (at % 2) as u16,
        ..body(at, payloads[(at % 5) as usize])
    };
    (0..60).map(|at| quorum_sign(0, keys, &of(at))).collect()
}

/// Every list shows under a filter what it shows without one, less what does not match.
#[test]
fn filtered_pages_are_the_matching_rows_of_the_list() {
    let keys = keys(1..=1);
    for budget in [1_000, 7] {
        let (mut suite, admin) = administered(0, addresses(&keys), IndexFlags::ALL);
        let limits = Limits {
            scan_budget: budget,
            ..Limits::default()
        };
        suite
            .send_as(&admin, &ExecuteMsg::SetLimits { limits })
            .unwrap();
        for vaas in varied(&keys).chunks(50) {
            suite.submit(vaas);
        }
        let emitter = body(0, b"").emitter_address.to_hex();
        type List<'a> = Box<dyn Fn(PageRequest, Option<MessageFilter>) -> QueryMsg + 'a>;
        let lists: Vec<List<'_>> = vec![
            Box::new(|page, filter| QueryMsg::Messages {
                page: Some(page),
                families: None,
                filter,
            }),
            Box::new(|page, filter| QueryMsg::MessagesByChain {
                chain: 2,
                page: Some(page),
                families: None,
                filter,
            }),
            Box::new(|page, filter| QueryMsg::MessagesByEmitter {
                chain: 3,
                emitter: emitter.clone(),
                page: Some(page),
                families: None,
                filter,
            }),
            Box::new(|page, filter| QueryMsg::MessagesByTime {
                chain: None,
                emitter: None,
                from: None,
                to: Some(1_700_000_004),
                page: Some(page),
                families: None,
                filter,
            }),
            Box::new(|page, filter| QueryMsg::MessagesByGuardianSet {
                index: 0,
                page: Some(page),
                families: None,
                filter,
            }),
        ];
        for list in lists {
            let parts = |answer: MessagesResponse| (answer.messages, answer.page);
            let whole = follow(&suite, 30, false, &|page| list(page, None), parts);
            assert!(whole.len() > 20);
            for filter in filters() {
                let expected: Vec<_> = whole
                    .iter()
                    .filter(|one| matches(&filter, one))
                    .cloned()
                    .collect();
                for (limit, reverse) in [(1, false), (4, true), (30, false)] {
                    let found = follow(
                        &suite,
                        limit,
                        reverse,
                        &|page| list(page, Some(filter.clone())),
                        parts,
                    );
                    assert_eq!(found, expected, "{filter:?} {limit} {reverse}");
                }
            }
        }
    }
}

#[test]
fn totals_offsets_and_cursors_of_filtered_pages() {
    let keys = keys(1..=1);
    let (mut suite, admin) = administered(0, addresses(&keys), IndexFlags::ALL);
    for vaas in varied(&keys).chunks(50) {
        suite.submit(vaas);
    }
    let filter = &filters()[1];
    let ask = |suite: &Suite, page: PageRequest, filter: &MessageFilter| {
        suite.query::<MessagesResponse>(&QueryMsg::Messages {
            page: Some(page),
            families: None,
            filter: Some(filter.clone()),
        })
    };
    let whole = messages(&suite, Some(filter), 30, false);
    assert_eq!(whole.len(), 15);
    let counted = ask(
        &suite,
        PageRequest {
            count_total: true,
            ..PageRequest::first(2)
        },
        filter,
    )
    .unwrap();
    assert_eq!(counted.page.total.unwrap().u64(), 15);
    let late = ask(
        &suite,
        PageRequest {
            offset: Some(13_u64.into()),
            ..PageRequest::first(9)
        },
        filter,
    )
    .unwrap();
    assert_eq!(
        (late.messages, late.page.next_key),
        (whole[13..].to_vec(), None)
    );
    let beyond = ask(
        &suite,
        PageRequest {
            offset: Some(u64::MAX.into()),
            ..PageRequest::first(9)
        },
        filter,
    )
    .unwrap();
    assert!(beyond.messages.is_empty() && beyond.page.next_key.is_none());

    let key = counted.page.next_key.unwrap();
    let with = |key: Binary| PageRequest {
        key: Some(key),
        ..PageRequest::first(2)
    };
    let both = PageRequest {
        offset: Some(1_u64.into()),
        ..with(key.clone())
    };
    for (page, filter) in [
        (both, filter),
        (with(key.clone()), &filters()[2]),
        (with(Binary::from(b"ab")), filter),
        (with(Binary::new(key[4..].to_vec())), filter),
    ] {
        assert_eq!(code(&ask(&suite, page, filter).unwrap_err()), "E211");
    }
    // A cursor of a list without the filter, or with it, is none of the other.
    let plain: MessagesResponse = suite.ask(&QueryMsg::Messages {
        page: Some(PageRequest::first(1)),
        families: None,
        filter: None,
    });
    let foreign = ask(&suite, with(plain.page.next_key.unwrap()), filter).unwrap_err();
    assert_eq!(code(&foreign), "E211");

    let limits = Limits {
        scan_budget: 20,
        ..Limits::default()
    };
    suite
        .send_as(&admin, &ExecuteMsg::SetLimits { limits })
        .unwrap();
    let counting = PageRequest {
        count_total: true,
        ..PageRequest::first(2)
    };
    assert_eq!(code(&ask(&suite, counting, filter).unwrap_err()), "E211");
    let nothing = ask(&suite, PageRequest::first(2), &filters()[6]).unwrap();
    assert!(nothing.messages.is_empty() && nothing.page.next_key.is_some());
}

fn build(
    suite: &mut Suite,
    sender: &Addr,
    index: IndexName,
    limit: u32,
) -> Result<BuildIndexResponse, String> {
    let response = suite.send_as(sender, &ExecuteMsg::BuildIndex { index, limit })?;
    Ok(from_json(response.data.unwrap()).unwrap())
}

/// An index built while messages come in, are signed again and conflict ends as one that was kept from the start: all that
/// is stored is the same, byte for byte.
#[test]
fn an_index_built_later_is_as_one_kept_from_the_start() {
    let (old, new) = (keys(1..=1), keys(2..=2));
    let (mut kept, _) = administered(0, addresses(&old), IndexFlags::ALL);
    let (mut built, admin) = administered(0, addresses(&old), IndexFlags::NONE);
    let mut count = 0;
    let mut next = |suites: [&mut Suite; 2]| {
        let at: u64 = count;
        count += 1;
        // New rows before and behind what is built, older ones signed again, and rows that come second.
        let body = |sequence: u64, payload: &[u8]| Body {
            emitter_chain: 2 + (at % 3) as u16,
            ..body(sequence, payload)
        };
        let vaas = [
            quorum_sign(1, &new, &body(1_000 - at, b"a")),
            quorum_sign(1, &new, &body(at % 20, b"a")),
            quorum_sign(1, &new, &body(at % 7, b"b")),
        ];
        let (tx_id, observed) = (vec![at as u8; 20], body(1_000 - at, b"a"));
        for suite in suites {
            suite.submit(&vaas);
            suite.observe_tx(1, 0, &new[0], &observed, &tx_id);
        }
    };
    for suite in [&mut kept, &mut built] {
        let vaas: Vec<_> = (0..20)
            .map(|at| {
                quorum_sign(
                    0,
                    &old,
                    &Body {
                        emitter_chain: 2 + (at % 3) as u16,
                        ..body(at, b"a")
                    },
                )
            })
            .collect();
        suite.submit(&vaas);
        suite.stored(&quorum_sign(0, &old, &governance(1, &upgrade(1, &new))));
    }
    for index in IndexName::ALL {
        let mut steps = 0;
        loop {
            next([&mut kept, &mut built]);
            let done = build(&mut built, &admin, index, 5).unwrap();
            steps += 1;
            let config: ConfigResponse = built.ask(&QueryMsg::Config {});
            assert_eq!(config.building, (!done.done).then_some(index));
            if done.done {
                break;
            }
            assert_eq!(done.rows, 5);
            let other = if index == IndexName::Time {
                IndexName::TxId
            } else {
                IndexName::Time
            };
            if index != IndexName::Time {
                assert_eq!(
                    code(&build(&mut built, &admin, other, 5).unwrap_err()),
                    "E223"
                );
            }
        }
        assert!(steps > 1, "{index:?}");
        let done = build(&mut built, &admin, index, 5).unwrap();
        assert_eq!((done.rows, done.done), (0, true));
    }
    next([&mut kept, &mut built]);
    assert_eq!(kept.dump().len(), built.dump().len());
    for (kept, built) in kept.dump().iter().zip(built.dump()) {
        // The admin differs in neither.
        assert_eq!(*kept, built);
    }
}

#[test]
fn only_the_admin_builds_an_index_and_in_steps_of_some_size() {
    let (mut suite, admin) = administered(0, addresses(&keys(1..=1)), IndexFlags::NONE);
    let user = suite.user.clone();
    assert_eq!(
        code(&build(&mut suite, &user, IndexName::Time, 1).unwrap_err()),
        "E401"
    );
    assert_eq!(
        code(&build(&mut suite, &admin, IndexName::Time, 0).unwrap_err()),
        "E213"
    );
    let query = QueryMsg::MessagesByTime {
        chain: None,
        emitter: None,
        from: None,
        to: None,
        page: None,
        families: None,
        filter: None,
    };
    assert_eq!(
        code(&suite.query::<MessagesResponse>(&query).unwrap_err()),
        "E208"
    );
    assert!(build(&mut suite, &admin, IndexName::Time, 1).unwrap().done);
    suite.ask::<MessagesResponse>(&query);
}
