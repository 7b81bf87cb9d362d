//! Tables: rows under their primary keys, with indexes kept beside them.

mod auto_uint64;
mod families;
mod primary_key;
mod row_getter;

pub use auto_uint64::AutoUInt64Table;
pub(crate) use families::assemble;
pub use families::{
    Families, FamiliesScan, FamilyChange, FamilyRow, FamilyTable, FamilyValues, FamilyView, Member,
    MemberVisitor,
};
pub use primary_key::PrimaryKeyTable;
pub use row_getter::RowGetter;

use core::{marker::PhantomData, ops::RangeBounds};

use cosmwasm_std::Storage;

use crate::{
    codec::Codec,
    error::{OrmError, hex},
    index::{CountIndex, CountView, IndexSet, IndexView, Indexable, IndexesOf, Lookup},
    iter::{Rows, Scan, span_of_bounds, span_of_prefix},
    key::{Key, PrefixOf},
    page::{Page, PageRequest},
    raw::{Probe, WritePlan},
    row::{Record, from_value, primary_key, row_id, to_value},
    write::{RowChange, RowWrite, Target, Verb},
};

/// How a table handle works: which indexes it keeps, which it answers from, how it probes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) kept: IndexSet,
    pub(crate) probe: Probe,
}

impl Options {
    const DEFAULT: Self = Self {
        kept: IndexSet::ALL,
        probe: Probe::Scan,
    };
}

/// The rows of type `R`: what all tables can be asked. Writing is for [`PrimaryKeyTable`], [`AutoUInt64Table`] and
/// [`FamilyTable`], which read through this.
pub struct Table<R: Record> {
    pub(crate) options: Options,
    row: PhantomData<fn() -> R>,
}

impl<R: Record> Clone for Table<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record> Copy for Table<R> {}

impl<R: Record> core::fmt::Debug for Table<R> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Table")
            .field("name", &R::META.name)
            .field("options", &self.options)
            .finish()
    }
}

impl<R: Record> Table<R> {
    pub(crate) const fn new() -> Self {
        Self::with(Options::DEFAULT)
    }

    pub(crate) const fn with(options: Options) -> Self {
        Self {
            options,
            row: PhantomData,
        }
    }

    /// Returns the row with this primary key. One read.
    ///
    /// # Errors
    /// [`OrmError::Key`] if the key cannot be encoded, [`OrmError::Decode`] if the stored bytes are no row.
    pub fn get(&self, storage: &dyn Storage, key: &R::PrimaryKey) -> Result<Option<R>, OrmError> {
        let id = row_id::<R>(key)?;
        match storage.get(&R::META.namespace.key(&id)) {
            Some(value) => from_value::<R>(&id, key, &value).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the row with this primary key, which must exist (the `GetOne` of a row getter). One read.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], and as [`Table::get`].
    pub fn get_one(&self, storage: &dyn Storage, key: &R::PrimaryKey) -> Result<R, OrmError> {
        self.get(storage, key)?.ok_or_else(|| not_found::<R>(key))
    }

    /// Whether a row has this primary key. One probe.
    ///
    /// # Errors
    /// [`OrmError::Key`] if the key cannot be encoded.
    pub fn has(&self, storage: &dyn Storage, key: &R::PrimaryKey) -> Result<bool, OrmError> {
        let id = row_id::<R>(key)?;
        Ok(self.target(&id).exists(storage))
    }

    /// Scans all rows in primary-key order.
    #[must_use]
    pub fn all(&self) -> Scan<R> {
        Scan::new(Rows, crate::raw::Span::default()).counted_by(self.options.kept)
    }

    /// Scans the rows whose primary key begins with the given parts.
    ///
    /// # Errors
    /// [`OrmError::Key`] if they cannot be encoded.
    pub fn prefix<P: PrefixOf<R::PrimaryKey>>(&self, parts: &P) -> Result<Scan<R>, OrmError> {
        span_of_prefix::<R::PrimaryKey, P>(parts, R::META.key_rule)
            .map(|span| match P::WHOLE {
                true => Scan::new(Rows, span),
                false => Scan::new(Rows, span).counted_by(self.options.kept),
            })
            .map_err(|source| OrmError::Key {
                table: R::META.name,
                source,
            })
    }

    /// Scans the rows within bounds on the primary key or on its leading parts; a bound on leading parts includes or
    /// excludes every key that begins with them.
    ///
    /// # Errors
    /// [`OrmError::InvertedBounds`], and [`OrmError::Key`] if a bound cannot be encoded.
    pub fn range<P: PrefixOf<R::PrimaryKey>>(
        &self,
        bounds: impl RangeBounds<P>,
    ) -> Result<Scan<R>, OrmError> {
        span_of_bounds::<R::PrimaryKey, P>(R::META.name, R::META.key_rule, &[], bounds)
            .map(|span| Scan::new(Rows, span))
    }

    /// Scans forward, as the group module's `PrefixScan`: the same as [`range`](Table::range), opened.
    ///
    /// # Errors
    /// As [`range`](Table::range).
    pub fn prefix_scan<'s, P: PrefixOf<R::PrimaryKey>>(
        &self,
        storage: &'s dyn Storage,
        bounds: impl RangeBounds<P>,
    ) -> Result<crate::iter::Iter<'s, R>, OrmError> {
        Ok(self
            .range(bounds)?
            .rows(storage, cosmwasm_std::Order::Ascending))
    }

    /// Scans backward, as the group module's `ReversePrefixScan`.
    ///
    /// # Errors
    /// As [`range`](Table::range).
    pub fn reverse_prefix_scan<'s, P: PrefixOf<R::PrimaryKey>>(
        &self,
        storage: &'s dyn Storage,
        bounds: impl RangeBounds<P>,
    ) -> Result<crate::iter::Iter<'s, R>, OrmError> {
        Ok(self
            .range(bounds)?
            .rows(storage, cosmwasm_std::Order::Descending))
    }

    /// Returns a page of all rows in primary-key order; the same as `all().page(…)`.
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

    /// Answers from an index.
    ///
    /// # Errors
    /// [`OrmError::IndexUnavailable`] if this handle does not keep it.
    pub fn by<I: Lookup<R>>(&self, index: I) -> Result<IndexView<R, I>, OrmError> {
        IndexView::open(*self, index)
    }

    /// Answers from counters.
    ///
    /// # Errors
    /// [`OrmError::IndexUnavailable`] if this handle does not keep them.
    pub fn counts<K: Key>(&self, index: CountIndex<R, K>) -> Result<CountView<R, K>, OrmError> {
        CountView::open(*self, index)
    }

    // --- writing, for the public tables ---

    /// Returns a row to be written.
    pub(crate) fn target<'a>(&self, row_id: &'a [u8]) -> Target<'a> {
        Target {
            meta: &R::META,
            versioned: R::Codec::VERSIONED,
            options: self.options,
            row_id,
        }
    }

    /// Makes the row under `key` into `new`, and returns it as it was, but for an insert, which only probes. The one path
    /// of every write whose new row is given.
    pub(crate) fn write(
        &self,
        storage: &mut dyn Storage,
        verb: Verb,
        key: &R::PrimaryKey,
        new: Option<&R>,
    ) -> Result<Option<R>, OrmError> {
        let id = row_id::<R>(key)?;
        let mut write = RowWrite {
            key,
            old: None,
            new,
        };
        self.target(&id).write(storage, verb, &mut write)?;
        Ok(write.old)
    }

    pub(crate) fn insert(
        &self,
        storage: &mut dyn Storage,
        key: &R::PrimaryKey,
        new: &R,
    ) -> Result<(), OrmError> {
        self.write(storage, Verb::Insert, key, Some(new)).map(drop)
    }

    pub(crate) fn update(
        &self,
        storage: &mut dyn Storage,
        key: &R::PrimaryKey,
        new: &R,
    ) -> Result<R, OrmError> {
        self.write(storage, Verb::Update, key, Some(new))?
            .ok_or_else(|| not_found::<R>(key))
    }

    pub(crate) fn upsert(
        &self,
        storage: &mut dyn Storage,
        key: &R::PrimaryKey,
        new: &R,
    ) -> Result<Option<R>, OrmError> {
        self.write(storage, Verb::Upsert, key, Some(new))
    }

    pub(crate) fn delete(
        &self,
        storage: &mut dyn Storage,
        key: &R::PrimaryKey,
    ) -> Result<R, OrmError> {
        self.write(storage, Verb::Delete, key, None)?
            .ok_or_else(|| not_found::<R>(key))
    }

    pub(crate) fn plan_insert(
        &self,
        storage: &dyn Storage,
        key: &R::PrimaryKey,
        id: &[u8],
        new: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let value = to_value(new)?;
        self.target(id).refuse_stored(storage)?;
        self.plan_create(storage, key, id, new, value, plan)
    }

    /// Plans a row that is not there, of which the value is known.
    pub(crate) fn plan_create(
        &self,
        storage: &dyn Storage,
        key: &R::PrimaryKey,
        id: &[u8],
        new: &R,
        value: Vec<u8>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let change = RowChange {
            key,
            old: None,
            new: Some(new),
        };
        self.target(id)
            .plan(storage, &change, None, Some(value), plan)
    }

    /// Plans whatever makes the stored `old` into `new`; nothing, if they are the same bytes.
    pub(crate) fn plan_change(
        &self,
        storage: &dyn Storage,
        key: &R::PrimaryKey,
        id: &[u8],
        old: Option<(&R, &[u8])>,
        new: Option<&R>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let change = RowChange {
            key,
            old: old.map(|(row, _)| row),
            new,
        };
        let bytes = old.map(|(_, bytes)| bytes);
        self.target(id).plan(
            storage,
            &change,
            bytes,
            new.map(to_value).transpose()?,
            plan,
        )
    }

    /// Reads the row, has `change` say what it becomes, and writes that.
    pub(crate) fn rewrite<T, E: From<OrmError>>(
        &self,
        storage: &mut dyn Storage,
        key: &R::PrimaryKey,
        change: impl FnOnce(Option<&R>) -> Result<(Option<R>, T), E>,
    ) -> Result<(Option<R>, T), E> {
        let id = row_id::<R>(key)?;
        let bytes = storage.get(&R::META.namespace.key(&id));
        self.rewrite_value(storage, key, &id, bytes, change)
    }

    /// As [`rewrite`](Self::rewrite), where the row's value has been read.
    pub(crate) fn rewrite_value<T, E: From<OrmError>>(
        &self,
        storage: &mut dyn Storage,
        key: &R::PrimaryKey,
        id: &[u8],
        bytes: Option<Vec<u8>>,
        change: impl FnOnce(Option<&R>) -> Result<(Option<R>, T), E>,
    ) -> Result<(Option<R>, T), E> {
        let old = self.stored(id, key, bytes.as_deref())?;
        let (new, answer) = change(old.as_ref())?;
        let before = old.as_ref().zip(bytes.as_deref());
        let mut plan = WritePlan::default();
        self.plan_change(storage, key, id, before, new.as_ref(), &mut plan)?;
        plan.apply(storage);
        Ok((old, answer))
    }

    fn stored(
        &self,
        id: &[u8],
        key: &R::PrimaryKey,
        bytes: Option<&[u8]>,
    ) -> Result<Option<R>, OrmError> {
        match bytes {
            Some(bytes) => from_value::<R>(id, key, bytes).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the indexes that this handle keeps, also those that are not built.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &'static dyn Indexable<R>> {
        let kept = self.options.kept;
        R::INDEXES
            .iter()
            .copied()
            .filter(move |index| kept.contains(index.id()))
    }

    /// Returns the indexes that a write of this row is to tell.
    pub(crate) fn indexes(
        &self,
        storage: &dyn Storage,
        id: &[u8],
    ) -> Result<impl Iterator<Item = &'static dyn Indexable<R>>, OrmError> {
        let live = self.target(id).live(storage, &IndexesOf::<R>::new())?;
        Ok(R::INDEXES
            .iter()
            .copied()
            .filter(move |index| live.contains(index.id())))
    }

    /// Returns the primary key that a row id of this table encodes.
    pub(crate) fn key_of(id: &[u8]) -> Result<R::PrimaryKey, OrmError> {
        primary_key::<R>(id)
    }
}

pub(crate) fn not_found<R: Record>(key: &R::PrimaryKey) -> OrmError {
    let id = key.encode(R::META.key_rule).unwrap_or_default();
    OrmError::NotFound {
        table: R::META.name,
        key: hex(&id),
    }
}

pub(crate) fn key_changed<R: Record>(
    from: &R::PrimaryKey,
    to: &R::PrimaryKey,
) -> Result<(), OrmError> {
    let (from, to) = (row_id::<R>(from)?, row_id::<R>(to)?);
    if from == to {
        return Ok(());
    }
    Err(OrmError::PrimaryKeyChanged {
        table: R::META.name,
        from: hex(&from),
        to: hex(&to),
    })
}
