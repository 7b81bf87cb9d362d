//! Writing a row without its types: there once, not once a table. What only the types know is asked through [`Change`].

use cosmwasm_std::Storage;

use crate::{
    error::{OrmError, hex},
    index::{ErasedIndexes, IndexSet, IndexesOf, Subject},
    raw::{WritePlan, lookup},
    row::{Record, TableMeta, from_value, older_version, to_value},
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

/// What an index is to plan for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The change.
    Change,
    /// That the row as it was goes.
    Removal,
}

/// A row's change, told to its table's indexes.
pub(crate) trait Change {
    /// Returns the indexes.
    fn indexes(&self) -> &dyn ErasedIndexes;

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

impl<R: Record> Change for RowChange<'_, R> {
    fn indexes(&self) -> &dyn ErasedIndexes {
        const { &IndexesOf::<R>::new() }
    }

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

/// A change of which the old row is yet to be read.
pub(crate) trait Write: Change {
    /// Takes the stored value of the row.
    fn read(&mut self, row_id: &[u8], value: &[u8]) -> Result<(), OrmError>;

    /// Returns the value to be stored, if there is to be one.
    fn value(&self) -> Result<Option<Vec<u8>>, OrmError>;
}

/// The change of a row of type `R`, of which the old one is yet to be read.
pub(crate) struct RowWrite<'a, R: Record> {
    pub(crate) key: &'a R::PrimaryKey,
    pub(crate) old: Option<R>,
    pub(crate) new: Option<&'a R>,
}

impl<R: Record> Change for RowWrite<'_, R> {
    fn indexes(&self) -> &dyn ErasedIndexes {
        const { &IndexesOf::<R>::new() }
    }

    fn plan(
        &self,
        position: usize,
        step: Step,
        storage: &dyn Storage,
        target: &Target<'_>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let change = RowChange {
            key: self.key,
            old: self.old.as_ref(),
            new: self.new,
        };
        change.plan(position, step, storage, target, plan)
    }
}

impl<R: Record> Write for RowWrite<'_, R> {
    fn read(&mut self, row_id: &[u8], value: &[u8]) -> Result<(), OrmError> {
        self.old = Some(from_value::<R>(row_id, self.key, value)?);
        Ok(())
    }

    fn value(&self) -> Result<Option<Vec<u8>>, OrmError> {
        self.new.map(to_value).transpose()
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

    /// Makes the change, whose old row it reads. One read, or one probe to insert; nothing is written on an error.
    pub(crate) fn write(
        &self,
        storage: &mut dyn Storage,
        verb: Verb,
        write: &mut dyn Write,
    ) -> Result<(), OrmError> {
        let mut plan = WritePlan::default();
        if verb == Verb::Insert {
            let value = write.value()?;
            self.refuse_stored(storage)?;
            self.plan(storage, write, None, value, &mut plan)?;
        } else {
            let stored = storage.get(&self.key());
            match &stored {
                Some(stored) => write.read(self.row_id, stored)?,
                None if verb == Verb::Upsert => {}
                None => return Err(self.not_found()),
            }
            let value = write.value()?;
            self.plan(storage, write, stored.as_deref(), value, &mut plan)?;
        }
        plan.apply(storage);
        Ok(())
    }

    fn not_found(&self) -> OrmError {
        OrmError::NotFound {
            table: self.meta.name,
            key: hex(self.row_id),
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
        let live = self.live(storage, change.indexes())?;
        for (position, index) in change.indexes().all() {
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
        let live = self.live(storage, change.indexes())?;
        for (position, index) in change.indexes().all() {
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
        indexes: &dyn ErasedIndexes,
    ) -> Result<IndexSet, OrmError> {
        let mut live = self.options.kept;
        for (_, index) in indexes.all() {
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
