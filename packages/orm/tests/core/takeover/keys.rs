//! Keys as `cw-storage-plus` writes them.

use cosmwasm_std::{Addr, Uint64};
use cw_orm::{CompactUint64, Key, KeyError, KeyReader, KeyRule, KeyWriter, PrefixOf};
use cw_storage_plus::{Prefixer, PrimaryKey};
use proptest::{collection::vec, prelude::*};

const RULE: KeyRule = KeyRule::StoragePlus;

fn bytes<K: Key + PartialEq + core::fmt::Debug>(key: &K) -> Vec<u8> {
    let bytes = key.encode(RULE).unwrap();
    assert_eq!(K::decode(&bytes, RULE).as_ref(), Ok(key));
    // And where more follows, as in an index entry.
    let mut out = KeyWriter::leading(RULE);
    key.write(&mut out).unwrap();
    let followed = [&out.finish()[..], b"more"].concat();
    let mut reader = KeyReader::leading(&followed, RULE);
    assert_eq!(K::read(&mut reader).as_ref(), Ok(key));
    assert_eq!(reader.rest(), b"more");
    bytes
}

#[test]
fn f_27_numbers_of_every_size_among_text() {
    for number in [1, 127, 128, 255, 256, 1 << 63, u64::MAX] {
        let key = (number, "x".to_owned());
        assert_eq!(bytes(&key), key.joined_key());
        let key = ("x".to_owned(), number);
        assert_eq!(bytes(&key), key.joined_key());
    }
}

#[test]
fn nesting_is_flat() {
    let key = (("emitter".to_owned(), 2_u16), "note".to_owned());
    assert_eq!(bytes(&key), key.joined_key());
    let key = ((("a".to_owned(), -1_i8), vec![0_u8, 0]), [7_u8; 4]);
    assert_eq!(bytes(&key), key.joined_key());
    assert_eq!(
        key.joined_key(),
        b"\0\x01a\0\x01\x7f\0\x02\0\0\x07\x07\x07\x07"
    );
}

#[test]
fn parts_that_the_map_does_not_know_are_still_injective() {
    for key in [
        (Some("a".to_owned()), CompactUint64(7), true),
        (None, CompactUint64(248), false),
        (Some(String::new()), CompactUint64(u64::MAX), true),
    ] {
        bytes(&key);
        bytes(&(key.2, key.1, key.0));
    }
}

#[test]
fn text_and_bytes_are_as_free_as_in_a_map() {
    let long = "n\0".repeat(300);
    let key = (long.clone(), long.clone().into_bytes(), long);
    assert_eq!(bytes(&key), key.joined_key());
    let key = ("x".repeat(65_535), 1_u8);
    assert_eq!(bytes(&key), key.joined_key());
    let key = ("x".repeat(65_536), 1_u8);
    assert_eq!(
        key.encode(RULE),
        Err(KeyError::ElementTooLong { len: 65_536 })
    );
    // The last has no length.
    let key = (1_u8, "x".repeat(65_536));
    let encoded = key.encode(RULE).unwrap();
    assert_eq!(<(u8, String)>::decode(&encoded, RULE), Ok(key));
}

#[test]
fn what_is_no_such_key_is_a_typed_error() {
    type Pair = (u16, String);
    for (broken, error) in [
        (&b""[..], KeyError::Truncated),
        (b"\0", KeyError::Truncated),
        (b"\0\x02\0", KeyError::Truncated),
        (
            b"\0\x01\0a",
            KeyError::Malformed {
                expected: "part of this length",
            },
        ),
        (
            b"\0\x03\0\0\0a",
            KeyError::Malformed {
                expected: "part of this length",
            },
        ),
        (
            b"\0\x02\0\0\xff",
            KeyError::Malformed {
                expected: "UTF-8 text",
            },
        ),
    ] {
        assert_eq!(Pair::decode(broken, RULE), Err(error), "{broken:?}");
    }
    assert_eq!(
        u16::decode(b"abc", RULE),
        Err(KeyError::Trailing { len: 1 })
    );
}

proptest! {
    #[test]
    fn keys_are_those_of_a_map(
        text in ".{0,9}",
        raw in vec(any::<u8>(), 0..9),
        numbers in any::<(u8, u64, u128, i32, i64)>(),
    ) {
        let (a, b, c, d, e) = numbers;
        prop_assert_eq!(bytes(&text), text.joined_key());
        prop_assert_eq!(bytes(&raw), raw.joined_key());
        prop_assert_eq!(bytes(&b), b.joined_key());
        prop_assert_eq!(bytes(&e), e.joined_key());
        let addr = Addr::unchecked(&text);
        prop_assert_eq!(bytes(&addr), addr.joined_key());
        let key = (addr, Uint64::new(b));
        prop_assert_eq!(bytes(&key), key.joined_key());
        let key = (text.clone(), raw.clone());
        prop_assert_eq!(bytes(&key), key.joined_key());
        let key = (a, text.clone(), e);
        prop_assert_eq!(bytes(&key), key.joined_key());
        let key = (raw, d, c);
        prop_assert_eq!(bytes(&key), key.joined_key());
        // Leading parts are the map's prefixes.
        let parts = (text, d);
        prop_assert_eq!(
            PrefixOf::<(String, i32, u8)>::encode_prefix(&parts, RULE).unwrap(),
            parts.joined_prefix()
        );
    }

    #[test]
    fn any_bytes_decode_to_what_encodes_to_them_or_not_at_all(raw in vec(any::<u8>(), 0..12)) {
        if let Ok(key) = <(String, u8, Vec<u8>)>::decode(&raw, RULE) {
            prop_assert_eq!(key.encode(RULE).unwrap(), raw.clone());
        }
        if let Ok(key) = <(Option<u8>, CompactUint64)>::decode(&raw, RULE) {
            prop_assert_eq!(key.encode(RULE).unwrap(), raw);
        }
    }
}
