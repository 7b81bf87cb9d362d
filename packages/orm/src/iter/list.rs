//! Lists: whatever can be opened at a position, in both directions, so that it can be iterated, paged and chained.

use cosmwasm_std::{Order, Storage};

use super::{Chained, Iter};
use crate::{
    cursor::Scope,
    error::OrmError,
    page::{DEFAULT_SCAN_BUDGET, Page, PageRequest},
    paginate::{Positions, Terms, asks_total, position, walk},
    raw::Span,
    row::PageLimits,
};

/// Entries of a list, each with its position.
pub(crate) type Found<'s, V> = Positions<'s, V>;

/// Where a list is opened.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// At its first entry.
    First,
    /// At this position, or where it would be.
    At(&'a [u8]),
    /// After this position.
    After(&'a [u8]),
}

impl Start<'_> {
    /// Returns what of `span` is left from here.
    pub(crate) fn of(self, span: &Span, order: Order) -> Span {
        match self {
            Self::First => span.clone(),
            Self::At(position) => span.clone().from(position.to_vec(), order),
            Self::After(position) => span.clone().after(position.to_vec(), order),
        }
    }
}

/// What a [`List`] is of: a [`Scan`](crate::Scan), a [`FamiliesScan`](crate::FamiliesScan), a
/// [`CountScan`](crate::CountScan), or lists made of them. Not to be implemented elsewhere; for an iterator of your own
/// there is [`paginate`](crate::paginate).
pub trait Walk: Sized + 'static {
    /// An entry, not yet decoded.
    #[doc(hidden)]
    type Value;
    /// What is listed.
    type Item;

    /// Which list it is, for cursors.
    #[doc(hidden)]
    fn scope(&self) -> u64;

    /// Its page sizes.
    #[doc(hidden)]
    fn limits(&self) -> PageLimits;

    /// Whether an entry can stand at this position.
    #[doc(hidden)]
    fn contains(&self, position: &[u8]) -> bool;

    /// Whether an entry can turn out to be no item.
    #[doc(hidden)]
    fn has_gaps(&self) -> bool {
        false
    }

    /// How many items it has, if a counter knows.
    #[doc(hidden)]
    fn total(&self, _storage: &dyn Storage) -> Result<Option<u64>, OrmError> {
        Ok(None)
    }

    #[doc(hidden)]
    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        start: Start<'_>,
        order: Order,
    ) -> Found<'s, Self::Value>;

    /// Decodes an entry; none if it is no item.
    #[doc(hidden)]
    fn item(
        &self,
        storage: &dyn Storage,
        position: &[u8],
        value: Self::Value,
    ) -> Result<Option<Self::Item>, OrmError>;

    /// Whether an entry is an item.
    #[doc(hidden)]
    fn is_item(
        &self,
        storage: &dyn Storage,
        position: &[u8],
        value: Self::Value,
    ) -> Result<bool, OrmError> {
        Ok(!self.has_gaps() || self.item(storage, position, value)?.is_some())
    }
}

type Filter<T> = Box<dyn Fn(&T) -> bool>;

/// A list, not yet opened: iterate over it, or take pages of it.
///
/// ```
/// use cosmwasm_std::{Order, testing::MockStorage};
/// use cw_orm::{OrmError, PageRequest, Table};
///
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "names", ns = "n")]
/// struct Name {
///     #[pk(auto)]
///     id: u64,
///     #[unique(id = 1)]
///     name: String,
/// }
///
/// # fn main() -> Result<(), OrmError> {
/// let mut store = MockStorage::new();
/// for name in ["cid", "ann", "bob"] {
///     Name::TABLE.insert(&mut store, &mut Name { id: 0, name: name.into() })?;
/// }
/// // Names and ids as the index holds them, without a read of any row.
/// let names = || Ok::<_, OrmError>(Name::TABLE.by(Name::BY_NAME)?.all().index_keys());
/// assert_eq!(names()?.iter(&store, Order::Descending).first()?, Some(("cid".into(), 1)));
/// let early = names()?.filter("before c", |(name, _)| name < &"c".to_owned());
/// assert_eq!(early.page(&store, &PageRequest::first(5))?.items.len(), 2);
/// # Ok(())
/// # }
/// ```
pub struct List<W: Walk> {
    of: W,
    limits: PageLimits,
    budget: u32,
    total: Option<u64>,
    filter: Option<(Vec<u8>, Filter<W::Item>)>,
}

impl<W: Walk> core::fmt::Debug for List<W> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("List")
            .field("scope", &self.of.scope())
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

impl<W: Walk> List<W> {
    pub(crate) fn new(of: W) -> Self {
        Self {
            limits: of.limits(),
            budget: DEFAULT_SCAN_BUDGET,
            total: None,
            filter: None,
            of,
        }
    }

    /// Keeps only items that `keep` accepts. `name` tells this filter, with its arguments, from others, so that a cursor
    /// of one is refused by another. A further filter keeps only items that all accept.
    #[must_use]
    pub fn filter(
        mut self,
        name: impl Into<Vec<u8>>,
        keep: impl Fn(&W::Item) -> bool + 'static,
    ) -> Self
    where
        W::Item: 'static,
    {
        let name = name.into();
        self.filter = Some(match self.filter.take() {
            None => (crate::cursor::filter_name(&[], &name), Box::new(keep)),
            Some((names, before)) => (
                crate::cursor::filter_name(&names, &name),
                Box::new(move |item| before(item) && keep(item)),
            ),
        });
        self
    }

    /// Sets how many entries a page may pass to filter, skip or count them;
    /// [`DEFAULT_SCAN_BUDGET`](crate::DEFAULT_SCAN_BUDGET) unless set.
    #[must_use]
    pub fn budget(mut self, entries: u32) -> Self {
        self.budget = entries.max(1);
        self
    }

    /// Sets the page sizes; those of its table, for a chained list the first one's, unless set.
    #[must_use]
    pub fn limits(mut self, limits: PageLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Says how many items the list has, where that is known without counting them; it is told to who asks for the total.
    #[must_use]
    pub fn total(mut self, items: u64) -> Self {
        self.total = Some(items);
        self
    }

    /// Lists, for each item of this list in its order, the items of another list that it leads to; see [`Chained`]. Page
    /// sizes and budget are those of this list, unless set anew. `name` tells this chain from others, for cursors.
    #[must_use]
    pub fn then<B: Walk>(
        self,
        name: impl Into<Vec<u8>>,
        inner: impl Fn(&W::Item) -> Result<B, OrmError> + 'static,
    ) -> List<Chained<Self, B>>
    where
        W::Item: Clone,
    {
        let budget = self.budget;
        List::new(Chained::new(self, name.into(), inner)).budget(budget)
    }

    /// Iterates over the items. Reads as it goes, and passes over as many entries as there are.
    pub fn iter<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, W::Item>
    where
        W::Item: 's,
    {
        let entries = self.open(storage, Start::First, order);
        Iter::new(entries.filter_map(move |entry| {
            let (position, value) = match entry {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error)),
            };
            self.item(storage, &position, value).transpose()
        }))
    }

    /// Returns a page of items.
    ///
    /// # Errors
    /// As [`Scan::page`](crate::Scan::page).
    pub fn page(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
    ) -> Result<Page<W::Item>, OrmError> {
        page_of(self, self.budget, storage, request)
    }
}

impl<W: Walk> Walk for List<W> {
    type Value = W::Value;
    type Item = W::Item;

    fn scope(&self) -> u64 {
        match &self.filter {
            None => self.of.scope(),
            Some((name, _)) => Scope::of(&[b"filter", &self.of.scope().to_be_bytes(), name]).0,
        }
    }

    fn limits(&self) -> PageLimits {
        self.limits
    }

    fn contains(&self, position: &[u8]) -> bool {
        self.of.contains(position)
    }

    fn has_gaps(&self) -> bool {
        self.filter.is_some() || self.of.has_gaps()
    }

    fn total(&self, storage: &dyn Storage) -> Result<Option<u64>, OrmError> {
        match (&self.filter, self.total) {
            (Some(_), _) => Ok(None),
            (None, Some(total)) => Ok(Some(total)),
            (None, None) => self.of.total(storage),
        }
    }

    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        start: Start<'_>,
        order: Order,
    ) -> Found<'s, W::Value> {
        self.of.open(storage, start, order)
    }

    fn item(
        &self,
        storage: &dyn Storage,
        position: &[u8],
        value: W::Value,
    ) -> Result<Option<W::Item>, OrmError> {
        let item = self.of.item(storage, position, value)?;
        Ok(item.filter(|item| self.filter.as_ref().is_none_or(|(_, keep)| keep(item))))
    }

    fn is_item(
        &self,
        storage: &dyn Storage,
        position: &[u8],
        value: W::Value,
    ) -> Result<bool, OrmError> {
        match self.filter {
            None => self.of.is_item(storage, position, value),
            Some(_) => Ok(self.item(storage, position, value)?.is_some()),
        }
    }
}

/// Makes a page of a list.
pub(crate) fn page_of<W: Walk>(
    list: &W,
    budget: u32,
    storage: &dyn Storage,
    request: &PageRequest,
) -> Result<Page<W::Item>, OrmError> {
    let terms = Terms {
        scope: Scope(list.scope()),
        limits: list.limits(),
        budget,
        filtered: list.has_gaps(),
        total: match asks_total(request) {
            true => list.total(storage)?,
            false => None,
        },
    };
    let after = position(&terms, request, &|position| list.contains(position))?;
    let start = after.as_deref().map_or(Start::First, Start::After);
    let entries = list.open(storage, start, request.order());
    let mut items = Vec::new();
    let page = walk(&terms, request, entries, &mut |position, value, wanted| {
        if !wanted {
            return list.is_item(storage, position, value);
        }
        let item = list.item(storage, position, value)?;
        let found = item.is_some();
        items.extend(item);
        Ok(found)
    })?;
    Ok(Page { items, page })
}
