//! Proposals: submitted and withdrawn.

use cosmwasm_std::{Binary, Uint64};
use group::{
    limits::{MAX_MESSAGES, MAX_MESSAGES_BYTES},
    msg::{
        ExecuteMsg, ExecutorResult, ProposalStatus, SubmitProposalResponse, TallyResult, VoteOption,
    },
};

use super::suite::{EXECUTION, START, Suite, VOTING, dec, exec, submit, vote};

#[test]
fn submit_proposal() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    suite.wait(5);
    let messages = vec![suite.pay("ann", 1), suite.pay("bob", 2)];
    let id = suite.submit("cem", policy.policy_id, messages.clone());
    let proposal = suite.proposal(id).unwrap();
    assert_eq!(
        (proposal.id, proposal.policy_id),
        (Uint64::one(), policy.policy_id)
    );
    assert_eq!(proposal.proposer, suite.addr("cem").to_string());
    assert_eq!(
        (proposal.metadata.as_str(), proposal.messages),
        ("a proposal", messages)
    );
    assert_eq!(
        (proposal.group_version, proposal.policy_version),
        (Uint64::one(), Uint64::one())
    );
    let end = START + 5 + u64::from(VOTING);
    assert_eq!(proposal.submitted_at, Uint64::new(START + 5));
    assert_eq!(proposal.voting_period_end, Uint64::new(end));
    assert_eq!(
        proposal.execution_period_end,
        Uint64::new(end + u64::from(EXECUTION))
    );
    assert_eq!(proposal.status, ProposalStatus::Submitted);
    assert_eq!(proposal.executor_result, ExecutorResult::NotRun);
    assert_eq!(
        (proposal.votes, proposal.final_tally),
        (0, TallyResult::default())
    );
    assert_eq!(
        suite.submit("cem", policy.policy_id, vec![]),
        Uint64::new(2)
    );
}

#[test]
fn submit_of_wrong_input() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let id = policy.policy_id;
    suite.refused("admin", &submit(id, vec![], None), "E102");
    suite.refused("ann", &submit(Uint64::new(9), vec![], None), "E103");
    let many = vec![suite.pay("ann", 1); MAX_MESSAGES + 1];
    suite.refused("ann", &submit(id, many, None), "E208");
    suite.submit("ann", id, vec![suite.pay("ann", 1); MAX_MESSAGES]);
    let large = cosmwasm_std::WasmMsg::Execute {
        contract_addr: policy.account,
        msg: Binary::new(vec![0; MAX_MESSAGES_BYTES]),
        funds: vec![],
    };
    suite.refused("ann", &submit(id, vec![large.into()], None), "E209");
    let metadata = "x".repeat(256);
    let talk = ExecuteMsg::SubmitProposal {
        policy_id: id,
        messages: vec![],
        metadata,
        exec: None,
    };
    suite.refused("ann", &talk, "E206");
}

#[test]
fn submit_and_exec_at_once() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let pay = vec![suite.pay("cem", 4)];
    // Ann's weight is enough.
    let answer: SubmitProposalResponse =
        suite.answer("ann", &submit(policy.policy_id, pay.clone(), Some(true)));
    assert_eq!(suite.proposal(answer.proposal_id), None);
    assert_eq!(suite.balance("cem"), 4);
    // Bob's is not: the vote stays.
    let answer: SubmitProposalResponse =
        suite.answer("bob", &submit(policy.policy_id, pay, Some(true)));
    let proposal = suite.proposal(answer.proposal_id).unwrap();
    assert_eq!(
        (proposal.status, proposal.votes),
        (ProposalStatus::Submitted, 1)
    );
    assert_eq!(suite.tally(answer.proposal_id).yes, dec("2"));
}

#[test]
fn withdraw() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let one = suite.submit("bob", policy.policy_id, vec![]);
    let two = suite.submit("bob", policy.policy_id, vec![]);
    let withdraw = |proposal_id| ExecuteMsg::WithdrawProposal { proposal_id };
    suite.refused("ann", &withdraw(one), "E112");
    suite.run("bob", &withdraw(one));
    suite.run("admin", &withdraw(two));
    for id in [one, two] {
        assert_eq!(
            suite.proposal(id).unwrap().status,
            ProposalStatus::Withdrawn
        );
        suite.refused("bob", &withdraw(id), "E121");
        suite.refused("ann", &vote(id, VoteOption::Yes, None), "E121");
        suite.refused("ann", &exec(id), "E121");
    }
    suite.refused("bob", &withdraw(Uint64::new(9)), "E104");
}
