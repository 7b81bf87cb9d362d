//! How far messages are, who signed them, and what their signatures are still good for.

use cosmwasm_std::{Addr, Binary, Uint64};
use cw_orm::PageRequest;
use vaa_registry::msg::{
    BatchStatusResponse, ExecuteMsg, Guardian, ListedPhase, MessageStatusResponse,
    MessagesByPhaseResponse, Phase, PublishedMessage, PublisherScope, QueryMsg, RepairResponse,
    SignersResponse, VerifyResponse,
};
use wormhole_vaa::{Body, SecretKey, Vaa};

use super::{
    observed::{code, tx},
    suite::{
        START, Suite, addresses, body, governance, instantiate_msg, key, keys, quorum_sign,
        set_init, sign, upgrade,
    },
};

fn id(body: &Body) -> String {
    format!(
        "{}/{}/{}",
        body.emitter_chain,
        body.emitter_address.to_hex(),
        body.sequence
    )
}

fn status(suite: &Suite, body: &Body) -> MessageStatusResponse {
    suite.ask(&QueryMsg::MessageStatus { id: id(body) })
}

fn signers(suite: &Suite, body: &Body, set: Option<u32>) -> Result<SignersResponse, String> {
    suite.query(&QueryMsg::Signers {
        id: id(body),
        digest: Some(body.digest().to_string()),
        guardian_set: set,
    })
}

fn repair(suite: &Suite, body: &Body, set: Option<u32>) -> Result<RepairResponse, String> {
    suite.query(&QueryMsg::Repair {
        id: id(body),
        digest: None,
        guardian_set: set,
    })
}

fn indexes(guardians: &[Guardian]) -> Vec<u8> {
    guardians.iter().map(|one| one.index).collect()
}

/// Set 0 of four guardians, of whom the last is replaced in set 1.
struct World {
    suite: Suite,
    publisher: Addr,
    old: Vec<SecretKey>,
    new: Vec<SecretKey>,
}

impl World {
    fn new() -> Self {
        let old = keys(1..=4);
        let new = vec![key(1), key(2), key(9), key(3)];
        let mut msg = instantiate_msg(vec![set_init(0, addresses(&old), None)]);
        let api = cw_multi_test::App::default();
        let (admin, publisher) = (api.api().addr_make("admin"), api.api().addr_make("press"));
        msg.admin = Some(admin.to_string());
        let mut suite = Suite::create(&msg, START).unwrap();
        let register = ExecuteMsg::RegisterPublisher {
            publisher: publisher.to_string(),
            scope: PublisherScope {
                chain: 2,
                emitter: None,
            },
            quota: 100,
        };
        suite.send_as(&admin, &register).unwrap();
        Self {
            suite,
            publisher,
            old,
            new,
        }
    }

    fn upgrade(&mut self) {
        let change = governance(1, &upgrade(1, &self.new));
        let vaa = quorum_sign(0, &self.old, &change);
        self.suite.stored(&vaa);
    }

    fn publish(&mut self, body: &Body) {
        let msg = ExecuteMsg::PublishMessages {
            messages: vec![PublishedMessage {
                body: Binary::new(body.serialize()),
                tx_id: Some(Binary::new(tx(7))),
            }],
            on_invalid: None,
        };
        self.suite.send_as(&self.publisher, &msg).unwrap();
    }

    fn observe(&mut self, guardian: u8, body: &Body) -> String {
        let key = self.old[usize::from(guardian)].clone();
        self.suite.observe(0, guardian, &key, &[body]).remove(0)
    }
}

#[test]
fn a_message_goes_through_its_phases() {
    let mut world = World::new();
    let message = body(5, b"a");
    let unknown = status(&world.suite, &message);
    assert_eq!((unknown.phase, unknown.digest), (Phase::Unknown, None));
    assert!(!unknown.valid_now && unknown.verifications.is_empty());

    world.publish(&message);
    let published = status(&world.suite, &message);
    assert_eq!(published.phase, Phase::Published);
    assert_eq!(
        published.publications[0].digest,
        message.digest().to_string()
    );
    assert_eq!(
        published.publications[0].publisher,
        world.publisher.to_string()
    );
    assert_eq!(published.publications[0].tx_id, Some(Binary::new(tx(7))));

    world.observe(2, &message);
    let observed = status(&world.suite, &message);
    assert_eq!(observed.phase, Phase::Observed);
    let pending = &observed.pending[0];
    assert_eq!(pending.digest, message.digest().to_string());
    assert_eq!(
        (
            pending.signatures[0].guardians.clone(),
            pending.signatures[0].quorum
        ),
        (vec![2], 3)
    );

    world.observe(0, &message);
    assert_eq!(world.observe(3, &message), "stored");
    let (height, now) = (world.suite.app.block_info().height, world.suite.now());
    let decided = status(&world.suite, &message);
    assert_eq!(decided.phase, Phase::Quorum);
    assert_eq!(decided.digest, Some(message.digest().to_string()));
    assert!(decided.pending.is_empty() && decided.valid_now && decided.valid_until.is_none());
    let verified = &decided.verifications[0];
    assert_eq!((verified.height.u64(), verified.time.u64()), (height, now));
    assert_eq!(verified.expires_at, None);
    assert_eq!(decided.tx_ids[0].tx_id, Binary::new(tx(1)));
    assert!(decided.tx_ids[0].attested);
}

#[test]
fn a_status_tells_until_when_the_signatures_count() {
    let mut world = World::new();
    let message = body(5, b"a");
    world
        .suite
        .stored(&quorum_sign(0, &world.old.clone(), &message));
    world.upgrade();
    let expires = world.suite.now() + 86_400;
    let live = status(&world.suite, &message);
    assert!(live.valid_now);
    assert_eq!(live.valid_until, Some(Uint64::new(expires)));
    world.suite.set_time(expires);
    assert!(status(&world.suite, &message).valid_now);
    world.suite.set_time(expires + 1);
    let expired = status(&world.suite, &message);
    assert_eq!(
        (expired.phase, expired.valid_now, expired.valid_until),
        (Phase::Quorum, false, None)
    );
    assert_eq!(
        expired.verifications[0].expires_at,
        Some(Uint64::new(expires))
    );
}

#[test]
fn a_status_names_what_conflicts() {
    let mut world = World::new();
    let (first, second) = (body(5, b"a"), body(5, b"b"));
    for body in [&first, &second] {
        world
            .suite
            .submit_one(&quorum_sign(0, &world.old.clone(), body));
    }
    let found = status(&world.suite, &first);
    assert!(found.conflict);
    assert_eq!(found.digest, Some(first.digest().to_string()));
    assert_eq!(found.conflicts.len(), 1);
    assert_eq!(found.conflicts[0].digest, second.digest().to_string());
}

#[test]
fn a_batch_tells_of_each_message_in_order() {
    let mut world = World::new();
    let bodies = [body(1, b"a"), body(2, b"a"), body(3, b"a"), body(4, b"a")];
    world
        .suite
        .stored(&quorum_sign(0, &world.old.clone(), &bodies[0]));
    world.observe(1, &bodies[1]);
    world.publish(&bodies[2]);
    let ids = |count: usize| QueryMsg::BatchStatus {
        ids: (0..count).map(|at| id(&bodies[at % 4])).collect(),
    };
    let found: BatchStatusResponse = world.suite.ask(&ids(4));
    let phases: Vec<_> = found.statuses.iter().map(|one| one.phase).collect();
    assert_eq!(
        phases,
        [
            Phase::Quorum,
            Phase::Observed,
            Phase::Published,
            Phase::Unknown
        ]
    );
    assert_eq!(found.statuses[0].guardian_set_index, Some(0));
    for (one, body) in found.statuses.iter().zip(&bodies) {
        assert_eq!(one.id, id(body));
        // The full status says the same.
        let full = status(&world.suite, body);
        assert_eq!(
            (one.phase, &one.digest, one.valid_now, one.conflict),
            (full.phase, &full.digest, full.valid_now, full.conflict)
        );
    }
    assert_eq!(
        world
            .suite
            .ask::<BatchStatusResponse>(&ids(30))
            .statuses
            .len(),
        30
    );
    let many = world
        .suite
        .query::<BatchStatusResponse>(&ids(31))
        .unwrap_err();
    assert_eq!(code(&many), "E221");
    let wrong = QueryMsg::BatchStatus {
        ids: vec![id(&bodies[0]), "2/ee".into()],
    };
    let wrong = world
        .suite
        .query::<BatchStatusResponse>(&wrong)
        .unwrap_err();
    assert!(
        wrong.contains("id 1 of the batch") && wrong.contains("[E203]"),
        "{wrong}"
    );
}

#[test]
fn signers_are_told_with_their_addresses() {
    let mut world = World::new();
    let message = body(5, b"a");
    assert_eq!(
        code(&signers(&world.suite, &message, None).unwrap_err()),
        "E222"
    );
    world.observe(1, &message);
    let pending = signers(&world.suite, &message, None).unwrap();
    assert_eq!(
        (indexes(&pending.signed), indexes(&pending.missing)),
        (vec![1], vec![0, 2, 3])
    );
    assert_eq!(pending.phase, Phase::Observed);
    assert_eq!(pending.signed[0].address, world.old[1].address().to_hex());

    world
        .suite
        .stored(&sign(0, &world.old.clone(), &[0, 2, 3], &message));
    let stored = signers(&world.suite, &message, None).unwrap();
    assert_eq!(
        (indexes(&stored.signed), indexes(&stored.missing)),
        (vec![0, 2, 3], vec![1])
    );
    assert_eq!(
        (stored.quorum, stored.live, stored.phase),
        (3, true, Phase::Quorum)
    );
    world.upgrade();
    assert_eq!(
        signers(&world.suite, &message, None)
            .unwrap()
            .guardian_set_index,
        0
    );
    assert_eq!(
        code(&signers(&world.suite, &message, Some(1)).unwrap_err()),
        "E207"
    );
    assert_eq!(
        code(&signers(&world.suite, &message, Some(9)).unwrap_err()),
        "E205"
    );
}

/// A VAA of a set that has expired is made one of the current set, as far as its guardians are still in it.
#[test]
fn a_vaa_is_repaired_for_a_newer_set() {
    let mut world = World::new();
    let (good, poor) = (body(5, b"a"), body(6, b"a"));
    let old = world.old.clone();
    world.suite.stored(&sign(0, &old, &[0, 1, 2], &good));
    world.suite.stored(&sign(0, &old, &[0, 1, 3], &poor));
    world.upgrade();
    world.suite.set_time(world.suite.now() + 86_401);
    assert!(!status(&world.suite, &good).valid_now);

    let repaired = repair(&world.suite, &good, None).unwrap();
    assert_eq!((repaired.guardian_set_index, repaired.quorum), (1, 3));
    // Guardian 2 of set 0 is guardian 3 of set 1.
    assert_eq!(
        (indexes(&repaired.usable), indexes(&repaired.missing)),
        (vec![0, 1, 3], vec![2])
    );
    let vaa = repaired.vaa.unwrap();
    let verified: VerifyResponse = world.suite.ask(&QueryMsg::Verify { vaa: vaa.clone() });
    assert!(verified.valid, "{verified:?}");
    assert_eq!(world.suite.verdict(&vaa), "resigned");
    assert!(status(&world.suite, &good).valid_now);
    // Now both sets have a VAA that was verified, each as it was.
    assert_eq!(repair(&world.suite, &good, Some(1)).unwrap().vaa, Some(vaa));
    let first = repair(&world.suite, &good, Some(0)).unwrap().vaa.unwrap();
    assert_eq!(first.as_slice(), sign(0, &old, &[0, 1, 2], &good));

    let left = repair(&world.suite, &poor, None).unwrap();
    assert_eq!((left.vaa, indexes(&left.usable)), (None, vec![0, 1]));
    assert_eq!(indexes(&left.missing), [2, 3]);
    assert_eq!(left.missing[0].address, world.new[2].address().to_hex());
    assert_eq!(
        code(&repair(&world.suite, &body(7, b"a"), None).unwrap_err()),
        "E206"
    );
    assert_eq!(
        code(&repair(&world.suite, &poor, Some(2)).unwrap_err()),
        "E205"
    );
}

/// Signatures that two sets' guardians gave of one pending body, of which neither set has a quorum, are one of the newer.
#[test]
fn pending_signatures_of_two_sets_are_put_together() {
    let mut world = World::new();
    let message = body(5, b"a");
    world.observe(0, &message);
    world.observe(2, &message);
    world.upgrade();
    let ninth = world.new[2].clone();
    world.suite.observe(1, 2, &ninth, &[&message]);
    assert_eq!(status(&world.suite, &message).phase, Phase::Observed);
    let repaired = repair(&world.suite, &message, None).unwrap();
    assert_eq!(indexes(&repaired.usable), [0, 2, 3]);
    let vaa = Vaa::parse(&repaired.vaa.unwrap()).unwrap();
    assert_eq!((vaa.guardian_set_index, &vaa.body), (1, &message));
    assert_eq!(world.suite.verdict(&vaa.serialize().unwrap()), "stored");
}

#[test]
fn each_message_is_listed_under_one_phase() {
    let mut world = World::new();
    let old = world.old.clone();
    // Three of each phase, and what has passed an earlier one leaves traces in it.
    let bodies: Vec<Body> = (0..9).map(|at| body(at, b"a")).collect();
    for (at, body) in bodies.iter().enumerate() {
        world.publish(body);
        if at % 3 > 0 {
            world.observe(1, body);
        }
        if at % 3 == 2 {
            world.suite.stored(&sign(0, &old, &[0, 2, 3], body));
            world.observe(
                1,
                &Body {
                    nonce: 99,
                    ..body.clone()
                },
            );
        }
    }
    let list = |phase, chain, emitter: Option<String>, reverse| {
        let mut request = PageRequest {
            reverse,
            ..PageRequest::first(2)
        };
        let mut found = Vec::new();
        loop {
            let page: MessagesByPhaseResponse = world.suite.ask(&QueryMsg::MessagesByPhase {
                phase,
                chain,
                emitter: emitter.clone(),
                page: Some(request.clone()),
            });
            found.extend(page.messages);
            match request.after(&page.page) {
                Some(next) => request = next,
                None => return found,
            }
        }
    };
    let phases = [
        ListedPhase::Published,
        ListedPhase::Observed,
        ListedPhase::Quorum,
    ];
    let emitter = bodies[0].emitter_address.to_hex();
    for (at, phase) in phases.into_iter().enumerate() {
        let expected: Vec<_> = bodies
            .iter()
            .skip(at)
            .step_by(3)
            .map(|body| (id(body), body.digest().to_string()))
            .collect();
        for (chain, emitter) in [
            (None, None),
            (Some(2), None),
            (Some(2), Some(emitter.clone())),
        ] {
            for reverse in [false, true] {
                let mut found: Vec<_> = list(phase, chain, emitter.clone(), reverse)
                    .into_iter()
                    .map(|one| (one.id, one.digest))
                    .collect();
                if reverse {
                    found.reverse();
                }
                assert_eq!(found, expected, "{phase:?}");
            }
        }
        assert!(list(phase, Some(3), None, false).is_empty());
        for (found, _) in expected {
            let status: MessageStatusResponse =
                world.suite.ask(&QueryMsg::MessageStatus { id: found });
            assert_eq!(status.phase as u8, at as u8 + 1);
        }
    }
}
