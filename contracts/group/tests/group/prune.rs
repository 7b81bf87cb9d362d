//! Pruning what has expired, in bounded steps.

use cosmwasm_std::Uint64;
use group::msg::{ExecuteMsg, PruneResponse, QueryMsg, VoteOption, VotesResponse};

use super::suite::{EXECUTION, Suite, VOTING, exec, vote};

fn prune(suite: &mut Suite, limit: Option<u32>) -> PruneResponse {
    suite.answer("anybody", &ExecuteMsg::Prune { limit })
}

fn answer(proposals: u32, votes: u32, more: bool) -> PruneResponse {
    PruneResponse {
        proposals,
        votes,
        more,
    }
}

const LIFE: u64 = VOTING as u64 + EXECUTION as u64;

#[test]
fn nothing_to_prune() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    suite.submit("cem", policy.policy_id, vec![]);
    suite.wait(LIFE);
    let before = suite.dump();
    assert_eq!(
        prune(&mut suite, None),
        answer(0, 0, false),
        "its last second"
    );
    assert_eq!(suite.dump(), before);
}

#[test]
fn what_expired_goes_and_the_rest_stays() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("6");
    let before = suite.dump();
    let old = suite.submit("cem", policy.policy_id, vec![suite.pay("dee", 1)]);
    suite.vote("ann", old, VoteOption::Yes);
    let withdrawn = suite.submit("cem", policy.policy_id, vec![]);
    suite.run(
        "cem",
        &ExecuteMsg::WithdrawProposal {
            proposal_id: withdrawn,
        },
    );
    suite.wait(10);
    let young = suite.submit("cem", policy.policy_id, vec![]);
    suite.vote("ann", young, VoteOption::No);
    suite.wait(LIFE - 9);
    assert_eq!(prune(&mut suite, None), answer(2, 1, false));
    assert_eq!(
        (suite.proposal(old), suite.proposal(withdrawn)),
        (None, None)
    );
    let votes: VotesResponse = suite.ask(&QueryMsg::VotesByProposal {
        proposal_id: young,
        page: None,
    });
    assert_eq!(votes.votes.len(), 1);
    suite.wait(9);
    assert_eq!(prune(&mut suite, None), answer(0, 0, false));
    suite.wait(1);
    assert_eq!(prune(&mut suite, None), answer(1, 1, false));
    // Nothing is left but the number of the last proposal.
    let left: Vec<_> = suite
        .dump()
        .into_iter()
        .filter(|entry| !before.contains(entry))
        .collect();
    assert_eq!(
        left,
        [(b"\0\x02o\0".to_vec(), 3_u64.to_be_bytes().to_vec())]
    );
}

#[test]
fn in_steps_that_count_votes_and_proposals() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("6");
    for _ in 0..2 {
        let id = suite.submit("cem", policy.policy_id, vec![]);
        suite.vote("ann", id, VoteOption::Yes);
        suite.vote("bob", id, VoteOption::Abstain);
    }
    suite.wait(LIFE + 1);
    assert_eq!(prune(&mut suite, Some(1)), answer(0, 1, true));
    // Between the steps the proposal is still there, and dead.
    suite.refused("anybody", &exec(Uint64::one()), "E126");
    suite.refused("cem", &vote(Uint64::one(), VoteOption::Yes, None), "E122");
    assert_eq!(prune(&mut suite, Some(1)), answer(0, 1, true));
    assert_eq!(prune(&mut suite, Some(2)), answer(1, 1, true));
    assert_eq!(prune(&mut suite, Some(2)), answer(1, 1, false));
}

#[test]
fn rejected_and_failed_ones_too() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let rejected = suite.submit("cem", policy.policy_id, vec![]);
    suite.vote("ann", rejected, VoteOption::No);
    suite.vote("bob", rejected, VoteOption::No);
    suite.run("anybody", &exec(rejected));
    let failed = suite.submit("cem", policy.policy_id, vec![suite.pay("dee", 101)]);
    suite.run("ann", &vote(failed, VoteOption::Yes, Some(true)));
    suite.wait(LIFE + 1);
    assert_eq!(prune(&mut suite, None), answer(2, 0, false));
}

#[test]
fn limits() {
    let mut suite = Suite::new();
    for limit in [0, 201, u32::MAX] {
        suite.refused("anybody", &ExecuteMsg::Prune { limit: Some(limit) }, "E210");
    }
    assert_eq!(prune(&mut suite, Some(200)), answer(0, 0, false));
}
