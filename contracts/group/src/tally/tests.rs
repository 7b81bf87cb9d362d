//! Decisions, by examples and against exact fractions.

#![allow(clippy::arithmetic_side_effects)]

use cosmwasm_std::{Decimal, Uint512};
use proptest::prelude::*;

use super::{Verdict, decide};
use crate::msg::{DecisionPolicy, TallyResult, Windows};

const WINDOWS: Windows = Windows {
    voting_period: 1,
    min_execution_period: 0,
};

fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn threshold(text: &str) -> DecisionPolicy {
    DecisionPolicy::Threshold {
        threshold: dec(text),
        windows: WINDOWS,
    }
}

fn percentage(text: &str) -> DecisionPolicy {
    DecisionPolicy::Percentage {
        percentage: dec(text),
        windows: WINDOWS,
    }
}

fn votes(yes: &str, abstain: &str, no: &str, no_with_veto: &str) -> TallyResult {
    TallyResult {
        yes: dec(yes),
        abstain: dec(abstain),
        no: dec(no),
        no_with_veto: dec(no_with_veto),
    }
}

fn verdict(policy: &DecisionPolicy, tally: &TallyResult, total: &str) -> Verdict {
    decide(policy, tally, dec(total)).unwrap()
}

#[test]
fn threshold_counts_yes() {
    let policy = threshold("3");
    assert_eq!(
        verdict(&policy, &votes("3", "0", "0", "0"), "10"),
        Verdict::Accepted
    );
    assert_eq!(
        verdict(&policy, &votes("2.999999999999999999", "0", "0", "0"), "10"),
        Verdict::Open
    );
}

#[test]
fn threshold_that_others_can_no_more_reach() {
    let policy = threshold("3");
    assert_eq!(
        verdict(&policy, &votes("0", "3", "3", "1"), "10"),
        Verdict::Open
    );
    assert_eq!(
        verdict(&policy, &votes("0", "3", "3", "1.1"), "10"),
        Verdict::Rejected
    );
}

#[test]
fn threshold_over_the_whole_weight_is_the_whole_weight() {
    let policy = threshold("100");
    assert_eq!(
        verdict(&policy, &votes("10", "0", "0", "0"), "10"),
        Verdict::Accepted
    );
    assert_eq!(
        verdict(&policy, &votes("9", "0", "0", "0"), "10"),
        Verdict::Open
    );
    assert_eq!(
        verdict(&policy, &votes("9", "1", "0", "0"), "10"),
        Verdict::Rejected
    );
}

#[test]
fn percentage_is_of_the_whole_weight() {
    let policy = percentage("0.5");
    assert_eq!(
        verdict(&policy, &votes("5", "0", "0", "0"), "10"),
        Verdict::Accepted
    );
    assert_eq!(
        verdict(&policy, &votes("4", "0", "5", "0"), "10"),
        Verdict::Open
    );
    assert_eq!(
        verdict(&policy, &votes("4", "1", "4", "1"), "10"),
        Verdict::Rejected
    );
    assert_eq!(
        verdict(&percentage("1"), &votes("10", "0", "0", "0"), "10"),
        Verdict::Accepted
    );
}

/// A third of three is less than 0.333…4 and more than 0.333…3: a rounded quotient would be neither.
#[test]
fn percentage_is_exact() {
    let third = votes("1", "0", "2", "0");
    assert_eq!(
        verdict(&percentage("0.333333333333333333"), &third, "3"),
        Verdict::Accepted
    );
    assert_eq!(
        verdict(&percentage("0.333333333333333334"), &third, "3"),
        Verdict::Rejected
    );
}

#[test]
fn group_without_weight_decides_nothing() {
    assert_eq!(
        verdict(&threshold("1"), &TallyResult::default(), "0"),
        Verdict::Open
    );
    assert_eq!(
        verdict(&percentage("0.1"), &TallyResult::default(), "0"),
        Verdict::Open
    );
}

#[test]
fn more_votes_than_weight_is_damage_and_no_panic() {
    assert!(decide(&threshold("1"), &votes("0", "0", "9", "0"), dec("8")).is_err());
    let most = Decimal::MAX.to_string();
    assert!(decide(&threshold("1"), &votes("0", &most, &most, "0"), dec("8")).is_err());
}

#[test]
fn greatest_weights() {
    let most = Decimal::MAX.to_string();
    assert_eq!(
        verdict(&percentage("1"), &votes(&most, "0", "0", "0"), &most),
        Verdict::Accepted
    );
}

proptest! {
    #[test]
    fn percentage_is_a_comparison_of_fractions(
        yes in any::<u64>(), others in any::<u64>(), rest in any::<u64>(), share in 1..=1_000_000_000_000_000_000_u64,
    ) {
        let atoms = |n: u64| Decimal::new(n.into());
        let tally = TallyResult { yes: atoms(yes), no: atoms(others), ..TallyResult::default() };
        let total = u128::from(yes) + u128::from(others) + u128::from(rest);
        prop_assume!(total > 0);
        let policy = DecisionPolicy::Percentage { percentage: atoms(share), windows: WINDOWS };
        let reached = |yes: u128| {
            Uint512::from(yes) * Uint512::from(1_000_000_000_000_000_000_u64)
                >= Uint512::from(share) * Uint512::from(total)
        };
        let want = if reached(yes.into()) {
            Verdict::Accepted
        } else if reached(u128::from(yes) + u128::from(rest)) {
            Verdict::Open
        } else {
            Verdict::Rejected
        };
        prop_assert_eq!(decide(&policy, &tally, Decimal::new(total.into())).unwrap(), want);
    }
}
