//! Governance: what is applied, what is kept without effect, and when sets expire.

use vaa_registry::msg::{
    Governance, GovernanceEmitter, GuardianSetResponse, GuardianSetsResponse, QueryMsg,
    VerifyResponse,
};

use super::suite::{
    START, Suite, addresses, body, governance, instantiate_msg, key, keys, quorum_sign, set_init,
    sign, upgrade,
};

fn not_applied(reason: &str) -> Option<Governance> {
    Some(Governance::NotApplied(reason.into()))
}

fn current(suite: &Suite) -> GuardianSetResponse {
    suite.ask(&QueryMsg::GuardianSet { index: None })
}

#[test]
fn the_first_reason_that_holds_is_given() {
    let old = keys(1..=1);
    let mut good = upgrade(1, &keys(11..=12));
    let case = |payload: &[u8], reason: &str| {
        let mut suite = Suite::of_keys(&old);
        let done = suite.submit_one(&quorum_sign(0, &old, &governance(1, payload)));
        assert_eq!(done.governance, not_applied(reason));
        assert_eq!(current(&suite).index, 0);
    };
    case(&[], "truncated_payload");
    case(&good[..34], "truncated_payload");
    case(&good[..35], "truncated_payload");
    case(&good[..39], "truncated_payload");
    case(&good[..79], "truncated_payload");
    case(&[&good[..], &[0; 5]].concat(), "trailing_bytes");
    case(&[0xff; 80], "other_module");
    case(&upgrade(2, &keys(11..=12)), "wrong_index");
    case(&[&good[..39], &[0][..]].concat(), "empty_set");
    case(&upgrade_of(&[[0; 20], [1; 20]]), "zero_guardian");
    case(&upgrade_of(&[[1; 20], [1; 20]]), "duplicate_guardian");
    good[32] = 3;
    case(&good, "other_action");
    good[32] = 2;
    good[34] = 2;
    case(&good, "other_chain");
}

/// An upgrade to set 1 of these addresses, in order or not.
fn upgrade_of(addresses: &[[u8; 20]]) -> Vec<u8> {
    let mut payload = upgrade(1, &keys(11..=11))[..39].to_vec();
    payload.push(addresses.len() as u8);
    payload.extend(addresses.iter().flatten());
    payload
}

#[test]
fn an_upgrade_by_a_replaced_set_is_kept_but_not_applied() {
    let (first, second) = (keys(1..=1), keys(2..=2));
    let mut suite = Suite::of_keys(&first);
    suite.stored(&quorum_sign(
        0,
        &first,
        &governance(1, &upgrade(1, &second)),
    ));
    let late = suite.submit_one(&quorum_sign(0, &first, &governance(2, &upgrade(2, &first))));
    assert_eq!(late.governance, not_applied("not_current_set"));
    assert_eq!(current(&suite).index, 1);
    // Other reasons are for ever, whoever signs.
    let wrong = governance(3, &upgrade(9, &first));
    suite.stored(&quorum_sign(1, &second, &wrong));
    suite.stored(&quorum_sign(
        1,
        &second,
        &governance(4, &upgrade(2, &keys(3..=3))),
    ));
    let again = suite.submit_one(&quorum_sign(2, &keys(3..=3), &wrong));
    assert_eq!(
        (again.outcome.as_str(), again.governance),
        ("resigned", None)
    );
    // So is the reason of one whose index has come and gone.
    let gone = suite.submit_one(&quorum_sign(
        2,
        &keys(3..=3),
        &governance(2, &upgrade(2, &first)),
    ));
    assert_eq!(gone.outcome.as_str(), "resigned");
    assert_eq!(gone.governance, not_applied("wrong_index"));
    assert_eq!(current(&suite).index, 2);
}

/// Signatures are of guardians, whatever set they are said to be of: whoever sees an upgrade can name the set before, which
/// counts for another day and has most of the same guardians, and bring that encoding first. It must not keep the upgrade
/// out.
#[test]
fn the_name_of_a_replaced_set_does_not_keep_an_upgrade_out() {
    let first = keys(1..=4);
    let second = [keys(1..=3), keys(11..=11)].concat();
    let third = keys(21..=24);
    let mut suite = Suite::of_keys(&first);
    suite.stored(&quorum_sign(
        0,
        &first,
        &governance(1, &upgrade(1, &second)),
    ));
    let change = governance(2, &upgrade(2, &third));
    let renamed = suite.submit_one(&sign(0, &first, &[0, 1, 2], &change));
    assert_eq!(renamed.governance, not_applied("not_current_set"));
    let real = sign(1, &second, &[0, 1, 2], &change);
    let told: VerifyResponse = suite.ask(&QueryMsg::Verify {
        vaa: real.clone().into(),
    });
    let done = suite.submit_one(&real);
    assert_eq!(done.outcome.as_str(), "resigned");
    assert_eq!(done.governance, Some(Governance::Applied(2)));
    assert_eq!(
        (told.outcome, told.governance),
        (done.outcome, done.governance)
    );
    assert_eq!(current(&suite).index, 2);
}

#[test]
fn a_conflicting_governance_message_is_decided_too() {
    let (first, second) = (keys(1..=1), keys(2..=2));
    let mut suite = Suite::of_keys(&first);
    suite.stored(&quorum_sign(0, &first, &governance(1, b"nothing")));
    let done = suite.submit_one(&quorum_sign(
        0,
        &first,
        &governance(1, &upgrade(1, &second)),
    ));
    assert_eq!(done.outcome.as_str(), "conflict");
    assert_eq!(done.governance, Some(Governance::Applied(1)));
    assert_eq!(current(&suite).index, 1);
    let again = suite.submit_one(&quorum_sign(
        0,
        &first,
        &governance(1, &upgrade(1, &second)),
    ));
    assert_eq!(
        (again.outcome.as_str(), again.governance),
        ("conflict", None)
    );
    assert_eq!(current(&suite).index, 1);
}

#[test]
fn another_authority_is_a_matter_of_configuration() {
    let first = keys(1..=1);
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&first), None)]);
    msg.governance = Some(GovernanceEmitter {
        chain: 2,
        address: format!("0x{}", "EE".repeat(32)),
    });
    let mut suite = Suite::create(&msg, START).unwrap();
    let wormholes = suite.submit_one(&quorum_sign(
        0,
        &first,
        &governance(1, &upgrade(1, &keys(2..=2))),
    ));
    assert_eq!(wormholes.governance, None);
    let own = suite.submit_one(&quorum_sign(0, &first, &body(1, &upgrade(1, &keys(2..=2)))));
    assert_eq!(own.governance, Some(Governance::Applied(1)));
}

#[test]
fn sets_are_listed_with_their_times() {
    let sets: Vec<_> = (1..=4_u8).map(|seed| vec![key(seed)]).collect();
    let mut suite = Suite::of_keys(&sets[0]);
    for (index, pair) in sets.windows(2).enumerate() {
        suite.set_time(START + 10 * (index as u64 + 1));
        let index = index as u32;
        suite.stored(&quorum_sign(
            index,
            &pair[0],
            &governance(u64::from(index), &upgrade(index + 1, &pair[1])),
        ));
    }
    let all: GuardianSetsResponse = suite.ask(&QueryMsg::GuardianSets { page: None });
    let times: Vec<(u64, Option<u64>, bool, bool)> = all
        .guardian_sets
        .iter()
        .map(|set| {
            (
                set.applied_at.u64() - START,
                set.expires_at.map(|at| at.u64() - START),
                set.current,
                set.live,
            )
        })
        .collect();
    assert_eq!(
        times,
        [
            (0, Some(10 + 86_400), false, true),
            (10, Some(20 + 86_400), false, true),
            (20, Some(30 + 86_400), false, true),
            (30, None, true, true)
        ]
    );
    assert_eq!(all.page.next_key, None);
}
