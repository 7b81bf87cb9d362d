//! What can be done, and what is answered to it in the response's data.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{CosmosMsg, Decimal, Uint64};

use super::{ProposalStatus, TallyResult};

/// Changes groups, policies, proposals and votes.
#[cw_serde]
pub enum ExecuteMsg {
    /// Creates a group, whose admin is the sender. Answers with `CreateGroupResponse`.
    CreateGroup {
        /// Its members: up to 100, each once, none of weight zero.
        members: Vec<MemberUpdate>,
        /// Anything of up to 255 bytes.
        metadata: String,
    },
    /// Adds, changes and removes members. Only the group's admin may.
    UpdateGroupMembers {
        /// The group's id.
        group_id: Uint64,
        /// The members, each once, as they are to be; of weight zero: to be removed.
        members: Vec<MemberUpdate>,
    },
    /// Names another admin. Only the group's admin may.
    UpdateGroupAdmin {
        /// The group's id.
        group_id: Uint64,
        /// The new admin's address, as that of a policy's account.
        admin: String,
    },
    /// Changes a group's metadata. Only the group's admin may.
    UpdateGroupMetadata {
        /// The group's id.
        group_id: Uint64,
        /// Anything of up to 255 bytes.
        metadata: String,
    },
    /// Leaves a group. Votes that the sender gave count no more.
    LeaveGroup {
        /// The group's id.
        group_id: Uint64,
    },
    /// Creates a policy of a group, with an account of its own; the policy's admin is the sender. Only the group's admin
    /// may. Answers with `CreatePolicyResponse`.
    CreatePolicy {
        /// The group's id.
        group_id: Uint64,
        /// Anything of up to 255 bytes.
        metadata: String,
        /// When a proposal is accepted.
        decision: DecisionPolicy,
    },
    /// Names another admin of a policy, which aborts its open proposals. Only the policy's admin may.
    UpdatePolicyAdmin {
        /// The policy's id.
        policy_id: Uint64,
        /// The new admin's address, as that of a policy's account.
        admin: String,
    },
    /// Changes when a policy accepts proposals, which aborts its open ones. Only the policy's admin may.
    UpdatePolicyDecision {
        /// The policy's id.
        policy_id: Uint64,
        /// When a proposal is accepted.
        decision: DecisionPolicy,
    },
    /// Changes a policy's metadata, which aborts its open proposals. Only the policy's admin may.
    UpdatePolicyMetadata {
        /// The policy's id.
        policy_id: Uint64,
        /// Anything of up to 255 bytes.
        metadata: String,
    },
    /// Proposes what a policy's account is to do. Only members of the policy's group may. Answers with
    /// `SubmitProposalResponse`.
    SubmitProposal {
        /// The policy's id.
        policy_id: Uint64,
        /// What the account is to execute: up to 32 messages, of 16,384 bytes of JSON.
        messages: Vec<CosmosMsg>,
        /// Anything of up to 255 bytes.
        metadata: String,
        /// Whether the sender votes yes at once, and the proposal is executed if that decides it; false, if absent.
        exec: Option<bool>,
    },
    /// Withdraws a proposal that is still open. Its proposer and the policy's admin may.
    WithdrawProposal {
        /// The proposal's id.
        proposal_id: Uint64,
    },
    /// Votes on a proposal, once, until the end of its voting period. Only members of the policy's group may.
    Vote {
        /// The proposal's id.
        proposal_id: Uint64,
        /// The vote.
        option: VoteOption,
        /// Anything of up to 255 bytes.
        metadata: String,
        /// Whether the proposal is executed if the vote decides it; false, if absent.
        exec: Option<bool>,
    },
    /// Tallies a proposal and, where it is accepted, has the policy's account execute its messages, all or none. Anybody
    /// may. A proposal that was executed is deleted; one whose messages failed can be executed again. Answers with
    /// `ExecResponse`.
    Exec {
        /// The proposal's id.
        proposal_id: Uint64,
    },
    /// Deletes proposals whose time to be executed has passed, and their votes, the oldest first. Anybody may. Answers
    /// with `PruneResponse`.
    Prune {
        /// How many votes and proposals to delete at most: 1 to 200, and 50 if absent.
        limit: Option<u32>,
    },
}

/// A member as it is to be.
#[cw_serde]
pub struct MemberUpdate {
    /// The member's address.
    pub address: String,
    /// How much the member's vote weighs, as `1` or `0.25`.
    pub weight: Decimal,
    /// Anything of up to 255 bytes.
    #[serde(default)]
    pub metadata: String,
}

/// When a proposal is accepted. Stored by position: new ones come last.
#[cw_serde]
#[derive(Eq)]
pub enum DecisionPolicy {
    /// When the yes votes weigh this much, or all of the group's weight if that is less.
    Threshold {
        /// The weight, over zero.
        threshold: Decimal,
        /// The times.
        windows: Windows,
    },
    /// When the yes votes weigh this share of the group's whole weight.
    Percentage {
        /// The share, over 0 and up to 1.
        percentage: Decimal,
        /// The times.
        windows: Windows,
    },
}

impl DecisionPolicy {
    /// Returns the times.
    #[must_use]
    pub const fn windows(&self) -> Windows {
        match self {
            Self::Threshold { windows, .. } | Self::Percentage { windows, .. } => *windows,
        }
    }
}

/// The times of a policy, in seconds from a proposal's submission.
#[cw_serde]
#[derive(Copy, Eq)]
pub struct Windows {
    /// How long members can vote; over zero.
    pub voting_period: u32,
    /// How long a proposal has to wait before it can be executed, also if it is accepted sooner.
    pub min_execution_period: u32,
}

/// A vote. Stored by position: new ones come last.
#[cw_serde]
#[derive(Copy, Eq)]
pub enum VoteOption {
    /// For it.
    Yes,
    /// Neither.
    Abstain,
    /// Against it.
    No,
    /// Against it, and against its being asked. Decisions count it like a no.
    NoWithVeto,
}

impl VoteOption {
    /// Returns its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Abstain => "abstain",
            Self::No => "no",
            Self::NoWithVeto => "no_with_veto",
        }
    }
}

/// The group that was created.
#[cw_serde]
pub struct CreateGroupResponse {
    /// Its id.
    pub group_id: Uint64,
}

/// The policy that was created.
#[cw_serde]
pub struct CreatePolicyResponse {
    /// Its id.
    pub policy_id: Uint64,
    /// The address of its account.
    pub account: String,
}

/// The proposal that was submitted.
#[cw_serde]
pub struct SubmitProposalResponse {
    /// Its id.
    pub proposal_id: Uint64,
}

/// What came of a proposal.
#[cw_serde]
pub struct ExecResponse {
    /// Accepted or rejected.
    pub status: ProposalStatus,
    /// The tally that decided it.
    pub tally: TallyResult,
    /// Whether its messages were executed; the event `proposal_executed` tells with what result. If not, and it is
    /// accepted, it is too early.
    pub executed: bool,
}

/// What was pruned.
#[cw_serde]
pub struct PruneResponse {
    /// How many proposals were deleted.
    pub proposals: u32,
    /// How many votes were deleted.
    pub votes: u32,
    /// Whether there is more to prune.
    pub more: bool,
}
