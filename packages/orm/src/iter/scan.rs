//! A scan: a run of rows in the order of the primary key or of an index, not yet opened.

use cosmwasm_std::{Order, Storage};

use super::Iter;
use crate::{
    cursor::Scope,
    error::{OrmError, hex},
    index::{CountedList, IndexSet, Lookup},
    iter::{Chained, Found, List, Start, Walk},
    key::{Key, KeyReader},
    namespace::Namespace,
    page::{DEFAULT_SCAN_BUDGET, Page, PageRequest, PageResponse},
    paginate::{Listing, Terms, Visit, asks_total, page_of_source},
    raw::{Source, Span},
    row::{PageLimits, Record, from_value},
    table::Table,
};

/// What a scan walks over: [`Rows`] or the [`Entries`] of an index.
pub trait Listed<R: Record>: Copy {
    /// Returns where it is.
    fn namespace(&self) -> Namespace;

    /// Returns which list it is, to indexes that count it.
    fn list(&self) -> CountedList;

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

type Filter<R> = Box<dyn Fn(&<R as Record>::PrimaryKey, &R) -> bool>;

/// A run of rows, found but not yet read: open it as an iterator, or take a page of it.
///
/// Rows of an index scan cost a read each; ids cost none.
pub struct Scan<R: Record, L: Listed<R> = Rows> {
    pub(super) listed: L,
    span: Span,
    pub(super) budget: u32,
    /// The indexes that may count it, if it is of all keys that begin with the same bytes.
    counters: IndexSet,
    filter: Option<(Vec<u8>, Filter<R>)>,
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

    /// Lists, for each row of this scan in its order, the items of another list that it leads to; see [`Chained`]. Reads
    /// a row of an index scan; where the key is enough, chain [`only_ids`](Self::only_ids) or
    /// [`index_keys`](Scan::index_keys). `name` tells this chain from others, for cursors.
    #[must_use]
    pub fn then<B: Walk>(
        self,
        name: impl Into<Vec<u8>>,
        inner: impl Fn(&(R::PrimaryKey, R)) -> Result<B, OrmError> + 'static,
    ) -> List<Chained<List<Self>, B>>
    where
        L: 'static,
        R: Clone,
    {
        let budget = self.budget;
        List::new(self).budget(budget).then(name, inner)
    }

    /// Returns how many rows there are: from an index that counts them, by one probe, else by passing them.
    ///
    /// # Errors
    /// [`OrmError::ScanBudget`] if no index counts them and they are more than the budget; if a filtered row cannot be
    /// read, or what an index has stored is no count.
    pub fn count(&self, storage: &dyn Storage) -> Result<u64, OrmError> {
        if let Some(total) = self.known_total(storage)? {
            return Ok(total);
        }
        let request = PageRequest {
            count_total: true,
            ..PageRequest::first(1)
        };
        let visit: &mut Visit<'_, Vec<u8>> = &mut |_, _, _| Ok(true);
        let page = match self.filter {
            None => self.paginate(storage, &request, visit)?,
            Some(_) => self.visit_rows(storage, &request, &mut |_, _| {})?,
        };
        Ok(page.total.unwrap_or_default().u64())
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
        let found = listed
            .namespace()
            .open(storage, &span, order)
            .map(move |(key, value)| {
                let id = listed.row_id(&key, &value)?;
                let primary = Table::<R>::key_of(id)?;
                let row = listed.row(storage, id, &primary, &value)?;
                Ok((primary, row))
            });
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
    /// [`OrmError::ScanBudget`], and those of reading a row.
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

    fn visit_rows(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
        take: &mut dyn FnMut(R::PrimaryKey, R),
    ) -> Result<PageResponse, OrmError> {
        self.paginate(storage, request, &mut |key, value, wanted| {
            let id = self.listed.row_id(key, &value)?;
            let primary = Table::<R>::key_of(id)?;
            let row = self.listed.row(storage, id, &primary, &value)?;
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

    fn paginate(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
        visit: &mut Visit<'_, Vec<u8>>,
    ) -> Result<PageResponse, OrmError> {
        let namespace = self.listed.namespace();
        let listing = Listing {
            source: &namespace,
            span: &self.span,
            terms: Terms {
                scope: self.scope(),
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

    fn scope(&self) -> Scope {
        let filter = self.filter.as_ref().map_or(&[][..], |(name, _)| name);
        Scope::of_list(self.listed.namespace().name(), &self.span, filter)
    }

    fn known_total(&self, storage: &dyn Storage) -> Result<Option<u64>, OrmError> {
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

impl<R: Record, L: Listed<R> + 'static> Walk for Scan<R, L> {
    type Value = Vec<u8>;
    type Item = (R::PrimaryKey, R);

    fn scope(&self) -> u64 {
        Scan::scope(self).0
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

    fn total(&self, storage: &dyn Storage) -> Result<Option<u64>, OrmError> {
        self.known_total(storage)
    }

    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        start: Start<'_>,
        order: Order,
    ) -> Found<'s, Vec<u8>> {
        let span = start.of(&self.span, order);
        Box::new(self.listed.namespace().open(storage, &span, order).map(Ok))
    }

    fn item(
        &self,
        storage: &dyn Storage,
        position: &[u8],
        value: Vec<u8>,
    ) -> Result<Option<Self::Item>, OrmError> {
        let id = self.listed.row_id(position, &value)?;
        let primary = Table::<R>::key_of(id)?;
        let row = self.listed.row(storage, id, &primary, &value)?;
        let filter = self.filter.as_ref();
        let kept = filter.is_none_or(|(_, keep)| keep(&primary, &row));
        Ok(kept.then_some((primary, row)))
    }
}
