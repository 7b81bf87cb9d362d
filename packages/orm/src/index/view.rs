//! Answering from an index.

use core::ops::RangeBounds;

use cosmwasm_std::Storage;

use super::{Indexer, MultiKeyIndex, UniqueIndex, indexer::bad_key};
use crate::{
    error::OrmError,
    iter::{Entries, Listed, Scan, span_of_bounds, span_of_prefix},
    key::{Key, KeyRule, PrefixOf},
    namespace::Namespace,
    page::{Page, PageRequest},
    raw::{Span, lookup},
    row::Record,
    table::Table,
};

/// An index whose entries lead to rows, so that it can be scanned.
pub trait Lookup<R: Record>: Copy {
    /// The index key's type.
    type Key: Key;

    /// Returns how its entries are laid out.
    fn facts(&self) -> LookupFacts;

    /// Whether its state is in the store, so that it answers only when it is ready.
    fn is_tracked(&self) -> bool {
        false
    }
}

/// How an index's entries are laid out.
#[derive(Clone, Copy, Debug)]
pub struct LookupFacts {
    /// Its number in the table.
    pub id: u8,
    /// Its name in errors.
    pub name: &'static str,
    /// Where its entries are.
    pub namespace: Namespace,
    /// How variable-length parts of its keys are delimited.
    pub rule: KeyRule,
    /// Whether the row id is the entry's value, rather than the end of its key.
    pub row_in_value: bool,
}

impl<R: Record, K: Key> Indexer<R, K> {
    pub(super) fn facts(&self, row_in_value: bool) -> LookupFacts {
        LookupFacts {
            id: self.id,
            name: self.name,
            namespace: self.namespace,
            rule: self.rule,
            row_in_value,
        }
    }
}

impl<R: Record, K: Key> Lookup<R> for MultiKeyIndex<R, K> {
    type Key = K;

    fn facts(&self) -> LookupFacts {
        self.0.facts(false)
    }

    fn is_tracked(&self) -> bool {
        self.0.tracked
    }
}

impl<R: Record, K: Key> Lookup<R> for UniqueIndex<R, K> {
    type Key = K;

    fn facts(&self) -> LookupFacts {
        self.0.facts(true)
    }

    fn is_tracked(&self) -> bool {
        self.0.tracked
    }
}

/// An index of a table, to ask. Made by [`Table::by`].
#[derive(Debug)]
pub struct IndexView<R: Record, I> {
    table: Table<R>,
    index: I,
}

impl<R: Record, I: Lookup<R>> IndexView<R, I> {
    pub(crate) fn open(table: Table<R>, index: I) -> Result<Self, OrmError> {
        let facts = index.facts();
        if table.options.kept.contains(facts.id) {
            Ok(Self { table, index })
        } else {
            Err(OrmError::IndexUnavailable {
                table: R::META.name,
                index: facts.name,
            })
        }
    }

    /// Scans the whole index.
    #[must_use]
    pub fn all(&self) -> Scan<R, Entries<I>> {
        self.counted(Span::default())
    }

    /// Scans the rows with this index key, in primary-key order.
    ///
    /// # Errors
    /// [`OrmError::Index`] if the key cannot be encoded.
    pub fn key(&self, key: &I::Key) -> Result<Scan<R, Entries<I>>, OrmError> {
        let bytes = self.encode(key)?;
        Ok(self.counted(Span::of_prefix(bytes)))
    }

    /// Scans the rows whose index key begins with these parts.
    ///
    /// # Errors
    /// [`OrmError::Index`] if they cannot be encoded.
    pub fn prefix<P: PrefixOf<I::Key>>(&self, parts: &P) -> Result<Scan<R, Entries<I>>, OrmError> {
        let facts = self.index.facts();
        span_of_prefix::<I::Key, P>(parts, facts.rule)
            .map(|span| self.counted(span))
            .map_err(|source| bad_key(R::META.name, facts.name, &source))
    }

    /// Scans the rows within bounds on the index key or on its leading parts.
    ///
    /// # Errors
    /// [`OrmError::InvertedBounds`], [`OrmError::Key`] if a bound cannot be encoded.
    pub fn range<P: PrefixOf<I::Key>>(
        &self,
        bounds: impl RangeBounds<P>,
    ) -> Result<Scan<R, Entries<I>>, OrmError> {
        let rule = self.index.facts().rule;
        span_of_bounds::<I::Key, P>(R::META.name, rule, &[], bounds).map(|span| self.scan(span))
    }

    /// Returns a page of rows in the order of the index; the same as `all().page(…)`.
    ///
    /// # Errors
    /// As [`Scan::page`].
    pub fn get_paginated(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
    ) -> Result<Page<R>, OrmError> {
        self.all().page(storage, request)
    }

    /// Whether any row has this index key. One probe of the index.
    ///
    /// # Errors
    /// [`OrmError::Index`] if the key cannot be encoded.
    pub fn has(&self, storage: &dyn Storage, key: &I::Key) -> Result<bool, OrmError> {
        Ok(!self.key(key)?.is_empty(storage)?)
    }

    fn counted(&self, span: Span) -> Scan<R, Entries<I>> {
        self.scan(span).counted_by(self.table.options.kept)
    }

    fn scan(&self, span: Span) -> Scan<R, Entries<I>> {
        Scan::new(Entries(self.index), span)
    }

    fn encode(&self, key: &I::Key) -> Result<Vec<u8>, OrmError> {
        let facts = self.index.facts();
        key.encode(facts.rule)
            .map_err(|source| bad_key(R::META.name, facts.name, &source))
    }
}

impl<R: Record, K: Key> IndexView<R, MultiKeyIndex<R, K>> {
    /// Scans the rows with this index key, within bounds on their primary key or on its leading parts.
    ///
    /// # Errors
    /// [`OrmError::InvertedBounds`]; [`OrmError::Index`] or [`OrmError::Key`] if a key cannot be encoded.
    pub fn key_within<P: PrefixOf<R::PrimaryKey>>(
        &self,
        key: &K,
        bounds: impl RangeBounds<P>,
    ) -> Result<Scan<R, Entries<MultiKeyIndex<R, K>>>, OrmError> {
        let head = self.encode(key)?;
        span_of_bounds::<R::PrimaryKey, P>(R::META.name, R::META.key_rule, &head, bounds)
            .map(|span| self.scan(span))
    }
}

impl<R: Record, K: Key> IndexView<R, UniqueIndex<R, K>> {
    /// Returns the primary key of the row that holds this key. One probe.
    ///
    /// # Errors
    /// [`OrmError::Index`] if the key cannot be encoded, [`OrmError::Key`] if the stored row id is none,
    /// [`OrmError::IndexNotReady`].
    pub fn row_key(
        &self,
        storage: &dyn Storage,
        key: &K,
    ) -> Result<Option<R::PrimaryKey>, OrmError> {
        Listed::<R>::facts(&Entries(self.index)).ready(storage, R::META.name)?;
        let entry = self.index.0.entry(&self.encode(key)?, &[]);
        lookup(storage, self.table.options.probe, &entry)
            .map(|id| Table::<R>::key_of(&id))
            .transpose()
    }

    /// Returns the row that holds this key, and its primary key. One probe, one read.
    ///
    /// # Errors
    /// As [`row_key`](Self::row_key), [`OrmError::DanglingEntry`], [`OrmError::Decode`].
    pub fn get(
        &self,
        storage: &dyn Storage,
        key: &K,
    ) -> Result<Option<(R::PrimaryKey, R)>, OrmError> {
        let Some(primary) = self.row_key(storage, key)? else {
            return Ok(None);
        };
        match self.table.get(storage, &primary)? {
            Some(row) => Ok(Some((primary, row))),
            None => Err(OrmError::DanglingEntry {
                table: R::META.name,
                index: self.index.0.name,
                key: crate::error::hex(&primary.encode(R::META.key_rule).unwrap_or_default()),
            }),
        }
    }
}
