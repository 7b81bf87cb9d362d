//! Mainnet history: seven guardian set upgrades, every signature verified.

use std::collections::BTreeMap;

use vaa_registry::msg::{GuardianSetResponse, MessageQueryResponse, QueryMsg, SignedVaaResponse};

use super::{
    data::{history, set},
    suite::{Suite, instantiate_msg, set_init},
};

pub fn genesis() -> Suite {
    let first = history()[0].1;
    Suite::create(
        &instantiate_msg(vec![set_init(0, set("mainnet:0"), None)]),
        first,
    )
    .unwrap()
}

fn replay(suite: &mut Suite) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (row, time) in history() {
        let now = suite.now().max(time);
        suite.set_time(now);
        let outcome = suite.submit_one(&row.bytes());
        assert_eq!(
            outcome.digest.as_deref(),
            Some(row.digest.as_str()),
            "{}",
            row.name
        );
        *counts
            .entry(outcome.outcome.as_str().to_owned())
            .or_default() += 1;
    }
    counts
}

#[test]
fn mainnet_history_is_stored_and_known_the_second_time() {
    let mut suite = genesis();
    let first = replay(&mut suite);
    assert_eq!(
        first,
        BTreeMap::from([("stored".into(), 112), ("resigned".into(), 16)])
    );
    let current: GuardianSetResponse = suite.ask(&QueryMsg::GuardianSet { index: None });
    assert_eq!(current.index, 7);
    assert_eq!(
        current.addresses,
        set("mainnet:7")
            .iter()
            .map(|a| a.trim_start_matches("0x").to_owned())
            .collect::<Vec<_>>()
    );

    let before = suite.dump();
    let second = replay(&mut suite);
    assert_eq!(second, BTreeMap::from([("already_registered".into(), 128)]));
    assert_eq!(suite.dump(), before);
}

#[test]
fn every_encoding_of_a_message_reads_back_bit_for_bit() {
    let mut suite = genesis();
    replay(&mut suite);
    for (row, _) in history() {
        let bytes = row.bytes();
        let id = wormhole_vaa::VaaRef::parse(&bytes)
            .unwrap()
            .id()
            .to_string();
        let guardian_set = Some(row.guardian_set_index);
        let signed: SignedVaaResponse = suite.ask(&QueryMsg::SignedVaa { id, guardian_set });
        assert_eq!(signed.vaa.as_slice(), bytes, "{}", row.name);
        assert_eq!(signed.digest, row.digest);
        let by_digest: MessageQueryResponse = suite.ask(&QueryMsg::MessageByDigest {
            digest: format!("0x{}", row.digest.to_uppercase()),
            families: None,
        });
        let message = by_digest.message.unwrap();
        assert_eq!(message.message_publication.unwrap().digest, row.digest);
        let sets: Vec<u32> = message
            .status
            .unwrap()
            .verifications
            .iter()
            .map(|done| done.guardian_set_index)
            .collect();
        assert!(sets.contains(&row.guardian_set_index));
    }
}
