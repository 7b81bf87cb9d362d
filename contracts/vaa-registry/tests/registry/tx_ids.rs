//! Transaction ids: claims of guardians, attested when a quorum of one set claims the same.

use cosmwasm_std::Binary;
use cw_orm::PageRequest;
use vaa_registry::msg::{IndexFlags, QueryMsg, TxIdsResponse, TxMessagesResponse};
use wormhole_vaa::Body;

use super::{
    observed::{code, tx},
    suite::{
        START, Suite, addresses, body, governance, instantiate_msg, key, keys, quorum_sign,
        set_init, upgrade,
    },
};

fn tx_ids(suite: &Suite, body: &Body, digest: bool) -> Vec<(Vec<u8>, u32, u32, bool)> {
    let found: TxIdsResponse = suite.ask(&QueryMsg::TxIds {
        id: body.id().to_string(),
        digest: digest.then(|| body.digest().to_string()),
    });
    assert_eq!(found.digest, body.digest().to_string());
    assert_eq!(found.total as usize, found.tx_ids.len());
    let row = |claim: &vaa_registry::msg::TxIdResponse| {
        (
            claim.tx_id.to_vec(),
            claim.guardian_set_index,
            claim.claims,
            claim.attested,
        )
    };
    found.tx_ids.iter().map(row).collect()
}

fn by_tx_id(suite: &Suite, tx_id: &[u8]) -> Vec<(String, bool, u32, bool)> {
    let found: TxMessagesResponse = suite.ask(&QueryMsg::MessagesByTxId {
        tx_id: Binary::new(tx_id.to_vec()),
        page: None,
    });
    found
        .messages
        .into_iter()
        .map(|row| (row.id, row.stands, row.claims, row.attested))
        .collect()
}

#[test]
fn a_transaction_is_attested_when_a_quorum_claims_it() {
    let keys = keys(1..=7);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    let claimed = [1, 2, 1, 1];
    for (guardian, tx_id) in claimed.into_iter().enumerate() {
        suite.observe_tx(0, guardian as u8, &keys[guardian], &body, &tx(tx_id));
    }
    assert_eq!(
        tx_ids(&suite, &body, true),
        [(tx(1), 0, 3, false), (tx(2), 0, 1, false)]
    );
    assert!(by_tx_id(&suite, &tx(1)).is_empty());
    assert_eq!(suite.observe_tx(0, 4, &keys[4], &body, &tx(1)), "stored");
    // Five of seven signed, but only four claim the same.
    assert_eq!(
        tx_ids(&suite, &body, false),
        [(tx(1), 0, 4, false), (tx(2), 0, 1, false)]
    );
    let id = body.id().to_string();
    assert_eq!(by_tx_id(&suite, &tx(1)), [(id.clone(), true, 4, false)]);
    assert_eq!(
        suite.observe_tx(0, 5, &keys[5], &body, &tx(1)),
        "already_registered"
    );
    assert_eq!(
        tx_ids(&suite, &body, false),
        [(tx(1), 0, 5, true), (tx(2), 0, 1, false)]
    );
    assert_eq!(by_tx_id(&suite, &tx(1)), [(id.clone(), true, 5, true)]);
    assert_eq!(by_tx_id(&suite, &tx(2)), [(id, true, 1, false)]);
    // Everybody has claimed once; a second word is not heard.
    suite.observe_tx(0, 6, &keys[6], &body, &[9; 128]);
    let before = suite.dump();
    for guardian in 0..7_u8 {
        suite.observe_tx(0, guardian, &keys[usize::from(guardian)], &body, &tx(3));
    }
    assert_eq!(suite.dump(), before);
    assert_eq!(tx_ids(&suite, &body, false).len(), 3);
}

#[test]
fn claims_outlive_the_signatures_that_brought_them() {
    let (old, new) = (keys(1..=4), keys(11..=14));
    let mut suite = Suite::of_keys(&old);
    let (first, second) = (body(1, b"a"), body(2, b"b"));
    for guardian in 0..2_u8 {
        suite.observe(0, guardian, &old[usize::from(guardian)], &[&first, &second]);
    }
    // Decided by a VAA.
    suite.stored(&quorum_sign(0, &old, &first));
    assert_eq!(tx_ids(&suite, &first, false), [(tx(1), 0, 2, false)]);
    // Pruned, as the set has expired, and decided by another set later.
    suite.stored(&quorum_sign(0, &old, &governance(1, &upgrade(1, &new))));
    suite.set_time(START + 86_401);
    assert_eq!(suite.prune(100).removed, 3);
    assert_eq!(tx_ids(&suite, &second, true), [(tx(1), 0, 2, false)]);
    let id = second.id().to_string();
    assert_eq!(by_tx_id(&suite, &tx(1)).len(), 1);
    suite.stored(&quorum_sign(1, &new, &second));
    assert_eq!(tx_ids(&suite, &second, false), [(tx(1), 0, 2, false)]);
    assert_eq!(by_tx_id(&suite, &tx(1))[1], (id, true, 2, false));
    // Claims of one set do not add up with another's.
    for guardian in 0..3_u8 {
        suite.observe(1, guardian, &new[usize::from(guardian)], &[&second]);
    }
    assert_eq!(
        tx_ids(&suite, &second, false),
        [(tx(1), 1, 3, true), (tx(1), 0, 2, false)]
    );
}

#[test]
fn a_vaa_alone_has_no_transaction_until_guardians_name_it() {
    let keys = keys(1..=3);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    let unknown = QueryMsg::TxIds {
        id: body.id().to_string(),
        digest: None,
    };
    assert_eq!(
        code(&suite.query::<TxIdsResponse>(&unknown).unwrap_err()),
        "E206"
    );
    suite.stored(&quorum_sign(0, &keys, &body));
    assert!(tx_ids(&suite, &body, false).is_empty());
    let before = suite.dump();
    // One whose signature is another's is not heard, though the batch is signed.
    let forged = super::observed::observation(&keys[1], &body, &tx(1));
    let report = suite.report(0, 0, &keys[0], &[forged]);
    assert_eq!(
        super::observed::name(&suite.send(&report).unwrap()[0]),
        "E111"
    );
    assert_eq!(suite.dump(), before);
    suite.observe_tx(0, 0, &keys[0], &body, &tx(1));
    assert_eq!(tx_ids(&suite, &body, false), [(tx(1), 0, 1, false)]);
    assert_eq!(suite.dump().len(), before.len() + 2);
}

#[test]
fn a_transaction_leads_to_all_its_messages_also_to_conflicts() {
    let keys = keys(1..=1);
    let mut suite = Suite::of_keys(&keys);
    for sequence in 0..40 {
        suite.observe_tx(0, 0, &keys[0], &body(sequence, b"a"), b"one transaction");
    }
    suite.observe_tx(0, 0, &keys[0], &body(0, b"b"), b"one transaction");
    suite.observe_tx(0, 0, &keys[0], &body(0, b"c"), b"another");
    let mut request = PageRequest::first(30);
    let mut found = Vec::new();
    loop {
        let page: TxMessagesResponse = suite.ask(&QueryMsg::MessagesByTxId {
            tx_id: Binary::from(b"one transaction"),
            page: Some(request.clone()),
        });
        found.extend(page.messages);
        match request.after(&page.page) {
            Some(next) => request = next,
            None => break,
        }
    }
    assert_eq!(found.len(), 41);
    assert_eq!(found.iter().filter(|row| !row.stands).count(), 1);
    assert_eq!(
        found
            .iter()
            .filter(|row| row.id == body(0, b"").id().to_string())
            .count(),
        2
    );
    assert_eq!(by_tx_id(&suite, b"another").len(), 1);
    // A transaction id is not found by the beginning of it.
    assert!(by_tx_id(&suite, b"one").is_empty());
    for (tx_id, wrong) in [(vec![], "E217"), (vec![1; 129], "E217")] {
        let query = QueryMsg::MessagesByTxId {
            tx_id: Binary::new(tx_id),
            page: None,
        };
        assert_eq!(
            code(&suite.query::<TxMessagesResponse>(&query).unwrap_err()),
            wrong
        );
    }
}

#[test]
fn without_the_index_claims_are_kept_and_not_found_by_transaction() {
    let keys = keys(1..=1);
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys), None)]);
    msg.indexes = Some(IndexFlags {
        tx_id: false,
        ..IndexFlags::ALL
    });
    let mut suite = Suite::create(&msg, START).unwrap();
    suite.observe_tx(0, 0, &keys[0], &body(1, b"a"), &tx(1));
    assert_eq!(tx_ids(&suite, &body(1, b"a"), false), [(tx(1), 0, 1, true)]);
    let query = QueryMsg::MessagesByTxId {
        tx_id: Binary::new(tx(1)),
        page: None,
    };
    assert_eq!(
        code(&suite.query::<TxMessagesResponse>(&query).unwrap_err()),
        "E208"
    );
    assert!(suite.dump().iter().all(|(key, _)| key[2] != b't'));
}

#[test]
fn as_many_claims_as_guardians_are_told_in_short() {
    let keys: Vec<_> = (1..=255).map(key).collect();
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    for guardian in 0..255_u8 {
        let key = &keys[usize::from(guardian)];
        suite.observe_tx(0, guardian, key, &body, &[guardian; 128]);
    }
    let found: TxIdsResponse = suite.ask(&QueryMsg::TxIds {
        id: body.id().to_string(),
        digest: None,
    });
    assert_eq!((found.total, found.tx_ids.len()), (255, 30));
    assert!(
        suite
            .dump()
            .iter()
            .filter(|(key, _)| key[2] == b'i')
            .all(|(_, value)| value.len() < 210)
    );
}

/// A digest of another message is not told as if it were of the one that is asked about.
#[test]
fn claims_about_another_message_are_not_told() {
    let keys = keys(1..=3);
    let mut suite = Suite::of_keys(&keys);
    let (registered, second, pending) = (body(1, b"a"), body(1, b"b"), body(2, b"c"));
    for guardian in 0..3_u8 {
        let key = &keys[usize::from(guardian)];
        suite.observe(0, guardian, key, &[&registered]);
        suite.observe(0, guardian, key, &[&second]);
    }
    suite.observe(0, 0, &keys[0], &[&pending]);
    for of in [&registered, &second, &pending] {
        assert_eq!(tx_ids(&suite, of, true).len(), 1);
        let about = QueryMsg::TxIds {
            id: body(3, b"").id().to_string(),
            digest: Some(of.digest().to_string()),
        };
        let other = suite.query::<TxIdsResponse>(&about);
        assert_eq!(code(&other.unwrap_err()), "E222");
    }
    // Nothing is known of it, so nothing is claimed.
    assert!(tx_ids(&suite, &body(4, b"d"), true).is_empty());
}
