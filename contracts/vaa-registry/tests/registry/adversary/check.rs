//! What the registry stores, held against the model.

use std::collections::{BTreeMap, BTreeSet};

use cosmwasm_std::{Order, Storage};
use vaa_registry::{
    msg::{MessageQueryResponse, QueryMsg, SignedVaaResponse},
    state::{
        FurtherDigest, Message, MessagePublication, Observation, PendingBody, TxClaim, TxMessage,
        Undecided,
    },
};
use wormhole_vaa::{GuardianSet, K256Recover, SecretKey, Vaa, verify_signatures};

use super::{
    super::model::{BodyNo, Guardian, Set, Tx},
    world::World,
};

impl World {
    /// Everything stored is what the model says, and nothing else.
    pub fn check(&mut self) {
        let bodies = self.model.bodies.clone();
        let number = |digest: &[u8; 32]| {
            bodies
                .iter()
                .position(|body| body.digest().0 == *digest)
                .unwrap()
        };
        let storage = self.suite.app.contract_storage_mut(&self.suite.registry);
        let storage: &dyn Storage = storage.as_ref();
        let rows = Observation::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let mut pending: BTreeMap<(BodyNo, Set), Vec<Guardian>> = BTreeMap::new();
        let mut claims: BTreeMap<(BodyNo, Set, Guardian), Tx> = BTreeMap::new();
        let mut counts: BTreeMap<Set, Vec<u16>> = BTreeMap::new();
        for row in &rows {
            let (body, set) = (number(&row.digest), row.guardian_set_index);
            let signers = pending.entry((body, set)).or_default();
            assert_eq!(usize::from(row.position), signers.len());
            signers.push(row.guardian);
            let mut sorted = signers.clone();
            sorted.sort_unstable();
            assert_eq!(row.signers.iter().collect::<Vec<_>>(), sorted);
            assert!(
                claims
                    .insert((body, set, row.guardian), row.tx_id[0])
                    .is_none()
            );
            let of_set = counts.entry(set).or_default();
            let place = usize::from(row.guardian);
            of_set.resize(of_set.len().max(place + 1), 0);
            of_set[place] += 1;
        }
        assert_eq!(pending, self.model.pending);
        let counted = Undecided::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let counted: BTreeMap<_, _> = counted
            .into_iter()
            .map(|row| (row.guardian_set_index, row.counts))
            .collect();
        assert_eq!(counted, counts);

        let further = FurtherDigest::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let mut marked: Vec<_> = further
            .iter()
            .map(|row| (row.digest, row.guardian_set_index, row.guardian))
            .collect();
        let mut expected: Vec<_> = rows
            .iter()
            .filter(|row| row.further)
            .map(|row| (row.digest, row.guardian_set_index, row.guardian))
            .collect();
        marked.sort_unstable();
        expected.sort_unstable();
        assert_eq!(marked, expected);
        let stored = PendingBody::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let mut firsts: BTreeMap<String, BTreeSet<[u8; 32]>> = BTreeMap::new();
        for row in &stored {
            assert_eq!(row.body(), bodies[number(&row.digest)]);
            firsts
                .entry(row.id().to_string())
                .or_default()
                .insert(row.first.unwrap_or(row.digest));
            let further = rows.iter().filter(|observed| observed.digest == row.digest);
            further.for_each(|observed| assert_eq!(observed.further, row.first.is_some()));
        }
        assert!(firsts.values().all(|first| first.len() == 1));
        let stored: BTreeSet<_> = stored.iter().map(|row| number(&row.digest)).collect();
        assert_eq!(
            stored,
            self.model.pending.keys().map(|(body, _)| *body).collect()
        );

        let kept = TxClaim::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        for row in &kept {
            assert_eq!(row.guardians.without(&row.claimants).count(), 0);
            for guardian in row.guardians.iter() {
                let key = (number(&row.digest), row.guardian_set_index, guardian);
                assert!(
                    claims.insert(key, row.tx_id[0]).is_none(),
                    "{key:?} claimed twice"
                );
            }
        }
        assert_eq!(claims, self.model.claims);
        let indexed = TxMessage::TABLE
            .all()
            .rows(storage, Order::Ascending)
            .read_all()
            .unwrap();
        let indexed: BTreeSet<_> = indexed
            .iter()
            .map(|row| (number(&row.digest), row.tx_id[0]))
            .collect();
        let decided = claims
            .iter()
            .filter(|((body, _, _), _)| self.model.is_decided(*body));
        assert_eq!(
            indexed,
            decided.map(|((body, _, _), tx)| (*body, *tx)).collect()
        );
        let registered = Message::TABLE
            .family::<MessagePublication>()
            .all()
            .ids(storage, Order::Ascending)
            .read_all()
            .unwrap();
        assert_eq!(registered.len(), self.model.registered.len());
    }

    /// Every message that stands is a good VAA, of the set that last signed it.
    pub fn check_messages(&self) {
        for (id, (body, sets)) in &self.model.registered {
            let found: MessageQueryResponse = self.suite.ask(&QueryMsg::Message {
                id: id.clone(),
                families: None,
            });
            let message = found.message.unwrap();
            let verified: Vec<_> = message
                .status
                .unwrap()
                .verifications
                .iter()
                .map(|done| done.guardian_set_index)
                .collect();
            assert_eq!(&verified, sets);
            let signed: SignedVaaResponse = self.suite.ask(&QueryMsg::SignedVaa {
                id: id.clone(),
                guardian_set: None,
            });
            let vaa = Vaa::parse(&signed.vaa).unwrap();
            assert_eq!(vaa.body, self.model.bodies[*body]);
            let keys = &self.keys[vaa.guardian_set_index as usize];
            let set = GuardianSet::new(keys.iter().map(SecretKey::address).collect()).unwrap();
            assert_eq!(vaa.signatures.len(), set.quorum());
            verify_signatures(&K256Recover, &set, &vaa.digest(), &vaa.signatures).unwrap();
        }
    }
}
