//! A `Map`, used by its own type and as a table at once.

use cosmwasm_std::{Addr, Order, Order::Ascending, Order::Descending};
use cw_orm::{
    Codec, Indexable, Json, KeyError, KeyRule, Namespace, OrmError, PageLimits, PrimaryKeyTable,
    PrimaryKeyed, Record, TableMeta,
};
use cw_storage_plus::Map;
use serde::{Deserialize, Serialize};

use super::{LEVELS, Level, TOKENS, Token, VOTES, Vote, token};
use crate::fixture::{Store, first, last, walk};

const TOKEN_MAP: Map<&str, Token> = Map::new("tokens");
const LEVEL_MAP: Map<(i32, u64, &str), Level> = Map::new("levels");
const VOTE_MAP: Map<(&str, u64), Vote> = Map::new("votes");

fn level(tier: i32, at: u64, name: &str) -> Level {
    let name = name.to_owned();
    Level { tier, at, name }
}

fn levels() -> (Store, Vec<Level>) {
    let mut store = Store::default();
    let mut rows = Vec::new();
    for tier in [i32::MIN, -1, 0, 1, i32::MAX] {
        for at in [0, 127, 128, 255, 256, 1 << 63] {
            for name in ["a", "ab", "b"] {
                let row = level(tier, at, name);
                LEVEL_MAP.save(&mut store, (tier, at, name), &row).unwrap();
                rows.push(row);
            }
        }
    }
    (store, rows)
}

#[test]
fn composite_and_signed_keys_are_read_in_the_maps_order() {
    let (store, rows) = levels();
    let found = LEVELS.all().rows(&store, Ascending).read_all().unwrap();
    assert_eq!(found, rows);
    let of_map: Vec<_> = LEVEL_MAP
        .range(&store, None, None, Ascending)
        .map(|row| row.unwrap().1)
        .collect();
    assert_eq!(of_map, rows);
    let key = (-1, 255, "ab".to_owned());
    assert_eq!(
        LEVELS.get(&store, &key).unwrap(),
        Some(level(-1, 255, "ab"))
    );
}

#[test]
fn prefixes_ranges_and_pages() {
    let (store, rows) = levels();
    let of = |keep: &dyn Fn(&Level) -> bool| {
        let kept = rows.iter().filter(|row| keep(row));
        kept.cloned().collect::<Vec<_>>()
    };
    let all = |scan: cw_orm::Scan<Level>, order| scan.rows(&store, order).read_all().unwrap();
    let tier = LEVELS.prefix(&(-1,)).unwrap();
    assert_eq!(all(tier, Ascending), of(&|row| row.tier == -1));
    let at = LEVELS.prefix(&(0, 255_u64)).unwrap();
    let mut want = of(&|row| row.tier == 0 && row.at == 255);
    want.reverse();
    assert_eq!(all(at, Descending), want);
    // A whole key that begins another one's is only itself.
    let whole = LEVELS.prefix(&(0, 255_u64, "a".to_owned())).unwrap();
    assert_eq!(all(whole, Ascending), [level(0, 255, "a")]);
    let range = LEVELS.range((-1, 128_u64)..=(0, 127)).unwrap();
    let within =
        |row: &Level| (row.tier == -1 && row.at >= 128) || (row.tier == 0 && row.at <= 127);
    assert_eq!(all(range, Ascending), of(&within));
    let pages = walk(&first(4), |request| LEVELS.get_paginated(&store, request));
    assert_eq!(pages, rows);
    let back = walk(&last(4), |request| LEVELS.get_paginated(&store, request));
    assert!(back.iter().eq(rows.iter().rev()));
}

#[test]
fn writes_of_either_are_the_others_rows() {
    let mut store = Store::default();
    VOTE_MAP
        .save(
            &mut store,
            ("p", 300),
            &Vote {
                poll: "p".into(),
                voter: 300,
            },
        )
        .unwrap();
    let vote = |poll: &str, voter| Vote {
        poll: poll.into(),
        voter,
    };
    VOTES.insert(&mut store, &vote("poll", 1)).unwrap();
    let taken = VOTES.insert(&mut store, &vote("p", 300));
    assert!(matches!(taken, Err(OrmError::AlreadyExists { .. })));
    assert_eq!(VOTE_MAP.load(&store, ("poll", 1)).unwrap(), vote("poll", 1));
    VOTES.delete(&mut store, &("p".into(), 300)).unwrap();
    assert!(VOTE_MAP.may_load(&store, ("p", 300)).unwrap().is_none());
    // A map sorts text before the last part by its length first, and so does the table.
    VOTES.insert(&mut store, &vote("z", 1)).unwrap();
    VOTES.insert(&mut store, &vote("aa", 1)).unwrap();
    let rows = VOTES
        .all()
        .rows(&store, Order::Ascending)
        .read_all()
        .unwrap();
    let polls: Vec<_> = rows.iter().map(|row| &row.poll[..]).collect();
    assert_eq!(polls, ["z", "aa", "poll"]);
    assert_eq!(VOTE_MAP.range(&store, None, None, Ascending).count(), 3);
}

#[test]
fn a_row_that_did_not_change_is_not_rewritten() {
    let mut store = Store::default();
    TOKEN_MAP
        .save(&mut store, "a", &token("a", "x", 1))
        .unwrap();
    let (_, counts) = store.count(|store| TOKENS.update(store, token("a", "x", 1)).unwrap());
    assert_eq!((counts.get, counts.set), (1, 0));
}

#[test]
fn a_row_under_another_key_than_its_columns_is_a_typed_error() {
    let mut store = Store::default();
    TOKEN_MAP
        .save(&mut store, "a", &token("b", "x", 1))
        .unwrap();
    let error = TOKENS.get(&store, &"a".into()).unwrap_err();
    assert!(
        matches!(
            error,
            OrmError::Decode {
                table: "tokens",
                ..
            }
        ),
        "{error}"
    );
    assert!(TOKENS.all().rows(&store, Ascending).read_all().is_err());
}

/// A map allows the empty key; a table refuses it, as every other empty key.
#[test]
fn the_empty_key_is_refused() {
    let mut store = Store::default();
    TOKEN_MAP.save(&mut store, "", &token("", "x", 1)).unwrap();
    let empty = OrmError::Key {
        table: "tokens",
        source: KeyError::Empty,
    };
    assert_eq!(TOKENS.get(&store, &String::new()), Err(empty.clone()));
    assert_eq!(TOKENS.update(&mut store, token("", "y", 1)), Err(empty));
}

/// What `cw-storage-plus` users keep most: something under an address, which the value does not repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Balance {
    #[serde(skip, default = "nobody")]
    owner: Addr,
    amount: u64,
}

fn nobody() -> Addr {
    Addr::unchecked("")
}

impl Record for Balance {
    type PrimaryKey = Addr;
    type Codec = Json;
    const META: TableMeta = TableMeta {
        name: "balances",
        namespace: Namespace::new(b"balances"),
        version: 0,
        key_rule: KeyRule::StoragePlus,
        limits: PageLimits::DEFAULT,
    };
    const INDEXES: &'static [&'static dyn Indexable<Self>] = &[];

    fn encode(&self) -> Result<Vec<u8>, String> {
        Json::encode(self)
    }

    fn decode(owner: &Addr, _: u8, bytes: &[u8]) -> Result<Self, String> {
        Ok(Self {
            owner: owner.clone(),
            ..Json::decode(bytes)?
        })
    }
}

impl PrimaryKeyed for Balance {
    fn primary_key_fields(&self) -> Addr {
        self.owner.clone()
    }
}

#[test]
fn a_key_that_the_value_does_not_repeat() {
    const BALANCES: PrimaryKeyTable<Balance> = PrimaryKeyTable::new();
    let map: Map<&Addr, Balance> = Map::new("balances");
    let mut store = Store::default();
    let (ann, bob) = (Addr::unchecked("ann"), Addr::unchecked("bob"));
    let balance = |owner: &Addr, amount| Balance {
        owner: owner.clone(),
        amount,
    };
    map.save(&mut store, &ann, &balance(&ann, 7)).unwrap();
    assert_eq!(BALANCES.get(&store, &ann).unwrap(), Some(balance(&ann, 7)));
    BALANCES.insert(&mut store, &balance(&bob, 8)).unwrap();
    assert_eq!(map.load(&store, &bob).unwrap().amount, 8);
    let key = map.key(&bob);
    assert_eq!(
        cosmwasm_std::Storage::get(&store, &key).unwrap(),
        br#"{"amount":8}"#
    );
}
