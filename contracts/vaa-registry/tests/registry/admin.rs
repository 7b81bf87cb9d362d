//! The admin: what it may do, how the role passes on and ends, and what a pause leaves open.

use cosmwasm_std::{Addr, Binary};
use vaa_registry::msg::{
    ConfigResponse, ExecuteMsg, GuardianSetResponse, Limits, OutcomeKind, PublisherScope, QueryMsg,
    VerifyResponse,
};

use super::{
    observed::{code, name, observation, tx},
    publish::administered,
    suite::{
        START, Suite, addresses, body, governance, instantiate_msg, keys, quorum_sign, set_init,
        upgrade,
    },
};

fn config(suite: &Suite) -> ConfigResponse {
    suite.ask(&QueryMsg::Config {})
}

fn limits(batch: u32) -> ExecuteMsg {
    ExecuteMsg::SetLimits {
        limits: Limits {
            batch,
            payload: 10,
            scan_budget: 7,
        },
    }
}

/// One of each message that only the admin may send.
fn acts(somebody: &Addr) -> Vec<ExecuteMsg> {
    vec![
        limits(1),
        ExecuteMsg::Pause {},
        ExecuteMsg::Unpause {},
        ExecuteMsg::TransferAdmin {
            to: Some(somebody.to_string()),
        },
        ExecuteMsg::RenounceAdmin {},
        ExecuteMsg::RegisterPublisher {
            publisher: somebody.to_string(),
            scope: PublisherScope {
                chain: 1,
                emitter: None,
            },
            quota: 1,
        },
        ExecuteMsg::RevokePublisher {
            publisher: somebody.to_string(),
            limit: None,
        },
    ]
}

#[test]
fn nobody_else_may() {
    let (mut suite, _) = administered();
    let user = suite.user.clone();
    let before = suite.dump();
    for act in acts(&user) {
        assert_eq!(
            code(&suite.send_as(&user, &act).unwrap_err()),
            "E401",
            "{act:?}"
        );
    }
    assert_eq!(
        code(
            &suite
                .send_as(&user, &ExecuteMsg::AcceptAdmin {})
                .unwrap_err()
        ),
        "E402"
    );
    assert_eq!(suite.dump(), before);
    // Without an admin nobody is.
    let mut suite = Suite::of_keys(&keys(1..=1));
    assert_eq!(config(&suite).admin, None);
    for act in acts(&user) {
        assert_eq!(code(&suite.send_as(&user, &act).unwrap_err()), "E401");
    }
    assert_eq!(
        code(
            &suite
                .send_as(&user, &ExecuteMsg::AcceptAdmin {})
                .unwrap_err()
        ),
        "E402"
    );
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys(1..=1)), None)]);
    msg.admin = Some("nobody".into());
    assert_eq!(code(&Suite::create(&msg, START).err().unwrap()), "E216");
}

#[test]
fn the_role_passes_in_two_steps() {
    let (mut suite, admin) = administered();
    let (heir, other) = (suite.app.api().addr_make("heir"), suite.user.clone());
    let transfer = |to: Option<&Addr>| ExecuteMsg::TransferAdmin {
        to: to.map(Addr::to_string),
    };
    suite.send_as(&admin, &transfer(Some(&heir))).unwrap();
    assert_eq!(config(&suite).proposed_admin, Some(heir.to_string()));
    assert_eq!(config(&suite).admin, Some(admin.to_string()));
    // Until it is accepted, nothing has passed; and a proposal can be replaced or withdrawn.
    assert_eq!(code(&suite.send_as(&heir, &limits(1)).unwrap_err()), "E401");
    assert_eq!(
        code(
            &suite
                .send_as(&other, &ExecuteMsg::AcceptAdmin {})
                .unwrap_err()
        ),
        "E402"
    );
    suite.send_as(&admin, &transfer(Some(&other))).unwrap();
    assert_eq!(
        code(
            &suite
                .send_as(&heir, &ExecuteMsg::AcceptAdmin {})
                .unwrap_err()
        ),
        "E402"
    );
    suite.send_as(&admin, &transfer(None)).unwrap();
    assert_eq!(
        code(
            &suite
                .send_as(&other, &ExecuteMsg::AcceptAdmin {})
                .unwrap_err()
        ),
        "E402"
    );
    suite.send_as(&admin, &transfer(Some(&heir))).unwrap();
    suite.send_as(&heir, &ExecuteMsg::AcceptAdmin {}).unwrap();
    let now = config(&suite);
    assert_eq!(
        (now.admin, now.proposed_admin),
        (Some(heir.to_string()), None)
    );
    assert_eq!(
        code(&suite.send_as(&admin, &limits(1)).unwrap_err()),
        "E401"
    );
    assert_eq!(
        code(
            &suite
                .send_as(&heir, &ExecuteMsg::AcceptAdmin {})
                .unwrap_err()
        ),
        "E402"
    );
    suite.send_as(&heir, &limits(1)).unwrap();
    let error = suite
        .send_as(
            &heir,
            &ExecuteMsg::TransferAdmin {
                to: Some("x".into()),
            },
        )
        .unwrap_err();
    assert_eq!(code(&error), "E216");
}

#[test]
fn the_role_can_be_given_up_for_good() {
    let (mut suite, admin) = administered();
    let heir = suite.user.clone();
    suite
        .send_as(
            &admin,
            &ExecuteMsg::TransferAdmin {
                to: Some(heir.to_string()),
            },
        )
        .unwrap();
    suite.send_as(&admin, &ExecuteMsg::Pause {}).unwrap();
    assert_eq!(
        code(
            &suite
                .send_as(&admin, &ExecuteMsg::RenounceAdmin {})
                .unwrap_err()
        ),
        "E407"
    );
    suite.send_as(&admin, &ExecuteMsg::Unpause {}).unwrap();
    suite
        .send_as(&admin, &ExecuteMsg::RenounceAdmin {})
        .unwrap();
    assert_eq!(config(&suite).admin, None);
    assert_eq!(
        code(&suite.send_as(&admin, &limits(1)).unwrap_err()),
        "E401"
    );
    assert_eq!(
        code(
            &suite
                .send_as(&heir, &ExecuteMsg::AcceptAdmin {})
                .unwrap_err()
        ),
        "E402"
    );
    assert_eq!(
        suite.verdict(&quorum_sign(0, &keys(1..=3), &body(1, b""))),
        "stored"
    );
}

#[test]
fn limits_hold_from_the_next_message_on() {
    let (mut suite, admin) = administered();
    let keys = keys(1..=3);
    suite.send_as(&admin, &limits(2)).unwrap();
    let now = config(&suite).limits;
    assert_eq!((now.batch, now.payload, now.scan_budget), (2, 10, 7));
    assert_eq!(
        suite.verdict(&quorum_sign(0, &keys, &body(1, b"0123456789a"))),
        "E103"
    );
    assert_eq!(
        suite.observe(0, 0, &keys[0], &[&body(1, b"0123456789a")]),
        ["E103"]
    );
    for wrong in [0, 1_001] {
        assert_eq!(
            code(&suite.send_as(&admin, &limits(wrong)).unwrap_err()),
            "E306"
        );
    }
    assert_eq!(config(&suite).limits.batch, 2);
}

#[test]
fn the_admin_changes_nothing_that_is_verified() {
    let (mut suite, admin) = administered();
    let keys = keys(1..=3);
    suite.stored(&quorum_sign(0, &keys, &body(1, b"a")));
    // Everything that the admin can send leaves all rows but those of its own as they are.
    let of_others = |suite: &Suite| {
        let own = |key: &[u8]| {
            matches!(&key[..3], [0, 1, b'c' | b'a' | b'b']) || matches!(key[..4], [0, 2, b'b', _])
        };
        suite
            .dump()
            .into_iter()
            .filter(|(key, _)| !own(key))
            .collect::<Vec<_>>()
    };
    let before = of_others(&suite);
    let (sets, started) = (
        suite.ask::<GuardianSetResponse>(&QueryMsg::GuardianSet { index: None }),
        config(&suite),
    );
    let somebody = suite.user.clone();
    let mut acts = acts(&somebody);
    let renounce = acts.remove(4);
    for act in acts.into_iter().chain([renounce]) {
        suite.send_as(&admin, &act).unwrap();
        assert_eq!(of_others(&suite), before);
    }
    assert_eq!(
        suite.ask::<GuardianSetResponse>(&QueryMsg::GuardianSet { index: None }),
        sets
    );
    let now = config(&suite);
    assert_eq!(
        (now.governance, now.this_chain, now.indexes),
        (started.governance, started.this_chain, started.indexes)
    );
}

#[test]
fn a_pause_lets_set_upgrades_through_and_nothing_else() {
    let (mut suite, admin) = administered();
    let (old, new) = (keys(1..=3), keys(11..=13));
    let known = quorum_sign(0, &old, &body(1, b"a"));
    suite.stored(&known);
    suite.observe(0, 0, &old[0], &[&body(2, b"")]);
    suite.send_as(&admin, &ExecuteMsg::Pause {}).unwrap();
    assert!(config(&suite).paused);
    let before = suite.dump();
    let skipped = quorum_sign(0, &old, &governance(4, &upgrade(2, &new)));
    let other = quorum_sign(0, &old, &governance(3, b"of no meaning"));
    for vaa in [
        &known,
        &quorum_sign(0, &old, &body(2, b"")),
        &skipped,
        &other,
    ] {
        assert_eq!(suite.verdict(vaa), "E403");
        let dry: VerifyResponse = suite.ask(&QueryMsg::Verify {
            vaa: Binary::new(vaa.clone()),
        });
        assert_eq!(
            (dry.valid, dry.outcome, dry.governance),
            (true, OutcomeKind::Refused, None)
        );
        assert_eq!(dry.errors[0].code, "E403");
    }
    assert_eq!(
        suite.observe(0, 1, &old[1], &[&body(2, b""), &body(1, b"a")]),
        ["E403", "E403"]
    );
    let user = suite.user.clone();
    assert_eq!(
        code(
            &suite
                .send_as(&user, &ExecuteMsg::Prune { limit: 1 })
                .unwrap_err()
        ),
        "E403"
    );
    let publish = ExecuteMsg::PublishMessages {
        messages: vec![],
        on_invalid: None,
    };
    assert_eq!(code(&suite.send_as(&user, &publish).unwrap_err()), "E403");
    assert_eq!(suite.dump(), before);
    // An upgrade passes by VAA, and the next one by observations of the new set. Forged ones do not.
    let change = quorum_sign(0, &old, &governance(1, &upgrade(1, &new)));
    let forged = quorum_sign(0, &new, &governance(1, &upgrade(1, &new)));
    assert_eq!(suite.verdict(&forged), "E111");
    let dry: VerifyResponse = suite.ask(&QueryMsg::Verify {
        vaa: Binary::new(change.clone()),
    });
    assert_eq!(dry.outcome, OutcomeKind::Stored);
    assert_eq!(suite.verdict(&change), "stored");
    let back = governance(2, &upgrade(2, &old));
    for (guardian, progress) in [(0, "pending 1/3"), (1, "pending 2/3"), (2, "stored")] {
        let key = &new[usize::from(guardian)];
        let report = suite.report(1, guardian, key, &[observation(key, &back, &tx(1))]);
        assert_eq!(name(&suite.send(&report).unwrap()[0]), progress);
    }
    assert_eq!(config(&suite).current_guardian_set, 2);
    suite.send_as(&admin, &ExecuteMsg::Unpause {}).unwrap();
    assert_eq!(
        suite.verdict(&quorum_sign(2, &old, &body(2, b""))),
        "stored"
    );
    assert_eq!(suite.verdict(&skipped), "stored");
}

/// A limit that is too small for an upgrade would stop the registry from following its guardians, which is not the admin's
/// to do.
#[test]
fn no_limit_keeps_an_upgrade_out() {
    let first = keys(1..=4);
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&first), None)]);
    msg.limits = Some(Limits {
        payload: 1,
        ..Limits::default()
    });
    let mut suite = Suite::create(&msg, START).unwrap();
    assert_eq!(
        suite.verdict(&quorum_sign(0, &first, &body(1, b"ab"))),
        "E103"
    );
    let largest = governance(1, &upgrade(1, &keys(1..=255)));
    suite.stored(&quorum_sign(0, &first, &largest));
    let current: GuardianSetResponse = suite.ask(&QueryMsg::GuardianSet { index: None });
    assert_eq!(current.index, 1);
    // What is larger than any upgrade is none, and a body that only looks like one is anybody's.
    let long = [upgrade(1, &keys(1..=255)), vec![0]].concat();
    assert_eq!(
        suite.verdict(&quorum_sign(0, &first, &governance(2, &long))),
        "E103"
    );
    let other = body(3, &upgrade(1, &keys(1..=1)));
    assert_eq!(suite.verdict(&quorum_sign(0, &first, &other)), "E103");
}

#[test]
fn no_limit_keeps_observations_of_an_upgrade_out() {
    let first = keys(1..=1);
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&first), None)]);
    msg.limits = Some(Limits {
        payload: 1,
        ..Limits::default()
    });
    let mut suite = Suite::create(&msg, START).unwrap();
    let change = governance(1, &upgrade(1, &keys(11..=29)));
    assert_eq!(suite.observe(0, 0, &first[0], &[&change]), ["stored"]);
    let current: GuardianSetResponse = suite.ask(&QueryMsg::GuardianSet { index: None });
    assert_eq!(current.index, 1);
}
