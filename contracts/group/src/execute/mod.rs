//! What can be done: routing, and a file a subject.

mod exec;
mod group;
mod policy;
mod proposal;
mod prune;
mod vote;

use cosmwasm_std::{Addr, Api, DepsMut, Env, MessageInfo, Response};

use crate::{error::ContractError, limits::MAX_METADATA, msg::ExecuteMsg};

pub(crate) use exec::executed;

pub(crate) fn execute(
    deps: DepsMut<'_>,
    env: &Env,
    info: &MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, ContractError> {
    if !info.funds.is_empty() {
        return Err(ContractError::Coins);
    }
    let (sender, now) = (&info.sender, env.block.time.seconds());
    match msg {
        ExecuteMsg::CreateGroup { members, metadata } => {
            group::create(deps, now, sender, &members, metadata)
        }
        ExecuteMsg::UpdateGroupMembers { group_id, members } => {
            group::update_members(deps, now, sender, group_id.u64(), &members)
        }
        ExecuteMsg::UpdateGroupAdmin { group_id, admin } => {
            group::update_admin(deps, sender, group_id.u64(), &admin)
        }
        ExecuteMsg::UpdateGroupMetadata { group_id, metadata } => {
            group::update_metadata(deps.storage, sender, group_id.u64(), metadata)
        }
        ExecuteMsg::LeaveGroup { group_id } => group::leave(deps.storage, sender, group_id.u64()),
        ExecuteMsg::CreatePolicy {
            group_id,
            metadata,
            decision,
        } => policy::create(deps, env, sender, group_id.u64(), metadata, decision),
        ExecuteMsg::UpdatePolicyAdmin { policy_id, admin } => {
            policy::update_admin(deps, sender, policy_id.u64(), &admin)
        }
        ExecuteMsg::UpdatePolicyDecision {
            policy_id,
            decision,
        } => policy::update_decision(deps.storage, sender, policy_id.u64(), decision),
        ExecuteMsg::UpdatePolicyMetadata {
            policy_id,
            metadata,
        } => policy::update_metadata(deps.storage, sender, policy_id.u64(), metadata),
        ExecuteMsg::SubmitProposal {
            policy_id,
            messages,
            metadata,
            exec,
        } => {
            let policy_id = policy_id.u64();
            let exec = exec.unwrap_or_default();
            proposal::submit(deps, now, sender, policy_id, &messages, metadata, exec)
        }
        ExecuteMsg::WithdrawProposal { proposal_id } => {
            proposal::withdraw(deps.storage, sender, proposal_id.u64())
        }
        ExecuteMsg::Vote {
            proposal_id,
            option,
            metadata,
            exec,
        } => {
            let (id, exec) = (proposal_id.u64(), exec.unwrap_or_default());
            vote::vote(deps.storage, now, sender, id, option, metadata, exec)
        }
        ExecuteMsg::Exec { proposal_id } => exec::exec(deps.storage, now, proposal_id.u64()),
        ExecuteMsg::Prune { limit } => prune::prune(deps.storage, now, limit),
    }
}

/// Returns the address that `text` is.
pub(crate) fn address(api: &dyn Api, text: &str) -> Result<Addr, ContractError> {
    api.addr_validate(text)
        .map_err(|error| ContractError::Address {
            text: text.into(),
            reason: error.to_string(),
        })
}

/// Refuses metadata that is too long.
fn check_metadata(metadata: &str) -> Result<(), ContractError> {
    match metadata.len() {
        len if len > MAX_METADATA => Err(ContractError::MetadataTooLong { len }),
        _ => Ok(()),
    }
}
