//! What an index plans on create, update and delete: the entries in the store after each.

use crate::fixture::{Dump, ORDERS, Order, Store, nul, order, raw_key};

fn tagged(tags: &[&str]) -> Order {
    Order {
        tags: tags.iter().map(ToString::to_string).collect(),
        ..order("a", 1, "m")
    }
}

/// The tags that the index has entries for, each leading to the row.
fn entries(store: &Store) -> Vec<String> {
    let (from, row_id) = (raw_key("ot", &[]), [&nul("a")[..], &[0, 0, 0, 1]].concat());
    let dump: Dump = store
        .dump()
        .into_iter()
        .filter(|(key, _)| key.starts_with(&from))
        .collect();
    let tag = |(key, value): (Vec<u8>, Vec<u8>)| {
        assert_eq!(value, [1]);
        let end = key.strip_suffix(&row_id[..]).expect("the row id");
        String::from_utf8(end[from.len()..end.len() - 1].to_vec()).unwrap()
    };
    dump.into_iter().map(tag).collect()
}

fn created(tags: &[&str]) -> Store {
    let mut store = Store::default();
    ORDERS.insert(&mut store, &tagged(tags)).unwrap();
    store
}

fn updated(from: &[&str], to: &[&str]) -> Vec<String> {
    let mut store = created(from);
    ORDERS.update(&mut store, tagged(to)).unwrap();
    entries(&store)
}

#[test]
fn on_create_single_key() {
    assert_eq!(entries(&created(&["x"])), ["x"]);
}

#[test]
fn on_create_many_keys() {
    assert_eq!(entries(&created(&["y", "x", "z"])), ["x", "y", "z"]);
}

#[test]
fn on_create_repeated_keys_collapse() {
    assert_eq!(entries(&created(&["x", "y", "x"])), ["x", "y"]);
}

#[test]
fn on_create_no_keys() {
    assert_eq!(entries(&created(&[])), [""; 0]);
}

/// The reference leaves empty keys out; here an empty part is a key, and a row without a key says so by giving none.
#[test]
fn on_create_empty_key() {
    assert_eq!(entries(&created(&["", "x"])), ["", "x"]);
}

#[test]
fn on_create_error() {
    let mut store = Store::default();
    assert!(ORDERS.insert(&mut store, &tagged(&["x", "a\0b"])).is_err());
    assert!(store.dump().is_empty());
}

#[test]
fn on_update_same_keys_writes_nothing() {
    let mut store = created(&["x", "y"]);
    let (answer, counts) = store.count(|store| {
        ORDERS.update(
            store,
            Order {
                amount: 5,
                ..tagged(&["y", "x", "x"])
            },
        )
    });
    answer.unwrap();
    assert_eq!((counts.set, counts.remove), (1, 0), "the row alone");
}

#[test]
fn on_update_replaced() {
    assert_eq!(updated(&["x"], &["y"]), ["y"]);
}

#[test]
fn on_update_added() {
    assert_eq!(updated(&["x"], &["x", "y"]), ["x", "y"]);
}

#[test]
fn on_update_removed() {
    assert_eq!(updated(&["x", "y"], &["y"]), ["y"]);
}

#[test]
fn on_update_all_removed() {
    assert_eq!(updated(&["x", "y"], &[]), [""; 0]);
}

#[test]
fn on_update_from_none() {
    assert_eq!(updated(&[], &["y"]), ["y"]);
}

#[test]
fn on_update_error_of_the_new_value() {
    let mut store = created(&["x"]);
    let before = store.dump();
    assert!(ORDERS.update(&mut store, tagged(&["y", "\0"])).is_err());
    assert_eq!(store.dump(), before);
}

#[test]
fn on_delete_single_key() {
    let mut store = created(&["x"]);
    ORDERS.delete(&mut store, &("a".into(), 1)).unwrap();
    assert!(store.dump().is_empty());
}

#[test]
fn on_delete_many_keys_keeps_other_rows() {
    let mut store = created(&["x", "y"]);
    ORDERS
        .insert(
            &mut store,
            &Order {
                seq: 2,
                ..tagged(&["x", "y"])
            },
        )
        .unwrap();
    ORDERS.delete(&mut store, &("a".into(), 2)).unwrap();
    assert_eq!(entries(&store), ["x", "y"]);
}

#[test]
fn on_delete_no_keys() {
    let mut store = created(&[]);
    ORDERS.delete(&mut store, &("a".into(), 1)).unwrap();
    assert!(store.dump().is_empty());
}
