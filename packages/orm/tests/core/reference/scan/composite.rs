//! Scans over a table whose keys have two parts, by whole keys and by their first part.

use core::ops::{Bound, RangeBounds};

use cw_orm::{OrmError, PrefixOf, PrimaryKeyTable};

use crate::fixture::{Store, single_key_table};

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
