//! The same bytes through published parsers.

use proptest::prelude::*;
use serde_wormhole::RawMessage;
use wormhole_sdk as published;
use wormhole_vaa::{
    Address, Amount, CORE_MODULE, GUARDIAN_SET_UPGRADE_ACTION, GuardianSetUpgrade, NotApplied,
    ParseError, TransferPayload, Vaa, VaaRef, digest,
};

use crate::support::rows;

type SerdeVaa<'a> = published::Vaa<&'a RawMessage>;

/// Holds the three parsers against each other; returns whether this crate's accepts.
fn agree(bytes: &[u8]) -> bool {
    let ours = VaaRef::parse(bytes);
    let raw = wormhole_raw_vaas::Vaa::parse(bytes);
    let serde = serde_wormhole::from_slice::<SerdeVaa<'_>>(bytes);
    let vaa = match ours {
        Ok(vaa) => vaa,
        Err(ParseError::TooShort { .. }) => {
            assert!(raw.is_err());
            assert!(serde.is_err());
            return false;
        }
        Err(ParseError::UnsupportedVersion(version)) => {
            // The others do not look at the version: they read other bytes as if they were v1.
            assert_ne!(version, 1);
            let mut as_version_1 = bytes.to_vec();
            as_version_1[0] = 1;
            let fits = VaaRef::parse(&as_version_1).is_ok();
            assert_eq!(raw.is_ok(), fits);
            assert_eq!(serde.is_ok(), fits);
            return false;
        }
    };

    let raw = raw.unwrap();
    assert_eq!(raw.version(), 1);
    assert_eq!(raw.guardian_set_index(), vaa.guardian_set_index);
    let signatures = vaa.signatures();
    assert_eq!(usize::from(raw.signature_count()), signatures.len());
    assert_eq!(raw.signatures().count(), signatures.len());
    for (theirs, ours) in raw.signatures().zip(&signatures) {
        assert_eq!(theirs.guardian_index(), ours.index);
        assert_eq!(
            (theirs.r(), theirs.s(), theirs.v()),
            (ours.r, ours.s, ours.v)
        );
        assert_eq!(theirs.rs(), ours.rs());
    }
    let body = raw.body();
    assert_eq!(body.as_ref(), vaa.body.raw());
    assert_eq!(body.timestamp(), vaa.body.timestamp);
    assert_eq!(body.nonce(), vaa.body.nonce);
    assert_eq!(body.emitter_chain(), vaa.body.emitter_chain);
    assert_eq!(body.emitter_address(), vaa.body.emitter_address.0);
    assert_eq!(body.sequence(), vaa.body.sequence);
    assert_eq!(body.consistency_level(), vaa.body.consistency_level);
    assert_eq!(raw.payload().as_ref(), vaa.body.payload);

    let serde = serde.unwrap();
    assert_eq!(serde.version, 1);
    assert_eq!(serde.guardian_set_index, vaa.guardian_set_index);
    assert_eq!(serde.signatures.len(), signatures.len());
    for (theirs, ours) in serde.signatures.iter().zip(&signatures) {
        assert_eq!(theirs.index, ours.index);
        assert_eq!(theirs.signature[..64], ours.rs());
        assert_eq!(theirs.signature[64], ours.v);
    }
    assert_eq!(serde.timestamp, vaa.body.timestamp);
    assert_eq!(serde.nonce, vaa.body.nonce);
    assert_eq!(u16::from(serde.emitter_chain), vaa.body.emitter_chain);
    assert_eq!(serde.emitter_address.0, vaa.body.emitter_address.0);
    assert_eq!(serde.sequence, vaa.body.sequence);
    assert_eq!(serde.consistency_level, vaa.body.consistency_level);
    assert_eq!(serde.payload.get(), vaa.body.payload);
    assert_eq!(serde_wormhole::to_vec(&serde).unwrap(), bytes);

    let theirs = published::vaa::digest(vaa.body.raw()).unwrap();
    assert_eq!(theirs.secp256k_hash, vaa.digest().0);
    assert_eq!(theirs.secp256k_hash, digest(vaa.body.raw()).0);
    true
}

/// Holds the readings of a payload as a transfer against each other.
fn agree_on_transfer(payload: &[u8]) -> bool {
    use published::token::Message;
    let ours = TransferPayload::parse(payload);
    let theirs = serde_wormhole::from_slice::<Message<&RawMessage>>(payload);
    match (ours, theirs) {
        (
            Ok(TransferPayload::Transfer(ours)),
            Ok(Message::Transfer {
                amount,
                token_address,
                token_chain,
                recipient,
                recipient_chain,
                fee,
            }),
        ) => {
            assert_eq!(ours.amount, Amount(amount.0));
            assert_eq!(ours.token_address, Address(token_address.0));
            assert_eq!(ours.token_chain, u16::from(token_chain));
            assert_eq!(ours.recipient.address, Address(recipient.0));
            assert_eq!(ours.recipient.chain, u16::from(recipient_chain));
            assert_eq!(ours.fee, Amount(fee.0));
            true
        }
        (
            Ok(TransferPayload::WithPayload(ours)),
            Ok(Message::TransferWithPayload {
                amount,
                token_address,
                token_chain,
                recipient,
                recipient_chain,
                sender_address,
                payload,
            }),
        ) => {
            assert_eq!(ours.amount, Amount(amount.0));
            assert_eq!(ours.token_address, Address(token_address.0));
            assert_eq!(ours.token_chain, u16::from(token_chain));
            assert_eq!(ours.recipient.address, Address(recipient.0));
            assert_eq!(ours.recipient.chain, u16::from(recipient_chain));
            assert_eq!(ours.from_address, Address(sender_address.0));
            assert_eq!(ours.payload, payload.get());
            true
        }
        (Err(_), Err(_) | Ok(Message::AssetMeta { .. })) => false,
        (ours, theirs) => panic!("{ours:?} but {theirs:?}"),
    }
}

/// Holds the readings of a payload as a guardian set upgrade against each other.
fn agree_on_upgrade(payload: &[u8]) -> bool {
    use published::core::{Action, GovernancePacket};
    let theirs = serde_wormhole::from_slice::<GovernancePacket>(payload)
        .ok()
        .and_then(|packet| match packet.action {
            Action::GuardianSetUpgrade {
                new_guardian_set_index,
                new_guardian_set,
            } => Some((new_guardian_set_index, new_guardian_set.addresses)),
            _ => None,
        });
    agree_on_upgrade_for_every_chain(payload);
    match (GuardianSetUpgrade::parse(payload), theirs) {
        (Ok(ours), Some((new_index, addresses))) => {
            assert_eq!(ours.new_index, new_index);
            let ours = ours.guardian_set.addresses();
            assert!(ours.iter().map(|a| a.0).eq(addresses.iter().map(|a| a.0)));
            true
        }
        // The other reads sets that are none: empty, or with a zero or repeated address.
        (Err(reason), Some((_, addresses))) => {
            let distinct: std::collections::BTreeSet<_> = addresses.iter().collect();
            assert!(
                addresses.is_empty()
                    || addresses.iter().any(|a| a.0 == [0; 20])
                    || distinct.len() < addresses.len(),
                "{reason}"
            );
            false
        }
        (Err(_), None) => false,
        (Ok(ours), None) => panic!("only this crate reads {ours:?}"),
    }
}

/// Holds the readings of an upgrade for every chain, the only one that the other parser reads,
/// against each other.
fn agree_on_upgrade_for_every_chain(payload: &[u8]) {
    use wormhole_raw_vaas::core::GuardianSetUpdate;
    // The other starts at the chain, and leaves module and action to its caller.
    let Some((head, tail)) = payload.split_at_checked(33) else {
        return;
    };
    let for_core = head[..32] == CORE_MODULE && head[32] == GUARDIAN_SET_UPGRADE_ACTION;
    if !for_core || !tail.starts_with(&[0, 0]) {
        return;
    }
    match (
        GuardianSetUpgrade::parse(payload),
        GuardianSetUpdate::parse(tail),
    ) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(ours.new_index, theirs.new_index());
            for (place, address) in ours.guardian_set.addresses().iter().enumerate() {
                assert_eq!(theirs.try_guardian_at(place), Ok(address.0));
            }
        }
        (Err(reason), Ok(_)) => assert!(matches!(
            reason,
            NotApplied::ZeroGuardian | NotApplied::DuplicateGuardian
        )),
        (Err(_), Err(_)) => {}
        (Ok(ours), Err(error)) => panic!("only this crate reads {ours:?}: {error}"),
    }
}

#[test]
fn real_vaas_read_alike_everywhere() {
    let (mut transfers, mut upgrades) = (0, 0);
    for row in rows() {
        let bytes = row.bytes();
        assert!(agree(&bytes), "{}", row.name);
        let payload = Vaa::parse(&bytes).unwrap().body.payload;
        transfers += usize::from(agree_on_transfer(&payload));
        upgrades += usize::from(agree_on_upgrade(&payload));
    }
    assert_eq!(transfers, 37 + 22 + 1);
    assert!(upgrades >= 7, "{upgrades}");
}

#[derive(Clone, Debug)]
enum Mutation {
    Set(prop::sample::Index, u8),
    Truncate(prop::sample::Index),
    Remove(prop::sample::Index),
    Insert(prop::sample::Index, u8),
    Append(Vec<u8>),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set(at, byte)),
        place().prop_map(Mutation::Truncate),
        place().prop_map(Mutation::Remove),
        (place(), any::<u8>()).prop_map(|(at, byte)| Mutation::Insert(at, byte)),
        prop::collection::vec(any::<u8>(), 1..9).prop_map(Mutation::Append),
    ]
}

fn mutate(bytes: &mut Vec<u8>, mutations: Vec<Mutation>) {
    for mutation in mutations {
        if bytes.is_empty() {
            return;
        }
        match mutation {
            Mutation::Set(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            Mutation::Truncate(at) => bytes.truncate(at.index(bytes.len())),
            Mutation::Remove(at) => {
                bytes.remove(at.index(bytes.len()));
            }
            Mutation::Insert(at, byte) => bytes.insert(at.index(bytes.len()), byte),
            Mutation::Append(more) => bytes.extend(more),
        }
    }
}

/// Picks real rows, whose hex is decoded once.
fn real_bytes() -> impl Strategy<Value = Vec<u8>> {
    let all: Vec<Vec<u8>> = rows().iter().map(|row| row.bytes()).collect();
    prop::sample::select(all)
}

/// The bytes of a header, where a change matters most.
fn header_change() -> impl Strategy<Value = Option<(usize, u8)>> {
    prop::option::of((0..6_usize, any::<u8>()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn mutated_vaas_read_alike_everywhere(
        mut bytes in real_bytes(),
        header in header_change(),
        mutations in prop::collection::vec(mutation(), 0..4),
    ) {
        if let Some((at, byte)) = header {
            bytes[at] = byte;
        }
        mutate(&mut bytes, mutations);
        agree(&bytes);
    }

    #[test]
    fn mutated_payloads_read_alike_everywhere(
        bytes in real_bytes(),
        mutations in prop::collection::vec(mutation(), 0..3),
    ) {
        let mut payload = Vaa::parse(&bytes).unwrap().body.payload;
        mutate(&mut payload, mutations);
        agree_on_transfer(&payload);
        agree_on_upgrade(&payload);
    }
}
