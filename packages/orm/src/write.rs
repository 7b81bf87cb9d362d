//! Writing a row without its types: there once, not once a table. What only the types know is asked through [`Change`].

use core::marker::PhantomData;

use cosmwasm_std::Storage;

use crate::{
    error::{OrmError, hex},
    index::{IndexKind, IndexSet, Subject},
    namespace::Namespace,
    raw::{WritePlan, lookup},
    row::{Record, TableMeta, older_version},
    state::Stored,
    table::Options,
};

/// What a write must find, and what it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// No row is to be there.
    Insert,
    /// A row is to be there.
    Update,
    /// A row may be there.
    Upsert,
    /// A row is to be there, and goes.
    Delete,
}

/// The fixed facts of an index that a write goes by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenIndex {
    pub(crate) id: u8,
    pub(crate) name: &'static str,
    pub(crate) namespace: Namespace,
    pub(crate) tracked: bool,
    unique: bool,
}

/// The indexes of a table.
pub(crate) trait WrittenIndexes {
    /// Returns the facts of the index at a position, if there are so many.
    fn index(&self, position: usize) -> Option<WrittenIndex>;
}

/// The indexes of the rows `R`.
pub(crate) struct IndexesOf<R>(PhantomData<fn() -> R>);

impl<R> IndexesOf<R> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R: Record> WrittenIndexes for IndexesOf<R> {
    fn index(&self, position: usize) -> Option<WrittenIndex> {
        let index = R::INDEXES.get(position)?;
        Some(WrittenIndex {
            id: index.id(),
            name: index.name(),
            namespace: index.namespace(),
            tracked: index.is_tracked(),
            unique: index.kind() == IndexKind::Unique,
        })
    }
}

/// What an index is to plan for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The change.
    Change,
    /// That the row as it was goes.
    Removal,
}

/// A row's change, told to its table's indexes.
pub(crate) trait Change: WrittenIndexes {
    /// Has the index at a position plan its writes.
    fn plan(
        &self,
        position: usize,
        step: Step,
        storage: &dyn Storage,
        target: &Target<'_>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError>;
}

/// The change of a row of type `R`.
pub(crate) struct RowChange<'a, R: Record> {
    pub(crate) key: &'a R::PrimaryKey,
    pub(crate) old: Option<&'a R>,
    pub(crate) new: Option<&'a R>,
}

impl<R: Record> WrittenIndexes for RowChange<'_, R> {
    fn index(&self, position: usize) -> Option<WrittenIndex> {
        IndexesOf::<R>::new().index(position)
    }
}

impl<R: Record> Change for RowChange<'_, R> {
    fn plan(
        &self,
        position: usize,
        step: Step,
        storage: &dyn Storage,
        target: &Target<'_>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let Some(index) = R::INDEXES.get(position) else {
            return Ok(());
        };
        let subject = Subject {
            row_id: target.row_id,
            key: self.key,
            probe: target.options.probe,
        };
        let new = self.new.filter(|_| step == Step::Change);
        match (self.old, new) {
            (None, None) => Ok(()),
            (None, Some(new)) => index.on_create(storage, &subject, new, plan),
            (Some(old), Some(new)) => index.on_update(storage, &subject, old, new, plan),
            (Some(old), None) => index.on_delete(storage, &subject, old, plan),
        }
    }
}

/// The row that a write is of.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) meta: &'static TableMeta,
    /// Whether the table's codec has versions.
    pub(crate) versioned: bool,
    pub(crate) options: Options,
    pub(crate) row_id: &'a [u8],
}

impl Target<'_> {
    fn key(&self) -> Vec<u8> {
        self.meta.namespace.key(self.row_id)
    }

    /// Whether the row is stored. One probe.
    pub(crate) fn exists(&self, storage: &dyn Storage) -> bool {
        lookup(storage, self.options.probe, &self.key()).is_some()
    }

    /// Refuses a row that is stored. One probe.
    pub(crate) fn refuse_stored(&self, storage: &dyn Storage) -> Result<(), OrmError> {
        if self.exists(storage) {
            return Err(OrmError::AlreadyExists {
                table: self.meta.name,
                key: hex(self.row_id),
            });
        }
        Ok(())
    }

    /// Returns what is stored, and refuses a verb that does not fit that. One read, or one probe to insert.
    pub(crate) fn before(
        &self,
        storage: &dyn Storage,
        verb: Verb,
    ) -> Result<Option<Vec<u8>>, OrmError> {
        if verb == Verb::Insert {
            return self.refuse_stored(storage).map(|()| None);
        }
        let stored = storage.get(&self.key());
        match stored {
            None if verb != Verb::Upsert => Err(OrmError::NotFound {
                table: self.meta.name,
                key: hex(self.row_id),
            }),
            stored => Ok(stored),
        }
    }

    /// Plans whatever makes the stored value `old` into `new`, the indexes' entries with it; nothing, if they are the same
    /// bytes.
    pub(crate) fn plan(
        &self,
        storage: &dyn Storage,
        change: &dyn Change,
        old: Option<&[u8]>,
        new: Option<Vec<u8>>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        if new.as_deref() == old {
            return Ok(());
        }
        if let Some(old) = old {
            self.check_entries(storage, change, old)?;
        }
        match new {
            Some(new) => plan.set(self.key(), new),
            None => plan.remove(self.key()),
        }
        let live = self.live(storage, change)?;
        for (position, index) in positions(change) {
            if live.contains(index.id) {
                change.plan(position, Step::Change, storage, self, plan)?;
            }
        }
        Ok(())
    }

    /// Refuses a row of an older version unless each index has the entries of it that this code makes. One probe each;
    /// nothing for a row of this version.
    pub(crate) fn check_entries(
        &self,
        storage: &dyn Storage,
        change: &dyn Change,
        value: &[u8],
    ) -> Result<(), OrmError> {
        let Some(version) = older_version(self.meta, self.versioned, value) else {
            return Ok(());
        };
        let live = self.live(storage, change)?;
        for (position, index) in positions(change) {
            if !live.contains(index.id) {
                continue;
            }
            // What the index would remove with the row is what it believes to have of it.
            let mut plan = WritePlan::default();
            change.plan(position, Step::Removal, storage, self, &mut plan)?;
            let kept = plan.removals().all(|entry| {
                lookup(storage, self.options.probe, entry)
                    .is_some_and(|held| !index.unique || held == self.row_id)
            });
            if !kept {
                return Err(OrmError::IndexKeysChanged {
                    table: self.meta.name,
                    index: index.name,
                    key: hex(self.row_id),
                    version,
                });
            }
        }
        Ok(())
    }

    /// Returns the indexes that a write of this row is to keep: those of the handle, without the tracked ones that the row
    /// is not in. One probe a tracked index.
    pub(crate) fn live(
        &self,
        storage: &dyn Storage,
        indexes: &dyn WrittenIndexes,
    ) -> Result<IndexSet, OrmError> {
        let mut live = self.options.kept;
        for (_, index) in positions(indexes) {
            if !index.tracked {
                continue;
            }
            let (table, probe) = (self.meta.name, self.options.probe);
            let state = Stored::of(storage, probe, index.namespace, table, index.name)?;
            let omitted = !live.contains(index.id);
            if !state.holds(self.row_id) {
                live = live.without(index.id);
            }
            if omitted && state != Stored::Off {
                return Err(OrmError::IndexOmitted {
                    table,
                    index: index.name,
                });
            }
        }
        Ok(live)
    }
}

fn positions(indexes: &dyn WrittenIndexes) -> impl Iterator<Item = (usize, WrittenIndex)> {
    (0..).map_while(|position| Some((position, indexes.index(position)?)))
}
