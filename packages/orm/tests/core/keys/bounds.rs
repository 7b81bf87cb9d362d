//! Typed bounds, against a filter over the values: every pair of bounds, on whole keys and on leading parts.

use core::ops::Bound::{self, Excluded, Included, Unbounded};

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{OrmError, PrefixOf, PrimaryKeyTable, PrimaryKeyed};
use proptest::prelude::*;

use crate::fixture::{Store, single_key_table};

single_key_table!(Pair, PAIRS, (u8, u8), b"bp", Delimited);
single_key_table!(Blob, BLOBS, Vec<u8>, b"bb", Ordered);
single_key_table!(RawBlob, RAW_BLOBS, Vec<u8>, b"br", RawLast);
single_key_table!(RawText, RAW_TEXTS, (u8, String), b"bt", RawLast);

fn bound<T: core::fmt::Debug + Clone>(
    values: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = Bound<T>> {
    prop_oneof![
        Just(Unbounded),
        values.clone().prop_map(Included),
        values.prop_map(Excluded)
    ]
}

/// What a scan within `bounds` must give: an error where nothing can lie between, else the keys that `cmp` puts inside.
fn check<R, P>(
    table: PrimaryKeyTable<R>,
    rows: &[R],
    bounds: (Bound<P>, Bound<P>),
    lead: impl Fn(&R::PrimaryKey) -> P,
) -> Result<(), TestCaseError>
where
    R: PrimaryKeyed,
    R::PrimaryKey: Ord + core::fmt::Debug,
    P: PrefixOf<R::PrimaryKey> + Ord + Clone,
{
    let mut store = Store::default();
    let mut keys: Vec<R::PrimaryKey> = rows.iter().map(PrimaryKeyed::primary_key_fields).collect();
    for row in rows {
        table.insert(&mut store, row).unwrap();
    }
    keys.sort();
    let inverted = match &bounds {
        (Included(a), Included(b)) => a > b,
        (Included(a) | Excluded(a), Included(b) | Excluded(b)) => a >= b,
        _ => false,
    };
    let found = match table.range::<P>(bounds.clone()) {
        Err(error) => {
            prop_assert_eq!(
                error,
                OrmError::InvertedBounds {
                    table: R::META.name
                }
            );
            prop_assert!(inverted);
            return Ok(());
        }
        Ok(scan) => scan.ids(&store, Ascending).read_all().unwrap(),
    };
    prop_assert!(!inverted);
    keys.retain(|key| core::ops::RangeBounds::contains(&bounds, &lead(key)));
    prop_assert_eq!(&found, &keys);
    keys.reverse();
    let backward = table
        .range::<P>(bounds)
        .unwrap()
        .ids(&store, Descending)
        .read_all()
        .unwrap();
    prop_assert_eq!(backward, keys);
    Ok(())
}

fn byte() -> impl Strategy<Value = u8> + Clone {
    prop_oneof![Just(0), Just(1), Just(0xfe), Just(0xff)]
}

fn blob() -> impl Strategy<Value = Vec<u8>> + Clone {
    proptest::collection::vec(byte(), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_whole_keys(keys in proptest::collection::btree_set((byte(), byte()), 0..12), from in bound((byte(), byte())), to in bound((byte(), byte()))) {
        let rows: Vec<Pair> = keys.into_iter().map(|key| Pair { key, n: 1 }).collect();
        check::<_, (u8, u8)>(PAIRS, &rows, (from, to), |key| *key)?;
    }

    #[test]
    fn on_leading_parts(keys in proptest::collection::btree_set((byte(), byte()), 0..12), from in bound(byte()), to in bound(byte())) {
        let rows: Vec<Pair> = keys.into_iter().map(|key| Pair { key, n: 1 }).collect();
        check::<_, (u8,)>(PAIRS, &rows, (from.map(|a| (a,)), to.map(|a| (a,))), |key| (key.0,))?;
    }

    #[test]
    fn on_ordered_bytes(keys in proptest::collection::btree_set(blob(), 0..12), from in bound(blob()), to in bound(blob())) {
        let rows: Vec<Blob> = keys.into_iter().map(|key| Blob { key, n: 1 }).collect();
        check::<_, Vec<u8>>(BLOBS, &rows, (from, to), Clone::clone)?;
    }

    #[test]
    fn on_raw_bytes(keys in proptest::collection::btree_set(blob(), 0..12), from in bound(blob()), to in bound(blob())) {
        let rows: Vec<RawBlob> = keys.into_iter().map(|key| RawBlob { key, n: 1 }).collect();
        check::<_, Vec<u8>>(RAW_BLOBS, &rows, (from, to), Clone::clone)?;
    }

    #[test]
    fn on_raw_text_behind_a_byte(keys in proptest::collection::btree_set((byte(), "[ab]{0,3}"), 0..12), from in bound((byte(), "[ab]{0,3}")), to in bound((byte(), "[ab]{0,3}"))) {
        let rows: Vec<RawText> = keys.into_iter().map(|key| RawText { key, n: 1 }).collect();
        check::<_, (u8, String)>(RAW_TEXTS, &rows, (from, to), Clone::clone)?;
    }
}

#[test]
fn a_prefix_that_is_a_whole_raw_key_names_that_key_only() {
    let mut store = Store::default();
    for key in [b"a".to_vec(), b"ab".to_vec()] {
        RAW_BLOBS
            .insert(&mut store, &RawBlob { key, n: 1 })
            .unwrap();
    }
    let found = RAW_BLOBS
        .prefix(&b"a".to_vec())
        .unwrap()
        .ids(&store, Ascending)
        .read_all()
        .unwrap();
    assert_eq!(found, [b"a".to_vec()]);
}
