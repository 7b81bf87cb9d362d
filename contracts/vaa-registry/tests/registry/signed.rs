//! The archive: a verified VAA stays readable, labelled with what it is worth now.

use cosmwasm_std::Binary;
use cw_orm::CompactUint64;
use vaa_registry::{
    msg::{GuardianSetResponse, MessageQueryResponse, QueryMsg, SignedVaaResponse, VerifyResponse},
    state::{Emitter, GuardianSetEntry, GuardianSetPart, Message, QuorumState},
};

use super::suite::{START, Suite, body, governance, keys, quorum_sign, upgrade};

fn signed(suite: &Suite, guardian_set: Option<u32>) -> SignedVaaResponse {
    suite.ask(&QueryMsg::SignedVaa {
        id: body(1, b"").id().to_string(),
        guardian_set,
    })
}

#[test]
fn a_vaa_outlives_its_guardian_set() {
    let (old, new) = (keys(1..=3), keys(11..=13));
    let mut suite = Suite::of_keys(&old);
    let body = body(1, b"a");
    let vaa = quorum_sign(0, &old, &body);
    suite.stored(&vaa);
    suite.set_time(START + 100);
    suite.stored(&quorum_sign(0, &old, &governance(1, &upgrade(1, &new))));
    suite.set_time(START + 100 + 86_400);
    assert!(signed(&suite, None).valid_now);
    suite.set_time(START + 100 + 86_401);
    let expired = signed(&suite, None);
    assert!(!expired.valid_now);
    assert_eq!(expired.vaa.as_slice(), vaa);
    assert_eq!(expired.guardian_set_index, 0);

    let again = quorum_sign(1, &new, &body);
    assert_eq!(suite.verdict(&again), "resigned");
    assert_eq!(signed(&suite, None).vaa.as_slice(), again);
    assert!(signed(&suite, None).valid_now);
    assert_eq!(signed(&suite, Some(0)).vaa.as_slice(), vaa);
    assert!(!signed(&suite, Some(0)).valid_now);

    let found: MessageQueryResponse = suite.ask(&QueryMsg::Message {
        id: body.id().to_string(),
        families: None,
    });
    let message = found.message.unwrap();
    assert_eq!(message.message_publication.unwrap().guardian_set_index, 0);
    assert_eq!(message.quorum_state.unwrap().guardian_set_index, 1);
    let status = message.status.unwrap();
    let times: Vec<(u32, u64, bool)> = status
        .verifications
        .iter()
        .map(|done| {
            (
                done.guardian_set_index,
                done.time.u64() - START,
                done.valid_now,
            )
        })
        .collect();
    assert_eq!(times, [(0, 0, false), (1, 100 + 86_401, true)]);
}

#[test]
fn what_is_not_there_is_named() {
    let keys = keys(1..=3);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    let ask = |suite: &Suite, set| {
        suite.query::<SignedVaaResponse>(&QueryMsg::SignedVaa {
            id: body.id().to_string(),
            guardian_set: set,
        })
    };
    assert!(ask(&suite, None).unwrap_err().contains("[E206]"));
    suite.stored(&quorum_sign(0, &keys, &body));
    assert!(ask(&suite, Some(1)).unwrap_err().contains("[E207]"));
    let malformed = QueryMsg::SignedVaa {
        id: "2/zz/1".into(),
        guardian_set: None,
    };
    assert!(
        suite
            .query::<SignedVaaResponse>(&malformed)
            .unwrap_err()
            .contains("[E203]")
    );
    let absent: MessageQueryResponse = suite.ask(&QueryMsg::Message {
        id: super::suite::body(9, b"").id().to_string(),
        families: None,
    });
    assert_eq!(absent.message, None);
}

#[test]
fn damaged_state_is_an_error_and_never_an_answer() {
    let keys = keys(1..=3);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    suite.stored(&quorum_sign(0, &keys, &body));
    let id = body.id();
    {
        let mut storage = suite.app.contract_storage_mut(&suite.registry);
        let emitter = Emitter::number_of(storage.as_ref(), id.chain, id.emitter);
        let emitter = CompactUint64(emitter.unwrap().unwrap());
        let key = (emitter, CompactUint64(id.sequence));
        let quorum = Message::TABLE.family::<QuorumState>();
        let stored = quorum.get_one(storage.as_ref(), &key).unwrap();
        let damaged = QuorumState {
            signatures: serde_json::from_value(vec![0; 65].into()).unwrap(),
            ..stored
        };
        quorum.update(storage.as_mut(), &key, damaged).unwrap();
        let addresses = GuardianSetEntry {
            index: 0,
            part: 1,
            content: GuardianSetPart::Addresses(vec![7; 45]),
        };
        GuardianSetEntry::TABLE
            .update(storage.as_mut(), addresses)
            .unwrap();
    }
    let id = id.to_string();
    let signed = QueryMsg::SignedVaa {
        id: id.clone(),
        guardian_set: None,
    };
    assert!(
        suite
            .query::<SignedVaaResponse>(&signed)
            .unwrap_err()
            .contains("[E997]")
    );
    let message = QueryMsg::Message { id, families: None };
    assert!(
        suite
            .query::<MessageQueryResponse>(&message)
            .unwrap_err()
            .contains("[E997]")
    );
    let set = QueryMsg::GuardianSet { index: None };
    assert!(
        suite
            .query::<GuardianSetResponse>(&set)
            .unwrap_err()
            .contains("[E997]")
    );
}

/// A message is kept verified under 30 sets, and no row grows beyond that; what is verified stays.
#[test]
fn a_message_is_kept_verified_under_thirty_sets() {
    let set = |index: u32| keys(1 + index as u8..=1 + index as u8);
    let message = body(5, b"a");
    let mut suite = Suite::of_keys(&set(0));
    suite.stored(&quorum_sign(0, &set(0), &message));
    for index in 1..=31 {
        let change = governance(index.into(), &upgrade(index, &set(index)));
        suite.stored(&quorum_sign(index - 1, &set(index - 1), &change));
        let vaa = quorum_sign(index, &set(index), &message);
        let full = index >= 30;
        let dry: VerifyResponse = suite.ask(&QueryMsg::Verify {
            vaa: Binary::new(vaa.clone()),
        });
        let before = suite.dump();
        assert_eq!(suite.verdict(&vaa), if full { "E116" } else { "resigned" });
        assert_eq!(
            dry.outcome.as_str(),
            if full { "refused" } else { "resigned" }
        );
        assert_eq!(full, suite.dump() == before);
    }
    let found: MessageQueryResponse = suite.ask(&QueryMsg::Message {
        id: format!("2/{}/5", "ee".repeat(32)),
        families: None,
    });
    let status = found.message.unwrap().status.unwrap();
    assert_eq!(status.verifications.len(), 30);
}
