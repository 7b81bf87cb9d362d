//! The dry run.

use cosmwasm_std::Binary;
use vaa_registry::msg::{QueryMsg, VerifyResponse};

use super::suite::{START, Suite, body, governance, keys, quorum_sign, sign, upgrade};

fn verify(suite: &Suite, vaa: &[u8]) -> VerifyResponse {
    suite.ask(&QueryMsg::Verify {
        vaa: Binary::new(vaa.to_vec()),
    })
}

fn codes(answer: &VerifyResponse) -> Vec<&str> {
    answer
        .errors
        .iter()
        .map(|error| error.code.as_str())
        .collect()
}

#[test]
fn every_reason_is_given() {
    let keys = keys(1..=7);
    let mut suite = Suite::of_keys(&keys);
    let other = super::suite::keys(21..=27);
    let answer = verify(&suite, &sign(0, &other, &[3, 1], &body(1, b"a")));
    assert_eq!(codes(&answer), ["E106", "E108", "E111", "E111"]);
    assert!(!answer.valid);
    suite.stored(&quorum_sign(0, &keys, &governance(1, &upgrade(1, &other))));
    suite.set_time(START + 86_401);
    let answer = verify(&suite, &sign(0, &other, &[3, 1], &body(1, b"a")));
    assert_eq!(codes(&answer), ["E106", "E108", "E111", "E111", "E105"]);
    assert_eq!(codes(&verify(&suite, &[1, 2, 3])), ["E101"]);
    assert_eq!(
        codes(&verify(&suite, &quorum_sign(9, &keys, &body(1, b"a")))),
        ["E104"]
    );
}

#[test]
fn registered_is_one_thing_and_signed_another() {
    let keys = keys(1..=4);
    let mut suite = Suite::of_keys(&keys);
    let body = body(1, b"a");
    suite.stored(&quorum_sign(0, &keys, &body));
    let before = suite.dump();
    let good = verify(&suite, &quorum_sign(0, &keys, &body));
    assert_eq!(
        (good.valid, good.outcome.as_str()),
        (true, "already_registered")
    );
    let bad = verify(&suite, &sign(0, &keys, &[0], &body));
    assert_eq!(
        (bad.valid, bad.outcome.as_str()),
        (false, "already_registered")
    );
    assert_eq!(codes(&bad), ["E108"]);
    assert_eq!(suite.dump(), before);
}
