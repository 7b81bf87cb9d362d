//! The exact bytes of every type, under every rule.

use cosmwasm_std::{Addr, Binary, Timestamp, Uint64, Uint128};
use cw_orm::{Key, KeyRule};

use crate::fixture::unhex;

#[track_caller]
fn golden<K: Key + PartialEq + core::fmt::Debug>(key: &K, rules: [&str; 3]) {
    for (rule, bytes) in [KeyRule::Delimited, KeyRule::Ordered, KeyRule::RawLast]
        .into_iter()
        .zip(rules)
    {
        assert_eq!(
            hex::encode(key.encode(rule).unwrap()),
            bytes.replace(' ', ""),
            "{key:?} under {rule:?}"
        );
        assert_eq!(
            &K::decode(&unhex(bytes), rule).unwrap(),
            key,
            "{bytes} under {rule:?}"
        );
    }
}

#[track_caller]
fn same<K: Key + PartialEq + core::fmt::Debug>(key: &K, bytes: &str) {
    golden(key, [bytes; 3]);
}

#[test]
fn unsigned() {
    same(&0_u8, "00");
    same(&0xfe_u8, "fe");
    same(&0x0102_u16, "0102");
    same(&0x0102_0304_u32, "01020304");
    same(&1_u64, "0000000000000001");
    same(&u64::MAX, "ffffffffffffffff");
    same(
        &(u128::from(u64::MAX) + 1),
        "0000000000000001 0000000000000000",
    );
    same(&Uint64::new(258), "0000000000000102");
    same(&Uint128::new(258), "0000000000000000 0000000000000102");
    same(&Timestamp::from_nanos(1_000_000_007), "000000003b9aca07");
}

#[test]
fn signed() {
    same(&i8::MIN, "00");
    same(&-1_i8, "7f");
    same(&0_i8, "80");
    same(&i8::MAX, "ff");
    same(&-2_i16, "7ffe");
    same(&1_i32, "80000001");
    same(&i64::MIN, "0000000000000000");
    same(&-1_i128, "7fffffffffffffff ffffffffffffffff");
}

#[test]
fn bool_and_fixed_bytes() {
    same(&false, "00");
    same(&true, "01");
    same(&[0xab_u8, 0x00, 0xcd], "ab00cd");
    same(&[7_u8; 32], &"07".repeat(32));
    same(&[0_u8; 0], "");
}

#[test]
fn text() {
    golden(&String::from("ab"), ["616200", "616200", "6162"]);
    golden(&String::new(), ["00", "00", ""]);
    golden(&String::from("é"), ["c3a900", "c3a900", "c3a9"]);
    golden(
        &Addr::unchecked("cosmos1x"),
        [
            "636f736d6f73317800",
            "636f736d6f73317800",
            "636f736d6f733178",
        ],
    );
}

#[test]
fn bytes() {
    golden(&vec![1_u8, 2], ["020102", "01020001", "0102"]);
    golden(&Vec::<u8>::new(), ["00", "0001", ""]);
    golden(&vec![0_u8, 0xff], ["0200ff", "00ffff0001", "00ff"]);
    golden(&Binary::new(vec![0]), ["0100", "00ff0001", "00"]);
}

#[test]
fn optional() {
    same(&None::<u64>, "00");
    same(&Some(1_u16), "010001");
    golden(&Some(String::from("a")), ["016100", "016100", "0161"]);
    golden(&Some(Vec::<u8>::new()), ["0100", "010001", "01"]);
    same(&Some(None::<u8>), "0100");
}

#[test]
fn tuples() {
    golden(
        &(String::from("a"), 7_u16),
        ["61000007", "61000007", "61000007"],
    );
    golden(
        &(7_u16, String::from("a")),
        ["00076100", "00076100", "000761"],
    );
    golden(
        &(vec![1_u8], vec![2_u8]),
        ["01010102", "010001 020001", "010102"],
    );
    golden(&(String::new(), String::new()), ["0000", "0000", "00"]);
    golden(&(String::from("a"),), ["6100", "6100", "61"]);
    same(
        &(
            1_u8, 2_u8, 3_u8, 4_u8, 5_u8, 6_u8, 7_u8, 8_u8, 9_u8, 10_u8, 11_u8, 12_u8,
        ),
        "0102030405060708090a0b0c",
    );
}

#[test]
fn nesting_adds_no_bytes() {
    let flat = (String::from("a"), 7_u16, String::from("b"));
    let nested = ((String::from("a"), 7_u16), String::from("b"));
    golden(&flat, ["610000076200", "610000076200", "6100000762"]);
    golden(&nested, ["610000076200", "610000076200", "6100000762"]);
    golden(
        &(1_u8, (String::from("a"), (String::from("b"),))),
        ["0161006200", "0161006200", "01610062"],
    );
}
