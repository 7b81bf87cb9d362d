//! Pruning: a bounded walk over the pending bodies that goes on where the last one stopped.

use core::ops::Bound;

use cosmwasm_std::{DepsMut, Env, Order, Response, to_json_binary};
use wormhole_vaa::{Digest, MessageId};

use super::{
    Registry,
    claim::Claims,
    find_decided,
    publish::purge_revoked,
    settle::{claim_of, last_rows, remove_body, remove_observation},
};
use crate::{
    error::ContractError,
    events,
    msg::PruneResponse,
    state::{Config, Observation, PendingBody, PruneCursor, TxClaim, remove},
};

/// The most rows that one call looks at or removes.
pub(super) const MAX_PRUNED: u32 = 1_000;

pub(crate) fn prune(deps: DepsMut<'_>, env: &Env, limit: u32) -> Result<Response, ContractError> {
    let config = Config::load_open(deps.storage)?;
    if config.paused {
        return Err(ContractError::Paused);
    }
    let mut budget = Budget::new(limit)?;
    let mut registry = Registry::new(deps.storage, deps.api, env, config);
    let finished =
        purge_revoked(registry.pending().0, &mut budget)? && walk(&mut registry, &mut budget)?;
    registry.finish()?;
    let removed = budget.removed;
    Ok(Response::new()
        .add_event(events::pruned(removed, finished))
        .set_data(to_json_binary(&PruneResponse { removed, finished })?))
}

/// How many rows may still be looked at or removed.
pub(super) struct Budget {
    left: usize,
    removed: u32,
}

impl Budget {
    /// Starts with `limit` rows, or [`MAX_PRUNED`] if that is less.
    pub(super) fn new(limit: u32) -> Result<Self, ContractError> {
        match usize::try_from(limit.min(MAX_PRUNED)) {
            Ok(0) | Err(_) => Err(ContractError::NoRows),
            Ok(left) => Ok(Self { left, removed: 0 }),
        }
    }

    pub(super) const fn left(&self) -> usize {
        self.left
    }

    /// Counts rows that were removed.
    pub(super) fn removed(&mut self, rows: usize) {
        self.looked(rows);
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        self.removed = self.removed.saturating_add(rows);
    }

    /// Counts rows that were looked at in vain.
    fn looked(&mut self, rows: usize) {
        self.left = self.left.saturating_sub(rows);
    }
}

/// Walks on; says whether the end was reached.
fn walk(registry: &mut Registry<'_>, budget: &mut Budget) -> Result<bool, ContractError> {
    let stored = PruneCursor::TABLE.get(registry.storage(), &0)?;
    let mut from = match &stored {
        Some(cursor) => Bound::Included(cursor.next),
        None => Bound::Unbounded,
    };
    loop {
        let bodies = PendingBody::TABLE.range((from, Bound::Unbounded))?;
        let Some(body) = bodies.first(registry.storage())? else {
            if stored.is_some() {
                remove::<PruneCursor>(registry.pending().0, &0)?;
            }
            return Ok(true);
        };
        let key = body.key();
        if budget.left() == 0 || !prune_body(registry, &body, budget)? {
            let cursor = PruneCursor { id: 0, next: key };
            PruneCursor::TABLE.upsert(registry.pending().0, cursor)?;
            return Ok(false);
        }
        from = Bound::Excluded(key);
    }
}

/// Removes what is of no use of a body; says whether the budget sufficed.
#[inline(never)]
fn prune_body(
    registry: &mut Registry<'_>,
    body: &PendingBody,
    budget: &mut Budget,
) -> Result<bool, ContractError> {
    let id = body.id();
    let digest = Digest(body.digest);
    let done = if find_decided(registry.storage(), &digest)?.is_some() {
        let (removed, whole) =
            registry.settle_signatures(&id, &digest, Claims::default(), budget.left())?;
        budget.removed(removed);
        whole
    } else if registry.is_registered(&id)? {
        drop_outvoted(registry, &id, &digest, budget)?
    } else {
        drop_expired(registry, &id, &digest, budget)?
    };
    if !done {
        return Ok(false);
    }
    let (storage, _) = registry.pending();
    if !Observation::TABLE.prefix(&(digest.0,))?.is_empty(storage)? {
        return Ok(true);
    }
    if budget.left() == 0 {
        return Ok(false);
    }
    remove_body(storage, &id, &digest)?;
    budget.removed(1);
    Ok(true)
}

/// Removes all about a digest whose message was decided otherwise, also the claims: they are about a body that no quorum
/// signed. A quorum that signs it after all is brought by its VAA, or gathers anew.
#[inline(never)]
fn drop_outvoted(
    registry: &mut Registry<'_>,
    id: &MessageId,
    digest: &Digest,
    budget: &mut Budget,
) -> Result<bool, ContractError> {
    let (storage, counts) = registry.pending();
    let all = Observation::TABLE.prefix(&(digest.0,))?;
    let (rows, whole) = last_rows(storage, all, budget.left())?;
    for row in &rows {
        remove_observation(storage, counts, id, row)?;
    }
    budget.removed(rows.len());
    if !whole {
        return Ok(false);
    }
    let mut claims = TxClaim::TABLE
        .prefix(&(digest.0,))?
        .ids(storage, Order::Descending)
        .limit(budget.left().saturating_add(1))
        .read_all()?;
    let whole = claims.len() <= budget.left();
    claims.truncate(budget.left());
    for key in &claims {
        remove::<TxClaim>(storage, key)?;
    }
    budget.removed(claims.len());
    Ok(whole)
}

/// Removes the signatures of sets that have expired, and keeps their claims: another set may still decide the digest.
/// Looks at one signature a live set.
#[inline(never)]
fn drop_expired(
    registry: &mut Registry<'_>,
    id: &MessageId,
    digest: &Digest,
    budget: &mut Budget,
) -> Result<bool, ContractError> {
    let mut from = Some(0);
    let mut live: usize = 0;
    while let Some(least) = from {
        let rows = Observation::TABLE
            .range::<([u8; 32], u32)>((digest.0, least)..=(digest.0, u32::MAX))?;
        let Some(row) = rows.first(registry.storage())? else {
            break;
        };
        let set = row.guardian_set_index;
        if registry.is_live(set)? {
            live = live.saturating_add(1);
        } else if !drop_set(registry, id, digest, set, budget)? {
            return Ok(false);
        }
        from = set.checked_add(1);
    }
    budget.looked(live);
    Ok(true)
}

#[inline(never)]
fn drop_set(
    registry: &mut Registry<'_>,
    id: &MessageId,
    digest: &Digest,
    set: u32,
    budget: &mut Budget,
) -> Result<bool, ContractError> {
    let (storage, counts) = registry.pending();
    let all = Observation::TABLE.prefix(&(digest.0, set))?;
    let (rows, whole) = last_rows(storage, all, budget.left())?;
    let mut claims = Claims::default();
    for row in &rows {
        claims.add(&claim_of(row));
        remove_observation(storage, counts, id, row)?;
    }
    claims.keep(storage, digest)?;
    budget.removed(rows.len());
    Ok(whole)
}

impl Registry<'_> {
    /// Whether a guardian set's signatures count now.
    fn is_live(&mut self, index: u32) -> Result<bool, ContractError> {
        let now = self.now();
        let set = self.guardian_set(index)?;
        Ok(set.is_some_and(|set| set.expires_at.is_none_or(|last| now <= last)))
    }
}
