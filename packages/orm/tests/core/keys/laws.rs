//! The laws of [`Key`], for every type, tuples up to six parts, nested ones and optional ones.

use core::fmt::Debug;

use cosmwasm_std::{Addr, Binary, Timestamp, Uint64, Uint128};
use cw_orm::{CompactUint64, Key, KeyReader, KeyRule};
use proptest::prelude::*;

const RULES: [KeyRule; 3] = [KeyRule::Delimited, KeyRule::Ordered, KeyRule::RawLast];

fn check<K: Key + Ord + Debug>(a: &K, b: &K, junk: &[u8]) -> Result<(), TestCaseError> {
    for rule in RULES {
        let (x, y) = (a.encode(rule).unwrap(), b.encode(rule).unwrap());
        prop_assert_eq!(&K::decode(&x, rule).unwrap(), a, "round trip");
        prop_assert_eq!(a == b, x == y, "injective: {:?} {:?}", x, y);
        if let Ok(key) = K::decode(junk, rule) {
            prop_assert_eq!(&key.encode(rule).unwrap()[..], junk, "one encoding a value");
        }
        if rule == KeyRule::RawLast {
            continue;
        }
        prop_assert!(
            a == b || !x.starts_with(&y) && !y.starts_with(&x),
            "prefix-free: {:?} {:?}",
            x,
            y
        );
        if rule == KeyRule::Ordered || K::ORDERED {
            prop_assert_eq!(a.cmp(b), x.cmp(&y), "order: {:?} {:?}", x, y);
        }
        let followed = [&x[..], junk].concat();
        let mut reader = KeyReader::leading(&followed, rule);
        prop_assert_eq!(&K::read(&mut reader).unwrap(), a);
        prop_assert_eq!(reader.rest(), junk, "takes exactly its bytes");
    }
    Ok(())
}

/// Bytes from those that matter to codecs, short, so that prefixes of each other are frequent.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        Just(0),
        Just(1),
        Just(2),
        Just(0x7f),
        Just(0x80),
        Just(0xfe),
        Just(0xff),
        any::<u8>()
    ];
    proptest::collection::vec(byte, 0..6)
}

fn text() -> impl Strategy<Value = String> {
    "[ab\u{1}\u{7f}\u{e9}\u{10ffff}]{0,4}"
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(127),
        Just(128),
        Just(247),
        Just(248),
        Just(255),
        Just(256),
        Just(1 << 63),
        Just(u64::MAX),
        any::<u64>()
    ]
}

/// Numbers of every length, and those beside a change of length.
fn compact() -> impl Strategy<Value = CompactUint64> {
    prop_oneof![
        number(),
        (0..64_u32, 0..3_u64).prop_map(|(bits, more)| ((1_u64 << bits) - 1).saturating_add(more))
    ]
    .prop_map(CompactUint64)
}

macro_rules! laws {
    ($($name:ident: $key:ty = $values:expr;)+) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
            $(
                #[test]
                fn $name(a in $values, b in $values, junk in bytes()) {
                    check::<$key>(&a, &b, &junk)?;
                }
            )+
        }
    };
}

laws! {
    of_u8: u8 = any::<u8>();
    of_u16: u16 = any::<u16>();
    of_u32: u32 = any::<u32>();
    of_u64: u64 = number();
    of_u128: u128 = any::<u128>();
    of_i8: i8 = any::<i8>();
    of_i16: i16 = any::<i16>();
    of_i32: i32 = any::<i32>();
    of_i64: i64 = number().prop_map(u64::cast_signed);
    of_i128: i128 = any::<i128>();
    of_bool: bool = any::<bool>();
    of_text: String = text();
    of_addr: Addr = text().prop_map(Addr::unchecked);
    of_bytes: Vec<u8> = bytes();
    of_binary: Binary = bytes().prop_map(Binary::new);
    of_fixed_bytes: [u8; 3] = any::<[u8; 3]>();
    of_no_bytes: [u8; 0] = Just([]);
    of_compact_uint64: CompactUint64 = compact();
    of_compact_parts: (CompactUint64, CompactUint64) = (compact(), compact());
    of_uint64: Uint64 = number().prop_map(Uint64::new);
    of_uint128: Uint128 = any::<u128>().prop_map(Uint128::new);
    of_timestamp: Timestamp = number().prop_map(Timestamp::from_nanos);
    of_option_text: Option<String> = proptest::option::of(text());
    of_option_bytes: Option<Vec<u8>> = proptest::option::of(bytes());
    of_option_number: Option<u64> = proptest::option::of(number());
    of_option_option: Option<Option<String>> = proptest::option::of(proptest::option::of(text()));
    of_one_part: (String,) = (text(),);
    of_two_texts: (String, String) = (text(), text());
    of_two_bytes: (Vec<u8>, Vec<u8>) = (bytes(), bytes());
    of_number_and_text: (u64, String) = (number(), text());
    of_three_parts: (String, Vec<u8>, Option<u64>) = (text(), bytes(), proptest::option::of(number()));
    of_four_parts: (u16, String, bool, Vec<u8>) = (any::<u16>(), text(), any::<bool>(), bytes());
    of_five_parts: (i32, Vec<u8>, String, [u8; 2], String) =
        (any::<i32>(), bytes(), text(), any::<[u8; 2]>(), text());
    of_six_parts: (String, u8, Vec<u8>, Option<String>, i8, Vec<u8>) =
        (text(), any::<u8>(), bytes(), proptest::option::of(text()), any::<i8>(), bytes());
    of_two_levels: ((String, u16), String) = ((text(), any::<u16>()), text());
    of_three_levels: (((u8, Vec<u8>), String), Option<(String, Vec<u8>)>) =
        (((any::<u8>(), bytes()), text()), proptest::option::of((text(), bytes())));
    of_four_levels: ((((String,), Vec<u8>), u64), (String, (Vec<u8>, String))) =
        ((((text(),), bytes()), number()), (text(), (bytes(), text())));
}

fn decode_all(bytes: &[u8]) {
    type Deep = (((u8, Vec<u8>), String), Option<(String, Vec<u8>)>);
    for rule in RULES {
        let _ = String::decode(bytes, rule);
        let _ = Vec::<u8>::decode(bytes, rule);
        let _ = u128::decode(bytes, rule);
        let _ = bool::decode(bytes, rule);
        let _ = <[u8; 20]>::decode(bytes, rule);
        let _ = Option::<Addr>::decode(bytes, rule);
        let _ = <(String, Vec<u8>, Option<u64>, i8)>::decode(bytes, rule);
        let _ = Deep::decode(bytes, rule);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn decoding_never_panics(random in proptest::collection::vec(any::<u8>(), 0..600), small in bytes()) {
        decode_all(&random);
        decode_all(&small);
    }

    #[test]
    fn raw_last_is_not_prefix_free_and_says_so(a in text(), b in "[a-z]{1,3}") {
        let longer = format!("{a}{b}").encode(KeyRule::RawLast).unwrap();
        prop_assert!(longer.starts_with(&a.encode(KeyRule::RawLast).unwrap()));
    }
}
