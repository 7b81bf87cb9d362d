//! What is pending, and what is claimed: signatures are verified, and rows that build on each other are held against the
//! ones before.

use wormhole_vaa::{Digest, verify_signature};

use super::{Check, Checked, refuse};
use crate::{
    recover::HostRecover,
    state::{
        GuardianBits, GuardianSetRow, MAX_TX_ID_LEN, Observation, Publication, Publisher, TxClaim,
    },
};

impl Check<'_> {
    /// Checks a pending signature, and who signed before: a quorum is told by that, so it must be of signatures that are
    /// there.
    #[inline(never)]
    pub(super) fn observation(&mut self, row: Observation) -> Checked {
        let before = match self.previous_observation.take() {
            Some(before) => Some(before),
            None => Observation::TABLE.all().last(self.storage)?,
        };
        let of = |row: &Observation| (row.digest, row.guardian_set_index);
        let before = before.filter(|before| of(before) == of(&row));
        let (position, mut signers) = match before {
            None => (Some(0), GuardianBits::default()),
            Some(before) => (before.position.checked_add(1), before.signers),
        };
        let twice = signers.has(row.guardian);
        signers.insert(row.guardian);
        if twice || position != Some(row.position) || signers != row.signers {
            return refuse("those who signed are not the guardian and who signed before");
        }
        let Some(set) = GuardianSetRow::load(self.storage, row.guardian_set_index)? else {
            return refuse("its guardian set is unknown");
        };
        let Some(signature) = row.signature() else {
            return refuse("the signature is not of 65 bytes");
        };
        if !is_tx_id(&row.tx_id) {
            return refuse(TX_ID);
        }
        let (recover, digest) = (HostRecover(self.api), Digest(row.digest));
        let checked = verify_signature(&recover, &set.guardian_set()?, &digest, &signature);
        self.previous_observation = Some(row);
        Ok(checked.map_err(|reason| reason.to_string()))
    }

    /// Checks that a claim is of guardians that there are, each of whom has one about the digest. Whether they claim it is
    /// the admin's word.
    #[inline(never)]
    pub(super) fn tx_claim(&mut self, row: TxClaim) -> Checked {
        let before = match self.previous_claim.take() {
            Some(before) => Some(before),
            None => TxClaim::TABLE.all().last(self.storage)?,
        };
        let of = |row: &TxClaim| (row.digest, row.guardian_set_index);
        let before = before.filter(|before| of(before) == of(&row));
        let (position, mut claimants) = match before {
            None => (Some(0), GuardianBits::default()),
            Some(before) => (before.position.checked_add(1), before.claimants),
        };
        let new = row.guardians.without(&claimants);
        claimants.extend(&row.guardians);
        if position != Some(row.position)
            || row.guardians.is_empty()
            || row.guardians != new
            || claimants != row.claimants
        {
            return refuse("those who claim are not its guardians and who claimed before");
        }
        let Some(set) = GuardianSetRow::load(self.storage, row.guardian_set_index)? else {
            return refuse("its guardian set is unknown");
        };
        let set = set.guardian_set()?;
        if row
            .guardians
            .iter()
            .any(|guardian| set.get(guardian).is_none())
        {
            return refuse("a guardian is outside the set");
        }
        if !is_tx_id(&row.tx_id) {
            return refuse(TX_ID);
        }
        self.previous_claim = Some(row);
        Ok(Ok(()))
    }

    /// Checks that a publication is of a publisher that there is. What it says is the admin's word.
    #[inline(never)]
    pub(super) fn publication(&self, row: &Publication) -> Checked {
        match Publisher::TABLE.has(self.storage, &row.publisher)? {
            true => Ok(Ok(())),
            false => refuse("no publisher has its number"),
        }
    }
}

const TX_ID: &str = "the transaction id is not of 1 to 128 bytes";

const fn is_tx_id(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.len() <= MAX_TX_ID_LEN
}
