//! Pages: every list, both ways.

use cosmwasm_std::{Binary, Uint64};
use cw_orm::{PageRequest, PageResponse};
use group::msg::{
    ExecuteMsg, GroupsResponse, MembersResponse, PoliciesResponse, ProposalsResponse, QueryMsg,
    VoteOption, VotesResponse,
};

use super::suite::{START, Suite, VOTING, percentage_of, threshold_of};

/// Follows a list to its end, page by page.
fn walk<T>(
    limit: u64,
    reverse: bool,
    page: impl Fn(PageRequest) -> (Vec<T>, PageResponse),
) -> Vec<T> {
    let mut request = PageRequest {
        reverse,
        ..PageRequest::first(limit)
    };
    let mut all = Vec::new();
    loop {
        let (items, response) = page(request.clone());
        assert!(items.len() as u64 <= limit);
        all.extend(items);
        match request.after(&response) {
            Some(next) => request = next,
            None => return all,
        }
    }
}

/// Checks a list against what it should be, in pages of several sizes and in both directions.
fn check<T: PartialEq + std::fmt::Debug + Clone>(
    want: &[T],
    page: impl Fn(PageRequest) -> (Vec<T>, PageResponse),
) {
    let mut backward = want.to_vec();
    backward.reverse();
    for limit in [1, 2, 3, 30] {
        assert_eq!(walk(limit, false, &page), want);
        assert_eq!(walk(limit, true, &page), backward);
    }
}

fn groups(suite: &Suite, query: impl Fn(Option<PageRequest>) -> QueryMsg, want: &[u64]) {
    check(want, |page| {
        let answer: GroupsResponse = suite.ask(&query(Some(page)));
        (
            answer.groups.iter().map(|group| group.id.u64()).collect(),
            answer.page,
        )
    });
}

fn policies(suite: &Suite, query: impl Fn(Option<PageRequest>) -> QueryMsg, want: &[u64]) {
    check(want, |page| {
        let answer: PoliciesResponse = suite.ask(&query(Some(page)));
        (
            answer
                .policies
                .iter()
                .map(|policy| policy.id.u64())
                .collect(),
            answer.page,
        )
    });
}

fn proposals(suite: &Suite, query: impl Fn(Option<PageRequest>) -> QueryMsg, want: &[u64]) {
    check(want, |page| {
        let answer: ProposalsResponse = suite.ask(&query(Some(page)));
        (
            answer
                .proposals
                .iter()
                .map(|proposal| proposal.id.u64())
                .collect(),
            answer.page,
        )
    });
}

fn votes(suite: &Suite, query: impl Fn(Option<PageRequest>) -> QueryMsg, want: &[(u64, String)]) {
    check(want, |page| {
        let answer: VotesResponse = suite.ask(&query(Some(page)));
        let vote = |vote: &group::msg::VoteResponse| (vote.proposal_id.u64(), vote.voter.clone());
        (answer.votes.iter().map(vote).collect(), answer.page)
    });
}

#[test]
fn groups_by_id_admin_and_member() {
    let mut suite = Suite::new();
    for members in [
        &[("ann", "1")][..],
        &[],
        &[("ann", "1"), ("bob", "1")],
        &[("bob", "2")],
    ] {
        suite.create_group(members);
    }
    let bob = suite.addr("bob").to_string();
    let update = ExecuteMsg::UpdateGroupAdmin {
        group_id: Uint64::new(2),
        admin: bob.clone(),
    };
    suite.run("admin", &update);
    groups(&suite, |page| QueryMsg::Groups { page }, &[1, 2, 3, 4]);
    let by = |admin: &str| {
        let admin = suite.addr(admin).to_string();
        move |page| QueryMsg::GroupsByAdmin {
            admin: admin.clone(),
            page,
        }
    };
    groups(&suite, by("admin"), &[1, 3, 4]);
    groups(&suite, by("bob"), &[2]);
    groups(&suite, by("cem"), &[]);
    let of = |address: &str| {
        let address = suite.addr(address).to_string();
        move |page| QueryMsg::GroupsByMember {
            address: address.clone(),
            page,
        }
    };
    groups(&suite, of("ann"), &[1, 3]);
    groups(&suite, of("bob"), &[3, 4]);
    groups(&suite, of("admin"), &[]);
}

#[test]
fn members_by_group() {
    let mut suite = Suite::new();
    suite.create_group(&[("zoe", "1")]);
    let names = ["ann", "bob", "cem", "dee", "eve"];
    let group_id = suite.create_group(&names.map(|name| (name, "1")));
    suite.create_group(&[("ann", "1")]);
    let mut want = names.map(|name| suite.addr(name).to_string());
    want.sort();
    check(&want, |page| {
        let answer: MembersResponse = suite.ask(&QueryMsg::MembersByGroup {
            group_id,
            page: Some(page),
        });
        assert!(
            answer
                .members
                .iter()
                .all(|member| member.group_id == group_id)
        );
        (
            answer
                .members
                .into_iter()
                .map(|member| member.address)
                .collect(),
            answer.page,
        )
    });
}

#[test]
fn policies_by_group_and_admin() {
    let mut suite = Suite::new();
    let one = suite.create_group(&[("ann", "1")]);
    let two = suite.create_group(&[("ann", "1")]);
    for group in [one, two, one, two, two] {
        suite.create_policy(group, threshold_of("1"));
    }
    let admin = suite.addr("ann").to_string();
    suite.run(
        "admin",
        &ExecuteMsg::UpdatePolicyAdmin {
            policy_id: Uint64::new(4),
            admin,
        },
    );
    policies(
        &suite,
        |page| QueryMsg::PoliciesByGroup {
            group_id: one,
            page,
        },
        &[1, 3],
    );
    policies(
        &suite,
        |page| QueryMsg::PoliciesByGroup {
            group_id: two,
            page,
        },
        &[2, 4, 5],
    );
    policies(
        &suite,
        |page| QueryMsg::PoliciesByGroup {
            group_id: Uint64::MAX,
            page,
        },
        &[],
    );
    let by = |admin: &str| {
        let admin = suite.addr(admin).to_string();
        move |page| QueryMsg::PoliciesByAdmin {
            admin: admin.clone(),
            page,
        }
    };
    policies(&suite, by("admin"), &[1, 2, 3, 5]);
    policies(&suite, by("ann"), &[4]);
}

#[test]
fn proposals_by_policy_and_time_and_votes_by_proposal_and_voter() {
    let mut suite = Suite::new();
    let group = suite.create_group(&[("ann", "1"), ("bob", "1"), ("cem", "1")]);
    let one = suite.create_policy(group, percentage_of("1")).policy_id;
    let two = suite.create_policy(group, percentage_of("1")).policy_id;
    for policy in [one, two, one, one] {
        let id = suite.submit("ann", policy, vec![]);
        suite.vote("ann", id, VoteOption::Yes);
        if policy == one {
            suite.vote("bob", id, VoteOption::Abstain);
        }
        suite.wait(10);
    }
    proposals(
        &suite,
        |page| QueryMsg::ProposalsByPolicy {
            policy_id: one,
            page,
        },
        &[1, 3, 4],
    );
    proposals(
        &suite,
        |page| QueryMsg::ProposalsByPolicy {
            policy_id: two,
            page,
        },
        &[2],
    );
    let ends = |from: Option<u64>, to: Option<u64>| {
        let end = |seconds: u64| Uint64::new(START + u64::from(VOTING) + seconds);
        let (from, to) = (from.map(end), to.map(end));
        move |page| QueryMsg::ProposalsByVotingPeriodEnd { from, to, page }
    };
    proposals(&suite, ends(None, None), &[1, 2, 3, 4]);
    proposals(&suite, ends(Some(10), None), &[2, 3, 4]);
    proposals(&suite, ends(None, Some(10)), &[1, 2]);
    proposals(&suite, ends(Some(10), Some(20)), &[2, 3]);
    proposals(&suite, ends(Some(11), Some(19)), &[]);

    let [ann, bob] = ["ann", "bob"].map(|name| suite.addr(name).to_string());
    let mut both = vec![(3, ann.clone()), (3, bob.clone())];
    both.sort();
    let on = |id: u64| {
        move |page| QueryMsg::VotesByProposal {
            proposal_id: Uint64::new(id),
            page,
        }
    };
    votes(&suite, on(3), &both);
    votes(&suite, on(2), &[(2, ann.clone())]);
    votes(&suite, on(9), &[]);
    let by = |voter: &String| {
        let voter = voter.clone();
        move |page| QueryMsg::VotesByVoter {
            voter: voter.clone(),
            page,
        }
    };
    votes(&suite, by(&bob), &[1, 3, 4].map(|id| (id, bob.clone())));
    votes(&suite, by(&ann), &[1, 2, 3, 4].map(|id| (id, ann.clone())));
}

#[test]
fn requests_that_can_not_be_answered() {
    let mut suite = Suite::new();
    for _ in 0..3 {
        suite.create_group(&[]);
    }
    let page: GroupsResponse = suite.ask(&QueryMsg::Groups {
        page: Some(PageRequest::first(1)),
    });
    let key = page.page.next_key;
    let refused = |msg: &QueryMsg, code: &str| {
        let error = suite.query::<GroupsResponse>(msg).unwrap_err();
        assert!(error.contains(&format!("[{code}]")), "{error}");
    };
    let request = PageRequest {
        key,
        ..PageRequest::first(1)
    };
    let admin = suite.addr("admin").to_string();
    let elsewhere = QueryMsg::GroupsByAdmin {
        admin,
        page: Some(request.clone()),
    };
    refused(&elsewhere, "E212");
    let back = PageRequest {
        reverse: true,
        ..request.clone()
    };
    refused(&QueryMsg::Groups { page: Some(back) }, "E212");
    let both = PageRequest {
        offset: Some(Uint64::one()),
        ..request
    };
    refused(&QueryMsg::Groups { page: Some(both) }, "E212");
    let broken = PageRequest {
        key: Some(Binary::new(vec![1])),
        ..PageRequest::first(1)
    };
    refused(&QueryMsg::Groups { page: Some(broken) }, "E212");
    refused(
        &QueryMsg::GroupsByAdmin {
            admin: "x".into(),
            page: None,
        },
        "E201",
    );
    let (from, to) = (Some(Uint64::new(2)), Some(Uint64::one()));
    refused(
        &QueryMsg::ProposalsByVotingPeriodEnd {
            from,
            to,
            page: None,
        },
        "E211",
    );
    refused(
        &QueryMsg::Tally {
            proposal_id: Uint64::one(),
        },
        "E104",
    );
}

#[test]
fn counted_and_capped() {
    let mut suite = Suite::new();
    for _ in 0..31 {
        suite.create_group(&[]);
    }
    let count = PageRequest {
        count_total: true,
        ..PageRequest::first(1_000)
    };
    let page: GroupsResponse = suite.ask(&QueryMsg::Groups { page: Some(count) });
    assert_eq!(
        (page.groups.len(), page.page.total),
        (30, Some(Uint64::new(31)))
    );
    assert!(page.page.next_key.is_some());
    let page: GroupsResponse = suite.ask(&QueryMsg::Groups { page: None });
    assert_eq!(page.groups.len(), 10);
}
