//! The signatures that are stored of a body, whatever became of it: who signed, and what they are still good for.

use cosmwasm_std::{Binary, Order};
use wormhole_vaa::{Digest, GuardianAddress, GuardianSet, MessageId, Signature, assemble};

use super::Context;
use crate::{
    error::ContractError,
    msg::{Guardian, Phase, RepairResponse, SignersResponse},
    state::{
        Conflict, GuardianSetRow, MAX_SETS, Message, Observation, PackedSignatures, PendingBody,
        PendingKey, Superseded,
    },
};

/// A body, and the signatures that are stored of it.
struct Evidence {
    id: MessageId,
    digest: Digest,
    body: Vec<u8>,
    phase: Phase,
    /// By guardian set, the newest first.
    signed: Vec<(u32, Vec<Signature>)>,
}

#[inline(never)]
pub(super) fn signers(
    context: &Context<'_>,
    id: &str,
    digest: Option<&str>,
    guardian_set: Option<u32>,
) -> Result<SignersResponse, ContractError> {
    let evidence = Evidence::find(context, id, digest)?;
    let newest = match evidence.phase {
        Phase::Quorum => evidence.signed.first().map(|(set, _)| *set),
        _ => None,
    };
    let index = guardian_set
        .or(newest)
        .unwrap_or(context.config.current_guardian_set);
    let guardians = context.guardians(index)?;
    let signatures = evidence.of_set(index);
    if signatures.is_none() && evidence.phase == Phase::Quorum {
        return Err(ContractError::NotVerifiedUnder {
            id: evidence.id.to_string(),
            index,
        });
    }
    let signatures = signatures.unwrap_or_default();
    let has = |guardian: u8| signatures.iter().any(|one| one.index == guardian);
    let (signed, missing) = split(&guardians, &has);
    Ok(SignersResponse {
        id: evidence.id.to_string(),
        digest: evidence.digest.to_string(),
        guardian_set_index: index,
        live: context.is_live(index)?,
        quorum: quorum(&guardians),
        signed,
        missing,
        phase: evidence.phase,
    })
}

#[inline(never)]
pub(super) fn repair(
    context: &Context<'_>,
    id: &str,
    digest: Option<&str>,
    guardian_set: Option<u32>,
) -> Result<RepairResponse, ContractError> {
    let evidence = Evidence::find(context, id, digest)?;
    let index = guardian_set.unwrap_or(context.config.current_guardian_set);
    let guardians = context.guardians(index)?;
    let usable = evidence.usable(context, index, &guardians)?;
    let verified = evidence.of_set(index);
    let verified = verified.filter(|_| evidence.phase == Phase::Quorum);
    let vaa = match verified {
        Some(signatures) => Some(evidence.vaa(index, signatures)?),
        None if usable.len() >= guardians.quorum() => {
            let enough = usable.get(..guardians.quorum()).unwrap_or_default();
            Some(evidence.vaa(index, enough)?)
        }
        None => None,
    };
    let has = |guardian: u8| usable.iter().any(|one| one.index == guardian);
    let (signed, missing) = split(&guardians, &has);
    Ok(RepairResponse {
        id: evidence.id.to_string(),
        digest: evidence.digest.to_string(),
        guardian_set_index: index,
        live: context.is_live(index)?,
        quorum: quorum(&guardians),
        usable: signed,
        missing,
        vaa,
    })
}

impl Evidence {
    /// Finds a body of a message: the one with `digest`; else the registered one, else the first that is pending.
    fn find(context: &Context<'_>, id: &str, digest: Option<&str>) -> Result<Self, ContractError> {
        let id = id.parse::<MessageId>()?;
        let digest = digest.map(str::parse::<Digest>).transpose()?;
        if let Some(registered) = Self::registered(context, &id, digest)? {
            return Ok(registered);
        }
        let (storage, (chain, emitter, sequence)) =
            (context.deps.storage, (id.chain, id.emitter.0, id.sequence));
        let pending = match digest {
            Some(digest) => {
                let key: PendingKey = (chain, emitter, sequence, digest.0);
                if let Some(conflict) = Conflict::TABLE.get(storage, &key)? {
                    return Self::of_conflict(&id, conflict);
                }
                PendingBody::TABLE.get(storage, &key)?
            }
            None => PendingBody::TABLE
                .prefix(&(chain, emitter, sequence))?
                .first(storage)?,
        };
        match (pending, digest) {
            (Some(body), _) => Self::of_pending(context, &id, &body),
            (None, Some(digest)) => Err(ContractError::UnknownBody {
                id: id.to_string(),
                digest: digest.to_string(),
            }),
            (None, None) => Err(ContractError::UnknownMessage { id: id.to_string() }),
        }
    }

    fn registered(
        context: &Context<'_>,
        id: &MessageId,
        wanted: Option<Digest>,
    ) -> Result<Option<Self>, ContractError> {
        let storage = context.deps.storage;
        let Some(key) = context.key_of(id)? else {
            return Ok(None);
        };
        let row = context
            .messages()
            .get(storage, &key, cw_orm::Families::ALL)?;
        let Some(Message {
            publication: Some(publication),
            quorum: Some(quorum),
            ..
        }) = row
        else {
            return Ok(None);
        };
        let body = publication.body(id);
        let digest = body.digest();
        if wanted.is_some_and(|wanted| wanted != digest) {
            return Ok(None);
        }
        let mut signed = vec![(quorum.guardian_set_index, unpack(id, &quorum.signatures)?)];
        let older = Superseded::TABLE
            .prefix(&key)?
            .rows(storage, Order::Descending)
            .limit(MAX_SETS.saturating_sub(1));
        for older in older {
            let older = older?;
            signed.push((older.guardian_set_index, unpack(id, &older.signatures)?));
        }
        Ok(Some(Self {
            id: *id,
            digest,
            body: body.serialize(),
            phase: Phase::Quorum,
            signed,
        }))
    }

    fn of_conflict(id: &MessageId, conflict: Conflict) -> Result<Self, ContractError> {
        let set = conflict.publication.guardian_set_index;
        Ok(Self {
            id: *id,
            digest: Digest(conflict.digest),
            body: conflict.publication.body(id).serialize(),
            phase: Phase::Quorum,
            signed: vec![(set, unpack(id, &conflict.signatures)?)],
        })
    }

    fn of_pending(
        context: &Context<'_>,
        id: &MessageId,
        body: &PendingBody,
    ) -> Result<Self, ContractError> {
        let budget = context.config.scan_budget;
        let most = usize::try_from(budget).unwrap_or(usize::MAX);
        let rows = Observation::TABLE
            .prefix(&(body.digest,))?
            .rows(context.deps.storage, Order::Descending);
        let mut signed: Vec<(u32, Vec<Signature>)> = Vec::new();
        for (place, row) in rows.enumerate() {
            if place >= most {
                return Err(ContractError::TooManyRows { budget });
            }
            let row = row?;
            let signature = row.signature().ok_or_else(|| damaged(id))?;
            match signed.last_mut() {
                Some((set, signatures)) if *set == row.guardian_set_index => {
                    signatures.push(signature);
                }
                _ => signed.push((row.guardian_set_index, vec![signature])),
            }
        }
        Ok(Self {
            id: *id,
            digest: Digest(body.digest),
            body: body.body().serialize(),
            phase: Phase::Observed,
            signed,
        })
    }

    fn of_set(&self, index: u32) -> Option<&[Signature]> {
        let mut signed = self.signed.iter();
        let found = signed.find(|(set, _)| *set == index);
        found.map(|(_, signatures)| &signatures[..])
    }

    /// Returns the signatures of a set's guardians, given under whatever set, with their indexes in this one. A signature
    /// is of an address, which has an index in each set that it is in. One read a set that signed.
    fn usable(
        &self,
        context: &Context<'_>,
        index: u32,
        guardians: &GuardianSet,
    ) -> Result<Vec<Signature>, ContractError> {
        let mut usable: Vec<Signature> = Vec::new();
        for (set, signatures) in &self.signed {
            let signed_by = (*set != index)
                .then(|| context.guardians(*set))
                .transpose()?;
            let signed_by = signed_by.as_ref().unwrap_or(guardians);
            for signature in signatures {
                let address = signed_by.get(signature.index);
                let here = address.and_then(|address| guardians.index_of(&address));
                let Some(here) = here else { continue };
                if let Err(place) = usable.binary_search_by_key(&here, |one| one.index) {
                    usable.insert(
                        place,
                        Signature {
                            index: here,
                            ..*signature
                        },
                    );
                }
            }
        }
        Ok(usable)
    }

    fn vaa(&self, index: u32, signatures: &[Signature]) -> Result<Binary, ContractError> {
        let vaa = assemble(index, signatures, &self.body);
        vaa.map(Binary::new).map_err(|_| damaged(&self.id))
    }
}

/// Returns the guardians that have something, and those that have not.
fn split(guardians: &GuardianSet, has: &dyn Fn(u8) -> bool) -> (Vec<Guardian>, Vec<Guardian>) {
    let all = (0..=u8::MAX).zip(guardians.addresses());
    let guardian = |(index, address): (u8, &GuardianAddress)| Guardian {
        index,
        address: address.to_hex(),
    };
    all.map(guardian).partition(|one| has(one.index))
}

fn quorum(guardians: &GuardianSet) -> u32 {
    u32::try_from(guardians.quorum()).unwrap_or(u32::MAX)
}

fn unpack(id: &MessageId, stored: &PackedSignatures) -> Result<Vec<Signature>, ContractError> {
    stored.unpack().ok_or_else(|| damaged(id))
}

fn damaged(id: &MessageId) -> ContractError {
    ContractError::Damaged {
        what: format!("signatures of {id}"),
    }
}

impl Context<'_> {
    /// Returns the guardians of a set. One scan of two entries.
    pub(super) fn guardians(&self, index: u32) -> Result<GuardianSet, ContractError> {
        let row = GuardianSetRow::load(self.deps.storage, index)?;
        row.ok_or(ContractError::UnknownGuardianSet { index })?
            .guardian_set()
    }
}
