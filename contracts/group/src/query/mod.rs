//! What can be asked: routing, and a file a subject.

mod group;
mod policy;
mod proposal;
mod vote;

use cosmwasm_std::{Binary, Deps, Uint64, to_json_binary};

use crate::{
    error::ContractError,
    execute::address,
    msg::{ConfigResponse, QueryMsg},
    state::Config,
};

pub(crate) fn query(deps: Deps<'_>, msg: QueryMsg) -> Result<Binary, ContractError> {
    let storage = deps.storage;
    let parse = |text: &str| address(deps.api, text);
    Ok(match msg {
        QueryMsg::Config {} => {
            let config = Config::load(storage)?;
            to_json_binary(&ConfigResponse {
                account_code_id: Uint64::new(config.account_code_id),
                max_execution_period: config.max_execution_period,
            })
        }
        QueryMsg::Group { group_id } => to_json_binary(&group::group(storage, group_id.u64())?),
        QueryMsg::Groups { page } => to_json_binary(&group::groups(storage, page)?),
        QueryMsg::GroupsByAdmin { admin, page } => {
            to_json_binary(&group::groups_by_admin(storage, &parse(&admin)?, page)?)
        }
        QueryMsg::GroupsByMember { address, page } => {
            to_json_binary(&group::groups_by_member(storage, &parse(&address)?, page)?)
        }
        QueryMsg::Member { group_id, address } => {
            to_json_binary(&group::member(storage, group_id.u64(), parse(&address)?)?)
        }
        QueryMsg::MembersByGroup { group_id, page } => {
            to_json_binary(&group::members_by_group(storage, group_id.u64(), page)?)
        }
        QueryMsg::Policy { policy_id } => {
            to_json_binary(&policy::policy(storage, policy_id.u64())?)
        }
        QueryMsg::PolicyByAccount { account } => {
            to_json_binary(&policy::policy_by_account(storage, &parse(&account)?)?)
        }
        QueryMsg::PoliciesByGroup { group_id, page } => {
            to_json_binary(&policy::policies_by_group(storage, group_id.u64(), page)?)
        }
        QueryMsg::PoliciesByAdmin { admin, page } => {
            to_json_binary(&policy::policies_by_admin(storage, &parse(&admin)?, page)?)
        }
        QueryMsg::Proposal { proposal_id } => {
            to_json_binary(&proposal::proposal(storage, proposal_id.u64())?)
        }
        QueryMsg::ProposalsByPolicy { policy_id, page } => {
            to_json_binary(&proposal::by_policy(storage, policy_id.u64(), page)?)
        }
        QueryMsg::ProposalsByVotingPeriodEnd { from, to, page } => {
            let from = from.map_or(u64::MIN, |from| from.u64());
            let to = to.map_or(u64::MAX, |to| to.u64());
            to_json_binary(&proposal::by_voting_period_end(storage, from, to, page)?)
        }
        QueryMsg::Vote { proposal_id, voter } => {
            to_json_binary(&vote::vote(storage, proposal_id.u64(), parse(&voter)?)?)
        }
        QueryMsg::VotesByProposal { proposal_id, page } => {
            to_json_binary(&vote::by_proposal(storage, proposal_id.u64(), page)?)
        }
        QueryMsg::VotesByVoter { voter, page } => {
            to_json_binary(&vote::by_voter(storage, &parse(&voter)?, page)?)
        }
        QueryMsg::Tally { proposal_id } => {
            to_json_binary(&proposal::tally(storage, proposal_id.u64())?)
        }
    }?)
}
