//! Claims of transaction ids: kept when the signatures that brought them go, or alone, for a digest that is decided.

use cosmwasm_std::{Order, Storage};
use wormhole_vaa::{Digest, MessageId};

use super::Registry;
use crate::{
    error::ContractError,
    state::{GuardianBits, TxClaim, TxMessage},
};

/// A guardian's claim.
pub(super) struct Claim<'a> {
    pub(super) set: u32,
    pub(super) guardian: u8,
    pub(super) tx_id: &'a [u8],
}

/// Claims about one digest, those who claim the same together, by set and transaction id.
#[derive(Default)]
pub(super) struct Claims(Vec<Same>);

/// Guardians of a set who claim the same.
struct Same {
    set: u32,
    tx_id: Vec<u8>,
    guardians: GuardianBits,
}

impl Claims {
    pub(super) fn add(&mut self, claim: &Claim<'_>) {
        let order = |same: &Same| (same.set, same.tx_id.as_slice()).cmp(&(claim.set, claim.tx_id));
        match self.0.binary_search_by(order) {
            Ok(place) => {
                if let Some(same) = self.0.get_mut(place) {
                    same.guardians.insert(claim.guardian);
                }
            }
            Err(place) => self.0.insert(
                place,
                Same {
                    set: claim.set,
                    tx_id: claim.tx_id.to_vec(),
                    guardians: GuardianBits::of(claim.guardian),
                },
            ),
        }
    }

    /// Writes the claims, but for those of guardians who have one about this digest. One scan of one row a set; one write
    /// a transaction id and set.
    #[inline(never)]
    pub(super) fn keep(
        self,
        storage: &mut dyn Storage,
        digest: &Digest,
    ) -> Result<(), ContractError> {
        for same in self.0 {
            let Same {
                set,
                tx_id,
                guardians,
            } = same;
            let last = last_claim(storage, digest, set)?;
            let (position, mut claimants) = match last {
                None => (Some(0), GuardianBits::default()),
                Some(last) => (last.position.checked_add(1), last.claimants),
            };
            let guardians = guardians.without(&claimants);
            if guardians.is_empty() {
                continue;
            }
            claimants.extend(&guardians);
            TxClaim::TABLE.insert(
                storage,
                &TxClaim {
                    digest: digest.0,
                    guardian_set_index: set,
                    position: position.ok_or_else(|| ContractError::Damaged {
                        what: format!("transaction claims of {digest}"),
                    })?,
                    guardians,
                    claimants,
                    tx_id,
                },
            )?;
        }
        Ok(())
    }
}

/// Returns the last claim row of a digest and set. One scan of one row.
fn last_claim(
    storage: &dyn Storage,
    digest: &Digest,
    set: u32,
) -> Result<Option<TxClaim>, ContractError> {
    Ok(TxClaim::TABLE.prefix(&(digest.0, set))?.last(storage)?)
}

impl Registry<'_> {
    /// Whether a guardian has a claim about a decided digest.
    pub(super) fn has_claimed(
        &self,
        digest: &Digest,
        set: u32,
        guardian: u8,
    ) -> Result<bool, ContractError> {
        let last = last_claim(self.storage(), digest, set)?;
        Ok(last.is_some_and(|last| last.claimants.has(guardian)))
    }

    /// Keeps a claim about a decided digest.
    pub(super) fn claim(
        &mut self,
        id: &MessageId,
        digest: &Digest,
        claim: &Claim<'_>,
    ) -> Result<(), ContractError> {
        let mut claims = Claims::default();
        claims.add(claim);
        claims.keep(self.pending().0, digest)?;
        self.index_tx_id(id, digest, claim.tx_id)
    }

    /// Has a decided message found by what was claimed about it, also before it was decided.
    pub(super) fn index_claims(
        &mut self,
        id: &MessageId,
        digest: &Digest,
        most: usize,
    ) -> Result<(), ContractError> {
        if !self.config().keeps_tx_ids() {
            return Ok(());
        }
        let claims = TxClaim::TABLE
            .prefix(&(digest.0,))?
            .rows(self.storage(), Order::Ascending)
            .limit(most)
            .read_all()?;
        claims
            .iter()
            .try_for_each(|claim| self.index_tx_id(id, digest, &claim.tx_id))
    }

    #[inline(never)]
    fn index_tx_id(
        &mut self,
        id: &MessageId,
        digest: &Digest,
        tx_id: &[u8],
    ) -> Result<(), ContractError> {
        if self.config().keeps_tx_ids() {
            index_tx_id(self.pending().0, id, digest, tx_id)?;
        }
        Ok(())
    }
}

/// Has a decided message found by a transaction id, if it is not yet.
#[inline(never)]
pub(super) fn index_tx_id(
    storage: &mut dyn Storage,
    id: &MessageId,
    digest: &Digest,
    tx_id: &[u8],
) -> Result<(), ContractError> {
    let entry = TxMessage {
        tx_id: tx_id.to_vec(),
        emitter_chain: id.chain,
        emitter_address: id.emitter.0,
        sequence: id.sequence,
        digest: digest.0,
    };
    if !TxMessage::TABLE.contains(storage, &entry)? {
        TxMessage::TABLE.insert(storage, &entry)?;
    }
    Ok(())
}
