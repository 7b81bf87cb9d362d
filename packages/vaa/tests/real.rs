//! Every real VAA is read as its row says, and every signature of it holds.

use wormhole_vaa::{
    Body, BodyRef, GuardianSetUpgrade, K256Recover, UpgradeContext, Vaa, VaaRef, assemble, digest,
    is_governance, verify_signatures,
};

use crate::support::{rows, sets};

#[test]
fn rows_are_read_as_they_say_and_written_back_bit_exactly() {
    for row in rows() {
        let bytes = row.bytes();
        let vaa = Vaa::parse(&bytes).unwrap();
        let name = &row.name;
        assert_eq!(vaa.guardian_set_index, row.guardian_set_index, "{name}");
        assert_eq!(vaa.signatures.len(), row.n_signatures, "{name}");
        assert_eq!(vaa.body.timestamp, row.timestamp, "{name}");
        assert_eq!(vaa.body.payload.len(), row.payload_len, "{name}");
        assert_eq!(
            vaa.id().to_string(),
            format!(
                "{}/{}/{}",
                row.emitter_chain, row.emitter_address, row.sequence
            ),
        );
        assert_eq!(vaa.id(), vaa.id().to_string().parse().unwrap(), "{name}");
        assert_eq!(vaa.digest().to_hex(), row.digest, "{name}");
        assert_eq!(vaa.serialize().unwrap(), bytes, "{name}");

        let view = VaaRef::parse(&bytes).unwrap();
        assert_eq!(view.to_vaa(), vaa, "{name}");
        assert_eq!(view.digest(), vaa.digest(), "{name}");
        assert_eq!(digest(view.body.raw()), vaa.digest(), "{name}");
        assert_eq!(view.id(), vaa.id(), "{name}");
        assert_eq!(view.signature_count(), row.n_signatures, "{name}");
        assert_eq!(Body::parse(view.body.raw()).unwrap(), vaa.body, "{name}");
        assert_eq!(BodyRef::parse(view.body.raw()).unwrap(), view.body);
        let rebuilt = assemble(view.guardian_set_index, &view.signatures(), view.body.raw());
        assert_eq!(rebuilt.unwrap(), bytes, "{name}");
    }
}

#[test]
fn every_signature_recovers_to_the_set_of_its_row() {
    let sets = sets();
    for row in rows() {
        let bytes = row.bytes();
        let vaa = VaaRef::parse(&bytes).unwrap();
        let set = &sets[&row.set_ref];
        assert_eq!(
            verify_signatures(&K256Recover, set, &vaa.digest(), &vaa.signatures()),
            Ok(()),
            "{}",
            row.name
        );
    }
}

#[test]
fn mainnet_upgrades_lead_from_set_0_to_set_7() {
    let sets = sets();
    let mut current = 0;
    let mut upgrades: Vec<_> = rows()
        .into_iter()
        .filter(|row| row.network == "mainnet" && row.kind == "governance/guardian-set-upgrade")
        .collect();
    upgrades.sort_by_key(|row| row.guardian_set_index);
    assert_eq!(upgrades.len(), 7);
    for row in upgrades {
        let vaa = Vaa::parse(&row.bytes()).unwrap();
        assert!(is_governance(&vaa.id()));
        let context = UpgradeContext {
            this_chain: 3104,
            signed_by_current: vaa.guardian_set_index == current,
            current_index: current,
        };
        let upgrade = GuardianSetUpgrade::decide(&vaa.body.payload, &context).unwrap();
        assert_eq!(upgrade.new_index, current + 1);
        assert_eq!(
            upgrade.guardian_set,
            sets[&format!("mainnet:{}", current + 1)]
        );
        assert_eq!(upgrade.serialize(0).unwrap(), vaa.body.payload);
        assert_eq!(
            GuardianSetUpgrade::parse(&vaa.body.payload).unwrap(),
            upgrade
        );
        current += 1;
    }
    assert_eq!(current, 7);
}
