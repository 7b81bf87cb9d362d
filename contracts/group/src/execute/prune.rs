//! Pruning: proposals whose time has passed, found by the index of the ends of voting periods.

use cosmwasm_std::{Order, Response, Storage, to_json_binary};

use super::exec::delete_votes;
use crate::{
    error::ContractError,
    events::about,
    limits::{DEFAULT_PRUNE, MAX_PRUNE},
    msg::PruneResponse,
    state::{Config, Proposal, Submission},
};

pub(super) fn prune(
    storage: &mut dyn Storage,
    now: u64,
    limit: Option<u32>,
) -> Result<Response, ContractError> {
    let limit = limit.unwrap_or(DEFAULT_PRUNE);
    if limit == 0 || limit > MAX_PRUNE {
        return Err(ContractError::PruneLimit { limit });
    }
    let period = Config::load(storage)?.max_execution_period;
    // Executable until its voting period's end and `period`: past that is what ended before this.
    let before = now.saturating_sub(period.into());
    let index = Proposal::TABLE.by::<Submission, _>(Proposal::BY_VOTING_PERIOD_END)?;
    let mut left = usize::try_from(limit).unwrap_or(usize::MAX);
    let expired = index.range(..before)?;
    let ids = expired
        .ids(storage, Order::Ascending)
        .limit(left)
        .read_all()?;
    let mut answer = PruneResponse {
        proposals: 0,
        votes: 0,
        more: false,
    };
    let mut response = Response::new();
    for id in ids {
        let votes = delete_votes(storage, id, left)?;
        answer.votes = answer
            .votes
            .saturating_add(u32::try_from(votes).unwrap_or(u32::MAX));
        left = left.saturating_sub(votes);
        if left == 0 {
            break;
        }
        Proposal::TABLE.delete(storage, &id)?;
        response = response.add_event(about("proposal_pruned", "proposal_id", id));
        answer.proposals = answer.proposals.saturating_add(1);
        left = left.saturating_sub(1);
    }
    answer.more = !index.range(..before)?.is_empty(storage)?;
    Ok(response.set_data(to_json_binary(&answer)?))
}
