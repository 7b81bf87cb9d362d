//! The part that all key-per-row indexes share: from a row to its index keys, and from two rows to the keys that changed.

use super::{Subject, Trace};
use crate::{
    error::OrmError,
    key::{Key, KeyReader, KeyRule},
    namespace::Namespace,
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
            keys.push(
                part.encode(self.rule)
                    .map_err(|source| self.bad_key(&source))?,
            );
        }
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// Returns the keys that differ between two states of a row, and those that do not.
    pub(super) fn change(
        &self,
        subject: &Subject<'_, R>,
        old: Option<&R>,
        new: Option<&R>,
    ) -> Result<KeyChange, OrmError> {
        let of = |row: Option<&R>| row.map_or(Ok(Vec::new()), |row| self.keys(subject.key, row));
        let (mut gone, mut come) = (of(old)?, of(new)?);
        let kept: Vec<Vec<u8>> = gone
            .iter()
            .filter(|key| come.contains(key))
            .cloned()
            .collect();
        gone.retain(|key| !kept.contains(key));
        come.retain(|key| !kept.contains(key));
        Ok(KeyChange { gone, come, kept })
    }

    /// Returns the store's key of an entry.
    pub(super) fn entry(&self, key: &[u8], row_id: &[u8]) -> Vec<u8> {
        self.namespace.key(&[key, row_id].concat())
    }

    /// Says which row an entry is of whose row id follows the index key.
    pub(super) fn trace_row<'e>(&self, entry: &'e [u8]) -> Trace<'e> {
        let mut reader = KeyReader::leading(entry, self.rule);
        match K::read(&mut reader) {
            Ok(_) => Trace::Row(reader.rest()),
            Err(_) => Trace::Malformed,
        }
    }

    pub(super) fn bad_key(&self, source: &crate::key::KeyError) -> OrmError {
        OrmError::Index {
            table: R::META.name,
            index: self.name,
            reason: source.to_string(),
        }
    }
}
