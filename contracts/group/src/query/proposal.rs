//! Proposals.

use cosmwasm_std::{Storage, Uint64};
use cw_orm::{Families, Page, PageRequest};

use crate::{
    error::ContractError,
    msg::{
        ProposalQueryResponse, ProposalResponse, ProposalStatus, ProposalsResponse, TallyResult,
    },
    state::{Config, Policy, Proposal, Submission},
};

pub(super) fn proposal(
    storage: &dyn Storage,
    id: u64,
) -> Result<ProposalQueryResponse, ContractError> {
    let proposal = Proposal::TABLE.get(storage, &id, Families::ALL)?;
    Ok(ProposalQueryResponse {
        proposal: proposal.map(|row| response(storage, row)).transpose()?,
    })
}

pub(super) fn by_policy(
    storage: &dyn Storage,
    policy_id: u64,
    page: Option<PageRequest>,
) -> Result<ProposalsResponse, ContractError> {
    let index = Proposal::TABLE.by::<Submission, _>(Proposal::BY_POLICY)?;
    let ids = index
        .key(&policy_id)?
        .page_ids(storage, &page.unwrap_or_default())?;
    answer(storage, ids)
}

pub(super) fn by_voting_period_end(
    storage: &dyn Storage,
    from: u64,
    to: u64,
    page: Option<PageRequest>,
) -> Result<ProposalsResponse, ContractError> {
    if from > to {
        return Err(ContractError::InvertedTimes { from, to });
    }
    let index = Proposal::TABLE.by::<Submission, _>(Proposal::BY_VOTING_PERIOD_END)?;
    let ids = index
        .range(from..=to)?
        .page_ids(storage, &page.unwrap_or_default())?;
    answer(storage, ids)
}

pub(super) fn tally(storage: &dyn Storage, id: u64) -> Result<TallyResult, ContractError> {
    let (submission, progress) = Proposal::load(storage, id)?;
    let policy = Policy::load(storage, submission.policy_id)?;
    match progress.status(&submission, &policy) {
        ProposalStatus::Accepted | ProposalStatus::Rejected => Ok(progress.final_tally),
        _ => crate::tally::tally(storage, policy.group_id, id),
    }
}

fn answer(storage: &dyn Storage, ids: Page<u64>) -> Result<ProposalsResponse, ContractError> {
    let page = ids.try_map(|id| {
        let row = Proposal::TABLE.get_one(storage, &id, Families::ALL)?;
        response(storage, row)
    })?;
    Ok(ProposalsResponse {
        proposals: page.items,
        page: page.page,
    })
}

fn response(storage: &dyn Storage, row: Proposal) -> Result<ProposalResponse, ContractError> {
    let id = Uint64::new(row.id);
    let (submission, content, progress) = row.whole()?;
    let policy = Policy::load(storage, submission.policy_id)?;
    let end = submission.execution_period_end(Config::load(storage)?.max_execution_period);
    Ok(ProposalResponse {
        id,
        policy_id: Uint64::new(submission.policy_id),
        messages: content.cosmos_msgs()?,
        metadata: content.metadata,
        submitted_at: Uint64::new(submission.submitted_at),
        group_version: Uint64::new(submission.group_version),
        policy_version: Uint64::new(submission.policy_version),
        voting_period_end: Uint64::new(submission.voting_period_end),
        execution_period_end: Uint64::new(end),
        status: progress.status(&submission, &policy),
        proposer: submission.proposer.into(),
        executor_result: progress.executor_result,
        votes: progress.votes,
        final_tally: progress.final_tally,
    })
}
