//! Listing rows that are spread over families: the families' scans, merged by key.

use core::marker::PhantomData;

use cosmwasm_std::{Order, Storage};

use super::{Families, FamilyRow, FamilyValues};
use crate::{
    cursor::Scope,
    error::OrmError,
    iter::{Chained, Found, Iter, List, Start, Steps, Walk, page_of},
    key::Key,
    merge::Merged,
    page::{DEFAULT_SCAN_BUDGET, Page, PageRequest},
    raw::{Source, Span},
    row::PageLimits,
};

type Filter<R> = Box<dyn Fn(&R) -> bool>;

/// The rows of a run of primary keys that have any of the named families, not yet read. One scan a named family.
pub struct FamiliesScan<R: FamilyRow> {
    pub(crate) span: Span,
    pub(crate) families: Families,
    pub(crate) budget: u32,
    pub(crate) filter: Option<(Vec<u8>, Filter<R>)>,
    row: PhantomData<fn() -> R>,
}

impl<R: FamilyRow> core::fmt::Debug for FamiliesScan<R> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("FamiliesScan")
            .field("table", &R::META.name)
            .field("span", &self.span)
            .finish_non_exhaustive()
    }
}

impl<R: FamilyRow> FamiliesScan<R> {
    pub(super) fn new(span: Span, families: Families) -> Self {
        Self {
            span,
            families,
            budget: DEFAULT_SCAN_BUDGET,
            filter: None,
            row: PhantomData,
        }
    }

    /// Keeps only rows that `keep` accepts. `name` tells this filter, with its arguments, from others, so that a cursor
    /// of one is refused by another. A further filter keeps only rows that all accept.
    #[must_use]
    pub fn filter(mut self, name: impl Into<Vec<u8>>, keep: impl Fn(&R) -> bool + 'static) -> Self {
        let name = name.into();
        self.filter = Some(match self.filter.take() {
            None => (crate::cursor::filter_name(&[], &name), Box::new(keep)),
            Some((names, before)) => (
                crate::cursor::filter_name(&names, &name),
                Box::new(move |row| before(row) && keep(row)),
            ),
        });
        self
    }

    /// Sets how many rows a page may pass to filter, skip or count them; [`DEFAULT_SCAN_BUDGET`] unless set.
    #[must_use]
    pub fn budget(mut self, rows: u32) -> Self {
        self.budget = rows.max(1);
        self
    }

    /// Iterates over the rows, with their named families.
    pub fn rows<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, R> {
        let Self {
            span,
            families,
            filter,
            ..
        } = self;
        let merged = merged::<R>(families).open(storage, &span, order);
        Iter::new(
            merged
                .map(|(id, values)| assemble::<R>(&id, &values))
                .filter(move |row| match (row, &filter) {
                    (Ok(row), Some((_, keep))) => keep(row),
                    _ => true,
                }),
        )
    }

    /// Iterates over the primary keys.
    pub fn ids<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, R::PrimaryKey> {
        if self.filter.is_some() {
            return Iter::new(
                self.rows(storage, order)
                    .map(|row| row.map(|row| row.primary_key_fields())),
            );
        }
        let merged = self.source().open(storage, &self.span, order);
        Iter::new(merged.map(|(id, _)| primary_key::<R>(&id)))
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
    /// As [`Scan::page`](crate::Scan::page).
    pub fn page(&self, storage: &dyn Storage, request: &PageRequest) -> Result<Page<R>, OrmError> {
        page_of(self, self.budget, storage, request)
    }

    /// Lists, for each row of this scan in its order, the items of another list that it leads to; see [`Chained`]. `name`
    /// tells this chain from others, for cursors.
    #[must_use]
    pub fn then<B: Walk>(
        self,
        name: impl Into<Vec<u8>>,
        inner: impl Fn(&R) -> Result<B, OrmError> + 'static,
    ) -> List<Chained<List<Self>, B>>
    where
        R: Clone,
    {
        let budget = self.budget;
        List::new(self).budget(budget).then(name, inner)
    }

    pub(crate) fn source(&self) -> Merged {
        merged::<R>(self.families)
    }
}

impl<R: FamilyRow> Walk for FamiliesScan<R> {
    type Value = Vec<Option<Vec<u8>>>;
    type Item = R;

    fn scope(&self) -> u64 {
        let merged = self.source();
        let filter = self.filter.as_ref().map_or(&[][..], |(name, _)| name);
        let spaces: Vec<u8> = merged
            .spaces
            .iter()
            .flat_map(|(_, space)| space.prefix())
            .collect();
        Scope::of_list(&spaces, &self.span, filter).0
    }

    fn limits(&self) -> PageLimits {
        R::META.limits
    }

    fn contains(&self, position: &[u8]) -> bool {
        self.span.contains(position)
    }

    fn has_gaps(&self) -> bool {
        self.filter.is_some()
    }

    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        start: Start<'_>,
        order: Order,
    ) -> Found<'s, Self::Value> {
        let span = start.of(&self.span, order);
        let merged = self.source();
        Steps::new(merged.open(storage, &span, order).map(Ok))
    }

    fn item(&self, _: &dyn Storage, id: &[u8], values: Self::Value) -> Result<Option<R>, OrmError> {
        let row = assemble::<R>(id, &values)?;
        let filter = self.filter.as_ref();
        Ok(Some(row).filter(|row| filter.is_none_or(|(_, keep)| keep(row))))
    }
}

fn primary_key<R: FamilyRow>(id: &[u8]) -> Result<R::PrimaryKey, OrmError> {
    R::PrimaryKey::decode(id, R::META.key_rule).map_err(|source| OrmError::Key {
        table: R::META.name,
        source,
    })
}

pub(crate) fn assemble<R: FamilyRow>(id: &[u8], values: &[Option<Vec<u8>>]) -> Result<R, OrmError> {
    R::assemble(primary_key::<R>(id)?, &mut FamilyValues::new(id, values))
}

/// The named families of a table, as one source.
fn merged<R: FamilyRow>(families: Families) -> Merged {
    let spaces = R::FAMILIES
        .iter()
        .copied()
        .enumerate()
        .filter(|(position, _)| families.contains(*position));
    Merged {
        spaces: spaces.collect(),
        width: R::FAMILIES.len(),
    }
}
