//! Any bytes where a table stores: never a panic, and never more than a named error.

use cosmwasm_std::{Binary, Order, Storage};
use cw_orm::{Families, Namespace};
use proptest::prelude::*;

use crate::{
    fixture::{
        BY_KIND, BY_TAG, Body, DOCS, ITEMS, LEGACY, LISTED, MESSAGES, NOTES, ORDERS, Store, TRADES,
        doc, faults, item, note, order, raw_key, trade,
    },
    model::cases,
};

const SPACES: [&str; 33] = [
    "o", "om", "ot", "oc", "oo", "t", "ts", "tp", "tc", "mb", "mq", "mp", "mn", "md", "mh", "i",
    "ik", "iK", "in", "is", "it", "il", "n", "nt", "np", "nn", "nq", "dh", "dt", "da", "dA", "dn",
    "legacy",
];

/// Bytes that are often nearly right: parts of keys and rows, and others.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        Just(b"a\0".to_vec()),
        Just(b"m\0".to_vec()),
        Just(vec![0, 0, 0, 1]),
        Just(1_u64.to_be_bytes().to_vec()),
        Just(vec![0, 1]),
        Just(vec![1]),
        Just(vec![0xff; 9]),
        proptest::collection::vec(any::<u8>(), 0..12),
    ];
    proptest::collection::vec(part, 0..4).prop_map(|parts| parts.concat())
}

fn write() -> impl Strategy<Value = (usize, Vec<u8>, Vec<u8>)> {
    (0..SPACES.len(), bytes(), bytes())
}

fn filled() -> Store {
    let mut store = Store::default();
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    ITEMS.insert(&mut store, &item("a", 1, "m")).unwrap();
    TRADES.insert(&mut store, &mut trade(1)).unwrap();
    NOTES.insert(&mut store, &mut note(1)).unwrap();
    DOCS.insert(&mut store, &doc(1, 1, "a")).unwrap();
    store
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn nothing_panics(writes in proptest::collection::vec(write(), 0..12), key in bytes(), budget in 1_u32..9, limit in 1_u32..9) {
        let mut store = filled();
        for (space, at, value) in &writes {
            let value = if value.is_empty() { &[0][..] } else { value };
            store.set(&raw_key(SPACES[*space], &[at]), value);
        }
        let before = store.dump();
        faults(|key| ORDERS.check(&store, key, budget));
        faults(|key| ITEMS.check(&store, key, budget));
        faults(|key| TRADES.check(&store, key, budget));
        faults(|key| NOTES.check(&store, key, budget));
        faults(|key| MESSAGES.check(&store, key, budget));
        faults(|key| DOCS.check(&store, key, budget));
        faults(|key| LEGACY.check(&store, key, budget));

        // Keys of any bytes, and right ones with any bytes behind the scope.
        let sealed = |next: Option<Binary>| {
            let head = next.map(|key| key[..10].to_vec()).unwrap_or_default();
            Binary::from([head, key.clone()].concat())
        };
        let forged = sealed(ITEMS.check(&store, None, 1).unwrap().next_key);
        let _ = ITEMS.check(&store, Some(&forged), budget);
        let forged = sealed(TRADES.export(&store, None, 1).ok().and_then(|page| page.next_key));
        let _ = TRADES.export(&store, Some(&forged), limit);
        let _ = ORDERS.export(&store, None, limit);
        let _ = DOCS.export(&store, None, limit);
        let _ = MESSAGES.export(&store, None, limit);
        prop_assert_eq!(&store.dump(), &before);

        // What errs has written nothing.
        let import = NOTES.import_by_page(Namespace::new(b"np")).unwrap();
        let _ = import.state(&store);
        let tags = ORDERS.by(BY_TAG).unwrap().all();
        if ORDERS.delete_where(&mut store, &tags, Some(&Binary::from(key.clone())), limit).is_err() {
            prop_assert_eq!(&store.dump(), &before);
        }
        let before = store.dump();
        let listed = ITEMS.by(LISTED).unwrap().all().filter("some", |_, row| row.price != 1);
        if ITEMS.delete_where(&mut store, &listed, None, limit).is_err() {
            prop_assert_eq!(&store.dump(), &before);
        }
        let before = store.dump();
        let kinds = ITEMS.by(BY_KIND).unwrap().all();
        if ITEMS.delete_where(&mut store, &kinds, None, limit).is_err() {
            prop_assert_eq!(&store.dump(), &before);
        }
        let before = store.dump();
        if MESSAGES.delete_where(&mut store, &MESSAGES.all(Families::at(1)), None, limit).is_err() {
            prop_assert_eq!(&store.dump(), &before);
        }
        let before = store.dump();
        if MESSAGES.delete_where_member(&mut store, &MESSAGES.family::<Body>().all(), None, limit).is_err() {
            prop_assert_eq!(&store.dump(), &before);
        }

        // Clear leaves nothing, whatever there was.
        for clear in [
            |store: &mut Store, limit| ORDERS.clear(store, limit),
            |store: &mut Store, limit| ITEMS.clear(store, limit),
            |store: &mut Store, limit| TRADES.clear(store, limit),
            |store: &mut Store, limit| NOTES.clear(store, limit),
            |store: &mut Store, limit| MESSAGES.clear(store, limit),
            |store: &mut Store, limit| DOCS.clear(store, limit),
            |store: &mut Store, limit| LEGACY.clear(store, limit),
        ] {
            let mut left = 100;
            while clear(&mut store, limit).unwrap().more {
                left -= 1;
                prop_assert!(left > 0, "a clear does not end");
            }
        }
        let left: Vec<_> = store.range(None, None, Order::Ascending).map(|(key, _)| key).collect();
        let sequences = [raw_key("ts", &[]), raw_key("nq", &[])];
        prop_assert!(left.iter().all(|key| sequences.iter().any(|at| key.starts_with(at))), "{:?}", left);
    }
}
