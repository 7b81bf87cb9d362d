//! Batches: abort and skip, limits, what is written and what not.

use vaa_registry::msg::{IndexFlags, Limits, OnInvalid, OutcomeKind};

use super::suite::{
    START, Suite, addresses, body, instantiate_msg, keys, quorum_sign, set_init, sign, upgrade,
};

#[test]
fn abort_stores_nothing_of_a_batch_with_a_refused_vaa() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let good = quorum_sign(0, &keys, &body(1, b"a"));
    let bad = sign(0, &keys, &[0, 1], &body(2, b"b"));
    let before = suite.dump();
    let error = suite.execute(&[good, bad], OnInvalid::Abort).unwrap_err();
    assert!(
        error.contains("VAA 1 of the batch") && error.contains("[E108]"),
        "{error}"
    );
    assert_eq!(suite.dump(), before);
}

#[test]
fn skip_stores_what_it_can() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let good = quorum_sign(0, &keys, &body(1, b"a"));
    let bad = sign(0, &keys, &[0, 1], &body(2, b"b"));
    let done = suite.submit(&[bad, vec![1], good.clone(), good]);
    let kinds: Vec<&str> = done
        .iter()
        .map(|outcome| outcome.outcome.as_str())
        .collect();
    assert_eq!(
        kinds,
        ["refused", "refused", "stored", "already_registered"]
    );
    assert_eq!(done[1].id, None);
    assert_eq!(done[1].error.as_ref().unwrap().code, "E101");
    assert_eq!(
        done[0].id.as_deref(),
        Some(format!("2/{}/2", "ee".repeat(32)).as_str())
    );
}

#[test]
fn an_upgrade_holds_for_the_vaas_after_it_in_the_batch() {
    let (old, new) = (keys(1..=1), keys(11..=13));
    let mut suite = Suite::of_keys(&old);
    let change = quorum_sign(0, &old, &super::suite::governance(1, &upgrade(1, &new)));
    let after = quorum_sign(1, &new, &body(5, b"x"));
    let done = suite.submit(&[after.clone(), change, after]);
    let kinds: Vec<&str> = done
        .iter()
        .map(|outcome| outcome.outcome.as_str())
        .collect();
    assert_eq!(kinds, ["refused", "stored", "stored"]);
}

#[test]
fn a_batch_has_its_limits() {
    let keys = keys(1..=1);
    let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys), None)]);
    msg.limits = Some(Limits {
        batch: 2,
        payload: 10,
        scan_budget: 100,
    });
    let mut suite = Suite::create(&msg, START).unwrap();
    let vaa = quorum_sign(0, &keys, &body(1, b"0123456789"));
    assert!(
        suite
            .execute(&[], OnInvalid::Skip)
            .unwrap_err()
            .contains("[E201]")
    );
    assert!(
        suite
            .execute(&[vaa.clone(), vaa.clone(), vaa.clone()], OnInvalid::Skip)
            .unwrap_err()
            .contains("[E202]")
    );
    assert_eq!(suite.verdict(&vaa), "stored");
    assert_eq!(
        suite.verdict(&quorum_sign(0, &keys, &body(2, b"0123456789a"))),
        "E103"
    );
    // The payload's limit is looked at before the structure.
    let mut foreign = quorum_sign(0, &keys, &body(2, b"0123456789a"));
    foreign[0] = 2;
    assert_eq!(suite.verdict(&foreign), "E103");
}

#[test]
fn a_registered_digest_is_known_before_any_signature_is_looked_at() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    suite.stored(&quorum_sign(0, &keys, &body));
    let before = suite.dump();
    let nonsense = sign(0, &super::suite::keys(31..=34), &[0], &body);
    assert_eq!(suite.verdict(&nonsense), "already_registered");
    assert_eq!(
        suite.verdict(&sign(0, &keys, &[1, 2, 3], &body)),
        "already_registered"
    );
    assert_eq!(suite.dump(), before);
}

#[test]
fn a_newer_set_signs_again_and_the_older_signatures_stay() {
    let (old, new) = (keys(1..=3), keys(11..=13));
    let mut suite = Suite::of_keys(&old);
    let body = body(1, b"a");
    suite.stored(&quorum_sign(0, &old, &body));
    suite.stored(&quorum_sign(
        0,
        &old,
        &super::suite::governance(1, &upgrade(1, &new)),
    ));
    let before = suite.dump();
    // A newer set is verified in full; what fails writes nothing.
    assert_eq!(suite.verdict(&sign(1, &new, &[0, 1], &body)), "E108");
    assert_eq!(suite.verdict(&sign(1, &old, &[0, 1, 2], &body)), "E111");
    assert_eq!(suite.verdict(&sign(2, &new, &[0, 1, 2], &body)), "E104");
    assert_eq!(suite.dump(), before);
    let again = suite.submit_one(&quorum_sign(1, &new, &body));
    assert_eq!(
        (again.outcome, again.governance),
        (OutcomeKind::Resigned, None)
    );
    let after = suite.dump();
    assert_eq!(
        suite.verdict(&quorum_sign(1, &new, &body)),
        "already_registered"
    );
    assert_eq!(
        suite.verdict(&quorum_sign(0, &old, &body)),
        "already_registered"
    );
    assert_eq!(suite.dump(), after);
}

#[test]
fn indexes_that_are_off_are_not_written() {
    let keys = keys(1..=1);
    let vaa = quorum_sign(0, &keys, &body(1, b"a"));
    let next = quorum_sign(0, &keys, &body(2, b"a"));
    let entries = |indexes: IndexFlags, totals: usize| {
        let mut msg = instantiate_msg(vec![set_init(0, addresses(&keys), None)]);
        msg.indexes = Some(indexes);
        let mut suite = Suite::create(&msg, START).unwrap();
        let before = suite.dump().len();
        suite.stored(&vaa);
        let first = suite.dump().len();
        suite.stored(&next);
        // The first message of an emitter brings the emitter, by id and by number, and its totals.
        assert_eq!(first - before, suite.dump().len() - first + 2 + totals);
        suite.dump().len() - first
    };
    // Two families and the digest; then one entry an index, but for the recipient that this message has not.
    assert_eq!(entries(IndexFlags::NONE, 0), 3);
    assert_eq!(entries(IndexFlags::ALL, 3), 7);
    assert_eq!(
        entries(
            IndexFlags {
                time: true,
                ..IndexFlags::NONE
            },
            0
        ),
        4
    );
}
