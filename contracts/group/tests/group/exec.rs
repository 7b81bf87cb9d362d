//! Execution: decided by the tally, run by the policy's account, all or none.

use cosmwasm_std::{Binary, CosmosMsg, Uint64, WasmMsg, to_json_binary};
use group::msg::{
    DecisionPolicy, ExecResponse, ExecuteMsg, ExecutorResult, ProposalStatus, QueryMsg, VoteOption,
    VotesResponse, Windows,
};

use super::suite::{EXECUTION, START, Suite, VOTING, attributes, dec, exec, percentage_of, vote};

fn votes(suite: &Suite, proposal_id: Uint64) -> usize {
    let answer: VotesResponse = suite.ask(&QueryMsg::VotesByProposal {
        proposal_id,
        page: None,
    });
    answer.votes.len()
}

/// A call of the contract itself, as a proposal's message.
fn call(suite: &Suite, msg: &ExecuteMsg) -> CosmosMsg {
    WasmMsg::Execute {
        contract_addr: suite.contract.to_string(),
        msg: to_json_binary(msg).unwrap(),
        funds: vec![],
    }
    .into()
}

#[test]
fn accepted_and_run() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("4");
    let id = suite.submit(
        "cem",
        policy.policy_id,
        vec![suite.pay("dee", 7), suite.pay("eve", 8)],
    );
    suite.vote("ann", id, VoteOption::Yes);
    suite.refused("anybody", &exec(id), "E124");
    suite.vote("cem", id, VoteOption::Yes);
    let response = suite.run("anybody", &exec(id));
    assert_eq!(
        attributes(&response, "proposal_decided", "status"),
        ["accepted"]
    );
    assert_eq!(
        attributes(&response, "proposal_executed", "result"),
        ["success"]
    );
    assert_eq!((suite.balance("dee"), suite.balance("eve")), (7, 8));
    assert_eq!(suite.proposal(id), None, "done and deleted");
    assert_eq!(votes(&suite, id), 0);
    suite.refused("anybody", &exec(id), "E104");
}

#[test]
fn the_answer_tells_tally_and_status() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("4");
    let id = suite.submit("cem", policy.policy_id, vec![suite.pay("dee", 7)]);
    suite.vote("ann", id, VoteOption::Yes);
    suite.vote("cem", id, VoteOption::Yes);
    let answer: ExecResponse = suite.answer("anybody", &exec(id));
    assert_eq!(
        (answer.status, answer.executed),
        (ProposalStatus::Accepted, true)
    );
    assert_eq!(answer.tally.yes, dec("4"));
}

#[test]
fn rejected_once_it_can_not_be_accepted() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("4");
    let id = suite.submit("cem", policy.policy_id, vec![suite.pay("dee", 7)]);
    suite.vote("bob", id, VoteOption::No);
    suite.refused("anybody", &exec(id), "E124");
    suite.vote("cem", id, VoteOption::NoWithVeto);
    let answer: ExecResponse = suite.answer("anybody", &exec(id));
    assert_eq!(
        (answer.status, answer.executed),
        (ProposalStatus::Rejected, false)
    );
    let proposal = suite.proposal(id).unwrap();
    assert_eq!(
        (proposal.status, proposal.final_tally),
        (ProposalStatus::Rejected, answer.tally)
    );
    assert_eq!(suite.tally(id), answer.tally);
    assert_eq!((votes(&suite, id), suite.balance("dee")), (0, 0));
    suite.refused("anybody", &exec(id), "E121");
    suite.refused("ann", &vote(id, VoteOption::Yes, None), "E121");
}

#[test]
fn undecided_at_the_end_is_rejected() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("4");
    let id = suite.submit("cem", policy.policy_id, vec![]);
    suite.vote("ann", id, VoteOption::Yes);
    suite.wait(u64::from(VOTING));
    suite.refused("anybody", &exec(id), "E124");
    suite.wait(1);
    let answer: ExecResponse = suite.answer("anybody", &exec(id));
    assert_eq!(answer.status, ProposalStatus::Rejected);
}

#[test]
fn accepted_at_the_end_is_run() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("4");
    let id = suite.submit("cem", policy.policy_id, vec![suite.pay("dee", 7)]);
    suite.vote("ann", id, VoteOption::Yes);
    suite.vote("bob", id, VoteOption::Yes);
    suite.wait(u64::from(VOTING) + u64::from(EXECUTION));
    suite.run("anybody", &exec(id));
    assert_eq!(suite.balance("dee"), 7);
}

#[test]
fn percentage() {
    let mut suite = Suite::new();
    let group = suite.create_group(&[("ann", "1"), ("bob", "1"), ("cem", "1")]);
    let policy = suite.create_policy(group, percentage_of("0.666666666666666667"));
    let id = suite.submit("ann", policy.policy_id, vec![]);
    suite.vote("ann", id, VoteOption::Yes);
    suite.vote("bob", id, VoteOption::Yes);
    suite.refused("anybody", &exec(id), "E124");
    suite.run("cem", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!(suite.proposal(id), None);
}

#[test]
fn vote_and_exec_at_once() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("4");
    let id = suite.submit("cem", policy.policy_id, vec![suite.pay("dee", 7)]);
    suite.run("ann", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!(
        suite.proposal(id).unwrap().status,
        ProposalStatus::Submitted
    );
    suite.run("bob", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!((suite.proposal(id), suite.balance("dee")), (None, 7));
}

#[test]
fn without_messages() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let id = suite.submit("cem", policy.policy_id, vec![]);
    let response = suite.run("ann", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!(
        attributes(&response, "proposal_executed", "result"),
        ["success"]
    );
    assert_eq!(suite.proposal(id), None);
}

#[test]
fn one_message_that_fails_undoes_all_and_can_be_tried_again() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let pay = vec![suite.pay("dee", 60), suite.pay("eve", 60)];
    let id = suite.submit("cem", policy.policy_id, pay);
    let response = suite.run("ann", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!(
        attributes(&response, "proposal_executed", "result"),
        ["failure"]
    );
    assert_eq!((suite.balance("dee"), suite.balance("eve")), (0, 0));
    let proposal = suite.proposal(id).unwrap();
    assert_eq!(proposal.status, ProposalStatus::Accepted);
    assert_eq!(proposal.executor_result, ExecutorResult::Failure);
    suite.fund(&policy.account, 120);
    let answer: ExecResponse = suite.answer("anybody", &exec(id));
    assert_eq!((answer.executed, answer.tally.yes), (true, dec("3")));
    assert_eq!((suite.balance("dee"), suite.balance("eve")), (60, 60));
    assert_eq!(suite.proposal(id), None);
}

#[test]
fn not_before_the_min_execution_period() {
    let mut suite = Suite::new();
    let group = suite.create_group(&[("ann", "1")]);
    let windows = Windows {
        voting_period: VOTING,
        min_execution_period: 100,
    };
    let decision = DecisionPolicy::Threshold {
        threshold: dec("1"),
        windows,
    };
    let policy = suite.create_policy(group, decision);
    let id = suite.submit("ann", policy.policy_id, vec![]);
    suite.vote("ann", id, VoteOption::Yes);
    // Decided, which is kept, but not run.
    let answer: ExecResponse = suite.answer("anybody", &exec(id));
    assert_eq!(
        (answer.status, answer.executed),
        (ProposalStatus::Accepted, false)
    );
    assert_eq!(
        suite.proposal(id).unwrap().executor_result,
        ExecutorResult::NotRun
    );
    assert_eq!(votes(&suite, id), 0);
    suite.refused("anybody", &exec(id), "E125");
    suite.wait(99);
    suite.refused("anybody", &exec(id), "E125");
    suite.wait(1);
    suite.run("anybody", &exec(id));
    assert_eq!(suite.proposal(id), None);
}

#[test]
fn not_after_the_execution_period() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let id = suite.submit("cem", policy.policy_id, vec![suite.pay("dee", 1)]);
    suite.vote("ann", id, VoteOption::Yes);
    suite.wait(u64::from(VOTING) + u64::from(EXECUTION) + 1);
    suite.refused("anybody", &exec(id), "E126");
    assert_eq!(suite.app.block_info().time.seconds(), START + 6_001);
}

/// The messages of a proposal come back to the contract and try to run the proposal again.
#[test]
fn no_second_run_from_within() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let again = call(&suite, &exec(Uint64::one()));
    let id = suite.submit("cem", policy.policy_id, vec![suite.pay("dee", 10), again]);
    assert_eq!(id, Uint64::one());
    let response = suite.run("ann", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!(
        attributes(&response, "proposal_executed", "result"),
        ["failure"]
    );
    assert_eq!(suite.balance("dee"), 0);
    assert_eq!(
        suite.proposal(id).unwrap().executor_result,
        ExecutorResult::Failure
    );
}

#[test]
fn a_proposal_can_execute_another() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let pay = suite.submit("cem", policy.policy_id, vec![suite.pay("dee", 10)]);
    suite.vote("ann", pay, VoteOption::Yes);
    let run = call(&suite, &exec(pay));
    let id = suite.submit("cem", policy.policy_id, vec![run, suite.pay("dee", 5)]);
    suite.run("ann", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!((suite.proposal(pay), suite.proposal(id)), (None, None));
    assert_eq!(suite.balance("dee"), 15);
}

#[test]
fn a_policy_has_no_right_to_what_others_own() {
    let mut suite = Suite::new();
    let (_, rich) = suite.with_threshold("3");
    let group = suite.create_group(&[("eve", "1")]);
    let poor = suite.create_policy(group, percentage_of("1"));
    // Eve's account is no owner of the rich one, and the contract takes nobody's word for it.
    let run = group_account::msg::ExecuteMsg::Run {
        messages: vec![suite.pay("eve", 100)],
    };
    let theft = WasmMsg::Execute {
        contract_addr: rich.account.clone(),
        msg: to_json_binary(&run).unwrap(),
        funds: vec![],
    };
    let id = suite.submit("eve", poor.policy_id, vec![theft.into()]);
    let response = suite.run("eve", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!(
        attributes(&response, "proposal_executed", "result"),
        ["failure"]
    );
    assert_eq!(suite.balance("eve"), 0);
}

/// Once everybody has left, the group module accepts whatever was proposed.
#[test]
fn a_group_without_members_accepts_nothing() {
    let mut suite = Suite::new();
    let (group_id, policy) = suite.with_threshold("3");
    let id = suite.submit("cem", policy.policy_id, vec![suite.pay("cem", 100)]);
    for name in ["ann", "bob", "cem"] {
        suite.run(name, &ExecuteMsg::LeaveGroup { group_id });
    }
    suite.refused("cem", &exec(id), "E124");
    suite.wait(u64::from(VOTING) + 1);
    let answer: ExecResponse = suite.answer("cem", &exec(id));
    assert_eq!(
        (answer.status, answer.executed),
        (ProposalStatus::Rejected, false)
    );
}

#[test]
fn messages_that_are_none_fail_as_a_whole() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let msg = Binary::new(b"no json".to_vec());
    let contract_addr = suite.contract.to_string();
    let broken = WasmMsg::Execute {
        contract_addr,
        msg,
        funds: vec![],
    };
    let id = suite.submit(
        "cem",
        policy.policy_id,
        vec![suite.pay("dee", 1), broken.into()],
    );
    suite.run("ann", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!(
        suite.proposal(id).unwrap().executor_result,
        ExecutorResult::Failure
    );
    assert_eq!(suite.balance("dee"), 0);
}
