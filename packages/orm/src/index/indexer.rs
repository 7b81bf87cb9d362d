//! The part that all key-per-row indexes share: from a row to its index keys, and from two rows to the keys that changed.

use super::{IndexEntry, Subject, Trace};
use crate::{
    error::OrmError,
    key::{Key, KeyError, KeyReader, KeyRule},
    namespace::Namespace,
    raw::WritePlan,
    row::Record,
};

/// Returns the keys under which a row is indexed: none, one or many. Must depend on the row alone.
pub type IndexerFunc<R, K> = fn(&<R as Record>::PrimaryKey, &R) -> Vec<K>;

/// Computes index keys and their changes.
#[derive(Debug)]
pub struct Indexer<R: Record, K> {
    pub(super) id: u8,
    pub(super) name: &'static str,
    pub(super) namespace: Namespace,
    pub(super) rule: KeyRule,
    pub(super) tracked: bool,
    pub(super) func: IndexerFunc<R, K>,
}

impl<R: Record, K> Clone for Indexer<R, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record, K> Copy for Indexer<R, K> {}

/// A state of a row that changes.
#[derive(Clone, Copy)]
enum State {
    Old,
    New,
}

/// The encoded keys that a change takes from, gives to and leaves to a row.
pub(super) struct KeyChange {
    pub(super) gone: Vec<Vec<u8>>,
    pub(super) come: Vec<Vec<u8>>,
    pub(super) kept: Vec<Vec<u8>>,
}

impl<R: Record, K: Key> Indexer<R, K> {
    /// Makes an indexer out of the index's facts and its function. In a constant, an id out of range does not compile.
    pub(super) const fn new(
        id: u8,
        name: &'static str,
        namespace: Namespace,
        func: IndexerFunc<R, K>,
    ) -> Self {
        assert!(id >= 1 && id <= 63, "an index's id is 1 to 63");
        Self {
            id,
            name,
            namespace,
            rule: KeyRule::Delimited,
            tracked: false,
            func,
        }
    }

    /// Returns the encoded keys of `row`, sorted and each once.
    pub(super) fn keys(&self, key: &R::PrimaryKey, row: &R) -> Result<Vec<Vec<u8>>, OrmError> {
        let mut keys = Vec::new();
        for part in (self.func)(key, row) {
            match part.encode(self.rule) {
                Ok(part) => keys.push(part),
                Err(source) => return Err(self.bad_key(&source)),
            }
        }
        sort(&mut keys);
        Ok(keys)
    }

    /// Returns the keys that differ between two states of a row, and those that do not.
    pub(super) fn change(
        &self,
        subject: &Subject<'_, R>,
        old: Option<&R>,
        new: Option<&R>,
    ) -> Result<KeyChange, OrmError> {
        KeyChange::between(&|state| {
            let row = match state {
                State::Old => old,
                State::New => new,
            };
            match row {
                Some(row) => self.keys(subject.key, row),
                None => Ok(Vec::new()),
            }
        })
    }

    /// Returns the store's key of an entry.
    pub(super) fn entry(&self, key: &[u8], row_id: &[u8]) -> Vec<u8> {
        entry(self.namespace, key, row_id)
    }

    /// Says which row an entry is of whose row id follows the index key.
    pub(super) fn trace_row<'e>(&self, entry: &'e [u8]) -> Trace<'e> {
        let mut reader = KeyReader::leading(entry, self.rule);
        match K::read(&mut reader) {
            Ok(_) => Trace::Row(reader.rest()),
            Err(_) => Trace::Malformed,
        }
    }

    pub(super) fn bad_key(&self, source: &KeyError) -> OrmError {
        bad_key(R::META.name, self.name, source)
    }
}

// --- bytes: the same code for every table and key ---

impl KeyChange {
    /// Tells the keys of two states apart.
    fn between(keys: &dyn Fn(State) -> Result<Vec<Vec<u8>>, OrmError>) -> Result<Self, OrmError> {
        let (mut gone, mut come) = (keys(State::Old)?, keys(State::New)?);
        let mut kept = Vec::new();
        for key in &gone {
            if come.contains(key) {
                kept.push(key.clone());
            }
        }
        gone.retain(|key| !kept.contains(key));
        come.retain(|key| !kept.contains(key));
        Ok(Self { gone, come, kept })
    }

    /// Plans an entry's end for each key that goes, and one of `value` for each that comes. The entries end with `row_id`.
    pub(super) fn plan(
        &self,
        namespace: Namespace,
        row_id: &[u8],
        value: &[u8],
        plan: &mut WritePlan,
    ) {
        for key in &self.gone {
            plan.remove(entry(namespace, key, row_id));
        }
        for key in &self.come {
            plan.set(entry(namespace, key, row_id), value.to_vec());
        }
    }
}

/// Returns a row's entries whose keys end with the row's id.
pub(super) fn entries_with_id(keys: Vec<Vec<u8>>, row_id: &[u8], value: &[u8]) -> Vec<IndexEntry> {
    let entry = |key: Vec<u8>| ([&key, row_id].concat(), value.to_vec());
    keys.into_iter().map(entry).collect()
}

/// Returns a row's entries whose keys are the index keys.
pub(super) fn entries_of(keys: Vec<Vec<u8>>, value: &[u8]) -> Vec<IndexEntry> {
    keys.into_iter().map(|key| (key, value.to_vec())).collect()
}

fn sort(keys: &mut Vec<Vec<u8>>) {
    keys.sort_unstable();
    keys.dedup();
}

/// Returns the store's key of an entry.
pub(super) fn entry(namespace: Namespace, key: &[u8], row_id: &[u8]) -> Vec<u8> {
    namespace.key(&[key, row_id].concat())
}

pub(super) fn bad_key(table: &'static str, index: &'static str, source: &KeyError) -> OrmError {
    OrmError::Index {
        table,
        index,
        reason: source.to_string(),
    }
}
