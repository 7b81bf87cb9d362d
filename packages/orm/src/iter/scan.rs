//! A scan: a run of rows in the order of the primary key or of an index, not yet opened.

use cosmwasm_std::{Order, Storage};

use super::Iter;
use crate::{
    cursor::Scope,
    error::{OrmError, hex},
    index::{CountedList, IndexSet, Lookup},
    key::{Key, KeyReader},
    namespace::Namespace,
    page::{DEFAULT_SCAN_BUDGET, Page, PageRequest, PageResponse},
    paginate::{Listing, Terms, Visit, asks_total, page_of_source},
    raw::{Source, Span},
    row::{Record, from_value},
    table::Table,
};

/// What a scan walks over: [`Rows`] or the [`Entries`] of an index.
pub trait Listed<R: Record>: Copy {
    /// Returns where it is.
    fn namespace(&self) -> Namespace;

    /// Returns which list it is, to indexes that count it.
    fn list(&self) -> CountedList;

    /// Refuses to be listed while not all rows are in it.
    ///
    /// # Errors
    /// [`OrmError::IndexNotReady`], [`OrmError::MalformedState`].
    fn ready(&self, _: &dyn Storage) -> Result<(), OrmError> {
        Ok(())
    }

    /// Returns the row id that an entry stands for.
    ///
    /// # Errors
    /// [`OrmError::MalformedEntry`].
    fn row_id<'e>(&self, key: &'e [u8], value: &'e [u8]) -> Result<&'e [u8], OrmError>;

    /// Returns the row that an entry stands for.
    ///
    /// # Errors
    /// [`OrmError::Decode`], [`OrmError::DanglingEntry`].
    fn row(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        key: &R::PrimaryKey,
        value: &[u8],
    ) -> Result<R, OrmError>;
}

/// The rows themselves, in primary-key order.
#[derive(Clone, Copy, Debug)]
pub struct Rows;

impl<R: Record> Listed<R> for Rows {
    fn namespace(&self) -> Namespace {
        R::META.namespace
    }

    fn list(&self) -> CountedList {
        CountedList::Rows
    }

    fn row_id<'e>(&self, key: &'e [u8], _: &'e [u8]) -> Result<&'e [u8], OrmError> {
        Ok(key)
    }

    fn row(
        &self,
        _: &dyn Storage,
        id: &[u8],
        key: &R::PrimaryKey,
        value: &[u8],
    ) -> Result<R, OrmError> {
        from_value::<R>(id, key, value)
    }
}

/// The entries of an index, in the order of index key, then primary key.
#[derive(Clone, Copy, Debug)]
pub struct Entries<I>(pub(crate) I);

impl<R: Record, I: Lookup<R>> Listed<R> for Entries<I> {
    fn namespace(&self) -> Namespace {
        self.0.facts().namespace
    }

    fn list(&self) -> CountedList {
        CountedList::Index(self.0.facts().id)
    }

    fn ready(&self, storage: &dyn Storage) -> Result<(), OrmError> {
        crate::state::ready::<R, I>(storage, &self.0)
    }

    fn row_id<'e>(&self, key: &'e [u8], value: &'e [u8]) -> Result<&'e [u8], OrmError> {
        let facts = self.0.facts();
        if facts.row_in_value {
            return Ok(value);
        }
        let mut reader = KeyReader::leading(key, facts.rule);
        match I::Key::read(&mut reader) {
            Ok(_) => Ok(reader.rest()),
            Err(_) => Err(OrmError::MalformedEntry {
                table: R::META.name,
                index: facts.name,
                entry: hex(key),
            }),
        }
    }

    fn row(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        key: &R::PrimaryKey,
        _: &[u8],
    ) -> Result<R, OrmError> {
        match storage.get(&R::META.namespace.key(id)) {
            Some(value) => from_value::<R>(id, key, &value),
            None => Err(OrmError::DanglingEntry {
                table: R::META.name,
                index: self.0.facts().name,
                key: hex(id),
            }),
        }
    }
}

/// Returns the primary key and the row that an entry stands for.
pub(super) fn read_entry<R: Record, L: Listed<R>>(
    listed: L,
    storage: &dyn Storage,
    key: &[u8],
    value: &[u8],
) -> Result<(R::PrimaryKey, R), OrmError> {
    let id = listed.row_id(key, value)?;
    let primary = Table::<R>::key_of(id)?;
    let row = listed.row(storage, id, &primary, value)?;
    Ok((primary, row))
}

type Filter<R> = Box<dyn Fn(&<R as Record>::PrimaryKey, &R) -> bool>;

/// A run of rows, found but not yet read: open it as an iterator, or take a page of it.
///
/// Rows of an index scan cost a read each; ids cost none.
pub struct Scan<R: Record, L: Listed<R> = Rows> {
    pub(crate) listed: L,
    pub(crate) span: Span,
    pub(crate) budget: u32,
    /// The indexes that may count it, if it is of all keys that begin with the same bytes.
    counters: IndexSet,
    pub(crate) filter: Option<(Vec<u8>, Filter<R>)>,
}

impl<R: Record, L: Listed<R>> core::fmt::Debug for Scan<R, L> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Scan")
            .field("table", &R::META.name)
            .field("span", &self.span)
            .finish_non_exhaustive()
    }
}

impl<R: Record, L: Listed<R>> Scan<R, L> {
    pub(crate) fn new(listed: L, span: Span) -> Self {
        Self {
            listed,
            span,
            budget: DEFAULT_SCAN_BUDGET,
            counters: IndexSet::NONE,
            filter: None,
        }
    }

    /// Takes its total from one of these indexes, where one counts it. Its span is then that of a prefix.
    pub(crate) fn counted_by(mut self, kept: IndexSet) -> Self {
        self.counters = kept;
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
        let name = name.into();
        self.filter = Some(match self.filter.take() {
            None => (crate::cursor::filter_name(&[], &name), Box::new(keep)),
            Some((names, before)) => (
                crate::cursor::filter_name(&names, &name),
                Box::new(move |key, row| before(key, row) && keep(key, row)),
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

    /// Iterates over the primary keys. A filter still reads the rows.
    pub fn ids<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, R::PrimaryKey>
    where
        L: 's,
    {
        if self.filter.is_some() {
            return Iter::new(
                self.entries(storage, order)
                    .map(|entry| entry.map(|(key, _)| key)),
            );
        }
        let listed = self.listed;
        if let Err(error) = listed.ready(storage) {
            return Iter::new(core::iter::once(Err(error)));
        }
        Iter::new(
            listed
                .namespace()
                .open(storage, &self.span, order)
                .map(move |(key, value)| Table::<R>::key_of(listed.row_id(&key, &value)?)),
        )
    }

    /// Iterates over primary keys and rows.
    pub fn entries<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, (R::PrimaryKey, R)>
    where
        L: 's,
    {
        let Self {
            listed,
            span,
            filter,
            ..
        } = self;
        if let Err(error) = listed.ready(storage) {
            return Iter::new(core::iter::once(Err(error)));
        }
        let found = listed
            .namespace()
            .open(storage, &span, order)
            .map(move |(key, value)| read_entry::<R, L>(listed, storage, &key, &value));
        Iter::new(found.filter(move |entry| match (entry, &filter) {
            (Ok((key, row)), Some((_, keep))) => keep(key, row),
            _ => true,
        }))
    }

    /// Iterates over rows.
    pub fn rows<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, R>
    where
        L: 's,
    {
        Iter::new(
            self.entries(storage, order)
                .map(|entry| entry.map(|(_, row)| row)),
        )
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
        let page = self.visit_rows(storage, request, &mut |_, row| items.push(row))?;
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
        let page = self.visit_rows(storage, request, &mut |key, row| items.push((key, row)))?;
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
        if self.filter.is_some() {
            let page = self.visit_rows(storage, request, &mut |key, _| items.push(key))?;
            return Ok(Page { items, page });
        }
        let page = self.paginate(storage, request, &mut |key, value, wanted| {
            if wanted {
                items.push(Table::<R>::key_of(self.listed.row_id(key, &value)?)?);
            }
            Ok(true)
        })?;
        Ok(Page { items, page })
    }

    pub(super) fn visit_rows(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
        take: &mut dyn FnMut(R::PrimaryKey, R),
    ) -> Result<PageResponse, OrmError> {
        self.paginate(storage, request, &mut |key, value, wanted| {
            let (primary, row) = read_entry::<R, L>(self.listed, storage, key, &value)?;
            let keep = self
                .filter
                .as_ref()
                .is_none_or(|(_, keep)| keep(&primary, &row));
            if keep && wanted {
                take(primary, row);
            }
            Ok(keep)
        })
    }

    pub(super) fn paginate(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
        visit: &mut Visit<'_, Vec<u8>>,
    ) -> Result<PageResponse, OrmError> {
        self.listed.ready(storage)?;
        let namespace = self.listed.namespace();
        let listing = Listing {
            source: &namespace,
            span: &self.span,
            terms: Terms {
                scope: self.cursor_scope(),
                limits: R::META.limits,
                budget: self.budget,
                filtered: self.filter.is_some(),
                total: match asks_total(request) {
                    true => self.known_total(storage)?,
                    false => None,
                },
            },
        };
        page_of_source(storage, &listing, request, visit)
    }

    pub(super) fn cursor_scope(&self) -> Scope {
        let filter = self.filter.as_ref().map_or(&[][..], |(name, _)| name);
        Scope::of_list(self.listed.namespace().name(), &self.span, filter)
    }

    pub(super) fn known_total(&self, storage: &dyn Storage) -> Result<Option<u64>, OrmError> {
        if self.filter.is_some() {
            return Ok(None);
        }
        let head = self.span.from.as_deref().unwrap_or_default();
        for index in R::INDEXES {
            if self.counters.contains(index.id())
                && let Some(total) = index.counted(storage, self.listed.list(), head)?
            {
                return Ok(Some(total));
            }
        }
        Ok(None)
    }
}
