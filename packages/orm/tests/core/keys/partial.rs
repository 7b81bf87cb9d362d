//! Prefixes inside a part: the first letters of a text, the first bytes of a byte string.

use cosmwasm_std::{
    Addr,
    Order::{Ascending, Descending},
};
use cw_orm::{BytesPrefix, Key, KeyError, KeyRule, OrmError, PrefixOf, TextPrefix};
use proptest::prelude::*;

use crate::fixture::{BY_MEMO, BY_TAG, ORDERS, Order, Store, order, single_key_table};

single_key_table!(TextRow, TEXTS, String, b"pt", Delimited);
single_key_table!(BytesRow, BYTES, Vec<u8>, b"pb", Ordered);
single_key_table!(SizedRow, SIZED, Vec<u8>, b"ps", Delimited);
single_key_table!(RawRow, RAW, Vec<u8>, b"pr", RawLast);
single_key_table!(RawText, RAW_TEXTS, String, b"pu", RawLast);
single_key_table!(NumberRow, NUMBERS, u64, b"pn", Delimited);
single_key_table!(PairRow, PAIRS, (u8, String, u16), b"pp", Delimited);
single_key_table!(FixedRow, FIXED, ([u8; 2], u8), b"pf", Delimited);
single_key_table!(Neighbour, NEIGHBOURS, Vec<u8>, b"pc", Ordered);

const F16: [&[u8]; 8] = [
    &[1],
    &[1, 0],
    &[1, 0xff],
    &[1, 0xff, 0xff],
    &[2],
    &[0xff],
    &[0xff, 0xff],
    &[0xff, 0xff, 0xff, 0],
];

fn bytes_rows() -> Store {
    let mut store = Store::default();
    for key in F16 {
        let key = key.to_vec();
        BYTES
            .insert(
                &mut store,
                &BytesRow {
                    key: key.clone(),
                    n: 1,
                },
            )
            .unwrap();
        SIZED
            .insert(
                &mut store,
                &SizedRow {
                    key: key.clone(),
                    n: 1,
                },
            )
            .unwrap();
        RAW.insert(
            &mut store,
            &RawRow {
                key: key.clone(),
                n: 1,
            },
        )
        .unwrap();
        // The namespace after that of the ordered table.
        NEIGHBOURS
            .insert(&mut store, &Neighbour { key, n: 2 })
            .unwrap();
    }
    store
}

#[test]
fn f16_bytes_prefixes() {
    let store = bytes_rows();
    for (prefix, count) in [
        (&[1][..], 4),
        (&[1, 0xff], 2),
        (&[0xff], 3),
        (&[0xff, 0xff], 2),
        (&[], 8),
        (&[3], 0),
        (&[1, 0], 1),
    ] {
        let want: Vec<Vec<u8>> = F16
            .iter()
            .filter(|key| key.starts_with(prefix))
            .map(|key| key.to_vec())
            .collect();
        assert_eq!(want.len(), count);
        let scan = || BYTES.prefix(&BytesPrefix(prefix)).unwrap();
        assert_eq!(scan().ids(&store, Ascending).read_all().unwrap(), want);
        let mut reversed = scan().ids(&store, Descending).read_all().unwrap();
        reversed.reverse();
        assert_eq!(reversed, want);
        let raw = RAW.prefix(&BytesPrefix(prefix)).unwrap();
        assert_eq!(raw.ids(&store, Ascending).read_all().unwrap(), want);
    }
}

#[test]
fn f16_numbers_at_both_ends() {
    let mut store = Store::default();
    for key in [0, 1, u64::MAX] {
        NUMBERS
            .insert(&mut store, &NumberRow { key, n: 1 })
            .unwrap();
    }
    for key in [0, u64::MAX] {
        let found = NUMBERS.prefix(&key).unwrap().ids(&store, Ascending);
        assert_eq!(found.read_all().unwrap(), [key]);
    }
    let last = NUMBERS.range(u64::MAX..).unwrap().ids(&store, Descending);
    assert_eq!(last.read_all().unwrap(), [u64::MAX]);
}

#[test]
fn f16_bytes_behind_their_length_are_refused_with_a_reason() {
    let store = bytes_rows();
    let error = SIZED.prefix(&BytesPrefix(&[1, 0xff])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table `SizedRow`: cannot search by the beginning of this part: it stands behind its length unless the \
         keys are ordered"
    );
    let all = SIZED.prefix(&BytesPrefix(&[])).unwrap();
    assert_eq!(all.ids(&store, Ascending).count(), 8);
    let long = BYTES.prefix(&BytesPrefix(&[7; 256])).unwrap_err();
    assert_eq!(
        long,
        OrmError::Key {
            table: "BytesRow",
            source: KeyError::PartTooLong { len: 256 }
        }
    );
    assert!(BYTES.prefix(&BytesPrefix(&[7; 255])).is_ok());
}

#[test]
fn f22_a_text_prefix_finds_what_begins_so() {
    let mut store = Store::default();
    for key in ["b", "aa", "B", "é", "a\u{7f}"] {
        let key = key.to_owned();
        TEXTS
            .insert(
                &mut store,
                &TextRow {
                    key: key.clone(),
                    n: 1,
                },
            )
            .unwrap();
        RAW_TEXTS
            .insert(&mut store, &RawText { key, n: 1 })
            .unwrap();
    }
    let found = |prefix: &str| {
        let scan = TEXTS.prefix(&TextPrefix(prefix)).unwrap();
        scan.ids(&store, Ascending).read_all().unwrap()
    };
    assert_eq!(found("aa"), ["aa"]);
    assert_eq!(found("a"), ["aa", "a\u{7f}"]);
    assert_eq!(found("aab"), Vec::<String>::new());
    assert_eq!(found("é"), ["é"]);
    assert_eq!(found("").len(), 5);
    let raw = RAW_TEXTS.prefix(&TextPrefix("a")).unwrap();
    assert_eq!(raw.ids(&store, Ascending).count(), 2);
    // A whole part is still only itself.
    assert_eq!(
        TEXTS
            .prefix(&"a".to_owned())
            .unwrap()
            .ids(&store, Ascending)
            .count(),
        0
    );
    let nul = TEXTS.prefix(&TextPrefix("a\0")).unwrap_err();
    assert_eq!(
        nul,
        OrmError::Key {
            table: "TextRow",
            source: KeyError::NulInText { at: 1 }
        }
    );
}

#[test]
fn a_begun_part_behind_whole_ones() {
    let mut store = Store::default();
    for key in [(1, "an", 1), (1, "ann", 2), (1, "b", 3), (2, "an", 4)] {
        let key = (key.0, key.1.to_owned(), key.2);
        PAIRS.insert(&mut store, &PairRow { key, n: 1 }).unwrap();
    }
    let third = |scan: cw_orm::Scan<PairRow>| -> Vec<u16> {
        scan.ids(&store, Ascending)
            .map(|key| key.unwrap().2)
            .collect()
    };
    assert_eq!(third(PAIRS.prefix(&(1, TextPrefix("an"))).unwrap()), [1, 2]);
    assert_eq!(
        third(PAIRS.prefix(&(1, TextPrefix(""))).unwrap()),
        [1, 2, 3]
    );
    assert_eq!(
        third(
            PAIRS
                .range((1, TextPrefix("ann"))..=(1, TextPrefix("b")))
                .unwrap()
        ),
        [2, 3]
    );

    for key in [([1, 2], 3), ([1, 3], 3), ([2, 2], 3)] {
        FIXED.insert(&mut store, &FixedRow { key, n: 1 }).unwrap();
    }
    let first = |prefix: &[u8]| {
        let scan = FIXED.prefix(&(BytesPrefix(prefix),)).unwrap();
        scan.ids(&store, Ascending).count()
    };
    assert_eq!((first(&[1]), first(&[1, 2]), first(&[])), (2, 1, 3));
    let long = FIXED.prefix(&(BytesPrefix(&[1, 2, 3]),)).unwrap_err();
    assert!(
        long.to_string().ends_with("it is longer than the part"),
        "{long}"
    );
}

#[test]
fn a_begun_part_of_an_index_key() {
    let mut store = Store::default();
    for (seq, tag, memo) in [
        (1, "red", &[1][..]),
        (2, "reed", &[1, 0]),
        (3, "blue", &[2]),
    ] {
        let row = Order {
            tags: vec![tag.into()],
            memo: memo.to_vec(),
            ..order("a", seq, "m")
        };
        ORDERS.insert(&mut store, &row).unwrap();
    }
    let tags = ORDERS
        .by(BY_TAG)
        .unwrap()
        .prefix(&TextPrefix("re"))
        .unwrap();
    assert_eq!(tags.ids(&store, Ascending).count(), 2);
    let memos = ORDERS.by(BY_MEMO).unwrap();
    let begun = memos.prefix(&(BytesPrefix(&[1]),)).unwrap();
    assert_eq!(begun.ids(&store, Ascending).count(), 2);
    let bad = ORDERS.by(BY_TAG).unwrap().prefix(&TextPrefix("\0"));
    assert!(matches!(
        bad,
        Err(OrmError::Index {
            index: "by_tag",
            ..
        })
    ));
}

#[test]
fn bounds_on_begun_parts_cover_all_that_begin_so() {
    let mut store = Store::default();
    for key in ["a", "ab", "abc", "b"] {
        TEXTS
            .insert(
                &mut store,
                &TextRow {
                    key: key.into(),
                    n: 1,
                },
            )
            .unwrap();
    }
    use core::ops::Bound::{Excluded, Included};
    let find = |from, to| {
        let scan = TEXTS
            .range((from, to))
            .map(|scan| scan.ids(&store, Ascending).count());
        scan.map_err(|error| assert_eq!(error, OrmError::InvertedBounds { table: "TextRow" }))
    };
    let (a, ab, b) = (TextPrefix("a"), TextPrefix("ab"), TextPrefix("b"));
    assert_eq!(
        find(Included(ab), Included(a)),
        Ok(2),
        "what begins with a is included"
    );
    assert_eq!(find(Included(a), Included(ab)), Ok(3));
    assert_eq!(find(Included(a), Excluded(ab)), Ok(1));
    assert_eq!(find(Included(ab), Excluded(a)), Err(()));
    assert_eq!(find(Excluded(a), Included(b)), Ok(1));
    assert_eq!(
        find(Excluded(a), Included(ab)),
        Err(()),
        "what begins with ab begins with a"
    );
    assert_eq!(find(Excluded(ab), Included(a)), Ok(0));
    assert_eq!(find(Excluded(a), Excluded(ab)), Err(()));
    assert_eq!(find(Excluded(ab), Excluded(a)), Err(()));
    assert_eq!(find(Included(a), Excluded(a)), Err(()));
    assert_eq!(find(Included(a), Included(a)), Ok(3));
    assert_eq!(find(Excluded(a), Excluded(b)), Ok(0));
    assert_eq!(find(Included(b), Included(a)), Err(()));
}

fn encoded<K: Key, P: PrefixOf<K>>(prefix: &P, rule: KeyRule) -> Vec<u8> {
    prefix.encode_prefix(rule).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn text_keys_begin_with_a_prefix_as_their_texts_do(text in "[ab]{0,4}", begun in "[ab]{0,3}", head: u8, tail: u16) {
        let starts = text.starts_with(&begun);
        let prefix = TextPrefix(&begun);
        for rule in [KeyRule::Delimited, KeyRule::Ordered, KeyRule::RawLast] {
            let key = text.encode(rule).unwrap();
            prop_assert_eq!(key.starts_with(&encoded::<String, _>(&prefix, rule)), starts);
            let address = Addr::unchecked(text.clone()).encode(rule).unwrap();
            prop_assert_eq!(address.starts_with(&encoded::<Addr, _>(&prefix, rule)), starts);
            let key = (head, text.clone(), tail).encode(rule).unwrap();
            prop_assert_eq!(key.starts_with(&encoded::<(u8, String, u16), _>(&(head, prefix), rule)), starts);
        }
    }

    #[test]
    fn bytes_keys_begin_with_a_prefix_as_their_bytes_do(
        bytes in proptest::collection::vec(prop_oneof![Just(0_u8), Just(1), Just(255)], 0..5),
        begun in proptest::collection::vec(prop_oneof![Just(0_u8), Just(1), Just(255)], 0..4),
        tail: u16,
    ) {
        let starts = bytes.starts_with(&begun);
        let prefix = BytesPrefix(&begun);
        let key = bytes.encode(KeyRule::Ordered).unwrap();
        prop_assert_eq!(key.starts_with(&encoded::<Vec<u8>, _>(&prefix, KeyRule::Ordered)), starts);
        let key = (bytes.clone(), tail).encode(KeyRule::Ordered).unwrap();
        prop_assert_eq!(key.starts_with(&encoded::<(Vec<u8>, u16), _>(&(prefix,), KeyRule::Ordered)), starts);
        let key = (tail, bytes.clone()).encode(KeyRule::RawLast).unwrap();
        prop_assert_eq!(key.starts_with(&encoded::<(u16, Vec<u8>), _>(&(tail, prefix), KeyRule::RawLast)), starts);
        let inner = <(BytesPrefix<'_>,) as PrefixOf<(Vec<u8>, u16)>>::encode_prefix(&(prefix,), KeyRule::RawLast);
        prop_assert_eq!(inner.is_ok(), begun.is_empty(), "not the last part, so behind its length");
    }
}
