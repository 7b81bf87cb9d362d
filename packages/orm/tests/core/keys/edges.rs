//! The edges of the codec: what is refused, and with which error.

use cosmwasm_std::Addr;
use cw_orm::{Key, KeyError, KeyRule, MAX_BYTES_PART, OrmError, successor};

use crate::fixture::{Store, single_key_table, unhex};

const RULES: [KeyRule; 3] = [KeyRule::Delimited, KeyRule::Ordered, KeyRule::RawLast];

single_key_table!(TextRow, TEXTS, String, b"et", Delimited);
single_key_table!(BytesRow, BYTES, Vec<u8>, b"eb", Delimited);
single_key_table!(PairRow, PAIRS, (String, Vec<u8>), b"ep", Delimited);
single_key_table!(OptionRow, OPTIONS, Option<u8>, b"eo", Delimited);

#[test]
fn nul_in_text_is_refused() {
    for rule in RULES {
        assert_eq!(
            String::from("a\0b").encode(rule),
            Err(KeyError::NulInText { at: 1 })
        );
        assert_eq!(
            Addr::unchecked("\0").encode(rule),
            Err(KeyError::NulInText { at: 0 })
        );
        assert_eq!(
            (String::from("a\0b"), 1_u8).encode(rule),
            Err(KeyError::NulInText { at: 1 })
        );
    }
    assert_eq!(
        String::decode(b"a\0b", KeyRule::RawLast),
        Err(KeyError::NulInText { at: 1 })
    );
}

#[test]
fn parts_of_255_bytes_fit_and_of_256_do_not() {
    for rule in RULES {
        for byte in [0, 1, 0xff] {
            let most = vec![byte; MAX_BYTES_PART];
            assert_eq!(
                Vec::decode(&most.encode(rule).unwrap(), rule).unwrap(),
                most
            );
            let pair = (most.clone(), most);
            assert_eq!(
                <(Vec<u8>, Vec<u8>)>::decode(&pair.encode(rule).unwrap(), rule).unwrap(),
                pair
            );
            let over = vec![byte; MAX_BYTES_PART + 1];
            assert_eq!(over.encode(rule), Err(KeyError::PartTooLong { len: 256 }));
            assert_eq!(
                (over, 1_u8).encode(rule),
                Err(KeyError::PartTooLong { len: 256 })
            );
        }
    }
    assert_eq!(
        Vec::<u8>::decode(&[7; 256], KeyRule::RawLast),
        Err(KeyError::PartTooLong { len: 256 })
    );
    let escaped = [vec![7; 256], vec![0, 1]].concat();
    assert_eq!(
        Vec::<u8>::decode(&escaped, KeyRule::Ordered),
        Err(KeyError::PartTooLong { len: 256 })
    );
}

#[test]
fn long_text_has_no_limit_of_its_own() {
    let long = "x".repeat(70_000);
    assert_eq!(
        String::decode(
            &long.encode(KeyRule::Delimited).unwrap(),
            KeyRule::Delimited
        )
        .unwrap(),
        long
    );
}

#[test]
fn broken_bytes_have_a_named_error() {
    let delimited = KeyRule::Delimited;
    assert_eq!(u64::decode(&[0; 7], delimited), Err(KeyError::Truncated));
    assert_eq!(
        u64::decode(&[0; 9], delimited),
        Err(KeyError::Trailing { len: 1 })
    );
    assert_eq!(
        Vec::<u8>::decode(&[3, 1, 2], delimited),
        Err(KeyError::Truncated)
    );
    assert_eq!(Vec::<u8>::decode(&[], delimited), Err(KeyError::Truncated));
    assert_eq!(String::decode(b"ab", delimited), Err(KeyError::Truncated));
    assert_eq!(
        String::decode(b"a\0b\0", delimited),
        Err(KeyError::Trailing { len: 2 })
    );
    assert_eq!(
        String::decode(&[0xff, 0], delimited),
        Err(KeyError::Malformed {
            expected: "UTF-8 text"
        })
    );
    assert_eq!(
        bool::decode(&[2], delimited),
        Err(KeyError::Malformed { expected: "bool" })
    );
    assert_eq!(
        Option::<u8>::decode(&[2], delimited),
        Err(KeyError::Malformed {
            expected: "optional part"
        })
    );
    assert_eq!(
        Option::<u8>::decode(&[1], delimited),
        Err(KeyError::Truncated)
    );
    assert_eq!(
        Vec::<u8>::decode(&[0, 2], KeyRule::Ordered),
        Err(KeyError::Malformed {
            expected: "escaped bytes"
        })
    );
    assert_eq!(
        Vec::<u8>::decode(&[5, 0], KeyRule::Ordered),
        Err(KeyError::Truncated)
    );
}

#[test]
fn empty_parts_keep_their_delimiter() {
    // Under the reference codec these pairs are the same bytes.
    let clash = [
        (String::new(), String::from("xy")),
        (String::from("xy"), String::new()),
    ];
    for rule in [KeyRule::Delimited, KeyRule::Ordered] {
        assert_ne!(
            clash[0].encode(rule).unwrap(),
            clash[1].encode(rule).unwrap()
        );
    }
    assert_eq!(
        (Vec::<u8>::new(), vec![1_u8])
            .encode(KeyRule::Delimited)
            .unwrap(),
        unhex("00 0101")
    );
}

#[test]
fn an_empty_primary_key_is_refused() {
    let store = Store::default();
    let refused = |table, answer: Result<bool, OrmError>| {
        assert_eq!(
            answer,
            Err(OrmError::Key {
                table,
                source: KeyError::Empty
            })
        );
    };
    refused("TextRow", TEXTS.has(&store, &String::new()));
    refused("BytesRow", BYTES.has(&store, &Vec::new()));
    refused("PairRow", PAIRS.has(&store, &(String::new(), Vec::new())));
    assert_eq!(
        PAIRS.has(&store, &(String::new(), vec![0])),
        Ok(false),
        "one part with content is enough"
    );
    assert_eq!(OPTIONS.has(&store, &None), Ok(false), "absence is a value");
}

#[test]
fn an_empty_primary_key_is_never_written() {
    let mut store = Store::default();
    let row = TextRow {
        key: String::new(),
        n: 1,
    };
    let empty = OrmError::Key {
        table: "TextRow",
        source: KeyError::Empty,
    };
    assert_eq!(TEXTS.insert(&mut store, &row), Err(empty.clone()));
    assert_eq!(TEXTS.upsert(&mut store, row.clone()), Err(empty.clone()));
    assert_eq!(TEXTS.update(&mut store, row), Err(empty.clone()));
    assert_eq!(TEXTS.delete(&mut store, &String::new()), Err(empty));
    assert!(store.dump().is_empty());
}

#[test]
fn successor_of_a_prefix() {
    let cases: [(&[u8], Option<&[u8]>); 8] = [
        (&[1, 3, 4], Some(&[1, 3, 5])),
        (&[79], Some(&[80])),
        (&[17, 28, 255], Some(&[17, 29])),
        (&[15, 42, 255, 255], Some(&[15, 43])),
        (&[255, 255, 254, 255], Some(&[255, 255, 255])),
        (&[255, 255, 255], None),
        (&[255], None),
        (&[], None),
    ];
    for (prefix, end) in cases {
        assert_eq!(successor(prefix).as_deref(), end, "{prefix:?}");
    }
}
