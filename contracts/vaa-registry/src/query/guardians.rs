//! Guardian sets.

use cosmwasm_std::Uint64;
use cw_orm::PageRequest;
use wormhole_vaa::GuardianAddress;

use super::Context;
use crate::{
    error::ContractError,
    msg::{GuardianSetResponse, GuardianSetsResponse},
    state::GuardianSetRow,
};

pub(super) fn guardian_set(
    context: &Context<'_>,
    index: Option<u32>,
) -> Result<GuardianSetResponse, ContractError> {
    let index = index.unwrap_or(context.config.current_guardian_set);
    let row = GuardianSetRow::load(context.deps.storage, index)?;
    response(
        context,
        &row.ok_or(ContractError::UnknownGuardianSet { index })?,
    )
}

pub(super) fn guardian_sets(
    context: &Context<'_>,
    page: Option<PageRequest>,
) -> Result<GuardianSetsResponse, ContractError> {
    let sets = GuardianSetRow::TABLE
        .all()
        .budget(context.config.scan_budget);
    let sets = sets.page(context.deps.storage, &page.unwrap_or_default())?;
    let sets = sets.try_map(|row| response(context, &row))?;
    Ok(GuardianSetsResponse {
        guardian_sets: sets.items,
        page: sets.page,
    })
}

fn response(
    context: &Context<'_>,
    row: &GuardianSetRow,
) -> Result<GuardianSetResponse, ContractError> {
    let index = row.index;
    let set = row.guardian_set()?;
    Ok(GuardianSetResponse {
        index,
        addresses: set
            .addresses()
            .iter()
            .map(GuardianAddress::to_hex)
            .collect(),
        quorum: u32::try_from(set.quorum()).unwrap_or(u32::MAX),
        applied_at: Uint64::new(row.applied_at),
        applied_height: Uint64::new(row.applied_height),
        expires_at: row.expires_at.map(Uint64::new),
        current: index == context.config.current_guardian_set,
        live: row.live_at(context.env.block.time.seconds()),
    })
}

impl Context<'_> {
    /// Whether a set's signatures count at the block of the query. One read a set and query; none for the current set.
    pub(super) fn is_live(&self, index: u32) -> Result<bool, ContractError> {
        if index == self.config.current_guardian_set {
            return Ok(true);
        }
        if let Some(live) = self.live.borrow().get(&index) {
            return Ok(*live);
        }
        let row = GuardianSetRow::load(self.deps.storage, index)?;
        let live = row.is_some_and(|row| row.live_at(self.env.block.time.seconds()));
        self.live.borrow_mut().insert(index, live);
        Ok(live)
    }
}
