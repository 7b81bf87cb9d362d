//! Votes.

use cosmwasm_std::{Addr, Event, Response, Storage};
use cw_orm::OrmError;

use super::{check_metadata, exec, group::only_member, proposal::only_open};
use crate::{
    error::ContractError,
    events::about,
    limits::MAX_VOTES,
    msg::VoteOption,
    state::{Policy, Progress, Proposal, Vote},
};

pub(super) fn vote(
    storage: &mut dyn Storage,
    now: u64,
    sender: &Addr,
    id: u64,
    option: VoteOption,
    metadata: String,
    exec: bool,
) -> Result<Response, ContractError> {
    check_metadata(&metadata)?;
    let response = Response::new().add_event(cast(storage, now, sender, id, option, metadata)?);
    if exec {
        exec::attempt(storage, now, id, response)
    } else {
        Ok(response)
    }
}

/// Writes a vote, and returns its event.
pub(super) fn cast(
    storage: &mut dyn Storage,
    now: u64,
    voter: &Addr,
    id: u64,
    option: VoteOption,
    metadata: String,
) -> Result<Event, ContractError> {
    let (submission, progress) = Proposal::load(storage, id)?;
    let policy = Policy::load(storage, submission.policy_id)?;
    only_open(id, progress.status(&submission, &policy))?;
    let end = submission.voting_period_end;
    if now > end {
        return Err(ContractError::VotingEnded { id, end });
    }
    only_member(storage, policy.group_id, voter)?;
    if progress.votes >= MAX_VOTES {
        return Err(ContractError::TooManyVotes { id });
    }
    let vote = Vote {
        proposal_id: id,
        voter: voter.clone(),
        option,
        metadata,
        submitted_at: now,
    };
    Vote::TABLE
        .insert(storage, &vote)
        .map_err(|error| match error {
            OrmError::AlreadyExists { .. } => ContractError::AlreadyVoted {
                id,
                voter: voter.into(),
            },
            error => error.into(),
        })?;
    let votes = progress.votes.saturating_add(1);
    Proposal::TABLE
        .family::<Progress>()
        .update(storage, &id, Progress { votes, ..progress })?;
    Ok(about("proposal_voted", "proposal_id", id)
        .add_attribute("voter", voter)
        .add_attribute("option", option.as_str()))
}
