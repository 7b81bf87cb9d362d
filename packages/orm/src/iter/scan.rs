//! A scan: a run of rows in the order of the primary key or of an index, not yet opened.

use cosmwasm_std::{Order, Storage};

use super::{
    Iter,
    listed::{Listed, Rows},
    run::Run,
};
use crate::{
    error::OrmError,
    index::IndexSet,
    page::{Page, PageRequest},
    raw::Span,
    row::Record,
};

/// A run of rows, found but not yet read: open it as an iterator, or take a page of it.
///
/// Rows of an index scan cost a read each; ids cost none.
pub struct Scan<R: Record, L: Listed<R> = Rows> {
    pub(crate) listed: L,
    pub(crate) run: Run<R>,
}

impl<R: Record, L: Listed<R>> core::fmt::Debug for Scan<R, L> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Scan")
            .field("table", &R::META.name)
            .field("span", &self.run.stretch.span)
            .finish_non_exhaustive()
    }
}

impl<R: Record, L: Listed<R>> Scan<R, L> {
    pub(crate) fn new(listed: L, span: Span) -> Self {
        Self {
            run: Run::new(listed.facts(), span),
            listed,
        }
    }

    /// Takes its total from one of these indexes, where one counts it. Its span is then that of a prefix.
    pub(crate) fn counted_by(mut self, kept: IndexSet) -> Self {
        self.run.stretch.counters = kept;
        self
    }

    /// Keeps only rows that `keep` accepts. `name` tells this filter, with its arguments, from others, so that a cursor
    /// of one is refused by another. A further filter keeps only rows that all accept.
    #[must_use]
    pub fn filter(
        mut self,
        name: impl Into<Vec<u8>>,
        keep: impl Fn(&R::PrimaryKey, &R) -> bool + 'static,
    ) -> Self {
        let stretch = &mut self.run.stretch;
        let names = stretch.filter.take().unwrap_or_default();
        stretch.filter = Some(crate::cursor::filter_name(&names, &name.into()));
        self.run.keep = Some(match self.run.keep.take() {
            None => Box::new(keep),
            Some(before) => Box::new(move |key, row| before(key, row) && keep(key, row)),
        });
        self
    }

    /// Sets how many rows a page may pass to filter, skip or count them; [`DEFAULT_SCAN_BUDGET`](crate::DEFAULT_SCAN_BUDGET) unless set.
    #[must_use]
    pub fn budget(mut self, rows: u32) -> Self {
        self.run.stretch.budget = rows.max(1);
        self
    }

    /// Iterates over the primary keys. A filter still reads the rows.
    pub fn ids<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, R::PrimaryKey> {
        self.run.ids(storage, order)
    }

    /// Iterates over primary keys and rows.
    pub fn entries<'s>(
        self,
        storage: &'s dyn Storage,
        order: Order,
    ) -> Iter<'s, (R::PrimaryKey, R)> {
        self.run.entries(storage, order)
    }

    /// Iterates over rows.
    pub fn rows<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, R> {
        self.run.rows(storage, order)
    }

    /// Returns the first row.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn first(self, storage: &dyn Storage) -> Result<Option<R>, OrmError> {
        self.rows(storage, Order::Ascending).first()
    }

    /// Returns the last row.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn last(self, storage: &dyn Storage) -> Result<Option<R>, OrmError> {
        self.rows(storage, Order::Descending).first()
    }

    /// Whether there is no row.
    ///
    /// # Errors
    /// If a filtered row cannot be read.
    pub fn is_empty(self, storage: &dyn Storage) -> Result<bool, OrmError> {
        Ok(self.ids(storage, Order::Ascending).first()?.is_none())
    }

    /// Returns a page of rows.
    ///
    /// # Errors
    /// [`OrmError::KeyAndOffset`], [`OrmError::MalformedCursor`], [`OrmError::ForeignCursor`],
    /// [`OrmError::ScanBudget`], [`OrmError::IndexNotReady`], and those of reading a row.
    pub fn page(&self, storage: &dyn Storage, request: &PageRequest) -> Result<Page<R>, OrmError> {
        let mut items = Vec::new();
        let page = self
            .run
            .visit_rows(storage, request, &mut |_, row| items.push(row))?;
        Ok(Page { items, page })
    }

    /// Returns a page of primary keys and rows.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub fn page_entries(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
    ) -> Result<Page<(R::PrimaryKey, R)>, OrmError> {
        let mut items = Vec::new();
        let page = self
            .run
            .visit_rows(storage, request, &mut |key, row| items.push((key, row)))?;
        Ok(Page { items, page })
    }

    /// Returns a page of primary keys. Unless filtered, reads no row.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub fn page_ids(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
    ) -> Result<Page<R::PrimaryKey>, OrmError> {
        let mut items = Vec::new();
        let page = self
            .run
            .visit_ids(storage, request, &mut |key| items.push(key))?;
        Ok(Page { items, page })
    }
}
