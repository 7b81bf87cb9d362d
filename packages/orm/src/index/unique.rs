//! The index that one row holds each key of.
//!
//! Entry: `namespace | key → row id`.

use cosmwasm_std::Storage;

use super::{
    IndexEntry, IndexKind, Indexable, Indexer, IndexerFunc, Subject, Trace,
    indexer::{KeyChange, entries_of, entry},
};
use crate::{
    error::{OrmError, hex},
    key::{Key, KeyLayout, KeyRule},
    namespace::Namespace,
    raw::{Probe, WritePlan, lookup},
    row::Record,
};

/// An index with any number of keys a row, each held by one row at most. A row without a key is not indexed.
///
/// Probes for each key that comes; writes one entry for each and removes one for each that goes.
#[derive(Debug)]
pub struct UniqueIndex<R: Record, K>(pub(super) Indexer<R, K>);

impl<R: Record, K> Clone for UniqueIndex<R, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record, K> Copy for UniqueIndex<R, K> {}

impl<R: Record, K: Key> UniqueIndex<R, K> {
    /// Defines an index: its number in the table (1 to 63), its name, where it is kept, and what a row's keys are.
    #[must_use]
    pub const fn new(
        id: u8,
        name: &'static str,
        namespace: Namespace,
        keys: IndexerFunc<R, K>,
    ) -> Self {
        Self(Indexer::new(id, name, namespace, keys))
    }

    /// Returns its number in the table, by which an [`IndexSet`](crate::IndexSet) names it.
    #[must_use]
    pub const fn id(&self) -> u8 {
        self.0.id
    }

    /// Escapes byte strings, so that they sort as values do, rather than by length first.
    #[must_use]
    pub const fn ordered(mut self) -> Self {
        self.0.rule = KeyRule::Ordered;
        self
    }

    /// Keeps the index's state in the store, so that it can be added to a table that has rows, and dropped again, while
    /// the table is in use: see [`Table::backfill`](crate::Table::backfill). Each write to the table, and each read of
    /// the index, then also probes for the state.
    #[must_use]
    pub const fn tracked(mut self) -> Self {
        self.0.tracked = true;
        self
    }

    /// Whether its state is in the store.
    #[must_use]
    pub const fn is_tracked(&self) -> bool {
        self.0.tracked
    }

    fn plan(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, R>,
        old: Option<&R>,
        new: Option<&R>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let change = self.0.change(subject, old, new)?;
        match plan_change(
            storage,
            subject.probe,
            self.0.namespace,
            subject.row_id,
            &change,
            plan,
        ) {
            None => Ok(()),
            Some(key) => Err(OrmError::UniqueViolation {
                table: R::META.name,
                index: self.0.name,
                key,
            }),
        }
    }
}

/// Plans the entries of a row whose keys change, or returns, in hex, the first key that another row holds.
fn plan_change(
    storage: &dyn Storage,
    probe: Probe,
    namespace: Namespace,
    row_id: &[u8],
    change: &KeyChange,
    plan: &mut WritePlan,
) -> Option<String> {
    // A key that comes is not among the row's old ones, so whoever holds it is another row.
    for key in &change.come {
        if lookup(storage, probe, &entry(namespace, key, &[])).is_some() {
            return Some(hex(key));
        }
    }
    for key in &change.gone {
        plan.remove(entry(namespace, key, &[]));
    }
    for key in &change.come {
        plan.set(entry(namespace, key, &[]), row_id.to_vec());
    }
    None
}

impl<R: Record, K: Key> Indexable<R> for UniqueIndex<R, K> {
    fn id(&self) -> u8 {
        self.0.id
    }

    fn name(&self) -> &'static str {
        self.0.name
    }

    fn namespace(&self) -> Namespace {
        self.0.namespace
    }

    fn kind(&self) -> IndexKind {
        IndexKind::Unique
    }

    fn is_tracked(&self) -> bool {
        self.0.tracked
    }

    fn layout(&self) -> KeyLayout {
        KeyLayout::of::<K>(self.0.rule)
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
        let keys = self.0.keys(subject.key, row)?;
        Ok(entries_of(keys, subject.row_id))
    }

    fn trace<'e>(&self, key: &'e [u8], value: &'e [u8]) -> Trace<'e> {
        match K::decode(key, self.0.rule) {
            Ok(_) => Trace::Row(value),
            Err(_) => Trace::Malformed,
        }
    }
}
