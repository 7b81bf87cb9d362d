//! Votes.

use cosmwasm_std::Addr;
use cw_orm::Table;

use crate::msg::VoteOption;

/// A vote on a proposal. Deleted when the proposal is decided.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "votes", ns = "v", limits(default = 10, max = 30))]
pub struct Vote {
    /// The proposal's id.
    #[pk]
    pub proposal_id: u64,
    /// Who voted.
    #[pk]
    #[index(id = 1)]
    pub voter: Addr,
    /// The vote.
    pub option: VoteOption,
    /// Whatever the voter wrote.
    pub metadata: String,
    /// When it was given, in Unix seconds.
    pub submitted_at: u64,
}
