//! The table that gives its rows their ids.

use core::ops::Deref;

use cosmwasm_std::Storage;

use super::{Table, key_changed, not_found};
use crate::{
    error::OrmError,
    index::IndexSet,
    raw::{Probe, WritePlan},
    row::{AutoKeyed, row_id},
    sequence::Sequence,
};

/// A table that gives each new row the next id of a [`Sequence`], from 1 on. An id is never given twice, also not after
/// its row is deleted, and a refused row burns none.
///
/// Reads are those of [`Table`].
#[derive(Debug)]
pub struct AutoUInt64Table<R: AutoKeyed>(Table<R>);

impl<R: AutoKeyed> Clone for AutoUInt64Table<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: AutoKeyed> Copy for AutoUInt64Table<R> {}

impl<R: AutoKeyed> Default for AutoUInt64Table<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: AutoKeyed> Deref for AutoUInt64Table<R> {
    type Target = Table<R>;

    fn deref(&self) -> &Table<R> {
        &self.0
    }
}

impl<R: AutoKeyed> AutoUInt64Table<R> {
    /// Makes a handle that keeps all indexes.
    #[must_use]
    pub const fn new() -> Self {
        Self(Table::new())
    }

    /// Keeps, and answers from, only these indexes. Entries already written for others are left as they are.
    #[must_use]
    pub const fn with_indexes(mut self, kept: IndexSet) -> Self {
        self.0.options.kept = kept;
        self
    }

    /// Chooses how keys are probed for.
    #[must_use]
    pub const fn with_probe(mut self, probe: Probe) -> Self {
        self.0.options.probe = probe;
        self
    }

    /// Returns the table's sequence.
    #[must_use]
    pub const fn sequence(&self) -> Sequence {
        Sequence::new(R::META.name, R::SEQUENCE)
    }

    /// Writes a new row under the next id, sets it in `row` and returns it. One read (the sequence) and a probe for the
    /// row and each unique key; two writes and one an index key.
    ///
    /// # Errors
    /// [`OrmError::IdAlreadySet`] if the row's id is not 0, [`OrmError::UniqueViolation`], [`OrmError::Invalid`],
    /// [`OrmError::SequenceExhausted`]; [`OrmError::AlreadyExists`] only if the sequence was set below a stored id.
    pub fn insert(&self, storage: &mut dyn Storage, row: &mut R) -> Result<u64, OrmError> {
        match row.primary_key_fields() {
            0 => {}
            id => {
                return Err(OrmError::IdAlreadySet {
                    table: R::META.name,
                    id,
                });
            }
        }
        let id = self.sequence().peek(storage)?;
        row.set_id(id);
        match self.insert_at(storage, id, row) {
            Ok(()) => Ok(id),
            Err(error) => {
                row.set_id(0);
                Err(error)
            }
        }
    }

    fn insert_at(&self, storage: &mut dyn Storage, id: u64, row: &R) -> Result<(), OrmError> {
        let mut plan = WritePlan::default();
        plan.set(self.sequence().key(), id.to_be_bytes().to_vec());
        self.0
            .plan_insert(storage, &id, &row_id::<R>(&id)?, row, &mut plan)?;
        plan.apply(storage);
        Ok(())
    }

    /// Writes a row over the one with its id, and returns that. One read; writes only what changed.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::UniqueViolation`], [`OrmError::Invalid`].
    pub fn update(&self, storage: &mut dyn Storage, row: R) -> Result<R, OrmError> {
        self.0.update(storage, &row.primary_key_fields(), &row)
    }

    /// Reads a row, has `change` make another of it, writes and returns that. One read; writes only what changed.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::PrimaryKeyChanged`], whatever `change` returns, and as
    /// [`update`](Self::update).
    pub fn modify<E: From<OrmError>>(
        &self,
        storage: &mut dyn Storage,
        id: u64,
        change: impl FnOnce(R) -> Result<R, E>,
    ) -> Result<R, E>
    where
        R: Clone,
    {
        let (_, new) = self.0.rewrite(storage, &id, |old| {
            let new = change(old.ok_or_else(|| not_found::<R>(&id))?.clone())?;
            key_changed::<R>(&id, &new.primary_key_fields())?;
            Ok::<_, E>((Some(new.clone()), new))
        })?;
        Ok(new)
    }

    /// Deletes a row and returns it. One read; one delete for the row and one an index key.
    ///
    /// # Errors
    /// [`OrmError::NotFound`].
    pub fn delete(&self, storage: &mut dyn Storage, id: u64) -> Result<R, OrmError> {
        self.0.delete(storage, &id)
    }

    /// Whether a row with the id of `row` is stored. One probe.
    ///
    /// # Errors
    /// [`OrmError::Key`].
    pub fn contains(&self, storage: &dyn Storage, row: &R) -> Result<bool, OrmError> {
        self.0.has(storage, &row.primary_key_fields())
    }
}
