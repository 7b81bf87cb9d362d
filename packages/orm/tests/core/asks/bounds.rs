//! Order and bounds.

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{Key, KeyRule::Delimited, TextPrefix};

use crate::fixture::{BY_MARKET, ORDERS, Store, order, single_key_table};

single_key_table!(Pair, PAIRS, (String, String), b"qp", Delimited);
single_key_table!(Signed, SIGNED, i32, b"qi", Delimited);
single_key_table!(Name, NAMES, String, b"qn", Delimited);

/// Keys with a length in front sort by it: `b` before `aa`, and a range from `aa` to `b` is empty.
#[test]
fn ask_04_text_keys_iterate_in_order_and_range_finds_them() {
    let mut store = Store::default();
    let keys = [("aa", "x"), ("b", "x")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    for key in &keys {
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
    assert_eq!(PAIRS.all().ids(&store, Ascending).read_all().unwrap(), keys);
    let range = PAIRS.range(("aa".to_owned(),)..=("b".to_owned(),)).unwrap();
    assert_eq!(range.ids(&store, Ascending).read_all().unwrap(), keys);
    let range = PAIRS.range(("aa".to_owned(),)..("b".to_owned(),)).unwrap();
    assert_eq!(range.ids(&store, Ascending).read_all().unwrap(), keys[..1]);
}

#[test]
fn ask_04_text_is_found_by_its_first_letters() {
    let mut store = Store::default();
    let keys = [("a", "z"), ("aa", "x"), ("ab", "x"), ("b", "x")];
    for (a, b) in keys {
        PAIRS
            .insert(
                &mut store,
                &Pair {
                    key: (a.into(), b.into()),
                    n: 1,
                },
            )
            .unwrap();
    }
    let first: Vec<String> = PAIRS
        .prefix(&(TextPrefix("a"),))
        .unwrap()
        .ids(&store, Descending)
        .map(|id| id.unwrap().0)
        .collect();
    assert_eq!(first, ["ab", "aa", "a"]);
}

/// An upper bound of index key 1, included, leaves out the row (1, "one") where the bound is compared with the whole entry.
#[test]
fn ask_06_a_bound_on_the_index_key_alone_takes_every_row_of_it() {
    let mut store = Store::default();
    for (seq, market) in ["m0", "m1", "m1", "m2"].into_iter().enumerate() {
        ORDERS
            .insert(&mut store, &order("o", seq as u32, market))
            .unwrap();
    }
    let view = ORDERS.by(BY_MARKET).unwrap();
    let seqs = |scan: cw_orm::Scan<_, _>| -> Vec<u32> {
        scan.ids(&store, Ascending)
            .map(|id: Result<(String, u32), _>| id.unwrap().1)
            .collect()
    };
    let market = |n: u8| format!("m{n}");
    assert_eq!(seqs(view.range(..=market(1)).unwrap()), [0, 1, 2]);
    assert_eq!(seqs(view.range(..market(1)).unwrap()), [0]);
    assert_eq!(seqs(view.range(market(1)..=market(1)).unwrap()), [1, 2]);
    let after = (
        core::ops::Bound::Excluded(market(1)),
        core::ops::Bound::Unbounded,
    );
    assert_eq!(seqs(view.range(after).unwrap()), [3]);
}

#[test]
fn ask_07_signed_keys_sort_as_numbers() {
    let mut store = Store::default();
    let keys = [i32::MIN, -256, -1, 0, 1, 255, i32::MAX];
    for key in keys.into_iter().rev() {
        SIGNED.insert(&mut store, &Signed { key, n: 1 }).unwrap();
    }
    assert_eq!(
        SIGNED.all().ids(&store, Ascending).read_all().unwrap(),
        keys
    );
    let negative = SIGNED.range(..0).unwrap().ids(&store, Ascending).read_all();
    assert_eq!(negative.unwrap(), keys[..3]);
}

/// `AA` exists, and creating `A` is refused: keys were searched by what they begin with.
#[test]
fn ask_14_a_key_that_begins_another_is_free() {
    let mut store = Store::default();
    let name = |key: &str, n| Name { key: key.into(), n };
    NAMES.insert(&mut store, &name("AA", 1)).unwrap();
    assert_eq!(NAMES.has(&store, &"A".into()), Ok(false));
    NAMES.insert(&mut store, &name("A", 2)).unwrap();
    assert_eq!(NAMES.get_one(&store, &"A".into()), Ok(name("A", 2)));
    NAMES.delete(&mut store, &"A".into()).unwrap();
    assert_eq!(NAMES.get_one(&store, &"AA".into()), Ok(name("AA", 1)));
    assert!(
        !"AA"
            .to_owned()
            .encode(Delimited)
            .unwrap()
            .starts_with(&"A".to_owned().encode(Delimited).unwrap())
    );
}
