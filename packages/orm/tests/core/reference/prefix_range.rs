//! Where the range of all keys that begin with a prefix ends. The reference's `PrefixRange` carries and then pads with
//! zeros, so that its ranges are too wide; here the end is cut after the carry.

use cw_orm::successor;

#[test]
fn normal() {
    assert_eq!(successor(&[1, 3, 4]), Some(vec![1, 3, 5]));
}

#[test]
fn normal_short() {
    assert_eq!(successor(&[79]), Some(vec![80]));
}

/// Everything begins with it: there is no end.
#[test]
fn empty_case() {
    assert_eq!(successor(&[]), None);
}

/// The reference: `[17, 29, 0]`.
#[test]
fn roll_over_example_1() {
    assert_eq!(successor(&[17, 28, 255]), Some(vec![17, 29]));
}

/// The reference: `[15, 43, 0, 0]`, so that its range holds `[15, 43]`.
#[test]
fn roll_over_example_2() {
    assert_eq!(successor(&[15, 42, 255, 255]), Some(vec![15, 43]));
}

#[test]
fn pathological_roll_over() {
    assert_eq!(successor(&[255, 255, 255, 255]), None);
}
