//! The byte level: everything that needs no type, so that each further table adds little code.

use cosmwasm_std::{Order, Storage};
use cw_storage_plus::{RawBound, range_with_prefix};

use crate::{iter::Steps, namespace::Namespace};

/// A key without its namespace, and a value.
pub(crate) type Entry = (Vec<u8>, Vec<u8>);

/// How to find out whether a key is there, and how to look one up in a unique index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Probe {
    /// By opening a scan of that one key. Costs 30 gas when absent and 30 + 3 a byte when present, against the 1,000 +
    /// 3 a byte of a read; a node does more work for an iterator than its gas says. The default.
    #[default]
    Scan,
    /// By a plain read.
    Get,
}

/// Returns the value at `key`, found by `probe`.
pub(crate) fn lookup(storage: &dyn Storage, probe: Probe, key: &[u8]) -> Option<Vec<u8>> {
    match probe {
        Probe::Get => storage.get(key),
        Probe::Scan => {
            let end = [key, &[0]].concat();
            storage
                .range(Some(key), Some(&end), Order::Ascending)
                .next()
                .map(|(_, value)| value)
        }
    }
}

/// A half-open range of keys in a namespace: `from` is in it, `until` is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: Option<Vec<u8>>,
    pub(crate) until: Option<Vec<u8>>,
}

impl Span {
    /// Everything that begins with `prefix`.
    pub(crate) fn of_prefix(prefix: Vec<u8>) -> Self {
        let until = crate::key::successor(&prefix);
        Self {
            from: Some(prefix),
            until,
        }
    }

    /// Nothing at all.
    pub(crate) fn nothing() -> Self {
        Self {
            from: None,
            until: Some(Vec::new()),
        }
    }

    /// Whether `key` lies in it.
    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        self.from.as_deref().is_none_or(|from| from <= key)
            && self.until.as_deref().is_none_or(|until| key < until)
    }

    /// What is left from `key` on, itself included, in the given order. Never more than there was, also where the key is
    /// outside.
    pub(crate) fn from(mut self, key: Vec<u8>, order: Order) -> Self {
        match order {
            Order::Ascending => self.not_before(key),
            Order::Descending => self.not_after(next(key)),
        }
        self.not_inverted()
    }

    /// What is left after `key` in the given order. Never more than there was, also where the key is outside.
    pub(crate) fn after(mut self, key: Vec<u8>, order: Order) -> Self {
        match order {
            Order::Ascending => self.not_before(next(key)),
            Order::Descending => self.not_after(key),
        }
        self.not_inverted()
    }

    /// Makes a range that ends before it starts an empty one, as not every store takes such.
    fn not_inverted(mut self) -> Self {
        if let (Some(from), Some(until)) = (&self.from, &self.until)
            && from > until
        {
            self.until = Some(from.clone());
        }
        self
    }

    fn not_before(&mut self, key: Vec<u8>) {
        if self.from.as_ref().is_none_or(|from| *from < key) {
            self.from = Some(key);
        }
    }

    fn not_after(&mut self, key: Vec<u8>) {
        if self.until.as_ref().is_none_or(|until| *until > key) {
            self.until = Some(key);
        }
    }
}

/// A key's successor is itself and a zero byte.
fn next(mut key: Vec<u8>) -> Vec<u8> {
    key.push(0);
    key
}

/// Something to scan: a namespace, or several merged.
pub(crate) trait Source {
    /// What stands at each key.
    type Value;

    /// Opens a scan of `span`.
    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        span: &Span,
        order: Order,
    ) -> Steps<'s, (Vec<u8>, Self::Value)>;
}

impl Source for Namespace {
    type Value = Vec<u8>;

    fn open<'s>(&self, storage: &'s dyn Storage, span: &Span, order: Order) -> Steps<'s, Entry> {
        Steps::new(range_with_prefix(
            storage,
            &self.prefix(),
            span.from.clone().map(RawBound::Inclusive),
            span.until.clone().map(RawBound::Exclusive),
            order,
        ))
    }
}

/// The writes of one operation. All of them are planned before the first is made, so that an error, also a caught one,
/// has changed nothing.
#[derive(Debug, Default)]
pub struct WritePlan {
    writes: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

impl WritePlan {
    /// Plans to set the store's `key` to `value`, which must not be empty.
    pub fn set(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.writes.push((key, Some(value)));
    }

    /// Plans to remove the store's `key`.
    pub fn remove(&mut self, key: Vec<u8>) {
        self.writes.push((key, None));
    }

    /// Returns what the store will hold at `key`: what is planned for it, else what is stored, found by `probe`. For an
    /// index that reads an entry to change it, since several changes may go into one plan.
    #[must_use]
    pub fn read(&self, storage: &dyn Storage, probe: Probe, key: &[u8]) -> Option<Vec<u8>> {
        let planned = self.writes.iter().rev().find(|(at, _)| at == key);
        match planned {
            Some((_, value)) => value.clone(),
            None => lookup(storage, probe, key),
        }
    }

    /// Returns the keys that it removes.
    pub(crate) fn removals(&self) -> impl Iterator<Item = &[u8]> {
        self.writes
            .iter()
            .filter(|(_, value)| value.is_none())
            .map(|(key, _)| &key[..])
    }

    /// Returns the entries of a namespace that are left once the writes are made on an empty store, in key order.
    pub(crate) fn within(self, namespace: Namespace) -> Vec<Entry> {
        let prefix = namespace.prefix();
        let mut entries = std::collections::BTreeMap::new();
        for (key, value) in self.writes {
            let Some(key) = key.strip_prefix(&prefix[..]) else {
                continue;
            };
            match value {
                Some(value) => entries.insert(key.to_vec(), value),
                None => entries.remove(key),
            };
        }
        entries.into_iter().collect()
    }

    /// Returns the value planned for each of these keys of the store, if one is.
    pub(crate) fn values(self, keys: impl Iterator<Item = Vec<u8>>) -> Vec<Option<Vec<u8>>> {
        let mut planned: std::collections::BTreeMap<_, _> = self.writes.into_iter().collect();
        keys.map(|key| planned.remove(&key).flatten()).collect()
    }

    /// Takes the writes of another plan.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.writes.append(&mut other.writes);
    }

    /// Makes the writes.
    pub(crate) fn apply(self, storage: &mut dyn Storage) {
        for (key, value) in self.writes {
            match value {
                Some(value) => storage.set(&key, &value),
                None => storage.remove(&key),
            }
        }
    }
}
