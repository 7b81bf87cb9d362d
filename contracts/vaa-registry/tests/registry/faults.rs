//! Faults that users of comparable systems met, each by its number in the project's list.

use cosmwasm_std::{Binary, from_json, to_json_vec};
use cw_orm::PageRequest;
use serde_json::{Value, json};
use vaa_registry::msg::{
    ExecuteMsg, GuardianSetResponse, MessageQueryResponse, MessagesResponse, OnInvalid, QueryMsg,
    VerifyResponse,
};
use wormhole_vaa::{Body, quorum};

use super::{
    observed::{code, name, observation, tx},
    suite::{
        START, Suite, body, governance, instantiate_msg, key, keys, quorum_sign, set_init, sign,
        upgrade,
    },
};

#[test]
fn f01_a_guardian_counts_once() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    let before = suite.dump();
    for (signers, code) in [
        ([0, 0, 0], "E106"),
        ([0, 1, 1], "E106"),
        ([2, 1, 0], "E106"),
    ] {
        assert_eq!(suite.verdict(&sign(0, &keys, &signers, &body)), code);
    }
    let mut outside = sign(0, &keys, &[0, 1, 2], &body);
    outside[6 + 2 * 66] = 4;
    assert_eq!(suite.verdict(&outside), "E107");
    assert_eq!(suite.dump(), before);
    assert_eq!(suite.verdict(&sign(0, &keys, &[0, 1, 2], &body)), "stored");
}

#[test]
fn f04_a_vaa_is_checked_against_the_set_it_names() {
    let (a, b, c, d) = (key(1), key(2), key(3), key(4));
    let (old, new) = (vec![a.clone(), b, c.clone()], vec![c, d, a]);
    let mut suite = Suite::of_keys(&old);
    suite.stored(&quorum_sign(0, &old, &governance(1, &upgrade(1, &new))));
    assert_eq!(
        suite.verdict(&quorum_sign(0, &old, &body(1, b"a"))),
        "stored"
    );
    assert_eq!(suite.verdict(&quorum_sign(0, &new, &body(2, b"a"))), "E111");
    assert_eq!(suite.verdict(&quorum_sign(7, &new, &body(3, b"a"))), "E104");
    let late = suite.submit_one(&quorum_sign(0, &old, &governance(2, &upgrade(2, &old))));
    assert_eq!(
        serde_json::to_value(late.governance).unwrap(),
        json!({"not_applied": "not_current_set"})
    );
}

#[test]
fn f06_garbage_blocks_nothing_and_leaves_nothing() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    let genuine = quorum_sign(0, &keys, &body);
    let garbage = sign(0, &super::suite::keys(21..=24), &[0, 1, 2], &body);
    let before = suite.dump();
    suite
        .execute(std::slice::from_ref(&garbage), OnInvalid::Abort)
        .unwrap_err();
    assert_eq!(suite.dump(), before);
    assert_eq!(suite.verdict(&garbage), "E111");
    assert_eq!(suite.dump(), before);
    assert_eq!(suite.verdict(&genuine), "stored");
    assert_eq!(suite.verdict(&genuine), "already_registered");
}

#[test]
fn f07_short_input_is_an_error() {
    let keys = keys(1..=1);
    let mut suite = Suite::of_keys(&keys);
    let good = quorum_sign(0, &keys, &body(1, b""));
    let mut many = good.clone();
    many[5] = 255;
    let mut none = good[..6].to_vec();
    none[5] = 0;
    none.extend([0; 50]);
    let before = suite.dump();
    for (bytes, code) in [
        (&[][..], "E101"),
        (&[1], "E101"),
        (&[1, 0, 0, 0, 0], "E101"),
        (&many, "E101"),
        (&none, "E101"),
    ] {
        assert_eq!(suite.verdict(bytes), code);
        let dry: VerifyResponse = suite.ask(&QueryMsg::Verify {
            vaa: Binary::new(bytes.to_vec()),
        });
        assert_eq!(dry.errors[0].code, code);
    }
    for version in [0, 2, 255] {
        let mut foreign = good.clone();
        foreign[0] = version;
        assert_eq!(suite.verdict(&foreign), "E102");
    }
    for end in 0..good.len() {
        assert_eq!(suite.verdict(&good[..end]), "E101", "cut at {end}");
    }
    assert_eq!(suite.dump(), before);
}

#[test]
fn f09_expiry_is_by_block_time_to_the_second() {
    let (old, new) = (keys(1..=1), keys(2..=2));
    let mut suite = Suite::of_keys(&old);
    suite.stored(&quorum_sign(0, &old, &governance(1, &upgrade(1, &new))));
    for (after, sequence, verdict) in [
        (86_399, 1, "stored"),
        (86_400, 2, "stored"),
        (86_401, 3, "E105"),
    ] {
        suite.set_time(START + after);
        assert_eq!(
            suite.verdict(&quorum_sign(0, &old, &body(sequence, b""))),
            verdict
        );
    }
    suite.set_time(10_000_000_000);
    assert_eq!(
        suite.verdict(&quorum_sign(1, &new, &body(4, b""))),
        "stored"
    );
    let dry: VerifyResponse = suite.ask(&QueryMsg::Verify {
        vaa: Binary::new(quorum_sign(0, &old, &body(9, b""))),
    });
    assert_eq!(dry.errors[0].code, "E105");

    let mut late = Suite::new(vec![set_init(4, super::suite::addresses(&new), None)]);
    assert_eq!(late.verdict(&quorum_sign(3, &old, &body(1, b""))), "E104");
}

#[test]
fn f11_identity_is_the_digest() {
    let keys: Vec<_> = (1..=19).map(key).collect();
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    let lower: Vec<u8> = (0..13).collect();
    let upper: Vec<u8> = (1..14).collect();
    assert_eq!(suite.verdict(&sign(0, &keys, &lower, &body)), "stored");
    assert_eq!(
        suite.verdict(&sign(0, &keys, &upper, &body)),
        "already_registered"
    );
    let digest = body.digest().to_string();
    for digest in [
        digest.clone(),
        digest.to_uppercase(),
        format!("0x{digest}"),
        format!("0X{digest}"),
    ] {
        let found: MessageQueryResponse = suite.ask(&QueryMsg::MessageByDigest {
            digest,
            families: None,
        });
        assert_eq!(found.message.unwrap().id, body.id().to_string());
    }
}

#[test]
fn f12_signatures_of_different_bodies_never_add_up() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let (p, q) = (body(7, b"P"), body(7, b"Q"));
    assert_eq!(suite.verdict(&sign(0, &keys, &[0, 1], &p)), "E108");
    assert_eq!(suite.verdict(&sign(0, &keys, &[2, 3], &q)), "E108");
    assert_eq!(suite.verdict(&sign(0, &keys, &[0, 1, 2], &p)), "stored");
    assert_eq!(
        suite.verdict(&sign(0, &keys, &[0, 1, 3], &p)),
        "already_registered"
    );
    assert_eq!(suite.verdict(&sign(0, &keys, &[1, 2, 3], &q)), "conflict");
    let found: MessageQueryResponse = suite.ask(&QueryMsg::Message {
        id: p.id().to_string(),
        families: None,
    });
    assert_eq!(
        found
            .message
            .unwrap()
            .message_publication
            .unwrap()
            .payload
            .as_slice(),
        b"P"
    );
}

#[test]
fn f13_no_set_is_ever_empty() {
    let keys = keys(1..=1);
    let mut suite = Suite::of_keys(&keys);
    let head = upgrade(1, &keys)[..39].to_vec();
    let cases = [
        ([&head[..], &[0]].concat(), "empty_set"),
        (
            [&head[..], &[2], &[9; 20], &[9; 20]].concat(),
            "duplicate_guardian",
        ),
        ([&head[..], &[1], &[0; 20]].concat(), "zero_guardian"),
    ];
    for (sequence, (payload, reason)) in cases.into_iter().enumerate() {
        let done = suite.submit_one(&quorum_sign(
            0,
            &keys,
            &governance(sequence as u64, &payload),
        ));
        assert_eq!(
            serde_json::to_value(done.governance).unwrap(),
            json!({"not_applied": reason})
        );
    }
    let current: GuardianSetResponse = suite.ask(&QueryMsg::GuardianSet { index: None });
    assert_eq!(current.index, 0);
    assert_eq!(suite.verdict(&sign(0, &keys, &[], &body(1, b""))), "E108");
    assert_eq!(suite.verdict(&sign(1, &keys, &[], &body(1, b""))), "E104");
    assert!(Suite::create(&instantiate_msg(vec![set_init(0, vec![], None)]), START).is_err());
    assert_eq!(quorum(0), 1);
}

#[test]
fn f20_f21_a_sequence_keeps_every_digit_in_json() {
    let keys = keys(1..=1);
    let mut suite = Suite::of_keys(&keys);
    let all = [9_007_199_254_740_993, 13_503_960_818_241_267_143, u64::MAX];
    for sequence in all {
        suite.stored(&quorum_sign(0, &keys, &body(sequence, b"")));
    }
    let list = |page| QueryMsg::MessagesByChain {
        chain: 2,
        page: Some(page),
        families: None,
        filter: None,
    };
    let mut request = PageRequest::first(1);
    for sequence in all {
        let raw: Value = suite.ask(&list(request.clone()));
        assert_eq!(raw["messages"][0]["sequence"], json!(sequence.to_string()));
        // The cursor goes through a JSON reader and back, and is no address.
        let page: cw_orm::PageResponse = serde_json::from_value(raw["page"].clone()).unwrap();
        if let Some(next) = request.after(&page) {
            request = serde_json::from_str(&serde_json::to_string(&next).unwrap()).unwrap();
        }
        let found: MessageQueryResponse = suite.ask(&QueryMsg::Message {
            id: body(sequence, b"").id().to_string(),
            families: None,
        });
        assert_eq!(found.message.unwrap().sequence.u64(), sequence);
    }
}

#[test]
fn f23_an_address_is_found_however_it_is_written() {
    let keys = keys(1..=1);
    let mut suite = Suite::of_keys(&keys);
    let mut padded = [0; 32];
    padded[12..].copy_from_slice(&[0xab; 20]);
    let body = Body {
        emitter_address: wormhole_vaa::Address(padded),
        ..body(3, b"x")
    };
    suite.stored(&quorum_sign(0, &keys, &body));
    let long = hex::encode(padded);
    let forms = [
        long.clone(),
        long.to_uppercase(),
        format!("0x{long}"),
        "aB".repeat(20),
        format!("0x{}", "ab".repeat(20)),
    ];
    for form in &forms {
        for id in [format!("2/{form}/3"), format!("2:{form}:3")] {
            let found: MessageQueryResponse = suite.ask(&QueryMsg::Message { id, families: None });
            assert_eq!(found.message.unwrap().emitter_address, long);
        }
        let emitter = form.clone();
        let found: MessagesResponse = suite.ask(&QueryMsg::MessagesByEmitter {
            chain: 2,
            emitter,
            page: None,
            families: None,
            filter: None,
        });
        assert_eq!(found.messages.len(), 1);
    }
    for emitter in [
        &long[1..],
        &format!("{long}0"),
        &format!("{long}00"),
        "",
        "0x",
        &long.replace("ab", "ga"),
    ] {
        let query = QueryMsg::MessagesByEmitter {
            chain: 2,
            emitter: emitter.into(),
            page: None,
            families: None,
            filter: None,
        };
        assert!(
            suite
                .query::<MessagesResponse>(&query)
                .unwrap_err()
                .contains("[E204]"),
            "{emitter}"
        );
    }
}

#[test]
fn f28_a_capped_page_says_that_there_is_more() {
    let keys = keys(1..=1);
    let mut suite = Suite::of_keys(&keys);
    let vaas: Vec<_> = (0..45)
        .map(|sequence| quorum_sign(0, &keys, &body(sequence, b"")))
        .collect();
    suite.submit(&vaas);
    let page = |limit: Option<u64>| -> MessagesResponse {
        let page = limit.map(PageRequest::first);
        suite.ask(&QueryMsg::Messages {
            page,
            families: None,
            filter: None,
        })
    };
    for (limit, len) in [
        (None, 10),
        (Some(0), 10),
        (Some(30), 30),
        (Some(100), 30),
        (Some(u64::MAX), 30),
    ] {
        let found = page(limit);
        assert_eq!(found.messages.len(), len);
        assert!(found.page.next_key.is_some());
    }
}

#[test]
fn f30_large_sets_work() {
    for size in [19_u8, 20, 40, 255] {
        let first = keys(1..=1);
        let many: Vec<_> = (1..=size).map(key).collect();
        let mut suite = Suite::of_keys(&first);
        suite.stored(&quorum_sign(0, &first, &governance(1, &upgrade(1, &many))));
        suite.stored(&quorum_sign(1, &many, &body(1, b"")));
        suite.stored(&quorum_sign(1, &many, &governance(2, &upgrade(2, &first))));
        let current: GuardianSetResponse = suite.ask(&QueryMsg::GuardianSet { index: None });
        assert_eq!(current.index, 2);
    }
}

#[test]
fn unknown_fields_and_messages_are_refused() {
    let good = ExecuteMsg::SubmitVaas {
        vaas: vec![Binary::new(vec![1])],
        on_invalid: None,
    };
    let mut value: Value = serde_json::from_slice(&to_json_vec(&good).unwrap()).unwrap();
    from_json::<ExecuteMsg>(to_json_vec(&value).unwrap()).unwrap();
    value["submit_vaas"]["vaas"] = json!(["not base64!"]);
    assert!(from_json::<ExecuteMsg>(to_json_vec(&value).unwrap()).is_err());
    assert!(from_json::<ExecuteMsg>(br#"{"submit":{}}"#).is_err());
    assert!(from_json::<QueryMsg>(br#"{"messages":{"page":{"limit":10}}}"#).is_err());
}

#[test]
fn f01_a_guardian_reports_once() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    suite.observe(0, 0, &keys[0], &[&body, &body, &body]);
    // As itself any number of times, with the other signature that its key can make, or in another's place.
    for _ in 0..3 {
        assert_eq!(suite.observe(0, 0, &keys[0], &[&body]), ["pending 1/3"]);
    }
    let mut twin = observation(&keys[0], &body, &tx(1));
    twin.signature = high_s(&twin.signature);
    let report = suite.report(0, 0, &keys[0], &[twin]);
    assert_eq!(name(&suite.send(&report).unwrap()[0]), "pending 1/3");
    for guardian in 1..4 {
        let report = suite.report(
            0,
            guardian,
            &keys[0],
            &[observation(&keys[0], &body, &tx(1))],
        );
        assert_eq!(code(&suite.send(&report).unwrap_err()), "E111");
        // Nor with a batch that the other signed.
        let key = &keys[usize::from(guardian)];
        let report = suite.report(0, guardian, key, &[observation(&keys[0], &body, &tx(1))]);
        assert_eq!(name(&suite.send(&report).unwrap()[0]), "E111");
    }
    assert_eq!(suite.observe(0, 1, &keys[1], &[&body]), ["pending 2/3"]);
    assert_eq!(suite.observe(0, 2, &keys[2], &[&body]), ["stored"]);
}

/// The twin of a signature: the other s, with the other recovery id.
fn high_s(signature: &[u8]) -> Binary {
    let mut twin = signature.to_vec();
    let mut borrow = 0_i16;
    for (place, byte) in wormhole_vaa::SECP256K1_ORDER.iter().enumerate().rev() {
        let difference = i16::from(*byte) - i16::from(signature[32 + place]) - borrow;
        borrow = i16::from(difference < 0);
        twin[32 + place] = difference.rem_euclid(256) as u8;
    }
    twin[64] ^= 1;
    Binary::new(twin)
}

#[test]
fn f06_garbage_observations_block_nothing_and_leave_nothing() {
    let keys = keys(1..=4);
    let strangers = super::suite::keys(21..=24);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    let before = suite.dump();
    for guardian in 0..4_u8 {
        let stranger = &strangers[usize::from(guardian)];
        let garbage = [observation(stranger, &body, &tx(9))];
        let whole = suite.report(0, guardian, stranger, &garbage);
        assert_eq!(code(&suite.send(&whole).unwrap_err()), "E111");
        let inner = suite.report(0, guardian, &keys[usize::from(guardian)], &garbage);
        assert_eq!(name(&suite.send(&inner).unwrap()[0]), "E111");
    }
    assert_eq!(suite.dump(), before);
    for (guardian, progress) in [(0, "pending 1/3"), (1, "pending 2/3"), (2, "stored")] {
        let key = &keys[usize::from(guardian)];
        assert_eq!(suite.observe(0, guardian, key, &[&body]), [progress]);
    }
    assert_eq!(
        suite.verdict(&quorum_sign(0, &keys, &body)),
        "already_registered"
    );
}

#[test]
fn f12_signers_of_different_bodies_never_add_up() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let (p, q) = (body(7, b"p"), body(7, b"q"));
    let mut observe = |guardian: u8, body: &Body| {
        suite
            .observe(0, guardian, &keys[usize::from(guardian)], &[body])
            .remove(0)
    };
    // Two sign one, two the other, one of them both: 2 and 2, though all four have signed something.
    assert_eq!(observe(0, &p), "pending 1/3");
    assert_eq!(observe(3, &q), "pending 1/3");
    assert_eq!(observe(1, &p), "pending 2/3");
    assert_eq!(observe(1, &q), "pending 2/3");
    assert_eq!(observe(0, &p), "pending 2/3");
    // One more for the first decides it; repeated it is known; then the other has its quorum too.
    assert_eq!(observe(2, &p), "stored");
    assert_eq!(observe(2, &p), "already_registered");
    assert_eq!(observe(2, &q), "conflict");
    assert_eq!(observe(0, &q), "conflict");
    let all: MessagesResponse = suite.ask(&QueryMsg::Messages {
        page: None,
        families: None,
        filter: None,
    });
    assert_eq!(all.messages.len(), 1);
    let message = all.messages.into_iter().next().unwrap();
    assert_eq!(
        message.message_publication.unwrap().payload.as_slice(),
        b"p"
    );
    assert!(message.status.unwrap().conflict);
}
