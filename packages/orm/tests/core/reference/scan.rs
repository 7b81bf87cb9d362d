//! Scans over tables, both directions.

use core::ops::{Bound, RangeBounds};

use cw_orm::{OrmError, PrefixOf, PrimaryKeyTable};

use crate::fixture::{Store, TRADES, single_key_table, trade};

fn auto(bounds: impl RangeBounds<u64> + Clone) -> Result<Vec<u64>, OrmError> {
    let mut store = Store::default();
    for id in 1..=4 {
        TRADES.insert(&mut store, &mut trade(id)).unwrap();
    }
    let forward = TRADES
        .prefix_scan(&store, bounds.clone())?
        .read_all()
        .unwrap();
    let mut backward = TRADES
        .reverse_prefix_scan(&store, bounds)?
        .read_all()
        .unwrap();
    backward.reverse();
    assert_eq!(forward, backward);
    Ok(forward.iter().map(|row| row.id).collect())
}

const AUTO_INVERTED: Result<Vec<u64>, OrmError> = Err(OrmError::InvertedBounds { table: "trades" });

#[test]
fn auto_first() {
    assert_eq!(auto(1..2), Ok(vec![1]));
}

#[test]
fn auto_first_two() {
    assert_eq!(auto(1..3), Ok(vec![1, 2]));
}

#[test]
fn auto_first_three() {
    assert_eq!(auto(1..4), Ok(vec![1, 2, 3]));
}

#[test]
fn auto_all_to_the_greatest() {
    assert_eq!(auto(1..u64::MAX), Ok(vec![1, 2, 3, 4]));
}

#[test]
fn auto_past_the_last() {
    assert_eq!(auto(2..5), Ok(vec![2, 3, 4]));
}

#[test]
fn auto_start_is_end() {
    assert_eq!(auto(1..1), AUTO_INVERTED);
}

#[test]
fn auto_start_after_end() {
    let (start, end) = (2, 1);
    assert_eq!(auto(start..end), AUTO_INVERTED);
}

// The reference's primary keys: member and group, here as two texts. It bounds by raw bytes, we by leading parts.
single_key_table!(Member, MEMBERS, (String, String), b"rm", Delimited);

type Key = (String, String);

fn key(group: &str, member: &str) -> Key {
    (group.into(), member.into())
}

fn all() -> Vec<Key> {
    vec![
        key("admin", "one"),
        key("admin", "two"),
        key("b", "one"),
        key("c", "zzz"),
    ]
}

fn scan<P: PrefixOf<Key>>(bounds: impl RangeBounds<P> + Clone) -> Result<Vec<Key>, OrmError> {
    let table: PrimaryKeyTable<Member> = MEMBERS;
    let mut store = Store::default();
    for key in all().into_iter().rev() {
        table.insert(&mut store, &Member { key, n: 1 }).unwrap();
    }
    let forward = table
        .prefix_scan::<P>(&store, bounds.clone())?
        .read_all()
        .unwrap();
    let mut backward = table
        .reverse_prefix_scan::<P>(&store, bounds)?
        .read_all()
        .unwrap();
    backward.reverse();
    assert_eq!(forward, backward);
    Ok(forward.into_iter().map(|row| row.key).collect())
}

fn lead(text: &str) -> (String,) {
    (text.into(),)
}

const INVERTED: Result<Vec<Key>, OrmError> = Err(OrmError::InvertedBounds { table: "Member" });

#[test]
fn exact_match() {
    assert_eq!(
        scan::<Key>(key("admin", "one")..=key("admin", "one")),
        Ok(all()[..1].to_vec())
    );
}

#[test]
fn one_first_part() {
    assert_eq!(
        scan::<(String,)>(lead("admin")..lead("b")),
        Ok(all()[..2].to_vec())
    );
}

#[test]
fn open_end_some() {
    assert_eq!(scan::<Key>(key("b", "a")..), Ok(all()[2..].to_vec()));
}

#[test]
fn open_end_all() {
    assert_eq!(scan::<Key>(key("a", "a")..), Ok(all()));
}

#[test]
fn open_start() {
    assert_eq!(scan::<Key>(..key("b", "two")), Ok(all()[..3].to_vec()));
}

#[test]
fn open_both() {
    assert_eq!(scan::<Key>(..), Ok(all()));
}

#[test]
fn all_by_first_part() {
    assert_eq!(scan::<(String,)>(lead("a")..=lead("c")), Ok(all()));
}

#[test]
fn none_by_first_part() {
    assert_eq!(scan::<(String,)>(lead("x")..lead("y")), Ok(vec![]));
    assert_eq!(
        scan::<(String,)>(lead("adm")..lead("adma")),
        Ok(vec![]),
        "a part matches whole"
    );
}

#[test]
fn start_is_end() {
    assert_eq!(scan::<Key>(key("b", "one")..key("b", "one")), INVERTED);
    let nothing = (
        Bound::Excluded(key("b", "one")),
        Bound::Included(key("b", "one")),
    );
    assert_eq!(scan::<Key>(nothing), INVERTED);
}

#[test]
fn start_after_end() {
    assert_eq!(scan::<Key>(key("c", "a")..key("b", "z")), INVERTED);
    assert_eq!(scan::<Key>(key("c", "a")..=key("b", "z")), INVERTED);
}

#[test]
fn start_after_end_at_the_greatest_key() {
    let bounds = (Bound::Excluded(u64::MAX), Bound::Included(3));
    assert_eq!(auto(bounds), AUTO_INVERTED);
    assert_eq!(
        auto((Bound::Excluded(u64::MAX), Bound::Unbounded)),
        Ok(vec![])
    );
}

#[test]
fn excluded_neighbours_are_an_empty_range() {
    assert_eq!(auto((Bound::Excluded(1), Bound::Excluded(2))), Ok(vec![]));
}
