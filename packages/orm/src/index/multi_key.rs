//! The index that many rows may share a key of.
//!
//! Entry: `namespace | key parts | row id → 01`.

use cosmwasm_std::Storage;

use super::{
    IndexEntry, IndexKind, Indexable, Indexer, IndexerFunc, Subject, Trace,
    indexer::entries_with_id,
};
use crate::{
    error::OrmError,
    key::{Key, KeyLayout, KeyRule},
    namespace::Namespace,
    raw::WritePlan,
    row::Record,
};

/// What an entry's value is: CosmWasm stores no empty values.
const MARK: &[u8] = &[1];

/// An index with any number of keys a row and any number of rows a key. A key that the function returns twice counts once.
///
/// Writes one entry for each key that comes and removes one for each that goes; reads nothing.
#[derive(Debug)]
pub struct MultiKeyIndex<R: Record, K>(pub(super) Indexer<R, K>);

impl<R: Record, K> Clone for MultiKeyIndex<R, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Record, K> Copy for MultiKeyIndex<R, K> {}

impl<R: Record, K: Key> MultiKeyIndex<R, K> {
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
        subject: &Subject<'_, R>,
        old: Option<&R>,
        new: Option<&R>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let change = self.0.change(subject, old, new)?;
        change.plan(self.0.namespace, subject.row_id, MARK, plan);
        Ok(())
    }
}

impl<R: Record, K: Key> Indexable<R> for MultiKeyIndex<R, K> {
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
        IndexKind::MultiKey
    }

    fn is_tracked(&self) -> bool {
        self.0.tracked
    }

    fn layout(&self) -> KeyLayout {
        KeyLayout::of::<K>(self.0.rule)
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
        let keys = self.0.keys(subject.key, row)?;
        Ok(entries_with_id(keys, subject.row_id, MARK))
    }

    fn trace<'e>(&self, key: &'e [u8], _: &'e [u8]) -> Trace<'e> {
        self.0.trace_row(key)
    }
}
