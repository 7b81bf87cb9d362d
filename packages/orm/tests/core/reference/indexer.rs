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

/// A key of the new row can not be encoded: it is the write that fails, before anything is written.
#[test]
fn on_update_error_on_persisting_new_keys() {
    let mut store = created(&["x"]);
    let client = |client: &str| Order {
        seq: 2,
        client: Some(client.into()),
        ..tagged(&["z"])
    };
    ORDERS.insert(&mut store, &client("c")).unwrap();
    let before = store.dump();
    let taken = Order {
        client: Some("c".into()),
        ..tagged(&["y"])
    };
    assert!(ORDERS.update(&mut store, taken).is_err());
    assert_eq!(store.dump(), before, "the tag's entry neither");
}

/// The stored row has a key that can not be encoded, as only another program can have written it: its entries can not be
/// told, so that neither an update nor a delete goes on.
#[test]
fn on_update_and_delete_error_of_the_old_value() {
    use cosmwasm_std::Storage;
    use cw_orm::Record;
    let mut store = created(&["x"]);
    let value = [&[1][..], &tagged(&["a\0b"]).encode().unwrap()].concat();
    store.set(&raw_key("o", &[&nul("a"), &[0, 0, 0, 1]]), &value);
    let before = store.dump();
    let failed = cw_orm::OrmError::Index {
        table: "orders",
        index: "by_tag",
        reason: "text has a NUL at byte 1".into(),
    };
    assert_eq!(
        ORDERS.update(&mut store, tagged(&["y"])),
        Err(failed.clone())
    );
    assert_eq!(ORDERS.delete(&mut store, &("a".into(), 1)), Err(failed));
    assert_eq!(store.dump(), before);
}

/// Every change is one of two sets of keys: what is left of the one without the other.
#[test]
fn difference_all_of_a() {
    let mut store = created(&["a", "b"]);
    let (answer, counts) = store.count(|store| ORDERS.update(store, tagged(&["c"])));
    answer.unwrap();
    assert_eq!(entries(&store), ["c"]);
    assert_eq!(
        (counts.remove, counts.set),
        (2, 2),
        "a and b; c and the row"
    );
}

#[test]
fn difference_a_without_b() {
    let mut store = created(&["a", "b"]);
    let (answer, counts) = store.count(|store| ORDERS.update(store, tagged(&["b", "c", "d"])));
    answer.unwrap();
    assert_eq!(entries(&store), ["b", "c", "d"]);
    assert_eq!((counts.remove, counts.set), (1, 3), "a; c, d and the row");
}

#[test]
fn multi_key_add_func_creates_when_not_exists() {
    let mut store = created(&["x"]);
    ORDERS
        .insert(
            &mut store,
            &Order {
                seq: 2,
                ..tagged(&["y"])
            },
        )
        .unwrap();
    let entry = raw_key("ot", &[&nul("y"), &nul("a"), &[0, 0, 0, 2]]);
    assert_eq!(store.dump().remove(&entry), Some(vec![1]));
}

/// As a store that was half written by another program has it.
#[test]
fn multi_key_add_func_is_a_noop_when_exists_already() {
    use cosmwasm_std::Storage;
    let mut store = Store::default();
    store.set(&raw_key("ot", &[&nul("x"), &nul("a"), &[0, 0, 0, 1]]), &[1]);
    ORDERS.insert(&mut store, &tagged(&["x"])).unwrap();
    assert_eq!(entries(&store), ["x"]);
}

/// The reference takes keys without content out of what an indexer function gives, wherever they stand. Here a function
/// gives what is a key: an empty text is one, and a `None` is none.
mod prune_empty_keys {
    use super::*;

    #[test]
    fn non_empty() {
        assert_eq!(entries(&created(&["0", "1"])), ["0", "1"]);
    }

    #[test]
    fn empty_in_the_beginning() {
        assert_eq!(entries(&created(&["", "0", "1"])), ["", "0", "1"]);
    }

    #[test]
    fn empty_in_the_middle() {
        assert_eq!(entries(&created(&["0", "", "1"])), ["", "0", "1"]);
    }

    #[test]
    fn empty_at_the_end() {
        assert_eq!(entries(&created(&["0", "1", ""])), ["", "0", "1"]);
    }

    #[test]
    fn absent() {
        let mut store = Store::default();
        ORDERS.insert(&mut store, &tagged(&[])).unwrap();
        assert!(
            store
                .dump()
                .keys()
                .all(|key| !key.starts_with(&raw_key("oc", &[])))
        );
    }

    /// A number that is zero is a key, in the reference too.
    #[test]
    fn zero_is_kept() {
        use crate::fixture::{BY_PX, TRADES, trade};
        let mut store = Store::default();
        TRADES.insert(&mut store, &mut trade(0)).unwrap();
        assert_eq!(TRADES.by(BY_PX).unwrap().has(&store, &0), Ok(true));
    }
}
