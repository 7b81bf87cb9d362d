//! Votes and tallies.

use cosmwasm_std::Uint64;
use group::{
    limits::{MAX_MEMBERS, MAX_VOTES},
    msg::{ExecuteMsg, QueryMsg, TallyResult, VoteOption, VoteQueryResponse},
};

use super::suite::{START, Suite, VOTING, attributes, dec, vote};

fn open(suite: &mut Suite) -> (Uint64, Uint64) {
    let (group, policy) = suite.with_threshold("4");
    (group, suite.submit("cem", policy.policy_id, vec![]))
}

#[test]
fn vote_once() {
    let mut suite = Suite::new();
    let (_, id) = open(&mut suite);
    let response = suite.run("ann", &vote(id, VoteOption::NoWithVeto, None));
    assert_eq!(
        attributes(&response, "proposal_voted", "option"),
        ["no_with_veto"]
    );
    suite.refused("ann", &vote(id, VoteOption::NoWithVeto, None), "E123");
    suite.refused("ann", &vote(id, VoteOption::Yes, None), "E123");
    let voter = suite.addr("ann").to_string();
    let found: VoteQueryResponse = suite.ask(&QueryMsg::Vote {
        proposal_id: id,
        voter,
    });
    let found = found.vote.unwrap();
    assert_eq!(
        (found.option, found.submitted_at),
        (VoteOption::NoWithVeto, Uint64::new(START))
    );
    assert_eq!(suite.proposal(id).unwrap().votes, 1);
}

#[test]
fn vote_by_members_only() {
    let mut suite = Suite::new();
    let (group_id, id) = open(&mut suite);
    suite.refused("admin", &vote(id, VoteOption::Yes, None), "E102");
    suite.run("bob", &ExecuteMsg::LeaveGroup { group_id });
    suite.refused("bob", &vote(id, VoteOption::Yes, None), "E102");
    suite.refused("ann", &vote(Uint64::new(9), VoteOption::Yes, None), "E104");
}

#[test]
fn vote_until_the_last_second() {
    let mut suite = Suite::new();
    let (_, id) = open(&mut suite);
    suite.wait(u64::from(VOTING));
    suite.vote("ann", id, VoteOption::Yes);
    suite.wait(1);
    suite.refused("bob", &vote(id, VoteOption::Yes, None), "E122");
}

#[test]
fn vote_with_too_much_to_say() {
    let mut suite = Suite::new();
    let (_, proposal_id) = open(&mut suite);
    let (option, metadata, exec) = (VoteOption::Yes, "x".repeat(256), None);
    suite.refused(
        "ann",
        &ExecuteMsg::Vote {
            proposal_id,
            option,
            metadata,
            exec,
        },
        "E206",
    );
}

#[test]
fn tally_by_option() {
    let mut suite = Suite::new();
    let (_, id) = open(&mut suite);
    assert_eq!(suite.tally(id), TallyResult::default());
    suite.vote("ann", id, VoteOption::Abstain);
    suite.vote("bob", id, VoteOption::No);
    suite.vote("cem", id, VoteOption::Yes);
    let (yes, abstain, no) = (dec("1"), dec("3"), dec("2"));
    assert_eq!(
        suite.tally(id),
        TallyResult {
            yes,
            abstain,
            no,
            no_with_veto: dec("0")
        }
    );
}

#[test]
fn tally_by_the_weights_of_now() {
    let mut suite = Suite::new();
    let (group_id, id) = open(&mut suite);
    suite.vote("ann", id, VoteOption::Yes);
    suite.vote("bob", id, VoteOption::Yes);
    suite.run("bob", &ExecuteMsg::LeaveGroup { group_id });
    assert_eq!(suite.tally(id).yes, dec("3"), "bob's vote counts no more");
    let members = suite.members(&[("ann", "0.5"), ("bob", "10")]);
    suite.run(
        "admin",
        &ExecuteMsg::UpdateGroupMembers { group_id, members },
    );
    assert_eq!(
        suite.tally(id).yes,
        dec("10.5"),
        "bob is back, and so is his vote"
    );
}

#[test]
fn votes_on_one_proposal_do_not_count_for_another() {
    let mut suite = Suite::new();
    let (_, policy) = suite.with_threshold("4");
    let one = suite.submit("cem", policy.policy_id, vec![]);
    let two = suite.submit("cem", policy.policy_id, vec![]);
    suite.vote("ann", one, VoteOption::Yes);
    suite.vote("bob", two, VoteOption::No);
    assert_eq!(
        (suite.tally(one).yes, suite.tally(two).yes),
        (dec("3"), dec("0"))
    );
}

/// Members come and go, and leave votes behind; the tally stays bounded.
#[test]
fn as_many_votes_as_there_can_be() {
    let mut suite = Suite::new();
    let (group_id, id) = open(&mut suite);
    let replace = |suite: &mut Suite, come: std::ops::Range<u32>, go: std::ops::Range<u32>| {
        let names: Vec<(String, &str)> = come
            .map(|n| (format!("member{n}"), "1"))
            .chain(go.map(|n| (format!("member{n}"), "0")))
            .collect();
        for part in names.chunks(MAX_MEMBERS as usize) {
            let part: Vec<(&str, &str)> = part
                .iter()
                .map(|(name, weight)| (name.as_str(), *weight))
                .collect();
            let members = suite.members(&part);
            suite.run(
                "admin",
                &ExecuteMsg::UpdateGroupMembers { group_id, members },
            );
        }
    };
    let half = MAX_VOTES / 4;
    for round in 0..4 {
        let come = round * half..(round + 1) * half;
        let go = round.saturating_sub(1) * half..round * half;
        replace(&mut suite, come.clone(), go);
        for n in come {
            suite.vote(&format!("member{n}"), id, VoteOption::Abstain);
        }
    }
    suite.refused("ann", &vote(id, VoteOption::Yes, None), "E128");
    assert_eq!(suite.tally(id).abstain, dec(&half.to_string()));
}
