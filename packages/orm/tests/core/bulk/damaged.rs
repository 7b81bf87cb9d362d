//! Bulk deletes of damaged tables: a step either says what is wrong and writes nothing, or, where it is to empty the
//! table, leaves nothing behind.

use cosmwasm_std::Storage;
use cw_orm::{
    Codec, IndexKind, Indexable, KeyRule, Namespace, OrmError, PageLimits, Postcard,
    PrimaryKeyTable, PrimaryKeyed, Record, Subject, TableMeta, WritePlan,
};

use crate::fixture::{
    BY_MARKET, BY_NONCE, Body, ITEMS, MESSAGES, Message, ORDERS, Order, Phase, Quorum, Store, item,
    order, raw_key,
};

fn filled() -> Store {
    let mut store = Store::default();
    for seq in 0..4_u32 {
        let row = Order {
            client: Some(format!("c{seq}")),
            ..order("a", seq, "m")
        };
        ORDERS.insert(&mut store, &row).unwrap();
    }
    store
}

fn id(seq: u32) -> Vec<u8> {
    [&b"a\0"[..], &seq.to_be_bytes()].concat()
}

#[test]
fn a_row_that_cannot_be_read_stops_all_but_clear() {
    let mut store = filled();
    store.set(&raw_key("o", &[&id(2)]), &[1, 0xff]);
    let before = store.dump();
    let decode = |error: &OrmError| matches!(error, OrmError::Decode { table: "orders", key, .. } if *key == hex::encode(id(2)));
    let error = ORDERS
        .delete_prefix(&mut store, &("a".to_owned(),), 9)
        .unwrap_err();
    assert!(decode(&error), "{error}");
    let all = ORDERS.all();
    let error = ORDERS.delete_where(&mut store, &all, None, 9).unwrap_err();
    assert!(decode(&error), "{error}");
    let filtered = ORDERS.all().filter("all", |_, _| true);
    let error = ORDERS
        .delete_where(&mut store, &filtered, None, 9)
        .unwrap_err();
    assert!(decode(&error), "{error}");
    assert_eq!(
        store.dump(),
        before,
        "rows before it were not deleted either"
    );

    // Its entries, by market, memo and client, are found once no row is left.
    let first = ORDERS.clear(&mut store, 5).unwrap();
    assert_eq!((first.rows, first.stray_entries, first.more), (4, 1, true));
    assert_eq!((first.passed, first.next_key), (5, None));
    let second = ORDERS.clear(&mut store, 5).unwrap();
    assert_eq!(
        (second.rows, second.stray_entries, second.more),
        (0, 2, false)
    );
    assert!(store.dump().is_empty());
}

#[test]
fn clear_takes_keys_that_are_none() {
    let mut store = filled();
    store.set(&raw_key("o", &[b"no end"]), &[1, 0]);
    store.set(&raw_key("o", &[]), &[1]);
    store.set(&raw_key("o", &[b"\0"]), &[1]);
    store.set(&raw_key("om", &[b"junk"]), &[9]);
    let error = ORDERS
        .delete_where(&mut store, &ORDERS.all(), None, 9)
        .unwrap_err();
    assert!(
        matches!(
            error,
            OrmError::Key {
                table: "orders",
                ..
            }
        ),
        "{error}"
    );
    let deleted = ORDERS.clear(&mut store, 99).unwrap();
    assert_eq!(
        (deleted.rows, deleted.stray_entries, deleted.more),
        (7, 1, false)
    );
    assert!(store.dump().is_empty());
}

#[test]
fn clear_looks_for_entries_left_over_also_when_its_limit_is_reached() {
    let mut store = filled();
    store.set(&raw_key("oo", &[b"junk"]), &[1]);
    let deleted = ORDERS.clear(&mut store, 4).unwrap();
    assert_eq!(
        (deleted.rows, deleted.stray_entries, deleted.more),
        (4, 0, true)
    );
    let deleted = ORDERS.clear(&mut store, 4).unwrap();
    assert_eq!(
        (deleted.rows, deleted.stray_entries, deleted.more),
        (0, 1, false)
    );
    assert!(store.dump().is_empty());
}

#[test]
fn clear_takes_counters_that_count_too_few() {
    let mut store = Store::default();
    for number in 0..3 {
        ITEMS.insert(&mut store, &item("s", number, "k")).unwrap();
    }
    store.remove(&raw_key("in", &[]));
    let before = store.dump();
    assert!(
        ITEMS
            .delete_prefix(&mut store, &("s".to_owned(),), 9)
            .is_err()
    );
    assert_eq!(store.dump(), before);
    let deleted = ITEMS.clear(&mut store, 99).unwrap();
    assert_eq!(
        (deleted.rows, deleted.stray_entries, deleted.more),
        (3, 0, false)
    );
    assert!(store.dump().is_empty());
}

#[test]
fn an_entry_without_its_row_stops_a_delete_by_index() {
    let mut store = filled();
    store.remove(&raw_key("o", &[&id(1)]));
    let before = store.dump();
    let market = ORDERS.by(BY_MARKET).unwrap().all();
    let dangling = OrmError::DanglingEntry {
        table: "orders",
        index: "by_market",
        key: hex::encode(id(1)),
    };
    assert_eq!(
        ORDERS.delete_where(&mut store, &market, None, 9),
        Err(dangling)
    );
    store.set(&raw_key("om", &[b"junk"]), &[1]);
    let error = ORDERS
        .delete_where(&mut store, &market, None, 9)
        .unwrap_err();
    assert!(
        matches!(
            error,
            OrmError::MalformedEntry {
                index: "by_market",
                ..
            }
        ),
        "{error}"
    );
    store.remove(&raw_key("om", &[b"junk"]));
    assert_eq!(store.dump(), before);
}

#[test]
fn families_are_cleared_each_as_it_can_be() {
    let mut store = Store::default();
    for sequence in 0..3 {
        let digest = format!("d{sequence}");
        let row = Message {
            chain: 1,
            sequence,
            body: Some(Body {
                nonce: 5,
                payload: vec![],
            }),
            quorum: Some(Quorum { digest }),
            phase: Some(Phase { phases: vec![1] }),
        };
        MESSAGES.insert(&mut store, &row).unwrap();
    }
    let key = [&[0, 1][..], &1_u64.to_be_bytes()].concat();
    store.set(&raw_key("mb", &[&key]), &[1, 0xff]);
    let before = store.dump();
    let nonce = MESSAGES.by::<Body, _>(BY_NONCE).unwrap().all();
    assert!(matches!(
        MESSAGES.delete_where_member(&mut store, &nonce, None, 9),
        Err(OrmError::Decode { .. })
    ));
    assert!(MESSAGES.delete_prefix(&mut store, &(1,), 9).is_err());
    assert_eq!(store.dump(), before);
    let deleted = MESSAGES.clear(&mut store, 9).unwrap();
    assert_eq!(
        (deleted.rows, deleted.stray_entries, deleted.more),
        (3, 1, false)
    );
    assert!(store.dump().is_empty());
}

/// A row that its index keeps from going.
#[derive(Clone, Debug, PartialEq)]
struct Pinned {
    key: u8,
    pinned: bool,
}

const PINS: PrimaryKeyTable<Pinned> = PrimaryKeyTable::new();

/// Keeps nothing, and forbids that a pinned row goes.
#[derive(Debug)]
struct Pins;

impl Indexable<Pinned> for Pins {
    fn id(&self) -> u8 {
        1
    }

    fn name(&self) -> &'static str {
        "pins"
    }

    fn namespace(&self) -> Namespace {
        Namespace::new(b"pp")
    }

    fn kind(&self) -> IndexKind {
        IndexKind::Custom("pins")
    }

    fn on_create(
        &self,
        _: &dyn Storage,
        _: &Subject<'_, Pinned>,
        _: &Pinned,
        _: &mut WritePlan,
    ) -> Result<(), OrmError> {
        Ok(())
    }

    fn on_update(
        &self,
        _: &dyn Storage,
        _: &Subject<'_, Pinned>,
        _: &Pinned,
        _: &Pinned,
        _: &mut WritePlan,
    ) -> Result<(), OrmError> {
        Ok(())
    }

    fn on_delete(
        &self,
        _: &dyn Storage,
        _: &Subject<'_, Pinned>,
        old: &Pinned,
        _: &mut WritePlan,
    ) -> Result<(), OrmError> {
        if old.pinned {
            return Err(OrmError::Index {
                table: "pins",
                index: "pins",
                reason: "the row is pinned".into(),
            });
        }
        Ok(())
    }
}

impl Record for Pinned {
    type PrimaryKey = u8;
    type Codec = Postcard;
    const META: TableMeta = TableMeta {
        name: "pins",
        namespace: Namespace::new(b"p"),
        version: 1,
        key_rule: KeyRule::Delimited,
        limits: PageLimits::DEFAULT,
    };
    const INDEXES: &'static [&'static dyn Indexable<Self>] = &[&Pins];

    fn encode(&self) -> Result<Vec<u8>, String> {
        Postcard::encode(&self.pinned)
    }

    fn decode(key: &u8, _: u8, bytes: &[u8]) -> Result<Self, String> {
        let (key, pinned) = (*key, Postcard::decode(bytes)?);
        Ok(Self { key, pinned })
    }
}

impl PrimaryKeyed for Pinned {
    fn primary_key_fields(&self) -> u8 {
        self.key
    }
}

#[test]
fn an_index_of_ones_own_can_forbid_it() {
    let mut store = Store::default();
    for key in 0..4 {
        let pinned = key == 2;
        PINS.insert(&mut store, &Pinned { key, pinned }).unwrap();
    }
    let before = store.dump();
    let error = PINS.clear(&mut store, 9).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table `pins`: index `pins`: the row is pinned"
    );
    assert_eq!(store.dump(), before);
    let free = PINS.all().filter("free", |_, row: &Pinned| !row.pinned);
    let deleted = PINS.delete_where(&mut store, &free, None, 9).unwrap();
    assert_eq!((deleted.rows, deleted.passed, deleted.more), (3, 4, false));
}
