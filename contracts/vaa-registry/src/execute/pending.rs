//! Pending signatures: where one more goes, and the limits on how many there may be.

use cosmwasm_std::Order;
use wormhole_vaa::{Digest, MessageId, Signature, VaaRef};

use super::{Registry, claim::Claim};
use crate::{
    error::{ContractError, Refusal},
    state::{
        FurtherDigest, GuardianBits, MAX_UNDECIDED, MAX_UNDECIDED_OF_MESSAGE, Observation,
        PendingBody,
    },
};

/// Where a pending signature goes.
pub(super) struct Place {
    position: u8,
    signers: GuardianBits,
    body: Standing,
}

/// How a digest stands among those of its message.
struct Standing {
    /// Whether its body is stored.
    stored: bool,
    /// The message's first digest, if this is not it.
    first: Option<[u8; 32]>,
    /// Whether it is not the first.
    further: bool,
}

impl Registry<'_> {
    /// Returns the last signature that a set's guardians gave to a digest: it tells who signed so far. One scan of one row.
    pub(super) fn last_observation(
        &self,
        digest: &Digest,
        set: u32,
    ) -> Result<Option<Observation>, ContractError> {
        let all = Observation::TABLE.prefix(&(digest.0, set))?;
        Ok(all.last(self.storage())?)
    }

    /// Returns all that a set's guardians signed of a digest, in the order in which it came. One entry of a scan each.
    pub(super) fn observations(
        &self,
        digest: &Digest,
        set: u32,
    ) -> Result<Vec<Observation>, ContractError> {
        let all = Observation::TABLE.prefix(&(digest.0, set))?;
        Ok(all.rows(self.storage(), Order::Ascending).read_all()?)
    }

    /// Finds the place of one more signature after `last`, or the limit that it would break. Costs the same however many
    /// signatures and bodies there are: usually one probe, and for a set's first signature a read of the body.
    pub(super) fn place(
        &mut self,
        id: &MessageId,
        digest: &Digest,
        last: Option<Observation>,
        claim: &Claim<'_>,
    ) -> Result<Result<Place, Refusal>, ContractError> {
        let (set, guardian) = (claim.set, claim.guardian);
        let (storage, counts) = self.pending();
        if counts.get(storage, set, guardian)? >= MAX_UNDECIDED {
            let index = set;
            return Ok(Err(Refusal::TooManyUndecided { guardian, index }));
        }
        let body = match &last {
            Some(last) if !last.further => Standing {
                stored: true,
                first: None,
                further: false,
            },
            _ => self.standing(id, digest)?,
        };
        if self.undecided_of(id, &body, claim)? >= MAX_UNDECIDED_OF_MESSAGE {
            return Ok(Err(Refusal::TooManyOfMessage {
                guardian,
                index: set,
                id: *id,
            }));
        }
        let (position, mut signers) = match last {
            None => (Some(0), GuardianBits::default()),
            Some(last) => (last.position.checked_add(1), last.signers),
        };
        signers.insert(guardian);
        Ok(Ok(Place {
            position: position.ok_or_else(|| ContractError::Damaged {
                what: format!("observations of {digest}"),
            })?,
            signers,
            body,
        }))
    }

    /// Finds out how a digest stands among those of its message: its own body tells, and if it has none, any other.
    fn standing(&self, id: &MessageId, digest: &Digest) -> Result<Standing, ContractError> {
        let (chain, emitter, sequence) = (id.chain, id.emitter.0, id.sequence);
        let own = PendingBody::TABLE.get(self.storage(), &(chain, emitter, sequence, digest.0))?;
        if let Some(own) = own {
            return Ok(Standing {
                stored: true,
                first: own.first,
                further: own.first.is_some(),
            });
        }
        let any = PendingBody::TABLE
            .prefix(&(chain, emitter, sequence))?
            .first(self.storage())?;
        let first = any
            .map(|other| other.first.unwrap_or(other.digest))
            .filter(|first| *first != digest.0);
        Ok(Standing {
            stored: false,
            first,
            further: first.is_some(),
        })
    }

    /// Returns how many other undecided digests of this message the guardian has signed.
    fn undecided_of(
        &self,
        id: &MessageId,
        body: &Standing,
        claim: &Claim<'_>,
    ) -> Result<usize, ContractError> {
        let (set, guardian) = (claim.set, claim.guardian);
        let prefix = (set, guardian, id.chain, id.emitter.0, id.sequence);
        let further = FurtherDigest::TABLE
            .prefix(&prefix)?
            .ids(self.storage(), Order::Ascending)
            .limit(MAX_UNDECIDED_OF_MESSAGE)
            .read_all()?
            .len();
        let of_first = match body.first {
            None => false,
            Some(first) => self
                .last_observation(&Digest(first), set)?
                .is_some_and(|last| last.signers.has(guardian)),
        };
        Ok(further.saturating_add(usize::from(of_first)))
    }

    /// Keeps a verified signature of an undecided digest, and the body with the first of them.
    pub(super) fn keep_observation(
        &mut self,
        vaa: &VaaRef<'_>,
        digest: &Digest,
        signature: &Signature,
        claim: &Claim<'_>,
        place: Place,
    ) -> Result<(), ContractError> {
        let id = vaa.id();
        let (set, guardian) = (claim.set, claim.guardian);
        let (emitter_chain, emitter_address, sequence) = (id.chain, id.emitter.0, id.sequence);
        let (storage, counts) = self.pending();
        let further = place.body.further;
        Observation::TABLE.insert(
            storage,
            &Observation {
                digest: digest.0,
                guardian_set_index: set,
                position: place.position,
                guardian,
                signers: place.signers,
                further,
                signature: signature
                    .to_bytes()
                    .split_first()
                    .map(|(_, bytes)| bytes.to_vec())
                    .unwrap_or_default(),
                tx_id: claim.tx_id.to_vec(),
            },
        )?;
        if further {
            FurtherDigest::TABLE.insert(
                storage,
                &FurtherDigest {
                    guardian_set_index: set,
                    guardian,
                    emitter_chain,
                    emitter_address,
                    sequence,
                    digest: digest.0,
                },
            )?;
        }
        if !place.body.stored {
            PendingBody::TABLE.insert(
                storage,
                &PendingBody {
                    emitter_chain,
                    emitter_address,
                    sequence,
                    digest: digest.0,
                    first: place.body.first,
                    timestamp: vaa.body.timestamp,
                    nonce: vaa.body.nonce,
                    consistency_level: vaa.body.consistency_level,
                    payload: vaa.body.payload.to_vec(),
                },
            )?;
        }
        counts.raise(storage, set, guardian)
    }
}
