//! What guardians signed, but no quorum.

use cosmwasm_std::Binary;
use cw_orm::PageRequest;
use wormhole_vaa::{Digest, MessageId};

use super::Context;
use crate::{
    error::ContractError,
    msg::{
        ObservationDomainResponse, ObservationResponse, ObservationsResponse,
        PendingMessageResponse, PendingMessagesResponse, PendingSignatures,
    },
    observation::OBSERVATIONS_PREFIX,
    state::{GuardianSetRow, Observation, PendingBody},
};

#[inline(never)]
pub(super) fn messages(
    context: &Context<'_>,
    id: Option<&str>,
    page: Option<PageRequest>,
) -> Result<PendingMessagesResponse, ContractError> {
    let scan = match id {
        Some(id) => {
            let id = id.parse::<MessageId>()?;
            PendingBody::TABLE.prefix(&(id.chain, id.emitter.0, id.sequence))?
        }
        None => PendingBody::TABLE.all(),
    };
    let scan = scan.budget(context.config.scan_budget);
    let page = scan.page(context.deps.storage, &page.unwrap_or_default())?;
    let page = page.try_map(|body| {
        Ok::<_, ContractError>(PendingMessageResponse {
            id: body.id().to_string(),
            digest: Digest(body.digest).to_string(),
            body: Binary::new(body.body().serialize()),
            signatures: signatures(context, &body.digest)?,
        })
    })?;
    Ok(PendingMessagesResponse {
        messages: page.items,
        page: page.page,
    })
}

/// Returns how far each set is. Two scans of one row and a read of the set for each that signed.
#[inline(never)]
pub(super) fn signatures(
    context: &Context<'_>,
    digest: &[u8; 32],
) -> Result<Vec<PendingSignatures>, ContractError> {
    let storage = context.deps.storage;
    let mut sets = Vec::new();
    let mut from = Some(0);
    while let Some(least) = from {
        let rows =
            Observation::TABLE.range::<([u8; 32], u32)>((*digest, least)..=(*digest, u32::MAX))?;
        let Some(first) = rows.first(storage)? else {
            break;
        };
        let index = first.guardian_set_index;
        let last = Observation::TABLE
            .prefix(&(*digest, index))?
            .last(storage)?;
        let signers = last.map(|last| last.signers).unwrap_or_default();
        sets.push(PendingSignatures {
            guardian_set_index: index,
            guardians: signers.iter().collect(),
            quorum: context.quorum(index)?,
            live: context.is_live(index)?,
        });
        from = index.checked_add(1);
    }
    Ok(sets)
}

#[inline(never)]
pub(super) fn observations(
    context: &Context<'_>,
    digest: &str,
    page: Option<PageRequest>,
) -> Result<ObservationsResponse, ContractError> {
    let digest = digest.parse::<Digest>()?;
    let scan = Observation::TABLE
        .prefix(&(digest.0,))?
        .budget(context.config.scan_budget);
    let page = scan.page(context.deps.storage, &page.unwrap_or_default())?;
    let page = page.try_map(|row| {
        Ok::<_, ContractError>(ObservationResponse {
            guardian_set_index: row.guardian_set_index,
            guardian_index: row.guardian,
            signature: Binary::new(row.signature),
            tx_id: Binary::new(row.tx_id),
        })
    })?;
    Ok(ObservationsResponse {
        observations: page.items,
        page: page.page,
    })
}

#[inline(never)]
pub(super) fn domain(context: &Context<'_>) -> Result<ObservationDomainResponse, ContractError> {
    let contract = context.env.contract.address.as_str();
    Ok(ObservationDomainResponse {
        prefix: String::from_utf8_lossy(OBSERVATIONS_PREFIX).into_owned(),
        chain_id: context.env.block.chain_id.clone(),
        contract: context.deps.api.addr_canonicalize(contract)?.into(),
    })
}

impl Context<'_> {
    /// Returns how many signatures a set needs. One read.
    pub(super) fn quorum(&self, index: u32) -> Result<u32, ContractError> {
        let row = GuardianSetRow::load(self.deps.storage, index)?;
        let row = row.ok_or(ContractError::UnknownGuardianSet { index })?;
        Ok(u32::try_from(row.guardian_set()?.quorum()).unwrap_or(u32::MAX))
    }
}
