//! What is answered.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{CosmosMsg, Decimal, Uint64};
use cw_orm::PageResponse;

use super::{DecisionPolicy, VoteOption};

/// How the contract is set up.
#[cw_serde]
pub struct ConfigResponse {
    /// The code of which every new policy's account is.
    pub account_code_id: Uint64,
    /// How long after its voting period a proposal can be executed, in seconds.
    pub max_execution_period: u32,
}

/// A group.
#[cw_serde]
pub struct GroupResponse {
    /// Its id.
    pub id: Uint64,
    /// Who may change it.
    pub admin: String,
    /// Whatever the admin wrote.
    pub metadata: String,
    /// 1, and one more for each change.
    pub version: Uint64,
    /// The weight of all members.
    pub total_weight: Decimal,
    /// How many members it has.
    pub members: u32,
    /// When it was created.
    pub created_at: Uint64,
}

/// A group, or none.
#[cw_serde]
pub struct GroupQueryResponse {
    /// The group; null if there is none with this id.
    pub group: Option<GroupResponse>,
}

/// A page of groups.
#[cw_serde]
pub struct GroupsResponse {
    /// The groups.
    pub groups: Vec<GroupResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A member of a group.
#[cw_serde]
pub struct MemberResponse {
    /// The group's id.
    pub group_id: Uint64,
    /// The member's address.
    pub address: String,
    /// How much the member's vote weighs.
    pub weight: Decimal,
    /// Whatever the admin wrote.
    pub metadata: String,
    /// When the member was added.
    pub added_at: Uint64,
}

/// A member, or none.
#[cw_serde]
pub struct MemberQueryResponse {
    /// The member; null if the address is none of the group's.
    pub member: Option<MemberResponse>,
}

/// A page of members.
#[cw_serde]
pub struct MembersResponse {
    /// The members.
    pub members: Vec<MemberResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A policy of a group.
#[cw_serde]
pub struct PolicyResponse {
    /// Its id.
    pub id: Uint64,
    /// The address of its account.
    pub account: String,
    /// The group whose members vote.
    pub group_id: Uint64,
    /// Who may change it.
    pub admin: String,
    /// Whatever the admin wrote.
    pub metadata: String,
    /// 1, and one more for each change.
    pub version: Uint64,
    /// When a proposal is accepted.
    pub decision: DecisionPolicy,
    /// When it was created.
    pub created_at: Uint64,
}

/// A policy, or none.
#[cw_serde]
pub struct PolicyQueryResponse {
    /// The policy; null if there is none.
    pub policy: Option<PolicyResponse>,
}

/// A page of policies.
#[cw_serde]
pub struct PoliciesResponse {
    /// The policies.
    pub policies: Vec<PolicyResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// Where a proposal stands.
#[cw_serde]
#[derive(Copy, Eq)]
pub enum ProposalStatus {
    /// Open: not yet decided.
    Submitted,
    /// Accepted, to be executed.
    Accepted,
    /// Rejected.
    Rejected,
    /// Its policy changed while it was open.
    Aborted,
    /// Withdrawn while it was open.
    Withdrawn,
}

impl ProposalStatus {
    /// Returns its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Aborted => "aborted",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// What came of a proposal's messages. After a success the proposal is deleted. Stored by position: new ones come last.
#[cw_serde]
#[derive(Copy, Eq)]
pub enum ExecutorResult {
    /// They were not executed.
    NotRun,
    /// They are being executed, in this very transaction.
    Running,
    /// One failed, so that none took effect. They can be executed again.
    Failure,
}

/// The weights of the votes.
#[cw_serde]
#[derive(Copy, Eq, Default)]
pub struct TallyResult {
    /// Of yes.
    pub yes: Decimal,
    /// Of abstain.
    pub abstain: Decimal,
    /// Of no.
    pub no: Decimal,
    /// Of no with veto.
    pub no_with_veto: Decimal,
}

/// A proposal.
#[cw_serde]
pub struct ProposalResponse {
    /// Its id.
    pub id: Uint64,
    /// The policy whose account is to act.
    pub policy_id: Uint64,
    /// Who proposed it.
    pub proposer: String,
    /// Whatever the proposer wrote.
    pub metadata: String,
    /// What the account is to execute.
    pub messages: Vec<CosmosMsg>,
    /// When it was submitted.
    pub submitted_at: Uint64,
    /// The group's version then.
    pub group_version: Uint64,
    /// The policy's version then.
    pub policy_version: Uint64,
    /// The last second in which members can vote.
    pub voting_period_end: Uint64,
    /// The last second in which it can be executed.
    pub execution_period_end: Uint64,
    /// Where it stands.
    pub status: ProposalStatus,
    /// What came of its messages.
    pub executor_result: ExecutorResult,
    /// How many votes were given.
    pub votes: u32,
    /// The tally that decided it; all zero before. See `tally`.
    pub final_tally: TallyResult,
}

/// A proposal, or none.
#[cw_serde]
pub struct ProposalQueryResponse {
    /// The proposal; null if there is none with this id, as after its execution.
    pub proposal: Option<ProposalResponse>,
}

/// A page of proposals.
#[cw_serde]
pub struct ProposalsResponse {
    /// The proposals.
    pub proposals: Vec<ProposalResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A vote.
#[cw_serde]
pub struct VoteResponse {
    /// The proposal's id.
    pub proposal_id: Uint64,
    /// Who voted.
    pub voter: String,
    /// The vote.
    pub option: VoteOption,
    /// Whatever the voter wrote.
    pub metadata: String,
    /// When it was given.
    pub submitted_at: Uint64,
}

/// A vote, or none.
#[cw_serde]
pub struct VoteQueryResponse {
    /// The vote; null if there is none, as after the proposal was decided.
    pub vote: Option<VoteResponse>,
}

/// A page of votes.
#[cw_serde]
pub struct VotesResponse {
    /// The votes.
    pub votes: Vec<VoteResponse>,
    /// What comes next.
    pub page: PageResponse,
}
