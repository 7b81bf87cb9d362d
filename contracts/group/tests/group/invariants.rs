//! Random calls: whatever members do, sums are right, votes belong to open proposals, and what is refused changes nothing.

use std::collections::BTreeSet;

use cosmwasm_std::{Decimal, Uint64};
use cw_orm::PageRequest;
use group::msg::{
    ExecuteMsg, MembersResponse, ProposalStatus, ProposalsResponse, QueryMsg, VoteOption,
    VotesResponse,
};
use proptest::{prelude::*, test_runner::Config};

use super::suite::{EXECUTION, Suite, VOTING, exec, submit, threshold_of, vote};

const NAMES: [&str; 4] = ["admin", "ann", "bob", "cem"];
const OPTIONS: [VoteOption; 4] = [
    VoteOption::Yes,
    VoteOption::Abstain,
    VoteOption::No,
    VoteOption::NoWithVeto,
];

#[derive(Clone, Debug)]
enum Op {
    Update(usize, u8),
    Leave,
    Submit(u8, bool),
    Vote(u64, usize, bool),
    Withdraw(u64),
    Policy,
    Exec(u64),
    Prune(u32),
    Wait(u64),
}

fn op() -> impl Strategy<Value = (usize, Op)> {
    let id = || 1..5_u64;
    let op = prop_oneof![
        3 => (0..4_usize, 0..4_u8).prop_map(|(who, weight)| Op::Update(who, weight)),
        1 => Just(Op::Leave),
        3 => (0..4_u8, any::<bool>()).prop_map(|(pay, exec)| Op::Submit(pay, exec)),
        8 => (id(), 0..4_usize, any::<bool>()).prop_map(|(id, option, exec)| Op::Vote(id, option, exec)),
        1 => id().prop_map(Op::Withdraw),
        1 => Just(Op::Policy),
        3 => id().prop_map(Op::Exec),
        2 => (1..4_u32).prop_map(Op::Prune),
        2 => prop_oneof![1..VOTING as u64, Just(EXECUTION as u64)].prop_map(Op::Wait),
    ];
    (0..4_usize, op)
}

fn message(suite: &Suite, op: &Op) -> Option<ExecuteMsg> {
    let (group_id, policy_id) = (Uint64::one(), Uint64::one());
    Some(match op {
        Op::Update(who, weight) => ExecuteMsg::UpdateGroupMembers {
            group_id,
            members: vec![suite.member(NAMES[*who], &weight.to_string())],
        },
        Op::Leave => ExecuteMsg::LeaveGroup { group_id },
        // The account has 100 coins: more than two large payments fail.
        Op::Submit(pay, exec) => {
            let pay = vec![suite.pay("payee", u128::from(*pay) * 20); usize::from(*pay)];
            submit(policy_id, pay, Some(*exec))
        }
        Op::Vote(id, option, exec) => vote(Uint64::new(*id), OPTIONS[*option], Some(*exec)),
        Op::Withdraw(id) => ExecuteMsg::WithdrawProposal {
            proposal_id: Uint64::new(*id),
        },
        Op::Policy => ExecuteMsg::UpdatePolicyMetadata {
            policy_id,
            metadata: String::new(),
        },
        Op::Exec(id) => exec(Uint64::new(*id)),
        Op::Prune(limit) => ExecuteMsg::Prune {
            limit: Some(*limit),
        },
        Op::Wait(_) => return None,
    })
}

fn check(suite: &Suite) -> Result<(), TestCaseError> {
    let page = Some(PageRequest::first(30));
    let group_id = Uint64::one();
    let group = suite.group(group_id);
    let members: MembersResponse = suite.ask(&QueryMsg::MembersByGroup {
        group_id,
        page: page.clone(),
    });
    let sum: Decimal = members.members.iter().map(|member| member.weight).sum();
    prop_assert_eq!(group.total_weight, sum);
    prop_assert_eq!(group.members as usize, members.members.len());
    prop_assert!(
        members
            .members
            .iter()
            .all(|member| !member.weight.is_zero())
    );

    let proposals: ProposalsResponse = suite.ask(&QueryMsg::ProposalsByPolicy {
        policy_id: Uint64::one(),
        page: page.clone(),
    });
    prop_assert_eq!(proposals.page.next_key, None, "all on one page");
    let mut by_voter = BTreeSet::new();
    for name in NAMES {
        let votes: VotesResponse = suite.ask(&QueryMsg::VotesByVoter {
            voter: suite.addr(name).into(),
            page: page.clone(),
        });
        by_voter.extend(
            votes
                .votes
                .iter()
                .map(|vote| (vote.proposal_id, vote.voter.clone())),
        );
    }
    let mut by_proposal = BTreeSet::new();
    for proposal in &proposals.proposals {
        let votes: VotesResponse = suite.ask(&QueryMsg::VotesByProposal {
            proposal_id: proposal.id,
            page: page.clone(),
        });
        let expired = suite.app.block_info().time.seconds() > proposal.execution_period_end.u64();
        let decided = matches!(
            proposal.status,
            ProposalStatus::Accepted | ProposalStatus::Rejected
        );
        if decided {
            prop_assert!(votes.votes.is_empty());
        } else if !expired {
            prop_assert_eq!(proposal.votes as usize, votes.votes.len());
        }
        by_proposal.extend(
            votes
                .votes
                .iter()
                .map(|vote| (vote.proposal_id, vote.voter.clone())),
        );
    }
    prop_assert_eq!(by_voter, by_proposal, "no vote without its proposal");
    Ok(())
}

proptest! {
    #![proptest_config(Config { cases: 12, failure_persistence: None, ..Config::default() })]

    #[test]
    fn sums_are_right_and_refusals_change_nothing(ops in proptest::collection::vec(op(), 1..40)) {
        let mut suite = Suite::new();
        let group = suite.create_group(&[("ann", "2"), ("bob", "1"), ("cem", "1")]);
        let policy = suite.create_policy(group, threshold_of("2"));
        suite.fund(&policy.account, 100);
        for (who, op) in ops {
            if let Op::Wait(seconds) = op {
                suite.wait(seconds);
            }
            if let Some(msg) = message(&suite, &op) {
                let before = suite.dump();
                if suite.execute(NAMES[who], &msg).is_err() {
                    prop_assert_eq!(suite.dump(), before);
                }
            }
            check(&suite)?;
        }
    }
}
