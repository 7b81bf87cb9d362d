use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use redb::{Builder, Database, ReadOnlyTable, ReadableDatabase, TableDefinition, TableError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StoreError;
use super::keyspace::{Keyspace, Part};
use super::meta::LAYOUT;

const CONTRACT: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("contract");
const CHAIN: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("chain");
const META: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("meta");

/// Memory that the database may use for pages.
const CACHE_BYTES: usize = 64 << 20;

/// Holds changes that are not in the database yet; `None` removes the key.
pub(super) type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

type Table = ReadOnlyTable<&'static [u8], &'static [u8]>;

/// Reads the state as of one commit.
#[derive(Debug)]
pub(super) struct Snapshot {
    contract: Table,
    chain: Table,
}

impl Snapshot {
    /// Returns the table of a part.
    pub(super) fn part(&self, part: Part) -> &Table {
        match part {
            Part::Contract => &self.contract,
            Part::Chain => &self.chain,
        }
    }
}

/// Holds an entry of the `meta` table that is to be written.
pub(super) struct MetaEntry {
    pub(super) key: &'static str,
    pub(super) json: Vec<u8>,
}

impl MetaEntry {
    /// Encodes an entry.
    pub(super) fn new<T: Serialize>(
        path: &Path,
        key: &'static str,
        value: &T,
    ) -> Result<Self, StoreError> {
        let json = serde_json::to_vec(value).map_err(|e| foreign(path, key, &e))?;
        Ok(Self { key, json })
    }
}

/// Wraps the database file: tables of the state, and one of facts about it.
#[derive(Debug)]
pub(super) struct Store {
    database: Database,
    path: PathBuf,
}

impl Store {
    /// Makes a database in a file that must be empty or absent.
    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        let database = Builder::new()
            .set_cache_size(CACHE_BYTES)
            .create(path)
            .map_err(|e| StoreError::database("create", path, e))?;
        Self {
            database,
            path: path.to_owned(),
        }
        .initialized()
    }

    /// Makes a database in a storage of the caller's.
    #[cfg(test)]
    pub(super) fn create_with(
        path: &Path,
        backend: impl redb::StorageBackend,
        cache_bytes: usize,
    ) -> Result<Self, StoreError> {
        let database = Builder::new()
            .set_cache_size(cache_bytes)
            .create_with_backend(backend)
            .map_err(|e| StoreError::database("create", path, e))?;
        Self {
            database,
            path: path.to_owned(),
        }
        .initialized()
    }

    fn initialized(self) -> Result<Self, StoreError> {
        let layout = MetaEntry::new(&self.path, "layout", &LAYOUT)?;
        self.commit(&Keyspace::new(""), &Changes::new(), &[layout])?;
        Ok(self)
    }

    /// Opens an existing database and checks its layout.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let database = Builder::new()
            .set_cache_size(CACHE_BYTES)
            .open(path)
            .map_err(|error| match redb::Error::from(error) {
                redb::Error::Io(e) if e.kind() == std::io::ErrorKind::InvalidData => {
                    StoreError::Foreign {
                        path: path.to_owned(),
                        reason: e.to_string(),
                    }
                }
                redb::Error::UpgradeRequired(version) => StoreError::Layout {
                    path: path.to_owned(),
                    found: format!("redb file format {version}"),
                    expected: LAYOUT,
                },
                other => StoreError::database("open", path, other),
            })?;
        let store = Self {
            database,
            path: path.to_owned(),
        };
        let layout: String = store.meta("layout")?;
        if layout != LAYOUT {
            return Err(StoreError::Layout {
                path: store.path,
                found: layout,
                expected: LAYOUT,
            });
        }
        Ok(store)
    }

    /// Returns the database file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads an entry of the `meta` table.
    pub(super) fn meta<T: DeserializeOwned>(&self, key: &'static str) -> Result<T, StoreError> {
        let read = || -> Result<Option<Vec<u8>>, redb::Error> {
            let table = match self.database.begin_read()?.open_table(META) {
                Ok(table) => table,
                Err(TableError::TableDoesNotExist(_)) => return Ok(None),
                Err(e) => return Err(e.into()),
            };
            Ok(table.get(key)?.map(|value| value.value().to_vec()))
        };
        let json = read()
            .map_err(|e| StoreError::database("read", &self.path, e))?
            .ok_or_else(|| foreign(&self.path, key, &"it is missing"))?;
        serde_json::from_slice(&json).map_err(|e| foreign(&self.path, key, &e))
    }

    /// Returns the state as of the last commit.
    pub(super) fn snapshot(&self) -> Result<Snapshot, redb::Error> {
        let transaction = self.database.begin_read()?;
        Ok(Snapshot {
            contract: transaction.open_table(CONTRACT)?,
            chain: transaction.open_table(CHAIN)?,
        })
    }

    /// Writes all changes and entries in one durable transaction.
    pub(super) fn commit(
        &self,
        keyspace: &Keyspace,
        changes: &Changes,
        meta: &[MetaEntry],
    ) -> Result<(), StoreError> {
        let write = || -> Result<(), redb::Error> {
            let transaction = self.database.begin_write()?;
            {
                let mut contract = transaction.open_table(CONTRACT)?;
                let mut chain = transaction.open_table(CHAIN)?;
                for (key, change) in changes {
                    let (part, key) = keyspace.locate(key);
                    let table = match part {
                        Part::Contract => &mut contract,
                        Part::Chain => &mut chain,
                    };
                    match change {
                        Some(value) => drop(table.insert(key, value.as_slice())?),
                        None => drop(table.remove(key)?),
                    }
                }
                let mut table = transaction.open_table(META)?;
                for entry in meta {
                    table.insert(entry.key, entry.json.as_slice())?;
                }
            }
            Ok(transaction.commit()?)
        };
        write().map_err(|e| StoreError::database("write", &self.path, e))
    }
}

fn foreign(path: &Path, key: &str, reason: &dyn std::fmt::Display) -> StoreError {
    StoreError::Foreign {
        path: path.to_owned(),
        reason: format!("entry `{key}` of its table `meta`: {reason}"),
    }
}
