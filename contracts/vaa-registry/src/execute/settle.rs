//! Removing pending rows, and what has to be kept right with it.

use cosmwasm_std::{Order, Storage};
use wormhole_vaa::{Digest, MessageId};

use super::{
    Registry,
    claim::{Claim, Claims},
    undecided::UndecidedCounts,
};
use crate::{
    error::ContractError,
    state::{FurtherDigest, Observation, PendingBody, remove},
};

/// How many pending signatures a decision removes itself; what is left, of guardian sets that have expired at the latest,
/// is for pruning. Enough for three sets of 255 guardians.
pub(super) const MAX_SETTLED: usize = 512;

impl Registry<'_> {
    /// Removes the pending rows of a digest that a VAA decided just now, and keeps their claims. Two probes if nothing is
    /// pending; otherwise one entry of a scan and one or two deletes a signature.
    pub(super) fn settle(&mut self, id: &MessageId, digest: &Digest) -> Result<(), ContractError> {
        self.settle_gathered(id, digest, &[], None)
    }

    /// As [`settle`](Self::settle), of a digest that was decided by observations: `gathered` are those that are stored,
    /// and `deciding` is the claim of the last one, which is not.
    pub(super) fn settle_gathered(
        &mut self,
        id: &MessageId,
        digest: &Digest,
        gathered: &[Observation],
        deciding: Option<&Claim<'_>>,
    ) -> Result<(), ContractError> {
        let (storage, counts) = self.pending();
        let mut claims = Claims::default();
        for row in gathered {
            claims.add(&claim_of(row));
            remove_observation(storage, counts, id, row)?;
        }
        if let Some(claim) = deciding {
            claims.add(claim);
        }
        let (removed, whole) = self.settle_signatures(id, digest, claims, MAX_SETTLED)?;
        if whole && (removed > 0 || !gathered.is_empty()) {
            remove_body(self.pending().0, id, digest)?;
        }
        Ok(())
    }

    /// Removes the last `most` pending signatures of a decided digest, and keeps their claims with `claims`. Returns how
    /// many there were to remove, and whether those were all.
    pub(super) fn settle_signatures(
        &mut self,
        id: &MessageId,
        digest: &Digest,
        mut claims: Claims,
        most: usize,
    ) -> Result<(usize, bool), ContractError> {
        let (storage, counts) = self.pending();
        let all = Observation::TABLE.prefix(&(digest.0,))?;
        let (rows, whole) = last_rows(storage, all, most)?;
        for row in &rows {
            claims.add(&claim_of(row));
            remove_observation(storage, counts, id, row)?;
        }
        claims.keep(storage, digest)?;
        self.index_claims(id, digest, MAX_SETTLED)?;
        Ok((rows.len(), whole))
    }
}

/// Reads the last `most` rows of a scan; the second says whether those are all.
pub(super) fn last_rows(
    storage: &dyn Storage,
    scan: cw_orm::Scan<Observation>,
    most: usize,
) -> Result<(Vec<Observation>, bool), ContractError> {
    let mut rows = scan
        .rows(storage, Order::Descending)
        .limit(most.saturating_add(1))
        .read_all()?;
    let whole = rows.len() <= most;
    rows.truncate(most);
    Ok((rows, whole))
}

/// Returns the claim that a pending signature came with.
pub(super) fn claim_of(row: &Observation) -> Claim<'_> {
    Claim {
        set: row.guardian_set_index,
        guardian: row.guardian,
        tx_id: &row.tx_id,
    }
}

/// Removes a pending signature: the last one of its digest and set, as the others build on each other.
pub(super) fn remove_observation(
    storage: &mut dyn Storage,
    counts: &mut UndecidedCounts,
    id: &MessageId,
    row: &Observation,
) -> Result<(), ContractError> {
    let (set, guardian) = (row.guardian_set_index, row.guardian);
    remove::<Observation>(storage, &(row.digest, set, row.position))?;
    if row.further {
        let (chain, emitter, sequence) = (id.chain, id.emitter.0, id.sequence);
        let key = (set, guardian, chain, emitter, sequence, row.digest);
        remove::<FurtherDigest>(storage, &key)?;
    }
    counts.lower(storage, set, guardian)
}

/// Removes a pending body, all of whose signatures are gone.
pub(super) fn remove_body(
    storage: &mut dyn Storage,
    id: &MessageId,
    digest: &Digest,
) -> Result<(), ContractError> {
    let key = (id.chain, id.emitter.0, id.sequence, digest.0);
    Ok(remove::<PendingBody>(storage, &key)?)
}
