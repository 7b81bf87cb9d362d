//! Proposals: submitted and withdrawn.

use cosmwasm_std::{
    Addr, CosmosMsg, DepsMut, Response, Storage, Uint64, to_json_binary, to_json_vec,
};

use super::{check_metadata, exec, group::only_member, vote};
use crate::{
    error::ContractError,
    events::about,
    limits::{MAX_MESSAGES, MAX_MESSAGES_BYTES},
    msg::{ExecutorResult, ProposalStatus, SubmitProposalResponse, TallyResult, VoteOption},
    state::{Content, Group, PROPOSAL_SEQUENCE, Policy, Progress, Proposal, Status, Submission},
};

pub(super) fn submit(
    deps: DepsMut<'_>,
    now: u64,
    sender: &Addr,
    policy_id: u64,
    messages: &[CosmosMsg],
    metadata: String,
    exec: bool,
) -> Result<Response, ContractError> {
    let policy = Policy::load(deps.storage, policy_id)?;
    only_member(deps.storage, policy.group_id, sender)?;
    check_metadata(&metadata)?;
    let messages = encode(messages)?;
    let group = Group::load(deps.storage, policy.group_id)?;
    let voting_period = policy.decision.windows().voting_period;
    let id = PROPOSAL_SEQUENCE.next(deps.storage)?;
    let proposal = Proposal {
        id,
        submission: Some(Submission {
            policy_id,
            proposer: sender.clone(),
            submitted_at: now,
            group_version: group.version,
            policy_version: policy.version,
            voting_period_end: now.saturating_add(voting_period.into()),
        }),
        content: Some(Content { metadata, messages }),
        progress: Some(Progress {
            status: Status::Submitted,
            executor_result: ExecutorResult::NotRun,
            votes: 0,
            final_tally: TallyResult::default(),
        }),
    };
    Proposal::TABLE.insert(deps.storage, &proposal)?;
    let event = about("proposal_submitted", "proposal_id", id)
        .add_attribute("policy_id", policy_id.to_string());
    let mut response = Response::new().add_event(event);
    if exec {
        let metadata = String::new();
        response = response.add_event(vote::cast(
            deps.storage,
            now,
            sender,
            id,
            VoteOption::Yes,
            metadata,
        )?);
        response = exec::attempt(deps.storage, now, id, response)?;
    }
    let answer = SubmitProposalResponse {
        proposal_id: Uint64::new(id),
    };
    Ok(response.set_data(to_json_binary(&answer)?))
}

pub(super) fn withdraw(
    storage: &mut dyn Storage,
    sender: &Addr,
    id: u64,
) -> Result<Response, ContractError> {
    let (submission, progress) = Proposal::load(storage, id)?;
    let policy = Policy::load(storage, submission.policy_id)?;
    if *sender != submission.proposer && *sender != policy.admin {
        return Err(ContractError::NotProposer {
            id,
            sender: sender.into(),
        });
    }
    only_open(id, progress.status(&submission, &policy))?;
    let status = Status::Withdrawn;
    let withdrawn = Progress { status, ..progress };
    Proposal::TABLE
        .family::<Progress>()
        .update(storage, &id, withdrawn)?;
    Ok(Response::new().add_event(about("proposal_withdrawn", "proposal_id", id)))
}

/// Refuses a proposal that is not open.
pub(super) fn only_open(id: u64, status: ProposalStatus) -> Result<(), ContractError> {
    match status {
        ProposalStatus::Submitted => Ok(()),
        status => Err(ContractError::WrongStatus { id, status }),
    }
}

fn encode(messages: &[CosmosMsg]) -> Result<Vec<u8>, ContractError> {
    if messages.len() > MAX_MESSAGES {
        return Err(ContractError::TooManyMessages {
            found: messages.len(),
        });
    }
    let bytes = to_json_vec(messages)?;
    match bytes.len() {
        len if len > MAX_MESSAGES_BYTES => Err(ContractError::MessagesTooLong { len }),
        _ => Ok(bytes),
    }
}
