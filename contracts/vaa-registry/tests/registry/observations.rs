//! Observations: gathering, deciding, and what is refused.

use cosmwasm_std::Binary;
use serde_json::json;
use vaa_registry::{
    msg::{
        ConflictsResponse, ExecuteMsg, GuardianSetResponse, Limits, ObservationDomainResponse,
        ObservationOutcomeKind, ObservationsResponse, OnInvalid, PendingMessagesResponse, QueryMsg,
        SignedVaaResponse,
    },
    observations_digest,
};
use wormhole_vaa::{Body, Digest, GuardianSet, K256Recover, SecretKey, Vaa, verify_signatures};

use super::{
    observed::{code, name, observation, signature, tx},
    suite::{
        START, Suite, addresses, body, governance, instantiate_msg, key, keys, quorum_sign,
        set_init, sign, upgrade,
    },
};

pub fn pending(suite: &Suite, id: Option<&Body>) -> PendingMessagesResponse {
    suite.ask(&QueryMsg::PendingMessages {
        id: id.map(|body| body.id().to_string()),
        page: None,
    })
}

pub fn signed(suite: &Suite, body: &Body) -> Vaa {
    let answer: SignedVaaResponse = suite.ask(&QueryMsg::SignedVaa {
        id: body.id().to_string(),
        guardian_set: None,
    });
    Vaa::parse(&answer.vaa).unwrap()
}

#[test]
fn signatures_gather_until_a_quorum_makes_the_vaa() {
    let keys: Vec<SecretKey> = (1..=19).map(key).collect();
    let mut suite = Suite::of_keys(&keys);
    let before = suite.dump();
    let body = body(1, b"payload");
    // In falling order, so that it is the registry that puts them right.
    for (done, guardian) in (7..19).rev().enumerate() {
        let progress = suite.observe(0, guardian, &keys[usize::from(guardian)], &[&body]);
        assert_eq!(progress, [format!("pending {}/13", done + 1)]);
    }
    let found = pending(&suite, Some(&body));
    assert_eq!(found.messages.len(), 1);
    assert_eq!(found.messages[0].digest, body.digest().to_string());
    assert_eq!(found.messages[0].body.as_slice(), body.serialize());
    let progress = &found.messages[0].signatures[0];
    assert_eq!(progress.guardians, (7..19).collect::<Vec<u8>>());
    assert_eq!(
        (progress.guardian_set_index, progress.quorum, progress.live),
        (0, 13, true)
    );
    let rows: ObservationsResponse = suite.ask(&QueryMsg::Observations {
        digest: body.digest().to_string(),
        page: None,
    });
    assert_eq!(rows.observations.len(), 10);
    assert_eq!(rows.observations[0].guardian_index, 18);
    assert_eq!(rows.observations[0].tx_id.as_slice(), tx(1));
    assert_eq!(
        rows.observations[0].signature,
        signature(&keys[18], &body.digest())
    );
    assert!(rows.page.next_key.is_some());

    assert_eq!(suite.observe(0, 0, &keys[0], &[&body]), ["stored"]);
    let vaa = signed(&suite, &body);
    let signers: Vec<u8> = vaa
        .signatures
        .iter()
        .map(|signature| signature.index)
        .collect();
    assert_eq!(signers, [0, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
    let set = GuardianSet::new(keys.iter().map(SecretKey::address).collect()).unwrap();
    verify_signatures(&K256Recover, &set, &body.digest(), &vaa.signatures).unwrap();
    // What is left is what submitting the same VAA leaves, and one row of who claims which transaction.
    let mut other = Suite::of_keys(&keys);
    other.stored(&vaa.serialize().unwrap());
    let gathered: Vec<_> = suite
        .dump()
        .into_iter()
        .filter(|entry| entry.0[2] != b'i' && entry.0[2] != b't')
        .collect();
    assert_eq!(gathered, other.dump());
    assert_eq!(suite.dump().len(), gathered.len() + 2);
    assert_ne!(suite.dump(), before);
    assert!(pending(&suite, None).messages.is_empty());
}

#[test]
fn one_guardian_alone_decides_at_once() {
    let keys = keys(1..=1);
    let mut suite = Suite::of_keys(&keys);
    assert_eq!(
        suite.observe(0, 0, &keys[0], &[&body(1, b"a"), &body(2, b"")]),
        ["stored", "stored"]
    );
    assert_eq!(signed(&suite, &body(2, b"")).signatures.len(), 1);
}

#[test]
fn events_are_those_of_a_submitted_vaa() {
    let keys = keys(1..=3);
    let mut suite = Suite::of_keys(&keys);
    let mut events = |guardian: u8, body: &Body, tx_id: &[u8]| {
        let key = &keys[usize::from(guardian)];
        let report = suite.report(0, guardian, key, &[observation(key, body, tx_id)]);
        let user = suite.user.clone();
        let response = suite.send_as(&user, &report.msg(None)).unwrap();
        let own = response
            .events
            .into_iter()
            .filter(|event| event.ty.starts_with("wasm-"));
        own.map(|event| {
            let attributes = event.attributes.iter().skip(1);
            let attributes: Vec<_> = attributes
                .map(|attribute| format!("{}={}", attribute.key, attribute.value))
                .collect();
            format!("{} {}", event.ty, attributes.join(" "))
        })
        .collect::<Vec<_>>()
    };
    let (first, second) = (body(1, b"a"), body(1, b"b"));
    let name = |body: &Body| format!("id={} digest={}", body.id(), body.digest());
    assert_eq!(
        events(0, &first, &tx(1)),
        [format!(
            "wasm-observation_pending {} signatures=1 quorum=3",
            name(&first)
        )]
    );
    assert_eq!(
        events(0, &first, &[]),
        [format!(
            "wasm-observation_refused position=0 code=E113 {}",
            name(&first)
        )]
    );
    events(1, &first, &tx(1));
    assert_eq!(
        events(2, &first, &tx(1)),
        [format!(
            "wasm-vaa_stored {} guardian_set_index=0",
            name(&first)
        )]
    );
    assert_eq!(
        events(2, &first, &tx(1)),
        [format!("wasm-vaa_already_registered {}", name(&first))]
    );
    events(0, &second, &tx(1));
    events(1, &second, &tx(1));
    assert_eq!(
        events(2, &second, &tx(1)),
        [format!(
            "wasm-vaa_conflict {} guardian_set_index=0",
            name(&second)
        )]
    );
    assert_eq!(
        events(0, &second, &tx(1)),
        [format!("wasm-vaa_conflict_known {}", name(&second))]
    );
    let change = governance(1, &upgrade(1, &super::suite::keys(11..=13)));
    events(0, &change, &tx(1));
    events(1, &change, &tx(1));
    let change = events(2, &change, &tx(1));
    assert!(
        change[0].starts_with("wasm-vaa_stored ") && change[0].ends_with(" governance=applied"),
        "{change:?}"
    );
    assert!(
        change[1].starts_with("wasm-guardian_set_upgraded index=1 "),
        "{change:?}"
    );
}

#[test]
fn a_set_upgrade_starts_the_count_anew() {
    let (old, new) = (keys(1..=4), keys(2..=5));
    let mut suite = Suite::of_keys(&old);
    let body = body(1, b"a");
    suite.observe(0, 1, &old[1], &[&body]);
    suite.observe(0, 2, &old[2], &[&body]);
    // The upgrade itself comes by observations, and holds at once.
    let change = governance(1, &upgrade(1, &new));
    for guardian in 0..2_u8 {
        suite.observe(0, guardian, &old[usize::from(guardian)], &[&change]);
    }
    assert_eq!(suite.observe(0, 2, &old[2], &[&change]), ["stored"]);
    let current: GuardianSetResponse = suite.ask(&QueryMsg::GuardianSet { index: None });
    assert_eq!(current.index, 1);
    // The same guardians, now of another set: their two signatures are not added to the others.
    assert_eq!(suite.observe(1, 0, &new[0], &[&body]), ["pending 1/3"]);
    assert_eq!(suite.observe(1, 1, &new[1], &[&body]), ["pending 2/3"]);
    let sets: Vec<_> = pending(&suite, Some(&body)).messages[0]
        .signatures
        .iter()
        .map(|set| (set.guardian_set_index, set.guardians.clone()))
        .collect();
    assert_eq!(sets, [(0, vec![1, 2]), (1, vec![0, 1])]);
    // The replaced set goes on to count for a day, for itself.
    suite.set_time(START + 86_400);
    assert_eq!(suite.observe(1, 2, &new[2], &[&body]), ["stored"]);
    assert_eq!(signed(&suite, &body).guardian_set_index, 1);
    assert!(pending(&suite, None).messages.is_empty());
    assert_eq!(
        suite.observe(0, 3, &old[3], &[&body]),
        ["already_registered"]
    );
    suite.set_time(START + 86_401);
    let report = suite.report(0, 3, &old[3], &[observation(&old[3], &body, &tx(1))]);
    assert_eq!(code(&suite.send(&report).unwrap_err()), "E105");
}

#[test]
fn governance_from_a_replaced_set_is_kept_and_not_applied() {
    let (old, new) = (keys(1..=3), keys(11..=13));
    let mut suite = Suite::of_keys(&old);
    suite.stored(&quorum_sign(0, &old, &governance(1, &upgrade(1, &new))));
    let late = governance(2, &upgrade(2, &old));
    suite.observe(0, 0, &old[0], &[&late]);
    suite.observe(0, 1, &old[1], &[&late]);
    let report = suite.report(0, 2, &old[2], &[observation(&old[2], &late, &tx(1))]);
    let done = suite.send(&report).unwrap();
    assert_eq!(done[0].outcome, ObservationOutcomeKind::Stored);
    let governance = serde_json::to_value(&done[0].governance).unwrap();
    assert_eq!(governance, json!({"not_applied": "not_current_set"}));
}

#[test]
fn a_second_quorum_for_an_id_is_a_conflict() {
    let keys = keys(1..=3);
    let mut suite = Suite::of_keys(&keys);
    let (first, second) = (body(7, b"first"), body(7, b"second"));
    for (guardian, progress) in [(0, "pending 1/3"), (1, "pending 2/3"), (2, "stored")] {
        assert_eq!(
            suite.observe(0, guardian, &keys[usize::from(guardian)], &[&first]),
            [progress]
        );
    }
    for (guardian, progress) in [(2, "pending 1/3"), (0, "pending 2/3"), (1, "conflict")] {
        assert_eq!(
            suite.observe(0, guardian, &keys[usize::from(guardian)], &[&second]),
            [progress]
        );
    }
    let found: ConflictsResponse = suite.ask(&QueryMsg::Conflicts {
        id: None,
        page: None,
    });
    assert_eq!(found.conflicts[0].digest, second.digest().to_string());
    assert_eq!(
        found.conflicts[0].vaa.as_slice(),
        sign(0, &keys, &[0, 1, 2], &second)
    );
    assert_eq!(signed(&suite, &first).body, first);
    assert_eq!(suite.verdict(&quorum_sign(0, &keys, &second)), "conflict");
}

#[test]
fn late_and_repeated_observations_change_nothing() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    let reports: Vec<_> = (0..4_u8)
        .map(|guardian| {
            let key = &keys[usize::from(guardian)];
            suite.report(0, guardian, key, &[observation(key, &body, &tx(1))])
        })
        .collect();
    suite.send(&reports[0]).unwrap();
    let before = suite.dump();
    assert_eq!(name(&suite.send(&reports[0]).unwrap()[0]), "pending 1/3");
    // Also with another transaction, and twice in a batch: a guardian's first word stands.
    assert_eq!(
        suite.observe_tx(0, 0, &keys[0], &body, &tx(9)),
        "pending 1/3"
    );
    assert_eq!(
        suite.observe(0, 0, &keys[0], &[&body, &body]),
        ["pending 1/3", "pending 1/3"]
    );
    assert_eq!(suite.dump(), before);
    suite.send(&reports[2]).unwrap();
    assert_eq!(name(&suite.send(&reports[1]).unwrap()[0]), "stored");
    suite.send(&reports[3]).unwrap();
    let after = suite.dump();
    for report in &reports {
        assert_eq!(name(&suite.send(report).unwrap()[0]), "already_registered");
    }
    assert_eq!(suite.dump(), after);
}

#[test]
fn a_submitted_vaa_ends_the_gathering() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let (body, other) = (body(1, b"a"), body(2, b"b"));
    suite.observe(0, 3, &keys[3], &[&body, &other]);
    suite.observe(0, 2, &keys[2], &[&body]);
    suite.stored(&quorum_sign(0, &keys, &body));
    let left = pending(&suite, None);
    assert_eq!(left.messages.len(), 1);
    assert_eq!(left.messages[0].id, other.id().to_string());
    assert_eq!(
        suite.observe(0, 1, &keys[1], &[&body, &other]),
        ["already_registered", "pending 2/3"]
    );
}

#[test]
fn a_batch_is_signed_for_one_chain_contract_set_and_guardian() {
    let old = keys(1..=4);
    let mut suite = Suite::new(vec![
        set_init(0, addresses(&old), Some(START)),
        set_init(1, addresses(&old), None),
    ]);
    let body = body(1, b"a");
    let good = suite.report(1, 2, &old[2], &[observation(&old[2], &body, &tx(1))]);
    let before = suite.dump();
    let chain = suite.app.block_info().chain_id;
    let contract =
        cosmwasm_std::Api::addr_canonicalize(suite.app.api(), suite.registry.as_str()).unwrap();
    let other = cosmwasm_std::Api::addr_canonicalize(suite.app.api(), suite.user.as_str()).unwrap();
    let bytes = good.observations.clone();
    let joined = format!("{chain}x");
    let foreign = [
        observations_digest("other-1", &contract, 1, 2, &bytes),
        observations_digest(&joined, &contract, 1, 2, &bytes),
        observations_digest(&chain, &other, 1, 2, &bytes),
        observations_digest(&chain, &contract, 0, 2, &bytes),
        observations_digest(&chain, &contract, 1, 3, &bytes),
        observations_digest(&chain, &contract, 1, 2, &[&bytes[..], b" "].concat()),
        Some(Digest(wormhole_vaa::keccak256(&bytes))),
        Some(wormhole_vaa::digest(&bytes)),
        Some(body.digest()),
    ];
    for (position, digest) in foreign.into_iter().enumerate() {
        let mut spoilt = good.clone();
        spoilt.signature = signature(&old[2], &digest.unwrap());
        assert_eq!(
            code(&suite.send(&spoilt).unwrap_err()),
            "E111",
            "{position}"
        );
    }
    // Signed by another guardian, brought as another guardian's or set's, or with other bytes.
    let mut spoilt = good.clone();
    spoilt.signature = signature(&old[3], &suite.signed(1, 2, &bytes));
    assert_eq!(code(&suite.send(&spoilt).unwrap_err()), "E111");
    for (set, guardian, wrong) in [
        (0, 2, "E111"),
        (1, 3, "E111"),
        (1, 4, "E107"),
        (1, 255, "E107"),
        (2, 2, "E104"),
    ] {
        let mut spoilt = good.clone();
        (spoilt.set, spoilt.guardian) = (set, guardian);
        assert_eq!(code(&suite.send(&spoilt).unwrap_err()), wrong);
    }
    let mut spoilt = good.clone();
    spoilt.observations.push(b' ');
    assert_eq!(code(&suite.send(&spoilt).unwrap_err()), "E111");
    for (length, wrong) in [(0, "E112"), (64, "E112"), (66, "E112")] {
        let mut spoilt = good.clone();
        spoilt.signature = Binary::new(vec![1; length]);
        assert_eq!(code(&suite.send(&spoilt).unwrap_err()), wrong);
    }
    let mut recovery = good.clone();
    let mut bytes = recovery.signature.to_vec();
    bytes[64] = 27;
    recovery.signature = Binary::new(bytes);
    assert_eq!(code(&suite.send(&recovery).unwrap_err()), "E109");
    assert_eq!(suite.dump(), before);
    assert_eq!(name(&suite.send(&good).unwrap()[0]), "pending 1/3");
    // A batch is worth nothing to another registry on the same chain.
    let code_id = suite.app.contract_data(&suite.registry).unwrap().code_id;
    let msg = instantiate_msg(vec![
        set_init(0, addresses(&old), Some(START)),
        set_init(1, addresses(&old), None),
    ]);
    let user = suite.user.clone();
    let second = cw_multi_test::Executor::instantiate_contract(
        &mut suite.app,
        code_id,
        user.clone(),
        &msg,
        &[],
        "second",
        None,
    )
    .unwrap();
    let error = cw_multi_test::Executor::execute_contract(
        &mut suite.app,
        user,
        second,
        &good.msg(None),
        &[],
    )
    .unwrap_err();
    assert_eq!(code(&format!("{error:?}")), "E111");
}

#[test]
fn the_registry_tells_what_has_to_be_signed() {
    let suite = Suite::of_keys(&keys(1..=1));
    let domain: ObservationDomainResponse = suite.ask(&QueryMsg::ObservationDomain {});
    assert_eq!(domain.prefix.as_bytes(), vaa_registry::OBSERVATIONS_PREFIX);
    let digest = observations_digest(&domain.chain_id, &domain.contract, 0, 3, b"[]");
    assert_eq!(digest, Some(suite.signed(0, 3, b"[]")));
}

#[test]
fn lengths_before_the_signed_parts_keep_them_apart() {
    let digest =
        |chain: &str, contract: &[u8]| observations_digest(chain, contract, 0, 0, b"[]").unwrap();
    assert_ne!(digest("ab", b"c"), digest("a", b"bc"));
    let mut bytes = b"vaa_registry_observations_v1_000|".to_vec();
    bytes.extend([2, b'a', b'b', 1, b'c', 0, 0, 1, 2, 7, b'[', b']']);
    assert_eq!(
        observations_digest("ab", b"c", 258, 7, b"[]"),
        Some(Digest(wormhole_vaa::keccak256(&bytes)))
    );
    let long = "x".repeat(256);
    assert_eq!(observations_digest(&long, b"c", 0, 0, b""), None);
    assert_eq!(observations_digest("c", long.as_bytes(), 0, 0, b""), None);
    assert!(observations_digest(&long[1..], b"c", 0, 0, b"").is_some());
}

#[test]
fn an_observation_is_refused_by_name_and_the_others_are_kept() {
    let keys = keys(1..=4);
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys), None)]);
    msg.limits = Some(Limits {
        batch: 7,
        payload: 10,
        scan_budget: 100,
    });
    let mut suite = Suite::create(&msg, START).unwrap();
    let good = observation(&keys[0], &body(1, b"0123456789"), &tx(1));
    let mut list = vec![good.clone(); 6];
    list[0].body = Binary::new(vec![0; 50]);
    list[1] = observation(&keys[0], &body(2, b"0123456789a"), &tx(1));
    list[2].signature = Binary::new(good.signature[1..].to_vec());
    list[3].tx_id = Binary::default();
    list[4].tx_id = Binary::new(vec![1; 129]);
    list[5] = observation(&keys[1], &body(3, b"a"), &tx(1));
    let codes = ["E101", "E103", "E112", "E113", "E113", "E111"];
    let before = suite.dump();
    for (position, wrong) in codes.iter().enumerate() {
        let report = suite.report(0, 0, &keys[0], &[list[position].clone()]);
        let user = suite.user.clone();
        let error = suite
            .send_as(&user, &report.msg(Some(OnInvalid::Abort)))
            .unwrap_err();
        assert!(error.contains("observation 0 of the batch"), "{error}");
        assert_eq!(code(&error), *wrong);
        assert_eq!(name(&suite.send(&report).unwrap()[0]), *wrong);
    }
    assert_eq!(suite.dump(), before);
    list.push(observation(&keys[0], &body(1, b"0123456789"), &[7; 128]));
    let report = suite.report(0, 0, &keys[0], &list);
    let user = suite.user.clone();
    let error = suite
        .send_as(&user, &report.msg(Some(OnInvalid::Abort)))
        .unwrap_err();
    assert_eq!(code(&error), "E101");
    assert_eq!(suite.dump(), before);
    let done: Vec<_> = suite.send(&report).unwrap().iter().map(name).collect();
    assert_eq!(done[..6], codes);
    assert_eq!(done[6], "pending 1/3");
    list.push(good);
    let report = suite.report(0, 0, &keys[0], &list);
    assert_eq!(code(&suite.send(&report).unwrap_err()), "E202");
}

#[test]
fn a_batch_that_is_no_list_of_observations_is_malformed() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let good = serde_json::to_value(observation(&keys[0], &body(1, b"a"), &tx(1))).unwrap();
    let mut fewer = good.clone();
    fewer.as_object_mut().unwrap().remove("tx_id");
    let mut spoilt = good.clone();
    spoilt["body"] = json!("not base64!");
    let before = suite.dump();
    for what in [
        json!(null),
        json!({}),
        json!("[]"),
        json!([[]]),
        json!([fewer]),
        json!([spoilt]),
        good,
    ] {
        let report = suite.report(0, 0, &keys[0], &what);
        assert_eq!(code(&suite.send(&report).unwrap_err()), "E212", "{what}");
    }
    let report = suite.report(0, 0, &keys[0], &json!([]));
    assert_eq!(code(&suite.send(&report).unwrap_err()), "E201");
    for bytes in [&b""[..], b"[", &[0xff], b"[1]]"] {
        let mut report = report.clone();
        report.signature = signature(&keys[0], &suite.signed(0, 0, bytes));
        report.observations = bytes.to_vec();
        assert_eq!(code(&suite.send(&report).unwrap_err()), "E212");
    }
    assert_eq!(suite.dump(), before);
}

#[test]
fn an_upgrade_in_a_batch_holds_for_what_follows() {
    let (old, new) = (keys(1..=1), keys(11..=11));
    let mut suite = Suite::of_keys(&old);
    let change = governance(1, &upgrade(1, &new));
    let further = governance(2, &upgrade(2, &old));
    let report = suite.report(
        0,
        0,
        &old[0],
        &[
            observation(&old[0], &change, &tx(1)),
            observation(&old[0], &further, &tx(1)),
        ],
    );
    let done = suite.send(&report).unwrap();
    let decided: Vec<_> = done
        .iter()
        .map(|done| serde_json::to_value(&done.governance).unwrap())
        .collect();
    assert_eq!(
        decided,
        [
            json!({"applied": 1}),
            json!({"not_applied": "not_current_set"})
        ]
    );
}

#[test]
fn anybody_may_bring_what_a_guardian_signed() {
    let keys = keys(1..=3);
    let mut suite = Suite::of_keys(&keys);
    let report = suite.report(
        0,
        0,
        &keys[0],
        &[observation(&keys[0], &body(1, b"a"), &tx(1))],
    );
    let relayer = suite.app.api().addr_make("relayer");
    suite.send_as(&relayer, &report.msg(None)).unwrap();
    let msg = ExecuteMsg::Prune { limit: 10 };
    suite.send_as(&relayer, &msg).unwrap();
    assert_eq!(pending(&suite, None).messages.len(), 1);
}
