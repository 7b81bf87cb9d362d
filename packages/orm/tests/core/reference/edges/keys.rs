//! Edges of keys.

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{Key, KeyError, KeyRule::Delimited, OrmError, successor};

use crate::{
    fixture::{Store, single_key_table},
    reference::model::{
        GIVEN, GIVEN_BY_METADATA, GIVEN_BY_ORDERED, Given, KEYED, KEYED_BY_METADATA, KEYED_BY_NAME,
        Keyed, given,
    },
};

single_key_table!(Marker, MARKERS, String, b"rem", Delimited);
single_key_table!(Pair, PAIRS, (String, String), b"rep", Delimited);
single_key_table!(Blobs, BLOB_PAIRS, (Vec<u8>, Vec<u8>), b"reB", Delimited);

#[test]
fn edge_01_an_empty_search_key_finds_rows_with_an_empty_key() {
    let mut store = given(&[b"a", b"b"]);
    let view = GIVEN.by(GIVEN_BY_METADATA).unwrap();
    let found = |store: &Store| {
        view.key(&Vec::new())
            .unwrap()
            .ids(store, Ascending)
            .read_all()
    };
    assert_eq!(view.has(&store, &Vec::new()), Ok(false));
    assert_eq!(found(&store), Ok(vec![]));
    GIVEN
        .insert(
            &mut store,
            &mut Given {
                id: 0,
                ..Given::new(3, b"")
            },
        )
        .unwrap();
    assert_eq!(view.has(&store, &Vec::new()), Ok(true));
    assert_eq!(found(&store), Ok(vec![3]));
}

#[test]
fn edge_02_a_key_of_one_part_keeps_its_delimiter_and_bounds_are_values() {
    assert_eq!(vec![1_u8, 2].encode(Delimited), Ok(vec![2, 1, 2]));
    assert_eq!("ab".to_owned().encode(Delimited), Ok(b"ab\0".to_vec()));
    let mut store = Store::default();
    for key in ["a", "ab", "b"] {
        MARKERS
            .insert(
                &mut store,
                &Marker {
                    key: key.into(),
                    n: 1,
                },
            )
            .unwrap();
    }
    let from_ab = MARKERS
        .range("ab".to_owned()..)
        .unwrap()
        .ids(&store, Ascending)
        .read_all();
    assert_eq!(from_ab, Ok(vec!["ab".into(), "b".into()]));
    let until_ab = MARKERS
        .range(..="ab".to_owned())
        .unwrap()
        .ids(&store, Ascending)
        .read_all();
    assert_eq!(until_ab, Ok(vec!["a".into(), "ab".into()]));
}

#[test]
fn edge_03_an_empty_part_that_is_not_the_last_keeps_its_delimiter() {
    let mut store = Store::default();
    let texts = [("", "xy"), ("x", "y"), ("xy", "")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    for key in &texts {
        PAIRS
            .insert(
                &mut store,
                &Pair {
                    key: key.clone(),
                    n: 1,
                },
            )
            .unwrap();
    }
    assert_eq!(
        PAIRS.all().ids(&store, Ascending).read_all().unwrap(),
        texts
    );
    // In the reference these two are the same key.
    let bytes = [(vec![], vec![1, 0xaa, 0xbb]), (vec![0xaa], vec![0xbb])];
    for key in &bytes {
        BLOB_PAIRS
            .insert(
                &mut store,
                &Blobs {
                    key: key.clone(),
                    n: 1,
                },
            )
            .unwrap();
    }
    assert_eq!(
        BLOB_PAIRS.all().ids(&store, Ascending).read_all().unwrap(),
        bytes
    );
}

#[test]
fn edge_04_nul_in_text_is_refused_as_primary_key() {
    let mut store = Store::default();
    let nul = OrmError::Key {
        table: "Pair",
        source: KeyError::NulInText { at: 1 },
    };
    for (a, b) in [("a\0b", "c"), ("a", "b\0c")] {
        let row = Pair {
            key: (a.into(), b.into()),
            n: 1,
        };
        assert_eq!(PAIRS.insert(&mut store, &row), Err(nul.clone()));
        assert_eq!(PAIRS.get(&store, &row.key), Err(nul.clone()));
    }
    assert!(store.dump().is_empty());
}

#[test]
fn edge_04_nul_in_text_is_refused_as_index_key() {
    let mut store = Store::default();
    let row = Keyed {
        name: "a\0b".into(),
        ..Keyed::new(1, b"m")
    };
    let refused = KEYED.insert(&mut store, &row).unwrap_err();
    assert!(
        matches!(
            refused,
            OrmError::Index {
                index: "by_name",
                ..
            }
        ),
        "{refused}"
    );
    assert!(store.dump().is_empty());
    assert!(
        KEYED
            .by(KEYED_BY_NAME)
            .unwrap()
            .key(&"a\0b".into())
            .is_err()
    );
}

#[test]
fn edge_05_an_index_key_of_255_bytes_leads_to_its_row() {
    let mut store = Store::default();
    for len in [254, 255] {
        KEYED
            .insert(&mut store, &Keyed::new(len as u64, &vec![0xff; len]))
            .unwrap();
        let found = KEYED
            .by(KEYED_BY_METADATA)
            .unwrap()
            .key(&vec![0xff; len])
            .unwrap();
        assert_eq!(found.first(&store).unwrap().unwrap().id, len as u64);
    }
}

#[test]
fn edge_05_an_index_key_of_256_bytes_is_refused_before_the_row_is_written() {
    let mut store = given(&[b"a"]);
    let before = store.dump();
    let mut long = Given {
        id: 0,
        ..Given::new(2, &[7; 256])
    };
    let refused = GIVEN.insert(&mut store, &mut long).unwrap_err();
    assert!(
        matches!(
            refused,
            OrmError::Index {
                index: "by_metadata",
                ..
            }
        ),
        "{refused}"
    );
    assert!(GIVEN.update(&mut store, Given { id: 1, ..long }).is_err());
    assert_eq!(store.dump(), before);
}

#[test]
fn edge_06_bytes_sort_by_length_first_unless_the_index_is_ordered() {
    let store = given(&[&[1, 1], &[2]]);
    let by_length = GIVEN
        .by(GIVEN_BY_METADATA)
        .unwrap()
        .all()
        .ids(&store, Ascending)
        .read_all();
    assert_eq!(by_length, Ok(vec![2, 1]));
    let by_value = GIVEN
        .by(GIVEN_BY_ORDERED)
        .unwrap()
        .all()
        .ids(&store, Ascending)
        .read_all();
    assert_eq!(by_value, Ok(vec![1, 2]));
    let ordered = [<Vec<u8> as Key>::ORDERED, <String as Key>::ORDERED];
    assert_eq!(ordered, [false, true], "and a type says so");
}

#[test]
fn edge_07_the_range_of_a_prefix_ends_right_behind_it() {
    single_key_table!(Fixed, FIXED, ([u8; 4], u8), b"ref", Delimited);
    assert_eq!(successor(&[15, 42, 255, 255]), Some(vec![15, 43]));
    let mut store = Store::default();
    for key in [([15, 42, 255, 255], 9), ([15, 43, 0, 0], 0)] {
        FIXED.insert(&mut store, &Fixed { key, n: 1 }).unwrap();
    }
    let found = FIXED.prefix(&([15, 42, 255, 255],)).unwrap();
    assert_eq!(
        found.ids(&store, Descending).read_all(),
        Ok(vec![([15, 42, 255, 255], 9)])
    );
}
