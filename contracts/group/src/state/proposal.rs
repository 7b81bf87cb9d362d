//! Proposals, in three families, of which each call reads and writes what it needs: the facts that every vote asks for, the
//! messages, which may be large and are read to be executed, and the progress, which every vote changes.

use cosmwasm_std::{Addr, CosmosMsg, Storage, from_json};
use cw_orm::{Family, Namespace, Sequence, Table};
use serde::{Deserialize, Serialize};

use super::Policy;
use crate::{
    error::ContractError,
    msg::{ExecutorResult, ProposalStatus, TallyResult},
};

pub(super) const SEQUENCE_NAMESPACE: &[Namespace] = &[Namespace::new(b"o\0")];

/// Gives the ids, from 1 on. A table with families takes its keys from its rows.
pub const PROPOSAL_SEQUENCE: Sequence = Sequence::new("proposals", Namespace::new(b"o\0"));

/// A proposal.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "proposals", ns = "o", limits(default = 10, max = 30))]
#[index(id = 4, name = by_policy, key(submission.policy_id))]
#[index(id = 5, name = by_voting_period_end, key(submission.voting_period_end))]
pub struct Proposal {
    /// Its id.
    #[pk]
    pub id: u64,
    /// Who submitted it, when and to which policy.
    #[family(id = 1)]
    pub submission: Option<Submission>,
    /// What is proposed.
    #[family(id = 2)]
    pub content: Option<Content>,
    /// Where it stands.
    #[family(id = 3)]
    pub progress: Option<Progress>,
}

/// Who submitted a proposal, when and to which policy. Never changes.
#[derive(Family, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The policy whose account is to act.
    pub policy_id: u64,
    /// Who proposed it.
    pub proposer: Addr,
    /// When it was submitted, in Unix seconds.
    pub submitted_at: u64,
    /// The group's version then.
    pub group_version: u64,
    /// The policy's version then.
    pub policy_version: u64,
    /// The last second in which members can vote.
    pub voting_period_end: u64,
}

/// What is proposed. Never changes.
#[derive(Family, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// Whatever the proposer wrote.
    pub metadata: String,
    /// What the account is to execute: JSON, since the kinds of messages grow in number and have no fixed positions.
    #[serde(with = "serde_bytes")]
    pub messages: Vec<u8>,
}

/// Where a proposal stands.
#[derive(Family, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// How far it was decided.
    pub status: Status,
    /// What came of its messages.
    pub executor_result: ExecutorResult,
    /// How many votes were given.
    pub votes: u32,
    /// The tally that decided it; all zero before.
    pub final_tally: TallyResult,
}

/// How far a proposal was decided. That its policy changed is not written into it, but seen from the versions: a change of
/// a policy is then one write, however many proposals are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Open, or aborted.
    Submitted,
    /// Accepted.
    Accepted,
    /// Rejected.
    Rejected,
    /// Withdrawn.
    Withdrawn,
}

impl Proposal {
    /// Reads the families that tell where a proposal stands.
    ///
    /// # Errors
    /// [`ContractError::UnknownProposal`], [`ContractError::Damaged`] if it lacks one, [`ContractError::Storage`].
    pub fn load(storage: &dyn Storage, id: u64) -> Result<(Submission, Progress), ContractError> {
        let families = Self::SUBMISSION.and(Self::PROGRESS);
        match Self::TABLE.get(storage, &id, families)? {
            Some(row) => Ok((present(id, row.submission)?, present(id, row.progress)?)),
            None => Err(ContractError::UnknownProposal { id }),
        }
    }

    /// Returns all families of a row that was read whole.
    ///
    /// # Errors
    /// [`ContractError::Damaged`] if it lacks one.
    pub fn whole(self) -> Result<(Submission, Content, Progress), ContractError> {
        Ok((
            present(self.id, self.submission)?,
            present(self.id, self.content)?,
            present(self.id, self.progress)?,
        ))
    }
}

fn present<F>(id: u64, family: Option<F>) -> Result<F, ContractError> {
    family.ok_or_else(|| ContractError::Damaged {
        what: format!("proposal {id}"),
    })
}

impl Content {
    /// Returns the messages.
    ///
    /// # Errors
    /// [`ContractError::Damaged`] if they are none that this code knows.
    pub fn cosmos_msgs(&self) -> Result<Vec<CosmosMsg>, ContractError> {
        from_json(&self.messages).map_err(|error| ContractError::Damaged {
            what: format!("list of messages ({error})"),
        })
    }
}

impl Submission {
    /// Returns the last second in which it can be executed.
    #[must_use]
    pub fn execution_period_end(&self, max_execution_period: u32) -> u64 {
        self.voting_period_end
            .saturating_add(max_execution_period.into())
    }
}

impl Progress {
    /// Returns where the proposal stands, given what its policy is now.
    #[must_use]
    pub fn status(&self, submission: &Submission, policy: &Policy) -> ProposalStatus {
        match self.status {
            Status::Submitted if submission.policy_version != policy.version => {
                ProposalStatus::Aborted
            }
            Status::Submitted => ProposalStatus::Submitted,
            Status::Accepted => ProposalStatus::Accepted,
            Status::Rejected => ProposalStatus::Rejected,
            Status::Withdrawn => ProposalStatus::Withdrawn,
        }
    }
}
