//! What can be asked.

use cosmwasm_schema::{QueryResponses, cw_serde};
use cosmwasm_std::Uint64;
use cw_orm::PageRequest;

// Only the schema names them, which is not part of the wasm.
#[cfg_attr(target_arch = "wasm32", allow(unused_imports))]
use super::response::{
    ConfigResponse, GroupQueryResponse, GroupsResponse, MemberQueryResponse, MembersResponse,
    PoliciesResponse, PolicyQueryResponse, ProposalQueryResponse, ProposalsResponse, TallyResult,
    VoteQueryResponse, VotesResponse,
};

/// Asks the contract. Pages have 10 rows by default and 30 at most, in either direction; a `next_key` in the answer means
/// that there are more.
#[cw_serde]
#[derive(QueryResponses)]
pub enum QueryMsg {
    /// How the contract is set up.
    #[returns(ConfigResponse)]
    Config {},
    /// The group with this id, or null.
    #[returns(GroupQueryResponse)]
    Group {
        /// The group's id.
        group_id: Uint64,
    },
    /// All groups, by id.
    #[returns(GroupsResponse)]
    Groups {
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The groups of an admin, by id.
    #[returns(GroupsResponse)]
    GroupsByAdmin {
        /// The admin's address.
        admin: String,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The groups that an address is a member of, by id.
    #[returns(GroupsResponse)]
    GroupsByMember {
        /// The member's address.
        address: String,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The member of a group with this address, or null.
    #[returns(MemberQueryResponse)]
    Member {
        /// The group's id.
        group_id: Uint64,
        /// The member's address.
        address: String,
    },
    /// The members of a group, by address.
    #[returns(MembersResponse)]
    MembersByGroup {
        /// The group's id.
        group_id: Uint64,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The policy with this id, or null.
    #[returns(PolicyQueryResponse)]
    Policy {
        /// The policy's id.
        policy_id: Uint64,
    },
    /// The policy whose account has this address, or null.
    #[returns(PolicyQueryResponse)]
    PolicyByAccount {
        /// The account's address.
        account: String,
    },
    /// The policies of a group, by id.
    #[returns(PoliciesResponse)]
    PoliciesByGroup {
        /// The group's id.
        group_id: Uint64,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The policies of an admin, by id.
    #[returns(PoliciesResponse)]
    PoliciesByAdmin {
        /// The admin's address.
        admin: String,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The proposal with this id, or null.
    #[returns(ProposalQueryResponse)]
    Proposal {
        /// The proposal's id.
        proposal_id: Uint64,
    },
    /// The proposals to a policy, by id.
    #[returns(ProposalsResponse)]
    ProposalsByPolicy {
        /// The policy's id.
        policy_id: Uint64,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// Proposals by the end of their voting periods, then by id.
    #[returns(ProposalsResponse)]
    ProposalsByVotingPeriodEnd {
        /// The first second wanted; from the first on, if absent.
        from: Option<Uint64>,
        /// The last second wanted; up to the last, if absent.
        to: Option<Uint64>,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The vote of an address on a proposal, or null.
    #[returns(VoteQueryResponse)]
    Vote {
        /// The proposal's id.
        proposal_id: Uint64,
        /// The voter's address.
        voter: String,
    },
    /// The votes on a proposal, by voter.
    #[returns(VotesResponse)]
    VotesByProposal {
        /// The proposal's id.
        proposal_id: Uint64,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The votes of an address, by proposal.
    #[returns(VotesResponse)]
    VotesByVoter {
        /// The voter's address.
        voter: String,
        /// The page wanted; the first, if absent.
        page: Option<PageRequest>,
    },
    /// The weights of the votes on a proposal: those that decided it, or what they are now.
    #[returns(TallyResult)]
    Tally {
        /// The proposal's id.
        proposal_id: Uint64,
    },
}
