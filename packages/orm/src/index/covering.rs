//! The index whose entries hold columns of the row, so that a list needs no row.
//!
//! Entry: `namespace | key parts | row id → version | columns`, the columns as the table's codec writes them.

use cosmwasm_std::Storage;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    IndexEntry, IndexKind, Indexable, Indexer, IndexerFunc, Lookup, LookupFacts, Subject, Trace,
    indexer::entries_with_id,
};
use crate::{
    codec::Codec,
    error::{OrmError, hex},
    iter::{Entries, List, Projected, Scan},
    key::{Key, KeyLayout, KeyReader, KeyRule},
    namespace::Namespace,
    raw::WritePlan,
    row::{Record, expect_version},
    table::Table,
};

/// Returns the columns that an entry of a row holds. Must depend on the row alone.
pub type ColumnsFunc<R, C> = fn(&<R as Record>::PrimaryKey, &R) -> C;

/// An index as [`MultiKeyIndex`](crate::MultiKeyIndex), whose entries also hold chosen columns: a list of them reads no
/// row. The columns cost their bytes in every entry.
///
/// Writes one entry for each key that comes, removes one for each that goes, and rewrites those that stay only where a
/// chosen column changed; reads nothing.
///
/// ```
/// use cosmwasm_std::{Order, testing::MockStorage};
/// use cw_orm::{OrmError, PageRequest, Table};
///
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "sales", ns = "s")]
/// #[covering(id = 1, name = by_market, key(market), columns(buyer, amount))]
/// struct Sale {
///     #[pk]
///     number: u32,
///     market: String,
///     buyer: String,
///     amount: u64,
///     terms: String, // long, and not in the list
/// }
///
/// # fn main() -> Result<(), OrmError> {
/// let mut store = MockStorage::new();
/// let (market, buyer) = ("wool".to_owned(), "ann".to_owned());
/// Sale::TABLE.insert(
///     &mut store,
///     &Sale { number: 7, market: market.clone(), buyer: buyer.clone(), amount: 5, terms: "…".into() },
/// )?;
/// let list = Sale::TABLE.by(Sale::BY_MARKET)?.key(&market)?.columns();
/// let page = list.page(&store, &PageRequest::first(10))?;
/// assert_eq!(page.items, [(market, 7, (buyer, 5))]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CoveringIndex<R: Record, K, C> {
    pub(super) indexer: Indexer<R, K>,
    version: u8,
    columns: ColumnsFunc<R, C>,
}

impl<R: Record, K, C> Clone for CoveringIndex<R, K, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record, K, C> Copy for CoveringIndex<R, K, C> {}

impl<R: Record, K: Key, C> CoveringIndex<R, K, C> {
    /// Defines an index: its number in the table (1 to 63), its name, where it is kept, what a row's keys are, and what
    /// columns their entries hold.
    #[must_use]
    pub const fn new(
        id: u8,
        name: &'static str,
        namespace: Namespace,
        keys: IndexerFunc<R, K>,
        columns: ColumnsFunc<R, C>,
    ) -> Self {
        Self {
            indexer: Indexer::new(id, name, namespace, keys),
            version: 1,
            columns,
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

    /// Sets the version of the columns' layout, 1 unless set. Entries of another are refused, and are to be made anew.
    #[must_use]
    pub const fn version(mut self, version: u8) -> Self {
        self.version = version;
        self
    }
}

impl<R: Record, K: Key, C: Serialize + DeserializeOwned + 'static> CoveringIndex<R, K, C> {
    fn value(&self, key: &R::PrimaryKey, row: &R) -> Result<Vec<u8>, OrmError> {
        match R::Codec::encode(&(self.columns)(key, row)) {
            Ok(mut value) => {
                value.insert(0, self.version);
                Ok(value)
            }
            Err(reason) => Err(self.error(reason)),
        }
    }

    fn read(&self, entry: &[u8], value: &[u8]) -> Result<C, OrmError> {
        let malformed = || OrmError::MalformedEntry {
            table: R::META.name,
            index: self.indexer.name,
            entry: hex(entry),
        };
        let (version, columns) = value.split_first().ok_or_else(malformed)?;
        expect_version(self.version, *version)
            .map_err(|reason| self.error(format!("entry {}: {reason}", hex(entry))))?;
        R::Codec::decode(columns).map_err(|_| malformed())
    }

    fn error(&self, reason: String) -> OrmError {
        OrmError::Index {
            table: R::META.name,
            index: self.indexer.name,
            reason,
        }
    }

    fn plan(
        &self,
        subject: &Subject<'_, R>,
        old: Option<&R>,
        new: Option<&R>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let change = self.indexer.change(subject, old, new)?;
        for key in change.gone {
            plan.remove(self.indexer.entry(&key, subject.row_id));
        }
        let Some(new) = new else { return Ok(()) };
        if change.come.is_empty() && change.kept.is_empty() {
            return Ok(());
        }
        let value = self.value(subject.key, new)?;
        for key in change.come {
            plan.set(self.indexer.entry(&key, subject.row_id), value.clone());
        }
        let same = match old {
            Some(old) => self.value(subject.key, old).as_ref() == Ok(&value),
            None => true,
        };
        for key in change.kept.iter().filter(|_| !same) {
            plan.set(self.indexer.entry(key, subject.row_id), value.clone());
        }
        Ok(())
    }
}

impl<R: Record, K: Key, C: Serialize + DeserializeOwned + 'static> Indexable<R>
    for CoveringIndex<R, K, C>
{
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
        IndexKind::Covering
    }

    fn is_tracked(&self) -> bool {
        self.indexer.tracked
    }

    fn layout(&self) -> KeyLayout {
        KeyLayout::of::<K>(self.indexer.rule)
    }

    fn on_create(
        &self,
        _: &dyn Storage,
        subject: &Subject<'_, R>,
        new: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.plan(subject, None, Some(new), plan)
    }

    fn on_update(
        &self,
        _: &dyn Storage,
        subject: &Subject<'_, R>,
        old: &R,
        new: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.plan(subject, Some(old), Some(new), plan)
    }

    fn on_delete(
        &self,
        _: &dyn Storage,
        subject: &Subject<'_, R>,
        old: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.plan(subject, Some(old), None, plan)
    }

    fn entries(&self, subject: &Subject<'_, R>, row: &R) -> Result<Vec<IndexEntry>, OrmError> {
        let keys = self.indexer.keys(subject.key, row)?;
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let value = self.value(subject.key, row)?;
        Ok(entries_with_id(keys, subject.row_id, &value))
    }

    fn trace<'e>(&self, key: &'e [u8], _: &'e [u8]) -> Trace<'e> {
        self.indexer.trace_row(key)
    }
}

impl<R: Record, K: Key, C> Lookup<R> for CoveringIndex<R, K, C> {
    type Key = K;

    fn facts(&self) -> LookupFacts {
        self.indexer.facts(false)
    }

    fn is_tracked(&self) -> bool {
        self.indexer.tracked
    }
}

/// A list of index key, primary key and the columns that the entry holds.
pub type CoveredColumns<R, K, C> =
    List<Projected<R, Entries<CoveringIndex<R, K, C>>, (K, <R as Record>::PrimaryKey, C)>>;

impl<R: Record, K: Key, C: Serialize + DeserializeOwned + 'static>
    Scan<R, Entries<CoveringIndex<R, K, C>>>
{
    /// Lists what the entries hold: index key, primary key and columns. Reads no row, unless a filter of rows was set
    /// before; filter the list itself to go without.
    #[must_use]
    pub fn columns(self) -> CoveredColumns<R, K, C> {
        self.project(|entries, key, value| {
            let index = &entries.0;
            let mut reader = KeyReader::leading(key, index.indexer.rule);
            match K::read(&mut reader) {
                Ok(found) => {
                    let primary = Table::<R>::key_of(reader.rest())?;
                    Ok((found, primary, index.read(key, value)?))
                }
                Err(_) => Err(OrmError::MalformedEntry {
                    table: R::META.name,
                    index: index.indexer.name,
                    entry: hex(key),
                }),
            }
        })
    }
}
