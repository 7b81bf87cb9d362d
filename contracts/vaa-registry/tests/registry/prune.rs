//! Pruning: what goes, what stays, and in how large steps.

use vaa_registry::msg::ExecuteMsg;
use wormhole_vaa::Body;

use super::{
    observations::pending,
    observed::code,
    suite::{START, Suite, body, governance, keys, quorum_sign, upgrade},
};

fn digests(suite: &Suite) -> Vec<String> {
    let mut digests: Vec<_> = pending(suite, None)
        .messages
        .into_iter()
        .map(|row| row.digest)
        .collect();
    digests.sort();
    digests
}

fn names(bodies: &[&Body]) -> Vec<String> {
    let mut digests: Vec<_> = bodies
        .iter()
        .map(|body| body.digest().to_string())
        .collect();
    digests.sort();
    digests
}

#[test]
fn what_is_live_and_undecided_stays() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let empty = suite.prune(10);
    assert_eq!((empty.removed, empty.finished), (0, true));
    suite.observe(
        0,
        0,
        &keys[0],
        &[&body(1, b"a"), &body(1, b"b"), &body(2, b"a")],
    );
    let before = suite.dump();
    let done = suite.prune(10);
    assert_eq!((done.removed, done.finished), (0, true));
    assert_eq!(suite.dump(), before);
    // In steps of one it comes round as well, and leaves no trace.
    let steps: Vec<_> = (0..3).map(|_| suite.prune(1).finished).collect();
    assert_eq!(steps, [false, false, true]);
    assert_eq!(suite.dump(), before);
    for _ in 0..2 {
        suite.prune(1);
    }
    // Halfway through, more can come, before and after where it stands.
    suite.observe(0, 1, &keys[1], &[&body(0, b"a"), &body(3, b"a")]);
    assert!(suite.prune(10).finished);
    assert_eq!(digests(&suite).len(), 5);
}

#[test]
fn signatures_of_an_expired_set_go_and_those_of_others_stay() {
    let (old, new) = (keys(1..=4), keys(11..=14));
    let mut suite = Suite::of_keys(&old);
    let (both, only) = (body(1, b"a"), body(2, b"b"));
    suite.observe(0, 0, &old[0], &[&both, &only]);
    suite.observe(0, 1, &old[1], &[&both]);
    suite.stored(&quorum_sign(0, &old, &governance(1, &upgrade(1, &new))));
    suite.observe(1, 0, &new[0], &[&both]);
    suite.set_time(START + 86_400);
    assert_eq!(suite.prune(100).removed, 0);
    suite.set_time(START + 86_401);
    // Two signatures of one body; one of the other, and that body.
    assert_eq!(suite.prune(100).removed, 4);
    assert_eq!(digests(&suite), names(&[&both]));
    let sets = pending(&suite, Some(&both)).messages.remove(0).signatures;
    assert_eq!(
        (sets.len(), sets[0].guardian_set_index, sets[0].live),
        (1, 1, true)
    );
    assert_eq!(
        suite.observe(1, 1, &new[1], &[&both, &only]),
        ["pending 2/3", "pending 1/3"]
    );
    assert_eq!(suite.observe(1, 2, &new[2], &[&both]), ["stored"]);
}

#[test]
fn bodies_that_lost_to_another_go_and_can_come_back() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let (won, lost) = (body(1, b"won"), body(1, b"lost"));
    suite.observe(0, 0, &keys[0], &[&lost]);
    suite.observe(0, 1, &keys[1], &[&lost]);
    suite.stored(&quorum_sign(0, &keys, &won));
    assert_eq!(digests(&suite), names(&[&lost]));
    let before = suite.dump().len();
    assert_eq!(suite.prune(100).removed, 3);
    assert!(digests(&suite).is_empty());
    // The count of what is undecided went with them.
    assert_eq!(suite.dump().len(), before - 4);
    // Evidence of a second quorum still can gather.
    for (guardian, progress) in [(0, "pending 1/3"), (1, "pending 2/3"), (3, "conflict")] {
        assert_eq!(
            suite.observe(0, guardian, &keys[usize::from(guardian)], &[&lost]),
            [progress]
        );
    }
}

#[test]
fn a_body_can_go_in_parts_and_gather_again_from_what_is_left() {
    let keys = keys(1..=7);
    let mut suite = Suite::of_keys(&keys);
    let (won, lost) = (body(1, b"won"), body(1, b"lost"));
    for guardian in 0..4_u8 {
        suite.observe(0, guardian, &keys[usize::from(guardian)], &[&lost]);
    }
    suite.stored(&quorum_sign(0, &keys, &won));
    let done = suite.prune(2);
    assert_eq!((done.removed, done.finished), (2, false));
    assert_eq!(
        pending(&suite, None).messages[0].signatures[0].guardians,
        [0, 1]
    );
    // The two who were removed sign again, with one more: the count is of those who are there.
    for (guardian, progress) in [
        (1, "pending 2/5"),
        (3, "pending 3/5"),
        (6, "pending 4/5"),
        (2, "conflict"),
    ] {
        assert_eq!(
            suite.observe(0, guardian, &keys[usize::from(guardian)], &[&lost]),
            [progress]
        );
    }
    assert!(suite.prune(10).finished);
}

#[test]
fn steps_are_bounded_and_go_on() {
    let (old, new) = (keys(1..=4), keys(11..=14));
    let mut suite = Suite::of_keys(&old);
    let bodies: Vec<Body> = (0..25).map(|sequence| body(sequence, b"")).collect();
    for guardian in 0..2_u8 {
        suite.observe(
            0,
            guardian,
            &old[usize::from(guardian)],
            &bodies.iter().collect::<Vec<_>>(),
        );
    }
    suite.stored(&quorum_sign(0, &old, &governance(1, &upgrade(1, &new))));
    suite.set_time(START + 86_401);
    let mut removed = Vec::new();
    loop {
        let done = suite.prune(10);
        removed.push(done.removed);
        if done.finished {
            break;
        }
    }
    assert_eq!(removed, [10, 10, 10, 10, 10, 10, 10, 5]);
    assert!(digests(&suite).is_empty());
    let error = suite
        .call::<serde_json::Value>(&ExecuteMsg::Prune { limit: 0 })
        .unwrap_err();
    assert_eq!(code(&error), "E213");
    assert!(suite.prune(u32::MAX).finished);
}
