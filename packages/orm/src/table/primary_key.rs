//! The table whose rows carry their own primary key.

use core::ops::Deref;

use cosmwasm_std::Storage;

use super::{Table, key_changed, not_found};
use crate::{error::OrmError, index::IndexSet, raw::Probe, row::PrimaryKeyed};

/// A table whose rows carry their primary key. A handle: it holds no rows, so it is a constant of the contract.
///
/// Every write checks everything before it changes anything, so that after an error, also a caught one, the store is as
/// before. Reads are those of [`Table`].
#[derive(Debug)]
pub struct PrimaryKeyTable<R: PrimaryKeyed>(Table<R>);

impl<R: PrimaryKeyed> Clone for PrimaryKeyTable<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: PrimaryKeyed> Copy for PrimaryKeyTable<R> {}

impl<R: PrimaryKeyed> Default for PrimaryKeyTable<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: PrimaryKeyed> Deref for PrimaryKeyTable<R> {
    type Target = Table<R>;

    fn deref(&self) -> &Table<R> {
        &self.0
    }
}

impl<R: PrimaryKeyed> PrimaryKeyTable<R> {
    /// Makes a handle that keeps all indexes.
    #[must_use]
    pub const fn new() -> Self {
        Self(Table::new())
    }

    pub(crate) const fn of(table: Table<R>) -> Self {
        Self(table)
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

    /// Writes a new row. One probe for the row and one a unique key; one write for the row and one an index key.
    ///
    /// # Errors
    /// [`OrmError::AlreadyExists`], [`OrmError::UniqueViolation`], [`OrmError::Invalid`], [`OrmError::Key`].
    pub fn insert(&self, storage: &mut dyn Storage, row: &R) -> Result<(), OrmError> {
        self.0.insert(storage, &row.primary_key_fields(), row)
    }

    /// Writes a row over the one with its primary key, and returns that. One read; writes only what changed.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::UniqueViolation`], [`OrmError::Invalid`], [`OrmError::Key`].
    pub fn update(&self, storage: &mut dyn Storage, row: R) -> Result<R, OrmError> {
        self.0.update(storage, &row.primary_key_fields(), &row)
    }

    /// Writes a row, new or not, and returns the one before. One read; writes only what changed.
    ///
    /// # Errors
    /// [`OrmError::UniqueViolation`], [`OrmError::Invalid`], [`OrmError::Key`].
    pub fn upsert(&self, storage: &mut dyn Storage, row: R) -> Result<Option<R>, OrmError> {
        self.0.upsert(storage, &row.primary_key_fields(), &row)
    }

    /// Reads a row, has `change` make another of it, writes and returns that. One read; writes only what changed.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::PrimaryKeyChanged`], whatever `change` returns, and as
    /// [`update`](Self::update).
    pub fn modify<E: From<OrmError>>(
        &self,
        storage: &mut dyn Storage,
        key: &R::PrimaryKey,
        change: impl FnOnce(R) -> Result<R, E>,
    ) -> Result<R, E>
    where
        R: Clone,
    {
        let (_, new) = self.0.rewrite(storage, key, |old| {
            let new = change(old.ok_or_else(|| not_found::<R>(key))?.clone())?;
            key_changed::<R>(key, &new.primary_key_fields())?;
            Ok::<_, E>((Some(new.clone()), new))
        })?;
        Ok(new)
    }

    /// Deletes a row and returns it. One read; one delete for the row and one an index key.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::Key`].
    pub fn delete(&self, storage: &mut dyn Storage, key: &R::PrimaryKey) -> Result<R, OrmError> {
        self.0.delete(storage, key)
    }

    /// Whether a row with the primary key of `row` is stored. One probe.
    ///
    /// # Errors
    /// [`OrmError::Key`].
    pub fn contains(&self, storage: &dyn Storage, row: &R) -> Result<bool, OrmError> {
        self.0.has(storage, &row.primary_key_fields())
    }
}
