//! Properties that hold for all input.

use proptest::collection::vec;
use proptest::prelude::*;
use wormhole_vaa::{
    Address, Body, BodyRef, Digest, GovernanceHeader, GuardianAddress, GuardianSet,
    GuardianSetUpgrade, K256Recover, MessageId, ParseError, Signature, TransferPayload,
    UpgradeContext, Vaa, VaaRef, examine_signatures, parse_chain, quorum, verify_signatures,
};

use crate::support::{body, devnet_keys, set_of, sign};

fn signature() -> impl Strategy<Value = Signature> {
    (
        any::<u8>(),
        any::<[u8; 32]>(),
        any::<[u8; 32]>(),
        any::<u8>(),
    )
        .prop_map(|(index, r, s, v)| Signature { index, r, s, v })
}

fn any_body() -> impl Strategy<Value = Body> {
    (
        any::<u32>(),
        any::<u32>(),
        any::<u16>(),
        any::<[u8; 32]>(),
        any::<u64>(),
        any::<u8>(),
        vec(any::<u8>(), 0..300),
    )
        .prop_map(
            |(timestamp, nonce, emitter_chain, emitter, sequence, consistency_level, payload)| {
                Body {
                    timestamp,
                    nonce,
                    emitter_chain,
                    emitter_address: Address(emitter),
                    sequence,
                    consistency_level,
                    payload,
                }
            },
        )
}

fn any_vaa() -> impl Strategy<Value = Vaa> {
    (any::<u32>(), vec(signature(), 0..20), any_body()).prop_map(
        |(guardian_set_index, signatures, body)| Vaa {
            guardian_set_index,
            signatures,
            body,
        },
    )
}

/// Bytes that often get past the first checks.
fn nearly_a_vaa() -> impl Strategy<Value = Vec<u8>> {
    (0..4_u8, 0..6_u8, vec(any::<u8>(), 0..500)).prop_map(|(version, count, mut bytes)| {
        if let [first, _, _, _, _, sixth, ..] = bytes.as_mut_slice() {
            *first = version.min(2);
            *sixth = count;
        }
        bytes
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back(vaa in any_vaa()) {
        let bytes = vaa.serialize().unwrap();
        prop_assert_eq!(bytes.len(), 57 + 66 * vaa.signatures.len() + vaa.body.payload.len());
        let view = VaaRef::parse(&bytes).unwrap();
        prop_assert_eq!(view.digest(), vaa.digest());
        prop_assert_eq!(view.signature_bytes(), Signature::write_all(&vaa.signatures));
        let body = vaa.body.serialize();
        prop_assert_eq!(BodyRef::parse(&body).unwrap(), view.body);
        prop_assert_eq!(Vaa::parse(&bytes).unwrap(), vaa);
    }

    #[test]
    fn what_is_read_writes_back(bytes in nearly_a_vaa()) {
        match Vaa::parse(&bytes) {
            Ok(vaa) => prop_assert_eq!(vaa.serialize().unwrap(), bytes),
            Err(ParseError::UnsupportedVersion(version)) => {
                prop_assert_ne!(version, 1);
                prop_assert_eq!(version, bytes[0]);
            }
            Err(ParseError::TooShort { need, got, .. }) => {
                prop_assert_eq!(got, bytes.len());
                prop_assert!(need > got);
            }
        }
    }

    #[test]
    fn every_cut_is_too_short_or_loses_payload(vaa in any_vaa(), cut in any::<prop::sample::Index>()) {
        let bytes = vaa.serialize().unwrap();
        let len = cut.index(bytes.len());
        let fixed = bytes.len() - vaa.body.payload.len();
        match Vaa::parse(&bytes[..len]) {
            Ok(shorter) => {
                prop_assert!(len >= fixed);
                prop_assert_eq!(&shorter.body.payload, &vaa.body.payload[..len - fixed]);
                prop_assert_ne!(shorter.digest(), vaa.digest());
            }
            Err(error) => {
                prop_assert!(len < fixed);
                prop_assert_eq!(error.rule(), "TooShort");
            }
        }
    }

    #[test]
    fn no_bytes_panic(bytes in vec(any::<u8>(), 0..600), current_index in any::<u32>()) {
        let context = UpgradeContext { this_chain: 1, signed_by_current: true, current_index };
        let _ = VaaRef::parse(&bytes);
        let _ = BodyRef::parse(&bytes);
        let _ = TransferPayload::parse(&bytes);
        let _ = GuardianSetUpgrade::decide(&bytes, &context);
        let _ = GuardianSetUpgrade::parse(&bytes);
        if let Ok((header, _)) = GovernanceHeader::parse(&bytes) {
            let _ = (header.to_string(), header.action_name());
        }
        let _ = Signature::read_all(&bytes);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,90}") {
        let _ = text.parse::<Address>();
        let _ = text.parse::<Digest>();
        let _ = text.parse::<GuardianAddress>();
        let _ = text.parse::<MessageId>();
        let _ = parse_chain(&text);
    }

    #[test]
    fn texts_read_back(chain: u16, emitter: [u8; 32], sequence: u64, upper: bool) {
        let id = MessageId { chain, emitter: Address(emitter), sequence };
        let mut text = id.to_string();
        if upper {
            text = text.to_uppercase();
        }
        prop_assert_eq!(text.parse(), Ok(id));
        prop_assert_eq!(text.replace('/', ":").parse(), Ok(id));
        prop_assert_eq!(Digest(emitter).to_string().parse(), Ok(Digest(emitter)));
    }

    #[test]
    fn an_upgrade_reads_back(
        first in any::<[u8; 20]>(), count in 1..=255_u8, current_index in 0..u32::MAX, chain: u16,
    ) {
        let addresses = (0..count).map(|n| {
            let mut address = first;
            address[0] = n;
            address[1] |= 1;
            GuardianAddress(address)
        });
        let upgrade = GuardianSetUpgrade {
            new_index: current_index + 1,
            guardian_set: GuardianSet::new(addresses.collect()).unwrap(),
        };
        let payload = upgrade.serialize(chain).unwrap();
        let context = UpgradeContext { this_chain: chain, signed_by_current: true, current_index };
        prop_assert_eq!(GuardianSetUpgrade::decide(&payload, &context), Ok(upgrade));
    }

    #[test]
    fn garbage_signatures_never_verify(signatures in vec(signature(), 0..4), n in 1..4_usize) {
        let digest = body(b"x").digest();
        let set = set_of(n);
        let verdict = verify_signatures(&K256Recover, &set, &digest, &signatures);
        let reasons = examine_signatures(&K256Recover, &set, &digest, &signatures);
        prop_assert!(verdict.is_err());
        prop_assert_eq!(verdict.err(), reasons.first().copied());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Signatures of devnet guardians hold exactly if they are distinct, in order and enough.
    #[test]
    fn any_ascending_quorum_verifies(n in 1..=19_usize, signers in vec(0..19_u8, 0..6)) {
        let digest = body(b"x").digest();
        let set = set_of(n);
        let ascending = signers.is_sorted_by(|a, b| a < b);
        let inside = signers.iter().all(|index| usize::from(*index) < n);
        let enough = signers.len() >= quorum(n);
        let verdict = verify_signatures(&K256Recover, &set, &digest, &sign(&digest, &signers));
        prop_assert_eq!(verdict.is_ok(), ascending && inside && enough, "{:?}", verdict);
    }
}

#[test]
fn keys_of_a_set_are_found_by_address() {
    let set = set_of(19);
    for (index, key) in (0_u8..).zip(devnet_keys()) {
        assert_eq!(set.index_of(&key.address()), Some(index));
    }
}
