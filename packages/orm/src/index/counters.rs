//! Answering from counters.

use core::ops::RangeBounds;

use cosmwasm_std::{Order, Storage};

use super::CountIndex;
use crate::{
    cursor::Scope,
    error::{OrmError, hex},
    iter::{Found, Iter, List, Start, Steps, Walk, span_of_bounds, span_of_prefix},
    key::{Key, PrefixOf},
    page::{DEFAULT_SCAN_BUDGET, Page, PageRequest},
    raw::{Source, Span, lookup},
    row::{PageLimits, Record},
    table::Table,
};

/// The counters of a table, to ask. Made by [`Table::counts`].
#[derive(Debug)]
pub struct CountView<R: Record, K> {
    table: Table<R>,
    index: CountIndex<R, K>,
}

impl<R: Record, K: Key> CountView<R, K> {
    pub(crate) fn open(table: Table<R>, index: CountIndex<R, K>) -> Result<Self, OrmError> {
        if table.options.kept.contains(index.id()) {
            return Ok(Self { table, index });
        }
        Err(OrmError::IndexUnavailable {
            table: R::META.name,
            index: index.indexer.name,
        })
    }

    /// Returns how many rows have this key. One probe.
    ///
    /// # Errors
    /// [`OrmError::Index`] if the key cannot be encoded, [`OrmError::MalformedEntry`] if what is stored is no count,
    /// [`OrmError::IndexNotReady`].
    pub fn count(&self, storage: &dyn Storage, key: &K) -> Result<u64, OrmError> {
        self.index.ready(storage)?;
        let indexer = &self.index.indexer;
        let key = key
            .encode(indexer.rule)
            .map_err(|source| indexer.bad_key(&source))?;
        let entry = indexer.entry(&key, &[]);
        let value = lookup(storage, self.table.options.probe, &entry);
        self.index.stored(&key, value.as_deref())
    }

    /// Lists all keys that rows have, each with its count.
    #[must_use]
    pub fn all(&self) -> CountScan<R, K> {
        self.scan(Span::default())
    }

    /// Lists the keys that begin with these parts, each with its count.
    ///
    /// # Errors
    /// [`OrmError::Index`] if they cannot be encoded.
    pub fn prefix<P: PrefixOf<K>>(&self, parts: &P) -> Result<CountScan<R, K>, OrmError> {
        let indexer = &self.index.indexer;
        span_of_prefix::<K, P>(parts, indexer.rule)
            .map(|span| self.scan(span))
            .map_err(|source| indexer.bad_key(&source))
    }

    /// Lists the keys within bounds on them or on their leading parts, each with its count.
    ///
    /// # Errors
    /// [`OrmError::InvertedBounds`], [`OrmError::Key`] if a bound cannot be encoded.
    pub fn range<P: PrefixOf<K>>(
        &self,
        bounds: impl RangeBounds<P>,
    ) -> Result<CountScan<R, K>, OrmError> {
        span_of_bounds::<K, P>(R::META.name, self.index.indexer.rule, &[], bounds)
            .map(|span| self.scan(span))
    }

    fn scan(&self, span: Span) -> CountScan<R, K> {
        CountScan {
            index: self.index,
            span,
            budget: DEFAULT_SCAN_BUDGET,
        }
    }
}

/// A run of counters, not yet read. Made by [`CountView`].
///
/// ```
/// use cosmwasm_std::{Order, testing::MockStorage};
/// use cw_orm::{OrmError, Table};
///
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "votes", ns = "v")]
/// #[count(id = 1, name = tally, key(proposal, option))]
/// struct Vote {
///     #[pk]
///     proposal: u64,
///     #[pk]
///     voter: String,
///     option: u8,
/// }
///
/// # fn main() -> Result<(), OrmError> {
/// let mut store = MockStorage::new();
/// for (voter, option) in [("ann", 1), ("bob", 2), ("cid", 1)] {
///     Vote::TABLE.insert(&mut store, &Vote { proposal: 7, voter: voter.into(), option })?;
/// }
/// let of_seven = || Vote::TABLE.counts(Vote::TALLY)?.prefix(&(7,));
/// let tally = of_seven()?.iter(&store, Order::Ascending).read_all()?;
/// assert_eq!(tally, [((7, 1), 2), ((7, 2), 1)]);
/// assert_eq!(of_seven()?.sum(&store)?, 3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CountScan<R: Record, K> {
    index: CountIndex<R, K>,
    span: Span,
    budget: u32,
}

impl<R: Record, K: Key> CountScan<R, K> {
    /// Sets how many counters [`sum`](Self::sum) adds up, and a page passes to skip or count them;
    /// [`DEFAULT_SCAN_BUDGET`] unless set.
    #[must_use]
    pub fn budget(mut self, counters: u32) -> Self {
        self.budget = counters.max(1);
        self
    }

    /// Iterates over keys and their counts.
    pub fn iter<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, (K, u64)>
    where
        K: 's,
    {
        self.list().iter(storage, order)
    }

    /// Returns a page of keys and their counts.
    ///
    /// # Errors
    /// As [`Scan::page`](crate::Scan::page); [`OrmError::MalformedEntry`].
    pub fn page(
        self,
        storage: &dyn Storage,
        request: &PageRequest,
    ) -> Result<Page<(K, u64)>, OrmError> {
        self.list().page(storage, request)
    }

    /// Adds the counts up: how many rows have keys of this run, a row with several of them counting as often. One scan of
    /// the counters.
    ///
    /// # Errors
    /// [`OrmError::ScanBudget`] if there are more counters than the budget, [`OrmError::MalformedEntry`].
    pub fn sum(self, storage: &dyn Storage) -> Result<u64, OrmError> {
        let budget = self.budget;
        let mut sum = 0_u64;
        for (place, entry) in (0_u32..).zip(self.iter(storage, Order::Ascending)) {
            if place == budget {
                return Err(OrmError::ScanBudget {
                    what: "sum",
                    budget,
                });
            }
            sum = sum.saturating_add(entry?.1);
        }
        Ok(sum)
    }

    /// Makes it a [`List`], to be filtered or chained.
    #[must_use]
    pub fn list(self) -> List<Self> {
        let budget = self.budget;
        List::new(self).budget(budget)
    }
}

impl<R: Record, K: Key> Walk for CountScan<R, K> {
    type Value = Vec<u8>;
    type Item = (K, u64);

    fn scope(&self) -> u64 {
        Scope::of_list(self.index.indexer.namespace.name(), &self.span, &[]).0
    }

    fn limits(&self) -> PageLimits {
        R::META.limits
    }

    fn contains(&self, position: &[u8]) -> bool {
        self.span.contains(position)
    }

    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        start: Start<'_>,
        order: Order,
    ) -> Found<'s, Vec<u8>> {
        if let Err(error) = self.index.ready(storage) {
            return Steps::new(core::iter::once(Err(error)));
        }
        let span = start.of(&self.span, order);
        Steps::new(
            self.index
                .indexer
                .namespace
                .open(storage, &span, order)
                .map(Ok),
        )
    }

    fn item(
        &self,
        _: &dyn Storage,
        position: &[u8],
        value: Vec<u8>,
    ) -> Result<Option<(K, u64)>, OrmError> {
        let count = self.index.stored(position, Some(&value))?;
        match K::decode(position, self.index.indexer.rule) {
            Ok(key) => Ok(Some((key, count))),
            Err(_) => Err(OrmError::MalformedEntry {
                table: R::META.name,
                index: self.index.indexer.name,
                entry: hex(position),
            }),
        }
    }
}
