//! Errors and events are an interface: what clients match on changes on purpose only, and the documents tell all of it.

use std::collections::BTreeMap;

use cosmwasm_std::{Binary, Event};
use vaa_registry::msg::{
    ExecuteMsg, IndexFlags, IndexName, Limits, OnInvalid, PublishedMessage, PublisherScope,
};
use wormhole_vaa::{Body, SecretKey};

use super::{
    observed::{observation, tx},
    suite::{
        START, Suite, addresses, body, governance, instantiate_msg, keys, quorum_sign, set_init,
        upgrade,
    },
};

const SOURCE: &str = include_str!("../../src/error.rs");
const README: &str = include_str!("../../README.md");
const EVENTS: &str = include_str!("../../src/events.rs");

/// The codes in a text, with where each stands.
fn codes(text: &str) -> impl Iterator<Item = (usize, u16)> {
    text.match_indices('E').filter_map(|(at, _)| {
        let code = text.get(at + 1..at + 4)?;
        let after = text.as_bytes().get(at + 4);
        let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        let alone = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        (alone(before) && alone(after)).then(|| code.parse().ok().map(|code| (at, code)))?
    })
}

/// Each code with the text that it ends, as the source has it.
fn texts() -> BTreeMap<u16, Vec<String>> {
    let mut texts: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for line in SOURCE.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("#[error(\"") {
            for (_, code) in codes(text) {
                let text = text.split_once(" [E").unwrap().0;
                texts.entry(code).or_default().push(text.to_owned());
            }
        }
        // The refusals' codes stand apart from their texts.
        if let Some((variant, code)) = line.split_once(" => \"E") {
            let code = code.trim_end_matches("\",").parse().unwrap();
            let variant = variant.split([' ', '(']).next().unwrap().to_owned();
            texts.entry(code).or_default().push(variant);
        }
    }
    texts
}

#[test]
fn every_code_is_documented() {
    let table = README.split_once("## Errors").unwrap().1;
    let mut documented = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| E")) {
        let cell = row.split('|').nth(1).unwrap();
        let found: Vec<_> = codes(cell).map(|(_, code)| code).collect();
        match cell.contains('–') {
            true => documented.extend(found[0]..=found[1]),
            false => documented.extend(found),
        }
    }
    let codes: Vec<u16> = texts().into_keys().collect();
    assert!(codes.len() > 50);
    for code in &codes {
        assert!(documented.contains(code), "E{code} is not in the README");
    }
    // Those of the store are the ORM's; no others are only on paper.
    for code in documented.iter().filter(|code| **code < 900) {
        assert!(
            codes.contains(code),
            "the README tells of E{code}, which there is not"
        );
    }
}

#[test]
fn codes_and_their_texts_change_on_purpose_only() {
    let lines: Vec<String> = texts()
        .into_iter()
        .map(|(code, texts)| format!("E{code} {}", texts.join(" / ")))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

/// Runs all that has events, in one story.
fn story() -> Vec<Event> {
    let (old, new) = (keys(1..=4), keys(5..=8));
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&old), None)]);
    let api = cw_multi_test::App::default();
    let [admin, heir, press] = ["admin", "heir", "press"].map(|name| api.api().addr_make(name));
    msg.admin = Some(admin.to_string());
    msg.indexes = Some(IndexFlags::NONE);
    let mut suite = Suite::create(&msg, START).unwrap();
    let user = suite.user.clone();
    let mut events = Vec::new();
    let mut act = |suite: &mut Suite, sender: &cosmwasm_std::Addr, msg: &ExecuteMsg| {
        let response = suite.send_as(sender, msg).unwrap();
        events.extend(
            response
                .events
                .into_iter()
                .filter(|event| event.ty.starts_with("wasm")),
        );
    };
    let vaas = |vaas: Vec<Vec<u8>>| ExecuteMsg::SubmitVaas {
        vaas: vaas.into_iter().map(Binary::new).collect(),
        on_invalid: Some(OnInvalid::Skip),
    };
    let report = |suite: &Suite, guardian: u8, key: &SecretKey, body: &Body| {
        let list = [observation(key, body, &tx(1))];
        suite.report(0, guardian, key, &list).msg(None)
    };
    let first = quorum_sign(0, &old, &body(1, b"a"));
    let second = quorum_sign(0, &old, &body(1, b"b"));
    let batch = vec![
        first.clone(),
        first,
        second.clone(),
        second,
        b"none".to_vec(),
    ];
    act(&mut suite, &user, &vaas(batch));
    for guardian in [0, 1, 2, 2] {
        let msg = report(
            &suite,
            guardian,
            &old[usize::from(guardian)],
            &body(2, b"a"),
        );
        act(&mut suite, &user, &msg);
    }
    let msg = report(&suite, 3, &old[3], &body(3, b"a"));
    act(&mut suite, &user, &msg);
    let list = [observation(&old[2], &body(4, b"a"), &[])];
    let msg = suite.report(0, 2, &old[2], &list).msg(None);
    act(&mut suite, &user, &msg);

    let publisher = press.to_string();
    let scope = PublisherScope {
        chain: 2,
        emitter: None,
    };
    act(
        &mut suite,
        &admin,
        &ExecuteMsg::RegisterPublisher {
            publisher: publisher.clone(),
            scope,
            quota: 2,
        },
    );
    let published = |body: &Body| PublishedMessage {
        body: Binary::new(body.serialize()),
        tx_id: None,
    };
    let nonce = Body {
        nonce: 8,
        ..body(5, b"a")
    };
    let outside = Body {
        emitter_chain: 3,
        ..body(5, b"a")
    };
    let messages = [&body(5, b"a"), &nonce, &nonce, &body(1, b"a"), &outside]
        .map(published)
        .to_vec();
    act(
        &mut suite,
        &press,
        &ExecuteMsg::PublishMessages {
            messages,
            on_invalid: Some(OnInvalid::Skip),
        },
    );
    act(
        &mut suite,
        &admin,
        &ExecuteMsg::RevokePublisher {
            publisher,
            limit: None,
        },
    );

    act(
        &mut suite,
        &admin,
        &ExecuteMsg::BuildIndex {
            index: IndexName::Time,
            limit: 1,
        },
    );
    act(
        &mut suite,
        &admin,
        &ExecuteMsg::BuildIndex {
            index: IndexName::Time,
            limit: 9,
        },
    );
    act(
        &mut suite,
        &admin,
        &ExecuteMsg::SetLimits {
            limits: Limits::default(),
        },
    );
    act(&mut suite, &admin, &ExecuteMsg::Pause {});
    act(&mut suite, &admin, &ExecuteMsg::Unpause {});

    let change = quorum_sign(0, &old, &governance(1, &upgrade(1, &new)));
    let other = quorum_sign(0, &old, &governance(2, b"nothing"));
    act(&mut suite, &user, &vaas(vec![change, other]));
    act(
        &mut suite,
        &user,
        &vaas(vec![quorum_sign(1, &new, &body(1, b"a"))]),
    );
    suite.set_time(START + 100_000);
    act(&mut suite, &user, &ExecuteMsg::Prune { limit: 100 });
    act(
        &mut suite,
        &admin,
        &ExecuteMsg::TransferAdmin {
            to: Some(heir.to_string()),
        },
    );
    act(&mut suite, &heir, &ExecuteMsg::AcceptAdmin {});
    act(&mut suite, &heir, &ExecuteMsg::RenounceAdmin {});
    events
}

#[test]
fn events_change_on_purpose_only() {
    let mut lines = Vec::new();
    for event in story() {
        let attributes: Vec<String> = event
            .attributes
            .iter()
            .filter(|attribute| attribute.key != "_contract_address")
            .map(|attribute| format!("{}={}", attribute.key, attribute.value))
            .collect();
        lines.push(format!("{}: {}", event.ty, attributes.join(", ")));
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// The documentation of the events lists those that there are, each with its attributes.
#[test]
fn every_event_is_documented() {
    let rows: Vec<(&str, &str)> = EVENTS
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `")?.split_once("` | "))
        .collect();
    let mut seen = 0;
    for event in story() {
        let Some(name) = event.ty.strip_prefix("wasm-") else {
            continue;
        };
        let row = rows
            .iter()
            .find(|(names, _)| names.split("`, `").any(|one| one == name));
        let (_, attributes) = row.unwrap_or_else(|| panic!("{name} is not documented"));
        // `publication_refused` has what `vaa_refused` has.
        let attributes = match attributes.contains("as `vaa_refused`") {
            true => {
                rows.iter()
                    .find(|(names, _)| *names == "vaa_refused")
                    .unwrap()
                    .1
            }
            false => attributes,
        };
        for attribute in &event.attributes {
            if attribute.key != "_contract_address" {
                let key = format!("`{}`", attribute.key);
                assert!(attributes.contains(&key), "{name} has {key}: {attributes}");
            }
        }
        seen += 1;
    }
    assert!(seen > 25);
}
