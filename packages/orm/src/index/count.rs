//! The index that counts rows instead of naming them.
//!
//! Entry: `namespace | key → number of rows`, the number as a [`CompactUint64`], 1 to 9 bytes; none where it is 0.

use cosmwasm_std::Storage;

use super::{
    CountedList, CoveringIndex, IndexEntry, IndexKind, Indexable, Indexer, IndexerFunc,
    MultiKeyIndex, Subject, Trace,
    indexer::{KeyChange, bad_key, entries_of, entry},
};
use crate::{
    error::{OrmError, hex},
    key::{CompactUint64, Key, KeyLayout, KeyRule},
    namespace::Namespace,
    raw::{Probe, WritePlan, lookup},
    row::Record,
    state::tracked_ready,
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
    pub(super) indexer: Indexer<R, K>,
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

    /// Keeps the index's state in the store, so that it can be added to a table that has rows, and dropped again, while
    /// the table is in use: see [`Table::backfill`](crate::Table::backfill). Each write to the table, and each read of
    /// the index, then also probes for the state.
    #[must_use]
    pub const fn tracked(mut self) -> Self {
        self.indexer.tracked = true;
        self
    }

    /// Whether its state is in the store.
    #[must_use]
    pub const fn is_tracked(&self) -> bool {
        self.indexer.tracked
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

    /// Returns the count that is stored as `value` under `key`; 0 if none is.
    pub(super) fn stored(&self, key: &[u8], value: Option<&[u8]>) -> Result<u64, OrmError> {
        stored(R::META.name, self.indexer.name, key, value)
    }

    /// Refuses to be asked while not all rows are counted.
    pub(super) fn ready(&self, storage: &dyn Storage) -> Result<(), OrmError> {
        if !self.indexer.tracked {
            return Ok(());
        }
        let Indexer {
            namespace, name, ..
        } = self.indexer;
        tracked_ready(storage, namespace, R::META.name, name)
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
        let counter = Counter {
            table: R::META.name,
            index: self.indexer.name,
            namespace: self.indexer.namespace,
        };
        counter.plan(storage, subject.probe, &change, plan)
    }
}

/// The facts of an index of counters that planning a change needs.
struct Counter {
    table: &'static str,
    index: &'static str,
    namespace: Namespace,
}

impl Counter {
    fn plan(
        &self,
        storage: &dyn Storage,
        probe: Probe,
        change: &KeyChange,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let gone = change.gone.iter().map(|key| (key, false));
        for (key, comes) in gone.chain(change.come.iter().map(|key| (key, true))) {
            let entry = entry(self.namespace, key, &[]);
            let value = lookup(storage, probe, &entry);
            let count = stored(self.table, self.index, key, value.as_deref())?;
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
                        .map_err(|source| bad_key(self.table, self.index, &source))?,
                ),
                None => {
                    let what = if comes {
                        "can count no further"
                    } else {
                        "counts fewer rows than there are"
                    };
                    return Err(OrmError::Index {
                        table: self.table,
                        index: self.index,
                        reason: format!("counter {} {what}", hex(key)),
                    });
                }
            }
        }
        Ok(())
    }
}

/// Returns the count that is stored as `value` under `key`; 0 if none is.
fn stored(
    table: &'static str,
    index: &'static str,
    key: &[u8],
    value: Option<&[u8]>,
) -> Result<u64, OrmError> {
    let Some(value) = value else { return Ok(0) };
    match CompactUint64::decode(value, KeyRule::Delimited) {
        Ok(CompactUint64(count)) if count > 0 => Ok(count),
        _ => Err(OrmError::MalformedEntry {
            table,
            index,
            entry: hex(key),
        }),
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

    fn is_tracked(&self) -> bool {
        self.indexer.tracked
    }

    fn layout(&self) -> KeyLayout {
        KeyLayout::of::<K>(self.indexer.rule)
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

    fn entries(&self, subject: &Subject<'_, R>, row: &R) -> Result<Vec<IndexEntry>, OrmError> {
        let one = CompactUint64(1)
            .encode(KeyRule::Delimited)
            .map_err(|source| self.indexer.bad_key(&source))?;
        let keys = self.indexer.keys(subject.key, row)?;
        Ok(entries_of(keys, &one))
    }

    fn trace<'e>(&self, key: &'e [u8], value: &'e [u8]) -> Trace<'e> {
        match (
            K::decode(key, self.indexer.rule),
            self.stored(key, Some(value)),
        ) {
            (Ok(_), Ok(count)) => Trace::Sum(count),
            _ => Trace::Malformed,
        }
    }

    fn sums(&self) -> bool {
        true
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
        match self.ready(storage) {
            Ok(()) => {}
            Err(OrmError::IndexNotReady { .. }) => return Ok(None),
            Err(error) => return Err(error),
        }
        let entry = self.indexer.entry(head, &[]);
        let value = lookup(storage, Probe::default(), &entry);
        self.stored(head, value.as_deref()).map(Some)
    }
}
