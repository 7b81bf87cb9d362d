//! Votes.

use cosmwasm_std::{Addr, Storage, Uint64};
use cw_orm::{Page, PageRequest};

use crate::{
    error::ContractError,
    msg::{VoteQueryResponse, VoteResponse, VotesResponse},
    state::Vote,
};

pub(super) fn vote(
    storage: &dyn Storage,
    proposal_id: u64,
    voter: Addr,
) -> Result<VoteQueryResponse, ContractError> {
    let vote = Vote::TABLE.get(storage, &(proposal_id, voter))?;
    Ok(VoteQueryResponse {
        vote: vote.map(response),
    })
}

pub(super) fn by_proposal(
    storage: &dyn Storage,
    proposal_id: u64,
    page: Option<PageRequest>,
) -> Result<VotesResponse, ContractError> {
    let scan = Vote::TABLE.prefix(&(proposal_id,))?;
    Ok(answer(scan.page(storage, &page.unwrap_or_default())?))
}

pub(super) fn by_voter(
    storage: &dyn Storage,
    voter: &Addr,
    page: Option<PageRequest>,
) -> Result<VotesResponse, ContractError> {
    let scan = Vote::TABLE.by(Vote::BY_VOTER)?.key(voter)?;
    Ok(answer(scan.page(storage, &page.unwrap_or_default())?))
}

fn answer(page: Page<Vote>) -> VotesResponse {
    VotesResponse {
        votes: page.items.into_iter().map(response).collect(),
        page: page.page,
    }
}

fn response(vote: Vote) -> VoteResponse {
    VoteResponse {
        proposal_id: Uint64::new(vote.proposal_id),
        voter: vote.voter.into(),
        option: vote.option,
        metadata: vote.metadata,
        submitted_at: Uint64::new(vote.submitted_at),
    }
}
