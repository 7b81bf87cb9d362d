//! Faults of other codecs: keys that do not sort as their values do.

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{Key, KeyRule};

use crate::fixture::{Store, single_key_table};

single_key_table!(TextRow, TEXTS, String, b"ft", Delimited);
single_key_table!(BytesRow, BYTES, Vec<u8>, b"fb", Delimited);
single_key_table!(OrderedRow, ORDERED, Vec<u8>, b"fo", Ordered);
single_key_table!(NextRow, NEXT, u64, b"fs", Delimited);
single_key_table!(SignedRow, SIGNED, i32, b"fi", Delimited);

#[test]
fn f22_signed_keys_sort_as_numbers() {
    let mut store = Store::default();
    let keys = [i32::MIN, -2, -1, 0, 1, i32::MAX];
    for key in keys.iter().rev() {
        SIGNED
            .insert(&mut store, &SignedRow { key: *key, n: 1 })
            .unwrap();
    }
    assert_eq!(
        SIGNED.all().ids(&store, Ascending).read_all().unwrap(),
        keys
    );
    let reversed: Vec<i32> = keys.iter().rev().copied().collect();
    assert_eq!(
        SIGNED.all().ids(&store, Descending).read_all().unwrap(),
        reversed
    );
    assert_eq!(
        SIGNED
            .range(-1..=1)
            .unwrap()
            .ids(&store, Ascending)
            .read_all()
            .unwrap(),
        [-1, 0, 1]
    );
}

#[test]
fn f22_times_numbers_and_text_sort_by_value() {
    use cosmwasm_std::Timestamp;
    let encode = |seconds| {
        Timestamp::from_seconds(seconds)
            .encode(KeyRule::Delimited)
            .unwrap()
    };
    assert!(
        encode(1_900_000_000) < encode(2_000_000_000)
            && encode(2_000_000_000) < encode(10_000_000_000)
    );
    let mut store = Store::default();
    for key in [100, 9, 10] {
        NEXT.insert(&mut store, &NextRow { key, n: 1 }).unwrap();
    }
    assert_eq!(
        NEXT.all().ids(&store, Ascending).read_all().unwrap(),
        [9, 10, 100]
    );
    for key in ["b", "aa"] {
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
    assert_eq!(
        TEXTS.all().ids(&store, Ascending).read_all().unwrap(),
        ["aa", "b"]
    );
    let up_to = TEXTS.range("aa".to_owned()..="b".to_owned()).unwrap();
    assert_eq!(
        up_to.ids(&store, Ascending).read_all().unwrap(),
        ["aa", "b"]
    );
    let by_first = TEXTS.range("a".to_owned().."b".to_owned()).unwrap();
    assert_eq!(by_first.ids(&store, Ascending).read_all().unwrap(), ["aa"]);
}

#[test]
fn f22_bytes_sort_by_length_first_unless_the_table_is_ordered() {
    let mut store = Store::default();
    for key in [vec![2], vec![1, 1]] {
        BYTES
            .insert(
                &mut store,
                &BytesRow {
                    key: key.clone(),
                    n: 1,
                },
            )
            .unwrap();
        ORDERED
            .insert(&mut store, &OrderedRow { key, n: 1 })
            .unwrap();
    }
    assert_eq!(
        BYTES.all().ids(&store, Ascending).read_all().unwrap(),
        [vec![2], vec![1, 1]]
    );
    assert_eq!(
        ORDERED.all().ids(&store, Ascending).read_all().unwrap(),
        [vec![1, 1], vec![2]]
    );
}
