//! What `cw-storage-plus` 3 wrote, opened as a table, indexed and moved. All data here is written by its own types.

mod indexed_map;
mod keys;
mod map;
mod model;
mod moving;

use cosmwasm_std::Storage;
use cw_orm::{
    Codec, Indexable, Json, KeyRule, MovingTable, MultiKeyIndex, Namespace, PageLimits, Postcard,
    PrimaryKeyTable, PrimaryKeyed, Record, TableMeta, UniqueIndex, expect_version,
};
use cw_storage_plus::{Index, IndexList, IndexedMap, MultiIndex};
use serde::{Deserialize, Serialize};

/// Defines a row as a `Map` keeps it: JSON, the key among the columns.
macro_rules! mapped {
    (
        $row:ident { $($field:ident: $type:ty),+ }, $table:ident, $ns:literal,
        $key:ty, $fields:expr, [$($index:expr),*]
    ) => {
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $row {
            $(pub $field: $type),+
        }

        pub const $table: PrimaryKeyTable<$row> = PrimaryKeyTable::new();

        impl Record for $row {
            type PrimaryKey = $key;
            type Codec = Json;
            const META: TableMeta = TableMeta {
                name: $ns,
                namespace: Namespace::new($ns.as_bytes()),
                version: 0,
                key_rule: KeyRule::StoragePlus,
                limits: PageLimits { default: 2, max: 5 },
            };
            const INDEXES: &'static [&'static dyn Indexable<Self>] = &[$(&$index),*];

            fn encode(&self) -> Result<Vec<u8>, String> {
                Json::encode(self)
            }

            fn decode(key: &$key, _: u8, bytes: &[u8]) -> Result<Self, String> {
                let row: Self = Json::decode(bytes)?;
                if row.primary_key_fields() == *key {
                    Ok(row)
                } else {
                    Err("the columns are of another key".into())
                }
            }
        }

        impl PrimaryKeyed for $row {
            fn primary_key_fields(&self) -> $key {
                let fields: fn(&Self) -> $key = $fields;
                fields(self)
            }
        }
    };
}

/// Defines a row of the native layout that a row of a `Map` becomes.
macro_rules! native {
    (
        $row:ident { $($field:ident: $type:ty),+ } from $old:ident, $table:ident,
        $name:literal, $ns:literal, $rule:ident, $key:ty, $fields:expr, [$($index:expr),*]
    ) => {
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $row {
            $(pub $field: $type),+
        }

        pub const $table: MovingTable<$old, $row> = MovingTable::new();

        impl Record for $row {
            type PrimaryKey = $key;
            type Codec = Postcard;
            const META: TableMeta = TableMeta {
                name: $name,
                namespace: Namespace::new($ns),
                version: 1,
                key_rule: KeyRule::$rule,
                limits: PageLimits { default: 2, max: 5 },
            };
            const INDEXES: &'static [&'static dyn Indexable<Self>] = &[$(&$index),*];

            fn encode(&self) -> Result<Vec<u8>, String> {
                Postcard::encode(&($(&self.$field),+))
            }

            fn decode(_: &$key, version: u8, bytes: &[u8]) -> Result<Self, String> {
                expect_version(1, version)?;
                let ($($field),+) = Postcard::decode(bytes)?;
                Ok(Self { $($field),+ })
            }
        }

        impl PrimaryKeyed for $row {
            fn primary_key_fields(&self) -> $key {
                let fields: fn(&Self) -> $key = $fields;
                fields(self)
            }
        }

        impl TryFrom<$old> for $row {
            type Error = String;

            fn try_from($old { $($field),+ }: $old) -> Result<Self, String> {
                let row = Self { $($field),+ };
                if format!("{row:?}").contains("cursed") {
                    return Err("a cursed row".into());
                }
                Ok(row)
            }
        }
    };
}

mapped!(
    Token {
        id: String,
        owner: String,
        serial: u32
    },
    TOKENS,
    "tokens",
    String,
    |row| row.id.clone(),
    [BY_OWNER]
);
pub const BY_OWNER: MultiKeyIndex<Token, String> =
    MultiKeyIndex::<Token, _>::new(1, "by_owner", Namespace::new(b"to"), |_, row| {
        vec![row.owner.clone()]
    })
    .tracked();

native!(
    Moved { id: String, owner: String, serial: u32 } from Token, MOVING,
    "tokens", b"t", Delimited,
    String, |row| row.id.clone(), [MOVED_OWNER, MOVED_SERIAL]
);
pub const MOVED_OWNER: MultiKeyIndex<Moved, String> =
    MultiKeyIndex::new(1, "by_owner", Namespace::new(b"tw"), |_, row| {
        vec![row.owner.clone()]
    });
pub const MOVED_SERIAL: UniqueIndex<Moved, u32> =
    UniqueIndex::new(2, "by_serial", Namespace::new(b"tu"), |_, row| {
        vec![row.serial]
    });

// A composite key that sorts alike under both rules.
mapped!(
    Level {
        tier: i32,
        at: u64,
        name: String
    },
    LEVELS,
    "levels",
    (i32, u64, String),
    |row| (row.tier, row.at, row.name.clone()),
    []
);
native!(
    Step { tier: i32, at: u64, name: String } from Level, STEPS,
    "levels", b"l", Delimited,
    (i32, u64, String), |row| (row.tier, row.at, row.name.clone()), []
);

// One that does not: text before the last part, which a map sorts by length first.
mapped!(
    Vote {
        poll: String,
        voter: u64
    },
    VOTES,
    "votes",
    (String, u64),
    |row| (row.poll.clone(), row.voter),
    []
);
native!(
    Unlike { poll: String, voter: u64 } from Vote, UNLIKE,
    "votes", b"x", Delimited,
    (String, u64), |row| (row.poll.clone(), row.voter), []
);
native!(
    Alike { poll: String, voter: u64 } from Vote, ALIKE,
    "votes", b"y", StoragePlus,
    (String, u64), |row| (row.poll.clone(), row.voter), []
);

/// The indexes that a contract has kept so far.
pub struct TokenIndexes {
    pub owner: MultiIndex<'static, String, Token, String>,
    pub serial: cw_storage_plus::UniqueIndex<'static, u32, Token, String>,
}

impl IndexList<Token> for TokenIndexes {
    fn get_indexes(&self) -> Box<dyn Iterator<Item = &dyn Index<Token>> + '_> {
        Box::new([&self.owner as &dyn Index<Token>, &self.serial].into_iter())
    }
}

/// The map that a contract has kept so far.
pub fn indexed_map() -> IndexedMap<&'static str, Token, TokenIndexes> {
    IndexedMap::new(
        "tokens",
        TokenIndexes {
            owner: MultiIndex::new(
                |_, token: &Token| token.owner.clone(),
                "tokens",
                "tokens__owner",
            ),
            serial: cw_storage_plus::UniqueIndex::new(
                |token: &Token| token.serial,
                "tokens__serial",
            ),
        },
    )
}

pub fn token(id: &str, owner: &str, serial: u32) -> Token {
    Token {
        id: id.into(),
        owner: owner.into(),
        serial,
    }
}

pub fn moved(id: &str, owner: &str, serial: u32) -> Moved {
    Moved {
        id: id.into(),
        owner: owner.into(),
        serial,
    }
}

/// Returns how many keys a namespace has.
pub fn count(storage: &dyn Storage, namespace: &'static str) -> usize {
    crate::backfill::entries(storage, namespace.as_bytes())
}
