//! Two messages with quorum for one id.

use cosmwasm_std::Binary;
use vaa_registry::msg::{
    ConflictsResponse, MessageQueryResponse, OnInvalid, QueryMsg, SignedVaaResponse, VerifyResponse,
};

use super::suite::{Suite, body, keys, quorum_sign};

#[test]
fn the_first_stands_and_the_second_is_evidence() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let (first, second) = (body(7, b"first"), body(7, b"second"));
    let id = first.id().to_string();
    suite.stored(&quorum_sign(0, &keys, &first));
    // A conflict is a success: an error would roll the evidence back.
    let done = suite
        .execute(&[quorum_sign(0, &keys, &second)], OnInvalid::Abort)
        .unwrap();
    assert_eq!(done[0].outcome.as_str(), "conflict");

    let signed: SignedVaaResponse = suite.ask(&QueryMsg::SignedVaa {
        id: id.clone(),
        guardian_set: None,
    });
    assert_eq!(signed.vaa.as_slice(), quorum_sign(0, &keys, &first));
    assert!(signed.conflict);
    for filter in [Some(id.clone()), None] {
        let found: ConflictsResponse = suite.ask(&QueryMsg::Conflicts {
            id: filter,
            page: None,
        });
        assert_eq!(found.conflicts.len(), 1);
        let conflict = &found.conflicts[0];
        assert_eq!(conflict.standing_digest, first.digest().to_string());
        assert_eq!(conflict.digest, second.digest().to_string());
        assert_eq!(conflict.vaa.as_slice(), quorum_sign(0, &keys, &second));
        assert_eq!(conflict.id, id);
    }
    // Either digest finds the row, which says that there is a conflict.
    for digest in [first.digest(), second.digest()] {
        let digest = digest.to_string();
        let found: MessageQueryResponse = suite.ask(&QueryMsg::MessageByDigest {
            digest,
            families: None,
        });
        let message = found.message.unwrap();
        assert_eq!(message.id, id);
        assert_eq!(
            message.message_publication.unwrap().payload.as_slice(),
            b"first"
        );
        assert!(message.status.unwrap().conflict);
    }
    let other: ConflictsResponse = suite.ask(&QueryMsg::Conflicts {
        id: Some(body(8, b"").id().to_string()),
        page: None,
    });
    assert!(other.conflicts.is_empty());
}

#[test]
fn a_known_conflict_writes_nothing_and_needs_no_signature() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    suite.stored(&quorum_sign(0, &keys, &body(7, b"first")));
    let second = quorum_sign(0, &keys, &body(7, b"second"));
    assert_eq!(suite.verdict(&second), "conflict");
    let before = suite.dump();
    assert_eq!(suite.verdict(&second), "conflict");
    let mut broken = second;
    broken[10] ^= 1;
    assert_eq!(suite.verdict(&broken), "conflict");
    let dry: VerifyResponse = suite.ask(&QueryMsg::Verify {
        vaa: Binary::new(broken),
    });
    assert_eq!((dry.outcome.as_str(), dry.valid), ("conflict", false));
    assert_eq!(suite.dump(), before);
    // A third message for the id is evidence of its own.
    assert_eq!(
        suite.verdict(&quorum_sign(0, &keys, &body(7, b"third"))),
        "conflict"
    );
    let found: ConflictsResponse = suite.ask(&QueryMsg::Conflicts {
        id: None,
        page: None,
    });
    assert_eq!(found.conflicts.len(), 2);
}

#[test]
fn only_new_evidence_raises_the_alarm() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let (first, second) = (
        quorum_sign(0, &keys, &body(7, b"first")),
        quorum_sign(0, &keys, &body(7, b"second")),
    );
    assert_eq!(suite.events(&first), ["vaa_stored"]);
    assert_eq!(suite.events(&first), ["vaa_already_registered"]);
    assert_eq!(suite.events(&second), ["vaa_conflict"]);
    assert_eq!(suite.events(&second), ["vaa_conflict_known"]);
}
