//! The index that counts rows instead of naming them.
//!
//! Entry: `namespace | key → number of rows`, the number as a [`CompactUint64`], 1 to 9 bytes; none where it is 0.

use core::ops::RangeBounds;

use cosmwasm_std::{Order, Storage};

use super::{CountedList, IndexKind, Indexable, Indexer, IndexerFunc, MultiKeyIndex, Subject};
use crate::{
    error::{OrmError, hex},
    index::CoveringIndex,
    iter::{Found, Iter, List, Start, Walk, span_of_bounds, span_of_prefix},
    key::{CompactUint64, Key, KeyRule, PrefixOf},
    namespace::Namespace,
    page::{DEFAULT_SCAN_BUDGET, Page, PageRequest},
    raw::{Probe, Source, Span, WritePlan, lookup},
    row::{PageLimits, Record},
    table::Table,
};

/// Counts of rows by key, or of all rows, each kept as one number: asked in one probe, however many rows there are.
///
/// A row counts once under each distinct key that the function returns. A change costs one probe and one write (a delete,
/// where the count falls to 0) for each key that comes or goes, and nothing if none does.
///
/// # Totals of pages
/// A counter that says what list it counts answers `count_total` of that list's pages without a scan:
/// [`CountIndex::total`] for all rows, [`MultiKeyIndex::counter`] for the rows of one index key,
/// [`CountIndex::of`] for other leading parts. Filtered lists and ranges are counted by passing their rows.
///
/// ```
/// use cosmwasm_std::{Uint64, testing::MockStorage};
/// use cw_orm::{OrmError, PageRequest, Table};
///
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "sales", ns = "s")]
/// #[count(id = 2, name = total)]
/// #[count(id = 3, name = per_market, of = by_market)]
/// struct Sale {
///     #[pk]
///     number: u32,
///     #[index(id = 1)]
///     market: String,
/// }
///
/// # fn main() -> Result<(), OrmError> {
/// let mut store = MockStorage::new();
/// for number in 0..3 {
///     Sale::TABLE.insert(&mut store, &Sale { number, market: "wool".into() })?;
/// }
/// assert_eq!(Sale::TABLE.counts(Sale::TOTAL)?.count(&store, &())?, 3);
/// assert_eq!(Sale::TABLE.counts(Sale::PER_MARKET)?.count(&store, &"wool".into())?, 3);
///
/// let request = PageRequest { count_total: true, ..PageRequest::first(1) };
/// let of_wool = Sale::TABLE.by(Sale::BY_MARKET)?.key(&"wool".into())?;
/// assert_eq!(of_wool.page(&store, &request)?.page.total, Some(Uint64::new(3)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CountIndex<R: Record, K> {
    indexer: Indexer<R, K>,
    list: Option<CountedList>,
}

impl<R: Record, K> Clone for CountIndex<R, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record, K> Copy for CountIndex<R, K> {}

impl<R: Record> CountIndex<R, ()> {
    /// Counts all rows, and answers for the totals of the table's pages: its number in the table (1 to 63), its name, and
    /// where it is kept.
    #[must_use]
    pub const fn total(id: u8, name: &'static str, namespace: Namespace) -> Self {
        Self::new(id, name, namespace, |_, _| vec![()]).of(CountedList::Rows)
    }
}

impl<R: Record, K: Key> CountIndex<R, K> {
    /// Defines counters: their number in the table (1 to 63), their name, where they are kept, and under which keys a row
    /// counts.
    #[must_use]
    pub const fn new(
        id: u8,
        name: &'static str,
        namespace: Namespace,
        keys: IndexerFunc<R, K>,
    ) -> Self {
        Self {
            indexer: Indexer::new(id, name, namespace, keys),
            list: None,
        }
    }

    /// Returns its number in the table, by which an [`IndexSet`](crate::IndexSet) names it.
    #[must_use]
    pub const fn id(&self) -> u8 {
        self.indexer.id
    }

    /// Escapes byte strings, so that they sort as values do, rather than by length first.
    #[must_use]
    pub const fn ordered(mut self) -> Self {
        self.indexer.rule = KeyRule::Ordered;
        self
    }

    /// Says that the keys are leading parts of those of `list`, one for each of its entries: of the primary keys, or of
    /// the keys of an index. Totals of its pages under such parts then come from here. They are right only if that is
    /// true; keys delimited by another rule than the list's are not to be given here.
    #[must_use]
    pub const fn of(mut self, list: CountedList) -> Self {
        if let CountedList::Rows = list
            && let KeyRule::Ordered = R::META.key_rule
        {
            self.indexer.rule = KeyRule::Ordered;
        }
        self.list = Some(list);
        self
    }

    fn stored(&self, key: &[u8], value: Option<&[u8]>) -> Result<u64, OrmError> {
        let Some(value) = value else { return Ok(0) };
        match CompactUint64::decode(value, KeyRule::Delimited) {
            Ok(CompactUint64(count)) if count > 0 => Ok(count),
            _ => Err(OrmError::MalformedEntry {
                table: R::META.name,
                index: self.indexer.name,
                entry: hex(key),
            }),
        }
    }

    fn plan(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, R>,
        old: Option<&R>,
        new: Option<&R>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let change = self.indexer.change(subject, old, new)?;
        let gone = change.gone.iter().map(|key| (key, false));
        for (key, comes) in gone.chain(change.come.iter().map(|key| (key, true))) {
            let entry = self.indexer.entry(key, &[]);
            let count = self.stored(key, plan.read(storage, subject.probe, &entry).as_deref())?;
            let next = if comes {
                count.checked_add(1)
            } else {
                count.checked_sub(1)
            };
            match next {
                Some(0) => plan.remove(entry),
                Some(next) => plan.set(
                    entry,
                    CompactUint64(next)
                        .encode(KeyRule::Delimited)
                        .map_err(|source| self.indexer.bad_key(&source))?,
                ),
                None => {
                    let what = if comes {
                        "can count no further"
                    } else {
                        "counts fewer rows than there are"
                    };
                    return Err(OrmError::Index {
                        table: R::META.name,
                        index: self.indexer.name,
                        reason: format!("counter {} {what}", hex(key)),
                    });
                }
            }
        }
        Ok(())
    }
}

impl<R: Record, K: Key> MultiKeyIndex<R, K> {
    /// Defines counters of this index's entries: one for each index key, which answers for the totals of the pages of
    /// [`IndexView::key`](crate::IndexView::key).
    #[must_use]
    pub const fn counter(
        &self,
        id: u8,
        name: &'static str,
        namespace: Namespace,
    ) -> CountIndex<R, K> {
        self.0.counter(id, name, namespace)
    }
}

impl<R: Record, K: Key, C> CoveringIndex<R, K, C> {
    /// Defines counters of this index's entries: one for each index key, which answers for the totals of the pages of
    /// [`IndexView::key`](crate::IndexView::key).
    #[must_use]
    pub const fn counter(
        &self,
        id: u8,
        name: &'static str,
        namespace: Namespace,
    ) -> CountIndex<R, K> {
        self.indexer.counter(id, name, namespace)
    }
}

impl<R: Record, K: Key> Indexer<R, K> {
    const fn counter(&self, id: u8, name: &'static str, namespace: Namespace) -> CountIndex<R, K> {
        let mut indexer = Self::new(id, name, namespace, self.func);
        indexer.rule = self.rule;
        CountIndex {
            indexer,
            list: Some(CountedList::Index(self.id)),
        }
    }
}

impl<R: Record, K: Key> Indexable<R> for CountIndex<R, K> {
    fn id(&self) -> u8 {
        self.indexer.id
    }

    fn name(&self) -> &'static str {
        self.indexer.name
    }

    fn namespace(&self) -> Namespace {
        self.indexer.namespace
    }

    fn kind(&self) -> IndexKind {
        IndexKind::Count
    }

    fn on_create(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, R>,
        new: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.plan(storage, subject, None, Some(new), plan)
    }

    fn on_update(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, R>,
        old: &R,
        new: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.plan(storage, subject, Some(old), Some(new), plan)
    }

    fn on_delete(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, R>,
        old: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.plan(storage, subject, Some(old), None, plan)
    }

    fn counted(
        &self,
        storage: &dyn Storage,
        list: CountedList,
        head: &[u8],
    ) -> Result<Option<u64>, OrmError> {
        if self.list != Some(list) || K::decode(head, self.indexer.rule).is_err() {
            return Ok(None);
        }
        let entry = self.indexer.entry(head, &[]);
        let value = lookup(storage, Probe::default(), &entry);
        self.stored(head, value.as_deref()).map(Some)
    }
}

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
    /// [`OrmError::Index`] if the key cannot be encoded, [`OrmError::MalformedEntry`] if what is stored is no count.
    pub fn count(&self, storage: &dyn Storage, key: &K) -> Result<u64, OrmError> {
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
        crate::cursor::Scope::of_list(self.index.indexer.namespace.name(), &self.span, &[]).0
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
        let span = start.of(&self.span, order);
        Box::new(
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
