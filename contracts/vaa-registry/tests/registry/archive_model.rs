//! What becomes of VAAs that are submitted one after the other in one block: the rules in plain words, for archives. The
//! tests of the compiled contract read this file too.

use std::collections::{BTreeMap, BTreeSet};

use wormhole_vaa::{
    Digest, GuardianAddress, GuardianSet, GuardianSetUpgrade, K256Recover, MessageId, NotApplied,
    UpgradeContext, VaaRef, is_governance, verify_signatures,
};

pub(crate) struct ArchiveModel {
    this_chain: u16,
    current: u32,
    sets: BTreeMap<u32, GuardianSet>,
    /// The digest that stands under an id, and the newest set that signed it.
    standing: BTreeMap<MessageId, (Digest, u32)>,
    second: BTreeSet<Digest>,
    /// Upgrades that a replaced set signed, and the current one has not yet.
    late: BTreeSet<Digest>,
}

impl ArchiveModel {
    pub(crate) fn new(this_chain: u16, index: u32, addresses: &[String]) -> Self {
        let addresses = addresses
            .iter()
            .map(|address| address.parse::<GuardianAddress>().unwrap());
        let set = GuardianSet::new(addresses.collect()).unwrap();
        Self {
            this_chain,
            current: index,
            sets: BTreeMap::from([(index, set)]),
            standing: BTreeMap::new(),
            second: BTreeSet::new(),
            late: BTreeSet::new(),
        }
    }

    /// Returns what becomes of a well-formed VAA.
    pub(crate) fn submit(&mut self, bytes: &[u8]) -> &'static str {
        let vaa = VaaRef::parse(bytes).unwrap();
        let (id, digest, index) = (vaa.id(), vaa.digest(), vaa.guardian_set_index);
        let standing = self.standing.get(&id).copied();
        let known = standing.filter(|(standing, _)| *standing == digest);
        if known.is_some_and(|(_, newest)| index <= newest) {
            return "already_registered";
        }
        if self.second.contains(&digest) {
            return "conflict";
        }
        let Some(set) = self.sets.get(&index) else {
            return "refused";
        };
        if verify_signatures(&K256Recover, set, &digest, &vaa.signatures()).is_err() {
            return "refused";
        }
        if known.is_some() {
            self.standing.insert(id, (digest, index));
            if index == self.current && self.late.remove(&digest) {
                self.govern(&vaa);
            }
            return "resigned";
        }
        self.govern(&vaa);
        if standing.is_some() {
            self.second.insert(digest);
            return "conflict";
        }
        self.standing.insert(id, (digest, index));
        "stored"
    }

    fn govern(&mut self, vaa: &VaaRef<'_>) {
        let context = UpgradeContext {
            this_chain: self.this_chain,
            signed_by_current: vaa.guardian_set_index == self.current,
            current_index: self.current,
        };
        if !is_governance(&vaa.id()) {
            return;
        }
        match GuardianSetUpgrade::decide(vaa.body.payload, &context) {
            Ok(upgrade) => {
                self.current = upgrade.new_index;
                self.sets.insert(upgrade.new_index, upgrade.guardian_set);
            }
            Err(NotApplied::NotCurrentSet) => {
                self.late.insert(vaa.digest());
            }
            Err(_) => {}
        }
    }
}
