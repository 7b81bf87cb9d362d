//! Tallies, and what decides a proposal. All exact: sums of decimals, and comparisons of whole products.

use cosmwasm_std::{Decimal, Order, Storage};

use crate::{
    error::ContractError,
    msg::{DecisionPolicy, TallyResult, VoteOption},
    state::{Member, Vote},
};

/// Adds up the votes on a proposal by the weights that the voters have now. Votes of those who left do not count.
pub(crate) fn tally(
    storage: &dyn Storage,
    group_id: u64,
    proposal_id: u64,
) -> Result<TallyResult, ContractError> {
    let mut tally = TallyResult::default();
    let votes = Vote::TABLE.prefix(&(proposal_id,))?;
    for vote in votes.rows(storage, Order::Ascending) {
        let vote = vote?;
        let Some(member) = Member::TABLE.get(storage, &(group_id, vote.voter))? else {
            continue;
        };
        let sum = match vote.option {
            VoteOption::Yes => &mut tally.yes,
            VoteOption::Abstain => &mut tally.abstain,
            VoteOption::No => &mut tally.no,
            VoteOption::NoWithVeto => &mut tally.no_with_veto,
        };
        *sum = plus(*sum, member.weight)?;
    }
    Ok(tally)
}

/// What a tally means while members can still vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Accepted, whatever the others vote.
    Accepted,
    /// Rejected, whatever the others vote.
    Rejected,
    /// It depends on them. At the end of the voting period this is a rejection.
    Open,
}

/// Decides. A group without weight decides nothing, so that nobody acts for it: the group module accepts any proposal
/// there, or fails to divide by zero.
pub(crate) fn decide(
    decision: &DecisionPolicy,
    tally: &TallyResult,
    total: Decimal,
) -> Result<Verdict, ContractError> {
    if total.is_zero() {
        return Ok(Verdict::Open);
    }
    let others = plus(plus(tally.abstain, tally.no)?, tally.no_with_veto)?;
    // The most that the yes votes can still become.
    let most = total.checked_sub(others).map_err(|_| damaged())?;
    let reached = |yes: Decimal| match decision {
        DecisionPolicy::Threshold { threshold, .. } => yes >= (*threshold).min(total),
        DecisionPolicy::Percentage { percentage, .. } => {
            // yes / total >= percentage, without a division.
            yes.atomics().full_mul(ONE.atomics()) >= percentage.atomics().full_mul(total.atomics())
        }
    };
    Ok(if reached(tally.yes) {
        Verdict::Accepted
    } else if reached(most) {
        Verdict::Open
    } else {
        Verdict::Rejected
    })
}

const ONE: Decimal = Decimal::one();

/// Adds weights that the store holds, whose sum is at most the group's, which is a decimal.
fn plus(a: Decimal, b: Decimal) -> Result<Decimal, ContractError> {
    a.checked_add(b).map_err(|_| damaged())
}

fn damaged() -> ContractError {
    ContractError::Damaged {
        what: "total weight of the group".into(),
    }
}

#[cfg(test)]
mod tests;
