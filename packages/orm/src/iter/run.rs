//! A scan without the type of its list: what is there once for all indexes of a table, or, where rows have no part in it,
//! once for all tables.

use cosmwasm_std::{Order, Storage};

use super::{
    Iter, Steps,
    list::{Found, Start},
    listed::{ListFacts, read_id},
};
use crate::{
    cursor::Scope,
    error::OrmError,
    index::{ErasedIndexes, IndexSet, IndexesOf},
    page::{DEFAULT_SCAN_BUDGET, PageRequest, PageResponse},
    paginate::{Listing, Terms, Visit, asks_total, page_of_source},
    raw::{Source, Span},
    row::{Record, TableMeta, from_value, primary_key},
};

pub(crate) type Filter<R> = Box<dyn Fn(&<R as Record>::PrimaryKey, &R) -> bool>;

/// A run of entries and what is kept of the rows that they lead to.
pub(crate) struct Run<R: Record> {
    pub(crate) stretch: Stretch,
    pub(crate) keep: Option<Filter<R>>,
}

/// A run of entries.
pub(crate) struct Stretch {
    pub(crate) meta: &'static TableMeta,
    pub(crate) list: ListFacts,
    pub(crate) span: Span,
    pub(crate) budget: u32,
    /// The indexes that may count it, if it is of all keys that begin with the same bytes.
    pub(crate) counters: IndexSet,
    /// What tells the filters of rows, if there are any, from others.
    pub(crate) filter: Option<Vec<u8>>,
}

impl Stretch {
    #[inline(never)] // once, not wherever a scan is made
    fn new(meta: &'static TableMeta, list: ListFacts, span: Span) -> Self {
        Self {
            meta,
            list,
            span,
            budget: DEFAULT_SCAN_BUDGET,
            counters: IndexSet::NONE,
            filter: None,
        }
    }

    pub(crate) fn scope(&self) -> Scope {
        let filter = self.filter.as_deref().unwrap_or_default();
        Scope::of_list(self.list.namespace.name(), &self.span, filter)
    }

    /// Returns how many entries there are, if an index counts them.
    pub(crate) fn known_total(
        &self,
        storage: &dyn Storage,
        indexes: &dyn ErasedIndexes,
    ) -> Result<Option<u64>, OrmError> {
        if self.filter.is_some() {
            return Ok(None);
        }
        let head = self.span.from.as_deref().unwrap_or_default();
        for (position, index) in indexes.all() {
            if self.counters.contains(index.id)
                && let Some(total) = indexes.counted(position, storage, self.list.list, head)?
            {
                return Ok(Some(total));
            }
        }
        Ok(None)
    }

    /// Opens it where it begins, or at a position.
    pub(crate) fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        start: Start<'_>,
        order: Order,
    ) -> Found<'s, Vec<u8>> {
        if let Err(error) = self.list.ready(storage, self.meta.name) {
            return Steps::new(core::iter::once(Err(error)));
        }
        let span = start.of(&self.span, order);
        Steps::new(self.list.namespace.open(storage, &span, order).map(Ok))
    }

    /// Makes a page of the entries that `visit` takes.
    pub(crate) fn paginate(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
        indexes: &dyn ErasedIndexes,
        visit: &mut Visit<'_, Vec<u8>>,
    ) -> Result<PageResponse, OrmError> {
        self.list.ready(storage, self.meta.name)?;
        let listing = Listing {
            source: &self.list.namespace,
            span: &self.span,
            terms: Terms {
                scope: self.scope(),
                limits: self.meta.limits,
                budget: self.budget,
                filtered: self.filter.is_some(),
                total: match asks_total(request) {
                    true => self.known_total(storage, indexes)?,
                    false => None,
                },
            },
        };
        page_of_source(storage, &listing, request, visit)
    }
}

impl<R: Record> Run<R> {
    const INDEXES: &'static dyn ErasedIndexes = &IndexesOf::<R>::new();

    pub(crate) fn new(list: ListFacts, span: Span) -> Self {
        Self {
            stretch: Stretch::new(&R::META, list, span),
            keep: None,
        }
    }

    /// Gives an entry's key and row to `take`, if the row is one of those listed, and says whether it is.
    pub(crate) fn read(
        &self,
        storage: &dyn Storage,
        key: &[u8],
        value: &[u8],
        take: &mut dyn FnMut(R::PrimaryKey, R),
    ) -> Result<bool, OrmError> {
        let Stretch { list, meta, .. } = &self.stretch;
        let id = list.row_id(meta.name, key, value)?;
        let primary = primary_key::<R>(id)?;
        let value = list.row_value(storage, meta, id, value)?;
        let row = from_value::<R>(id, &primary, &value)?;
        let kept = self.keep.as_ref().is_none_or(|keep| keep(&primary, &row));
        if kept {
            take(primary, row);
        }
        Ok(kept)
    }

    pub(crate) fn entries<'s>(
        self,
        storage: &'s dyn Storage,
        order: Order,
    ) -> Iter<'s, (R::PrimaryKey, R)> {
        let found = self.stretch.open(storage, Start::First, order);
        Iter::new(found.filter_map(move |entry| {
            let mut kept = None;
            let read = entry.and_then(|(key, value)| {
                self.read(storage, &key, &value, &mut |key, row| {
                    kept = Some((key, row));
                })
            });
            match read {
                Ok(_) => kept.map(Ok),
                Err(error) => Some(Err(error)),
            }
        }))
    }

    pub(crate) fn rows<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, R> {
        let entries = self.entries(storage, order);
        Iter::new(entries.map(|entry| entry.map(|(_, row)| row)))
    }

    pub(crate) fn ids<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, R::PrimaryKey> {
        if self.keep.is_some() {
            let entries = self.entries(storage, order);
            return Iter::new(entries.map(|entry| entry.map(|(key, _)| key)));
        }
        let found = self.stretch.open(storage, Start::First, order);
        let list = self.stretch.list;
        Iter::new(found.map(move |entry| {
            let (key, value) = entry?;
            read_id::<R>(&list, &key, &value)
        }))
    }

    /// Makes a page of rows, each given to `take`.
    pub(crate) fn visit_rows(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
        take: &mut dyn FnMut(R::PrimaryKey, R),
    ) -> Result<PageResponse, OrmError> {
        self.paginate(storage, request, &mut |key, value, wanted| match wanted {
            true => self.read(storage, key, &value, take),
            false => self.read(storage, key, &value, &mut |_, _| {}),
        })
    }

    /// Makes a page of primary keys, each given to `take`. Unless filtered, reads no row.
    pub(crate) fn visit_ids(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
        take: &mut dyn FnMut(R::PrimaryKey),
    ) -> Result<PageResponse, OrmError> {
        if self.keep.is_some() {
            return self.visit_rows(storage, request, &mut |key, _| take(key));
        }
        self.paginate(storage, request, &mut |key, value, wanted| {
            if wanted {
                take(read_id::<R>(&self.stretch.list, key, &value)?);
            }
            Ok(true)
        })
    }

    pub(crate) fn paginate(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
        visit: &mut Visit<'_, Vec<u8>>,
    ) -> Result<PageResponse, OrmError> {
        self.stretch
            .paginate(storage, request, Self::INDEXES, visit)
    }

    pub(crate) fn known_total(&self, storage: &dyn Storage) -> Result<Option<u64>, OrmError> {
        self.stretch.known_total(storage, Self::INDEXES)
    }
}
