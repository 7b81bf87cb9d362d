//! What calls cost on a chain, beside `IndexedMap` of `cw-storage-plus`: each access to the store is charged as the Cosmos
//! SDK charges it. Compute is not counted; it is about 1 % of a write. The README's table is held to this.

use std::cell::Cell;

use cosmwasm_std::{Binary, Order, Record, Storage, testing::MockStorage};
use cw_orm::{PageRequest, Table};
use cw_storage_plus::{Bound, Index, IndexList, IndexedMap, MultiIndex, UniqueIndex};
use serde::{Deserialize, Serialize};

/// The bytes that a chain puts before a contract's keys.
const PREFIX: usize = 33;
const ROWS: u64 = 1_000;

/// A store with the SDK's gas: 1,000 and 3 a byte for a read, 2,000 and 30 a byte for a write, 1,000 for a delete, 30 and
/// 3 a byte for an entry of a scan, the first being charged twice.
#[derive(Default)]
struct Metered {
    inner: MockStorage,
    gas: Cell<u64>,
}

impl Metered {
    fn charge(&self, flat: u64, byte: u64, bytes: usize) {
        let bytes = u64::try_from(PREFIX + bytes).unwrap();
        self.gas.set(self.gas.get() + flat + byte * bytes);
    }
}

impl Storage for Metered {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        let value = self.inner.get(key);
        self.charge(1_000, 3, key.len() + value.as_ref().map_or(0, Vec::len));
        value
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        self.charge(2_000, 30, key.len() + value.len());
        self.inner.set(key, value);
    }

    fn remove(&mut self, key: &[u8]) {
        self.gas.set(self.gas.get() + 1_000);
        self.inner.remove(key);
    }

    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        let mut entries = self.inner.range(start, end, order).peekable();
        match entries.peek() {
            Some((key, value)) => self.charge(30, 3, key.len() + value.len()),
            None => self.gas.set(self.gas.get() + 30),
        }
        Box::new(entries.inspect(|(key, value)| self.charge(30, 3, key.len() + value.len())))
    }
}

/// The columns of a cross-chain message, in the ORM's default codec.
#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "messages", ns = "m", limits(default = 30, max = 30))]
struct Message {
    #[pk]
    emitter_chain: u16,
    #[pk]
    emitter_address: [u8; 32],
    #[pk]
    sequence: u64,
    version: u8,
    #[index(id = 1)]
    guardian_set_index: u32,
    timestamp: u32,
    nonce: u32,
    #[unique(id = 2)]
    tx_id: [u8; 32],
    #[serde(with = "serde_bytes")]
    payload: Vec<u8>,
}

fn message(number: u64) -> Message {
    let mut tx_id = [7; 32];
    tx_id[..8].copy_from_slice(&number.to_be_bytes());
    Message {
        emitter_chain: 2,
        emitter_address: [9; 32],
        sequence: number,
        version: 1,
        guardian_set_index: 4,
        timestamp: 1_700_000_000,
        nonce: 1_234_567,
        tx_id,
        payload: vec![0x5a; 200],
    }
}

/// The same columns in JSON, as `IndexedMap` has them.
#[derive(Clone, Serialize, Deserialize)]
struct JsonMessage {
    emitter_chain: u16,
    emitter_address: Binary,
    sequence: u64,
    version: u8,
    guardian_set_index: u32,
    timestamp: u32,
    nonce: u32,
    tx_id: Binary,
    payload: Binary,
}

type MapKey = (u16, Vec<u8>, u64);

struct Indexes<'a> {
    set: MultiIndex<'a, u32, JsonMessage, MapKey>,
    tx: UniqueIndex<'a, Vec<u8>, JsonMessage, MapKey>,
}

impl IndexList<JsonMessage> for Indexes<'_> {
    fn get_indexes(&self) -> Box<dyn Iterator<Item = &dyn Index<JsonMessage>> + '_> {
        let all: [&dyn Index<JsonMessage>; 2] = [&self.set, &self.tx];
        Box::new(all.into_iter())
    }
}

fn map<'a>() -> IndexedMap<MapKey, JsonMessage, Indexes<'a>> {
    let indexes = Indexes {
        set: MultiIndex::new(|_, row| row.guardian_set_index, "m", "ms"),
        tx: UniqueIndex::new(|row| row.tx_id.to_vec(), "mt"),
    };
    IndexedMap::new("m", indexes)
}

fn json(row: &Message) -> (MapKey, JsonMessage) {
    let key = (
        row.emitter_chain,
        row.emitter_address.to_vec(),
        row.sequence,
    );
    let row = JsonMessage {
        emitter_chain: row.emitter_chain,
        emitter_address: row.emitter_address.into(),
        sequence: row.sequence,
        version: row.version,
        guardian_set_index: row.guardian_set_index,
        timestamp: row.timestamp,
        nonce: row.nonce,
        tx_id: row.tx_id.into(),
        payload: row.payload.clone().into(),
    };
    (key, row)
}

struct Both {
    orm: Metered,
    map: Metered,
}

impl Both {
    fn new() -> Self {
        let mut both = Self {
            orm: Metered::default(),
            map: Metered::default(),
        };
        for number in 0..ROWS {
            let row = message(number);
            Message::TABLE.insert(&mut both.orm, &row).unwrap();
            let (key, row) = json(&row);
            map().save(&mut both.map, key, &row).unwrap();
        }
        both
    }

    /// Runs a call of each, and returns what they cost.
    fn cost(
        &mut self,
        orm: impl FnOnce(&mut Metered),
        map: impl FnOnce(&mut Metered),
    ) -> (u64, u64) {
        self.orm.gas.set(0);
        self.map.gas.set(0);
        orm(&mut self.orm);
        map(&mut self.map);
        (self.orm.gas.get(), self.map.gas.get())
    }

    fn upsert(&mut self, row: Message) -> (u64, u64) {
        let (key, changed) = json(&row);
        self.cost(
            |orm| drop(Message::TABLE.update(orm, row).unwrap()),
            // What a contract does that keeps to an existing row.
            |store| {
                let update = |old: Option<JsonMessage>| {
                    old.map(|_| changed)
                        .ok_or(cosmwasm_std::StdError::msg("none"))
                };
                drop(map().update(store, key, update).unwrap());
            },
        )
    }
}

const PAGE: u64 = 30;

fn figures() -> Vec<(&'static str, (u64, u64))> {
    let mut both = Both::new();
    let number = ROWS / 2;
    let key = (2, [9; 32], number);
    let map_key: MapKey = (2, vec![9; 32], number);
    let mut figures = Vec::new();

    let new = message(ROWS);
    let (new_key, new_json) = json(&new);
    let insert = both.cost(
        |orm| Message::TABLE.insert(orm, &new).unwrap(),
        |store| {
            assert!(map().may_load(store, new_key.clone()).unwrap().is_none());
            map().save(store, new_key, &new_json).unwrap();
        },
    );
    figures.push(("insert, refusing an existing row", insert));

    let mut row = message(number);
    row.guardian_set_index = 5;
    figures.push(("update of an indexed column", both.upsert(row.clone())));
    row.nonce += 1;
    figures.push(("update of another column", both.upsert(row.clone())));
    figures.push(("update of nothing", both.upsert(row.clone())));

    let get = both.cost(
        |orm| drop(Message::TABLE.get_one(orm, &key).unwrap()),
        |store| drop(map().load(store, map_key.clone()).unwrap()),
    );
    figures.push(("get by primary key", get));
    let by_tx = Message::TABLE.by(Message::BY_TX_ID).unwrap();
    let tx = row.tx_id;
    let unique = both.cost(
        |orm| drop(by_tx.get(orm, &tx).unwrap().unwrap()),
        |store| drop(map().idx.tx.item(store, tx.to_vec()).unwrap().unwrap()),
    );
    figures.push(("get by unique key", unique));

    let request = PageRequest::first(PAGE);
    let by_set = Message::TABLE.by(Message::BY_GUARDIAN_SET_INDEX).unwrap();
    let taken = usize::try_from(PAGE).unwrap();
    let rows = both.cost(
        |orm| drop(by_set.key(&4).unwrap().page(orm, &request).unwrap()),
        |store| {
            let idx = map().idx;
            let range = idx.set.prefix(4).range(store, None, None, Order::Ascending);
            assert_eq!(range.take(taken).map(Result::unwrap).count(), taken);
        },
    );
    figures.push(("page of 30 rows by index", rows));
    let ids = both.cost(
        |orm| drop(by_set.key(&4).unwrap().page_ids(orm, &request).unwrap()),
        |store| {
            let idx = map().idx;
            let keys = idx.set.prefix(4).keys(store, None, None, Order::Ascending);
            assert_eq!(keys.take(taken).map(Result::unwrap).count(), taken);
        },
    );
    figures.push(("page of 30 primary keys by index", ids));
    let ordered = both.cost(
        |orm| drop(Message::TABLE.all().page(orm, &request).unwrap()),
        |store| {
            let none = None::<Bound<'_, MapKey>>;
            let range = map().range(store, none, None, Order::Ascending);
            assert_eq!(range.take(taken).map(Result::unwrap).count(), taken);
        },
    );
    figures.push(("page of 30 rows by primary key", ordered));

    let delete = both.cost(
        |orm| drop(Message::TABLE.delete(orm, &key).unwrap()),
        |store| map().remove(store, map_key).unwrap(),
    );
    figures.push(("delete", delete));
    figures
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    match digits.len() {
        4.. => format!(
            "{},{}",
            &digits[..digits.len() - 3],
            &digits[digits.len() - 3..]
        ),
        _ => digits,
    }
}

#[test]
fn the_readmes_gas_table_is_what_calls_cost() {
    let mut table = String::from("| call | `cw-orm` | `IndexedMap` | ratio |\n|---|--:|--:|--:|\n");
    for (call, (orm, map)) in figures() {
        let ratio = orm as f64 / map as f64;
        table += &format!(
            "| {call} | {} | {} | {ratio:.2} |\n",
            thousands(orm),
            thousands(map)
        );
    }
    let readme = include_str!("../../README.md");
    assert!(
        readme.contains(&table),
        "the README's table is to be:\n{table}"
    );
}
