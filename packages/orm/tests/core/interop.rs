//! The store beside `cw-storage-plus` 3: it reads our keys, we read its maps, and neither steps on the other.

use cosmwasm_std::{Empty, Order::Ascending, Order::Descending, Record, StdResult, Storage};
use cw_orm::{Key, KeyReader, KeyRule, Namespace};
use cw_storage_plus::{Bound, IndexPrefix, Item, Map, Path, Prefix};

use crate::fixture::{
    BY_MARKET, LEGACY, Legacy, MESSAGES, Message, ORDERS, Phase, Store, TRADES, order, raw_key,
    trade,
};

fn store() -> Store {
    let mut store = Store::default();
    for (owner, seq, market) in [("a", 1, "m"), ("a", 2, "n"), ("b", 1, "m"), ("ab", 0, "m")] {
        ORDERS
            .insert(&mut store, &order(owner, seq, market))
            .unwrap();
    }
    store
}

fn ids(keys: impl Iterator<Item = Vec<u8>>) -> Vec<(String, u32)> {
    keys.map(|key| Key::decode(&key, KeyRule::Delimited).unwrap())
        .collect()
}

#[test]
fn map_keys_raw_reads_our_row_keys() {
    let store = store();
    let map: Map<Vec<u8>, Empty> = Map::new("o");
    let want = ORDERS.all().ids(&store, Ascending).read_all().unwrap();
    assert_eq!(ids(map.keys_raw(&store, None, None, Ascending)), want);
    let from = ("ab".to_owned(), 0_u32).encode(KeyRule::Delimited).unwrap();
    let found = map.keys_raw(&store, Some(Bound::inclusive(from)), None, Ascending);
    assert_eq!(ids(found), want[2..]);
}

#[test]
fn prefix_keys_raw_reads_a_table_and_nothing_beside_it() {
    let store = store();
    for (ns, rows) in [("o", 4), ("om", 4), ("oo", 4), ("oc", 0), ("ot", 0)] {
        let prefix: Prefix<Vec<u8>, Empty> = Prefix::new(ns.as_bytes(), &[]);
        assert_eq!(
            prefix.keys_raw(&store, None, None, Descending).count(),
            rows,
            "{ns}"
        );
    }
}

#[test]
fn a_path_is_our_key() {
    let id = ("a".to_owned(), 1_u32).encode(KeyRule::Delimited).unwrap();
    let path: Path<Empty> = Path::new(b"o", &[&id]);
    assert_eq!(&path[..], Namespace::new(b"o").key(&id));
    assert!(store().get(&path).is_some());
}

/// Decodes an entry of `by_market` and the row that it names, as an index of a contract of `cw-storage-plus` would.
fn market_entry(
    store: &dyn Storage,
    rows: &[u8],
    (key, _): Record,
) -> StdResult<(Vec<u8>, (String, u32, u64))> {
    let mut reader = KeyReader::leading(&key, KeyRule::Delimited);
    let market = String::read(&mut reader).unwrap();
    let row_key = Namespace::new(b"o").key(reader.rest());
    assert!(row_key.starts_with(&[&[0, 1], rows].concat()) && store.get(&row_key).is_some());
    let (owner, seq) = <(String, u32)>::decode(reader.rest(), KeyRule::Delimited).unwrap();
    let row = ORDERS.get_one(store, &(owner.clone(), seq)).unwrap();
    assert_eq!(row.market, market);
    Ok((key, (owner, seq, row.amount)))
}

#[test]
fn index_prefix_with_deserialization_functions_reads_our_entries() {
    let store = store();
    let index: IndexPrefix<Vec<u8>, (String, u32, u64)> =
        IndexPrefix::with_deserialization_functions(
            b"om",
            &[],
            b"o",
            market_entry,
            |_, _, _| unreachable!(),
        );
    let found: Vec<_> = index
        .range(&store, None, None, Ascending)
        .map(|entry| entry.unwrap().1)
        .collect();
    let want = ORDERS
        .by(BY_MARKET)
        .unwrap()
        .all()
        .rows(&store, Ascending)
        .read_all()
        .unwrap();
    assert_eq!(
        found,
        want.into_iter()
            .map(|row| (row.owner, row.seq, row.amount))
            .collect::<Vec<_>>()
    );
    assert_eq!(index.keys_raw(&store, None, None, Ascending).count(), 4);
}

#[test]
fn u64_keys_are_a_map_of_u64() {
    let mut store = Store::default();
    for px in [5, 6, 7] {
        TRADES.insert(&mut store, &mut trade(px)).unwrap();
    }
    let map: Map<u64, Empty> = Map::new("t");
    let keys: StdResult<Vec<u64>> = map
        .keys(&store, Some(Bound::exclusive(1_u64)), None, Ascending)
        .collect();
    assert_eq!(keys.unwrap(), [2, 3]);
}

#[test]
fn binary_rows_do_not_load_as_json() {
    let store = store();
    let map: Map<Vec<u8>, Empty> = Map::new("o");
    assert!(
        map.range(&store, None, None, Ascending)
            .all(|row| row.is_err())
    );
}

#[test]
fn json_rows_load_as_a_map_and_back() {
    let mut store = Store::default();
    let map: Map<&str, Legacy> = Map::new("legacy");
    let row = |name: &str, points| Legacy {
        name: name.into(),
        points,
    };
    map.save(&mut store, "al", &row("al", 1)).unwrap();
    map.save(&mut store, "alice", &row("alice", 2)).unwrap();
    assert_eq!(
        LEGACY.all().rows(&store, Ascending).read_all().unwrap(),
        [row("al", 1), row("alice", 2)]
    );
    LEGACY.update(&mut store, row("al", 3)).unwrap();
    LEGACY.insert(&mut store, &row("bob", 4)).unwrap();
    let loaded: StdResult<Vec<(String, Legacy)>> =
        map.range(&store, None, None, Ascending).collect();
    let want = [row("al", 3), row("alice", 2), row("bob", 4)];
    assert_eq!(loaded.unwrap(), want.map(|row| (row.name.clone(), row)));
    assert_eq!(
        store.get(&raw_key("legacy", &[b"bob"])).unwrap(),
        br#"{"name":"bob","points":4}"#
    );
}

#[test]
fn items_and_maps_beside_tables_stay_apart() {
    let mut store = store();
    let rows = store.dump();
    let item: Item<u64> = Item::new("o");
    let map: Map<&str, u64> = Map::new("orders");
    item.save(&mut store, &1).unwrap();
    map.save(&mut store, "a", &2).unwrap();
    assert_eq!(
        ORDERS
            .all()
            .ids(&store, Ascending)
            .read_all()
            .unwrap()
            .len(),
        4
    );
    MESSAGES
        .upsert(
            &mut store,
            &Message {
                chain: 1,
                sequence: 1,
                body: None,
                quorum: None,
                phase: Some(Phase { phases: vec![] }),
            },
        )
        .unwrap();
    for id in ORDERS.all().ids(&store, Ascending).read_all().unwrap() {
        ORDERS.delete(&mut store, &id).unwrap();
    }
    MESSAGES.delete(&mut store, &(1, 1)).unwrap();
    assert_eq!(
        (item.load(&store).unwrap(), map.load(&store, "a").unwrap()),
        (1, 2)
    );
    assert_eq!(store.dump().len(), 2);
    assert!(rows.keys().all(|key| store.get(key).is_none()));
}
