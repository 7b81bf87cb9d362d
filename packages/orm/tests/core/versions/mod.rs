//! Rows of older versions: read as they are, rewritten when they change or in steps.

mod faults;
mod model;
mod steps;

use cw_orm::{
    Codec, Indexable, KeyRule, MultiKeyIndex, Namespace, PageLimits, Postcard, PrimaryKeyTable,
    PrimaryKeyed, Record, TableMeta, UniqueIndex, expect_version,
};

/// Defines the row of one version of the code. All of them are in one namespace.
macro_rules! version {
    (
        $row:ident, $table:ident, $version:literal, $score:ty, ($name:ident, $code:ident),
        names: $names:expr, migrate: $migrate:expr
    ) => {
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $row {
            pub id: u32,
            pub name: String,
            pub score: $score,
        }

        pub const $table: PrimaryKeyTable<$row> = PrimaryKeyTable::new();
        pub const $name: MultiKeyIndex<$row, String> =
            MultiKeyIndex::new(1, "by_name", Namespace::new(b"vn"), |_, row| {
                let names: fn(&$row) -> Vec<String> = $names;
                names(row)
            });
        pub const $code: UniqueIndex<$row, String> =
            UniqueIndex::new(2, "by_code", Namespace::new(b"vc"), |_, row| {
                vec![row.name.clone()]
            });

        impl Record for $row {
            type PrimaryKey = u32;
            type Codec = Postcard;
            const META: TableMeta = TableMeta {
                name: "scores",
                namespace: Namespace::new(b"v"),
                version: $version,
                key_rule: KeyRule::Delimited,
                limits: PageLimits::DEFAULT,
            };
            const INDEXES: &'static [&'static dyn Indexable<Self>] = &[&$name, &$code];

            fn encode(&self) -> Result<Vec<u8>, String> {
                Postcard::encode(&(&self.name, &self.score))
            }

            fn decode(id: &u32, version: u8, bytes: &[u8]) -> Result<Self, String> {
                if version < $version {
                    let migrate: fn(&u32, u8, &[u8]) -> Result<Self, String> = $migrate;
                    return migrate(id, version, bytes);
                }
                expect_version($version, version)?;
                let (name, score) = Postcard::decode(bytes)?;
                Ok(Self {
                    id: *id,
                    name,
                    score,
                })
            }

            fn validate(&self) -> Result<(), String> {
                if self.name == "bad" && $version > 1 {
                    Err("a bad name".into())
                } else {
                    Ok(())
                }
            }
        }

        impl PrimaryKeyed for $row {
            fn primary_key_fields(&self) -> u32 {
                self.id
            }
        }
    };
}

fn from_v1(bytes: &[u8]) -> Result<(String, u8), String> {
    let (name, score): (String, u8) = Postcard::decode(bytes)?;
    if score == 13 {
        return Err("a score of 13".into());
    }
    Ok((name, score))
}

version!(V1, ONE, 1, u8, (V1_NAME, V1_CODE),
    names: |row| vec![row.name.clone()],
    migrate: |_, version, _| Err(format!("no version {version}")));

// The score got another type.
version!(V2, TWO, 2, String, (V2_NAME, V2_CODE),
names: |row| vec![row.name.clone()],
migrate: |id, version, bytes| {
    expect_version(1, version)?;
    let (name, score) = from_v1(bytes)?;
    Ok(V2 { id: *id, name, score: score.to_string() })
});

// And another; rows of both older versions are read.
version!(V3, THREE, 3, u64, (V3_NAME, V3_CODE),
names: |row| vec![row.name.clone()],
migrate: |id, version, bytes| {
    let (name, score) = match version {
        1 => from_v1(bytes).map(|(name, score)| (name, u64::from(score)))?,
        2 => {
            let (name, score): (String, String) = Postcard::decode(bytes)?;
            (name, score.parse().map_err(|_| "no number".to_owned())?)
        }
        other => return Err(format!("no version {other}")),
    };
    Ok(V3 { id: *id, name, score })
});

// An index that now has other keys, under the same id: a mistake.
version!(Wrong, WRONG, 2, u8, (WRONG_NAME, WRONG_CODE),
names: |row| vec![row.name.to_uppercase()],
migrate: |id, version, bytes| {
    expect_version(1, version)?;
    let (name, score) = from_v1(bytes)?;
    Ok(Wrong { id: *id, name, score })
});

pub fn v1(id: u32, name: &str, score: u8) -> V1 {
    V1 {
        id,
        name: name.into(),
        score,
    }
}

pub fn v2(id: u32, name: &str, score: &str) -> V2 {
    V2 {
        id,
        name: name.into(),
        score: score.into(),
    }
}
