//! Groups, their members and their admin.

use cosmwasm_std::{Decimal, Uint64, coins};
use cw_multi_test::Executor;
use group::{
    limits::{MAX_MEMBERS, MAX_METADATA},
    msg::{ExecuteMsg, MemberQueryResponse, MemberResponse, MemberUpdate, QueryMsg},
};

use super::suite::{START, Suite, dec};

fn update(suite: &Suite, group_id: Uint64, members: &[(&str, &str)]) -> ExecuteMsg {
    ExecuteMsg::UpdateGroupMembers {
        group_id,
        members: suite.members(members),
    }
}

fn member(suite: &Suite, group_id: Uint64, name: &str) -> Option<MemberResponse> {
    let address = suite.addr(name).into();
    let answer: MemberQueryResponse = suite.ask(&QueryMsg::Member { group_id, address });
    answer.member
}

fn create(members: Vec<MemberUpdate>) -> ExecuteMsg {
    ExecuteMsg::CreateGroup {
        members,
        metadata: String::new(),
    }
}

#[test]
fn create_group() {
    let mut suite = Suite::new();
    let id = suite.create_group(&[("ann", "3"), ("bob", "0.5")]);
    let group = suite.group(id);
    assert_eq!((group.id, group.version), (Uint64::one(), Uint64::one()));
    assert_eq!((group.total_weight, group.members), (dec("3.5"), 2));
    assert_eq!(group.admin, suite.addr("admin").to_string());
    assert_eq!(group.created_at, Uint64::new(START));
    let ann = member(&suite, id, "ann").unwrap();
    assert_eq!(
        (ann.weight, ann.metadata.as_str()),
        (dec("3"), "this is ann")
    );
    assert_eq!(member(&suite, id, "cem"), None);
}

#[test]
fn create_group_without_members() {
    let mut suite = Suite::new();
    let id = suite.create_group(&[]);
    assert_eq!(
        (suite.group(id).total_weight, suite.group(id).members),
        (Decimal::zero(), 0)
    );
}

#[test]
fn create_group_of_wrong_input() {
    let mut suite = Suite::new();
    let twice = suite.members(&[("ann", "1"), ("bob", "1"), ("ann", "2")]);
    suite.refused("admin", &create(twice), "E202");
    let weightless = suite.members(&[("ann", "1"), ("bob", "0")]);
    suite.refused("admin", &create(weightless), "E203");
    let nobody = MemberUpdate {
        address: "nobody".into(),
        ..suite.member("ann", "1")
    };
    suite.refused("admin", &create(vec![nobody]), "E201");
    let upper = MemberUpdate {
        address: suite.addr("ann").to_string().to_uppercase(),
        ..suite.member("ann", "1")
    };
    suite.refused("admin", &create(vec![upper]), "E201");
    let talker = MemberUpdate {
        metadata: "x".repeat(MAX_METADATA + 1),
        ..suite.member("ann", "1")
    };
    suite.refused("admin", &create(vec![talker]), "E206");
    let metadata = "x".repeat(MAX_METADATA + 1);
    suite.refused(
        "admin",
        &ExecuteMsg::CreateGroup {
            members: vec![],
            metadata,
        },
        "E206",
    );
    let most = Decimal::MAX.to_string();
    let heavy = suite.members(&[("ann", &most), ("bob", "0.000000000000000001")]);
    suite.refused("admin", &create(heavy), "E205");
}

#[test]
fn as_many_members_as_there_can_be() {
    let mut suite = Suite::new();
    let names: Vec<String> = (0..=MAX_MEMBERS).map(|n| format!("member{n}")).collect();
    let all: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "1")).collect();
    suite.refused("admin", &create(suite.members(&all)), "E204");
    let id = suite.create_group(&all[1..]);
    assert_eq!(suite.group(id).members, MAX_MEMBERS);
    suite.refused("admin", &update(&suite, id, &all[..1]), "E204");
    // One out, one in.
    suite.run(
        "admin",
        &update(&suite, id, &[("member0", "1"), ("member1", "0")]),
    );
    assert_eq!(suite.group(id).members, MAX_MEMBERS);
}

#[test]
fn update_members_adds_changes_and_removes() {
    let mut suite = Suite::new();
    let id = suite.create_group(&[("ann", "3"), ("bob", "2")]);
    suite.wait(7);
    suite.run(
        "admin",
        &update(&suite, id, &[("ann", "0.25"), ("bob", "0"), ("cem", "4")]),
    );
    let group = suite.group(id);
    assert_eq!((group.total_weight, group.members), (dec("4.25"), 2));
    assert_eq!(group.version, Uint64::new(2));
    assert_eq!(member(&suite, id, "bob"), None);
    let (ann, cem) = (
        member(&suite, id, "ann").unwrap(),
        member(&suite, id, "cem").unwrap(),
    );
    assert_eq!(
        (ann.weight, ann.added_at),
        (dec("0.25"), Uint64::new(START))
    );
    assert_eq!(
        (cem.weight, cem.added_at),
        (dec("4"), Uint64::new(START + 7))
    );
}

#[test]
fn update_members_of_wrong_input() {
    let mut suite = Suite::new();
    let id = suite.create_group(&[("ann", "3")]);
    suite.refused("admin", &update(&suite, id, &[("bob", "0")]), "E102");
    suite.refused(
        "admin",
        &update(&suite, id, &[("bob", "1"), ("bob", "0")]),
        "E202",
    );
    // What came before in the same message is undone.
    suite.refused(
        "admin",
        &update(&suite, id, &[("ann", "1"), ("cem", "1"), ("bob", "0")]),
        "E102",
    );
    suite.refused("admin", &update(&suite, Uint64::new(9), &[]), "E101");
    let most = Decimal::MAX.to_string();
    suite.refused("admin", &update(&suite, id, &[("bob", &most)]), "E205");
    // The old weight is taken off before the new one is added.
    suite.run("admin", &update(&suite, id, &[("ann", &most)]));
    assert_eq!(suite.group(id).total_weight, Decimal::MAX);
}

#[test]
fn only_the_admin_changes_a_group() {
    let mut suite = Suite::new();
    let group_id = suite.create_group(&[("ann", "3")]);
    let admin = suite.addr("ann").to_string();
    let to_ann = ExecuteMsg::UpdateGroupAdmin { group_id, admin };
    let metadata = ExecuteMsg::UpdateGroupMetadata {
        group_id,
        metadata: "new".into(),
    };
    for msg in [
        update(&suite, group_id, &[("bob", "1")]),
        to_ann.clone(),
        metadata.clone(),
    ] {
        suite.refused("ann", &msg, "E111");
    }
    suite.run("admin", &metadata);
    suite.run("admin", &to_ann);
    suite.refused("admin", &metadata, "E111");
    suite.run("ann", &update(&suite, group_id, &[("bob", "1")]));
    let group = suite.group(group_id);
    assert_eq!(
        (group.metadata.as_str(), group.version),
        ("new", Uint64::new(4))
    );
    let admin = "nobody".to_owned();
    suite.refused(
        "ann",
        &ExecuteMsg::UpdateGroupAdmin { group_id, admin },
        "E201",
    );
    let metadata = "x".repeat(MAX_METADATA + 1);
    suite.refused(
        "ann",
        &ExecuteMsg::UpdateGroupMetadata { group_id, metadata },
        "E206",
    );
}

#[test]
fn leave() {
    let mut suite = Suite::new();
    let group_id = suite.create_group(&[("ann", "3"), ("bob", "2")]);
    let leave = ExecuteMsg::LeaveGroup { group_id };
    suite.run("bob", &leave);
    let group = suite.group(group_id);
    assert_eq!(
        (group.total_weight, group.members, group.version),
        (dec("3"), 1, Uint64::new(2))
    );
    suite.refused("bob", &leave, "E102");
    suite.refused("admin", &leave, "E102");
    suite.refused(
        "ann",
        &ExecuteMsg::LeaveGroup {
            group_id: Uint64::new(9),
        },
        "E101",
    );
    suite.run("ann", &leave);
    assert_eq!(suite.group(group_id).total_weight, Decimal::zero());
}

#[test]
fn groups_do_not_share_members() {
    let mut suite = Suite::new();
    let one = suite.create_group(&[("ann", "3")]);
    let two = suite.create_group(&[("ann", "5")]);
    suite.run("ann", &ExecuteMsg::LeaveGroup { group_id: one });
    assert_eq!(member(&suite, one, "ann"), None);
    assert_eq!(member(&suite, two, "ann").unwrap().weight, dec("5"));
}

#[test]
fn the_contract_takes_no_coins() {
    let mut suite = Suite::new();
    let (sender, contract) = (suite.addr("rich"), suite.contract.clone());
    suite.fund(sender.as_str(), 5);
    let error = suite
        .app
        .execute_contract(sender, contract, &create(vec![]), &coins(5, "coin"))
        .unwrap_err();
    assert!(format!("{error:?}").contains("[E213]"));
}
