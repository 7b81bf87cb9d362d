//! Policies and their accounts.

use cosmwasm_std::{Addr, Uint64, coin};
use cw_multi_test::Executor;
use group::msg::{
    DecisionPolicy, ExecuteMsg, PolicyQueryResponse, ProposalStatus, QueryMsg, VoteOption, Windows,
};
use group_account::msg::{ExecuteMsg as AccountMsg, OwnerResponse, QueryMsg as AccountQuery};

use super::suite::{
    EXECUTION, START, Suite, VOTING, app, dec, exec, percentage_of, threshold_of, vote,
};

fn create(group_id: Uint64, decision: DecisionPolicy) -> ExecuteMsg {
    ExecuteMsg::CreatePolicy {
        group_id,
        metadata: String::new(),
        decision,
    }
}

#[test]
fn create_policy() {
    let mut suite = Suite::new();
    let group = suite.create_group(&[("ann", "1")]);
    let one = suite.create_policy(group, threshold_of("1"));
    let two = suite.create_policy(group, percentage_of("0.5"));
    assert_ne!(one.account, two.account);
    let policy = suite.policy(one.policy_id);
    assert_eq!(
        (policy.id, policy.version, policy.group_id),
        (Uint64::one(), Uint64::one(), group)
    );
    assert_eq!(policy.account, one.account);
    assert_eq!(policy.admin, suite.addr("admin").to_string());
    assert_eq!(
        (policy.decision, policy.created_at),
        (threshold_of("1"), Uint64::new(START))
    );
    let found: PolicyQueryResponse = suite.ask(&QueryMsg::PolicyByAccount {
        account: two.account,
    });
    assert_eq!(found.policy.unwrap().id, two.policy_id);
}

#[test]
fn an_account_acts_for_the_contract_alone() {
    let mut suite = Suite::new();
    let group = suite.create_group(&[("ann", "1")]);
    let account = Addr::unchecked(suite.create_policy(group, threshold_of("1")).account);
    let owner: OwnerResponse = suite
        .app
        .wrap()
        .query_wasm_smart(&account, &AccountQuery::Owner {})
        .unwrap();
    assert_eq!(owner.owner, suite.contract.to_string());
    let info = suite.app.wrap().query_wasm_contract_info(&account).unwrap();
    assert_eq!(info.admin, None);
    suite.fund(account.as_str(), 5);
    let run = AccountMsg::Run {
        messages: vec![suite.pay("admin", 5)],
    };
    let admin = suite.addr("admin");
    let error = suite
        .app
        .execute_contract(admin, account, &run, &[])
        .unwrap_err();
    assert!(format!("{error:?}").contains("[E101]"));
}

#[test]
fn create_policy_of_wrong_input() {
    let mut suite = Suite::new();
    let group = suite.create_group(&[("ann", "1")]);
    suite.refused("ann", &create(group, threshold_of("1")), "E111");
    suite.refused("admin", &create(Uint64::new(7), threshold_of("1")), "E101");
    let windows = |voting_period, min_execution_period| DecisionPolicy::Threshold {
        threshold: dec("1"),
        windows: Windows {
            voting_period,
            min_execution_period,
        },
    };
    for decision in [
        threshold_of("0"),
        percentage_of("0"),
        percentage_of("1.000000000000000001"),
        windows(0, 0),
        windows(VOTING, VOTING + EXECUTION + 1),
    ] {
        suite.refused("admin", &create(group, decision), "E207");
    }
    suite.run("admin", &create(group, windows(VOTING, VOTING + EXECUTION)));
    suite.run("admin", &create(group, windows(u32::MAX, u32::MAX)));
    let metadata = "x".repeat(256);
    let decision = threshold_of("1");
    suite.refused(
        "admin",
        &ExecuteMsg::CreatePolicy {
            group_id: group,
            metadata,
            decision,
        },
        "E206",
    );
}

#[test]
fn create_policy_without_code_for_its_account() {
    let mut suite = Suite::of(app(), 77);
    let group = suite.create_group(&[("ann", "1")]);
    suite.refused("admin", &create(group, threshold_of("1")), "E302");
}

#[test]
fn only_the_admin_changes_a_policy() {
    let mut suite = Suite::new();
    let group = suite.create_group(&[("ann", "1")]);
    let policy_id = suite.create_policy(group, threshold_of("1")).policy_id;
    let admin = suite.addr("ann").to_string();
    let to_ann = ExecuteMsg::UpdatePolicyAdmin { policy_id, admin };
    let metadata = ExecuteMsg::UpdatePolicyMetadata {
        policy_id,
        metadata: "new".into(),
    };
    let decision = percentage_of("1");
    let decide = ExecuteMsg::UpdatePolicyDecision {
        policy_id,
        decision: decision.clone(),
    };
    for msg in [&to_ann, &metadata, &decide] {
        suite.refused("ann", msg, "E111");
    }
    suite.run("admin", &metadata);
    suite.run("admin", &to_ann);
    suite.refused("admin", &decide, "E111");
    suite.run("ann", &decide);
    let policy = suite.policy(policy_id);
    assert_eq!(
        (policy.metadata.as_str(), policy.version),
        ("new", Uint64::new(4))
    );
    assert_eq!(policy.decision, decision);
    let decision = threshold_of("0");
    suite.refused(
        "ann",
        &ExecuteMsg::UpdatePolicyDecision {
            policy_id,
            decision,
        },
        "E207",
    );
    let policy_id = Uint64::new(9);
    let metadata = String::new();
    suite.refused(
        "ann",
        &ExecuteMsg::UpdatePolicyMetadata {
            policy_id,
            metadata,
        },
        "E103",
    );
}

#[test]
fn a_change_of_the_policy_aborts_what_is_open() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("3");
    let policy_id = policy.policy_id;
    let open = suite.submit("bob", policy_id, vec![suite.pay("bob", 1)]);
    let accepted = suite.submit("bob", policy_id, vec![suite.pay("bob", 2)]);
    // Accepted, but its messages fail, so that it stays.
    let costly = suite.submit("bob", policy_id, vec![suite.pay("bob", 200)]);
    suite.run("ann", &vote(costly, VoteOption::Yes, Some(true)));
    suite.vote("ann", accepted, VoteOption::Yes);
    let metadata = "new".into();
    suite.run(
        "admin",
        &ExecuteMsg::UpdatePolicyMetadata {
            policy_id,
            metadata,
        },
    );
    assert_eq!(
        suite.proposal(open).unwrap().status,
        ProposalStatus::Aborted
    );
    assert_eq!(
        suite.proposal(accepted).unwrap().status,
        ProposalStatus::Aborted,
        "not yet tallied"
    );
    assert_eq!(
        suite.proposal(costly).unwrap().status,
        ProposalStatus::Accepted
    );
    suite.refused("ann", &vote(open, VoteOption::Yes, None), "E121");
    suite.refused("ann", &exec(open), "E121");
    suite.refused(
        "bob",
        &ExecuteMsg::WithdrawProposal { proposal_id: open },
        "E121",
    );
    // New ones are open, and what was accepted can still be executed.
    suite.submit("bob", policy_id, vec![]);
    suite.fund(&policy.account, 300);
    suite.run("ann", &exec(costly));
    assert_eq!(suite.balance("bob"), 200);
}

#[test]
fn a_policy_can_be_the_admin_of_its_own_group() {
    let mut suite = Suite::new();
    let (group_id, policy) = suite.with_threshold("3");
    let admin = policy.account.clone();
    suite.run("admin", &ExecuteMsg::UpdateGroupAdmin { group_id, admin });
    let members = suite.members(&[("dee", "7"), ("cem", "0")]);
    let update = ExecuteMsg::UpdateGroupMembers { group_id, members };
    suite.refused("admin", &update, "E111");
    let contract_addr = suite.contract.to_string();
    let msg = cosmwasm_std::to_json_binary(&update).unwrap();
    let execute = cosmwasm_std::WasmMsg::Execute {
        contract_addr,
        msg,
        funds: vec![],
    };
    let id = suite.submit("cem", policy.policy_id, vec![execute.into()]);
    suite.run("ann", &vote(id, VoteOption::Yes, Some(true)));
    assert_eq!(suite.group(group_id).total_weight, dec("12"));
    assert_eq!(suite.proposal(id), None);
    assert_eq!(
        suite
            .app
            .wrap()
            .query_balance(&policy.account, "coin")
            .unwrap(),
        coin(100, "coin")
    );
}
