//! Guardian sets.

use cosmwasm_std::{Order, Uint64};
use cw_orm::{Iter, OrmError, PageRequest, PageTerms, paginate};
use wormhole_vaa::GuardianAddress;

use super::Context;
use crate::{
    error::ContractError,
    msg::{GuardianSetResponse, GuardianSetsResponse},
    state::GuardianSetRow,
};

#[inline(never)]
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

#[inline(never)]
pub(super) fn guardian_sets(
    context: &Context<'_>,
    page: Option<PageRequest>,
) -> Result<GuardianSetsResponse, ContractError> {
    let terms = PageTerms::new("guardian sets").budget(context.config.scan_budget);
    let sets = paginate(&terms, &page.unwrap_or_default(), |after, order| {
        from_index(context, after, order)
    })?;
    let sets = sets.try_map(|set| response(context, &set?))?;
    Ok(GuardianSetsResponse {
        guardian_sets: sets.items,
        page: sets.page,
    })
}

type Found = Result<GuardianSetRow, ContractError>;

/// Opens the sets, after an index if one is given.
fn from_index<'s>(
    context: &'s Context<'_>,
    after: Option<u32>,
    order: Order,
) -> Result<Iter<'s, (u32, Found)>, OrmError> {
    let storage = context.deps.storage;
    let first = GuardianSetRow::first_index(storage)?.unwrap_or_default();
    let last = context.config.current_guardian_set;
    let ordered: Box<dyn Iterator<Item = u32>> = match (order, after) {
        (Order::Ascending, None) => Box::new(first..=last),
        (Order::Descending, None) => Box::new((first..=last).rev()),
        (Order::Ascending, Some(after)) => Box::new(
            after
                .checked_add(1)
                .into_iter()
                .flat_map(move |next| next.max(first)..=last),
        ),
        (Order::Descending, Some(after)) => {
            Box::new((first..after.min(last.saturating_add(1))).rev())
        }
    };
    Ok(Iter::new(ordered.map(move |index| {
        let row = GuardianSetRow::load(storage, index);
        let row = row.and_then(|row| row.ok_or(ContractError::UnknownGuardianSet { index }));
        Ok((index, row))
    })))
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
        applied_at: Uint64::new(row.times.applied_at),
        applied_height: Uint64::new(row.times.applied_height),
        expires_at: row.times.expires_at.map(Uint64::new),
        current: index == context.config.current_guardian_set,
        live: row.live_at(context.env.block.time.seconds()),
    })
}

impl Context<'_> {
    /// Whether a set's signatures count at the block of the query. One read a set and query; none for the current set.
    pub(super) fn is_live(&self, index: u32) -> Result<bool, ContractError> {
        let now = self.env.block.time.seconds();
        Ok(self.expiry(index)?.is_none_or(|last| now <= last))
    }

    /// Returns the last second in which a set's signatures count; none for the current set. Read as for
    /// [`is_live`](Self::is_live).
    pub(super) fn expiry(&self, index: u32) -> Result<Option<u64>, ContractError> {
        if index == self.config.current_guardian_set {
            return Ok(None);
        }
        if let Some(expiry) = self.expiries.borrow().get(&index) {
            return Ok(Some(*expiry));
        }
        let row = GuardianSetRow::load(self.deps.storage, index)?;
        // A set that is not the current one and has no expiry, or is not there, does not count.
        let expiry = row.and_then(|row| row.times.expires_at).unwrap_or(0);
        self.expiries.borrow_mut().insert(index, expiry);
        Ok(Some(expiry))
    }
}
