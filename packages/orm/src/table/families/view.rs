//! One family of a table, read and written alone.

use core::marker::PhantomData;

use cosmwasm_std::Storage;

use super::{FamilyRow, Member};
use crate::{
    error::OrmError,
    table::{Table, not_found},
};

/// One family of the rows `R`. Its writes touch no other family; reads are those of [`Table`].
pub struct FamilyView<R: FamilyRow, F: Member<R>> {
    table: Table<F>,
    row: PhantomData<fn() -> R>,
}

impl<R: FamilyRow, F: Member<R>> Clone for FamilyView<R, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: FamilyRow, F: Member<R>> Copy for FamilyView<R, F> {}

impl<R: FamilyRow, F: Member<R>> core::fmt::Debug for FamilyView<R, F> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("FamilyView")
            .field("table", &self.table)
            .finish()
    }
}

impl<R: FamilyRow, F: Member<R>> FamilyView<R, F> {
    pub(super) const fn new(table: Table<F>) -> Self {
        Self {
            table,
            row: PhantomData,
        }
    }

    pub(super) const fn table(&self) -> &Table<F> {
        &self.table
    }

    /// Writes the family where the row has none yet. One probe for it and one a unique key; one write for it and one an
    /// index key.
    ///
    /// # Errors
    /// [`OrmError::AlreadyExists`], [`OrmError::UniqueViolation`], [`OrmError::Invalid`], [`OrmError::Key`].
    pub fn insert(
        &self,
        storage: &mut dyn Storage,
        key: &F::PrimaryKey,
        family: &F,
    ) -> Result<(), OrmError> {
        self.table.insert(storage, key, family)
    }

    /// Writes the family over what the row has, and returns that. One read; writes only what changed.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], and as [`insert`](Self::insert).
    pub fn update(
        &self,
        storage: &mut dyn Storage,
        key: &F::PrimaryKey,
        family: F,
    ) -> Result<F, OrmError> {
        self.table.update(storage, key, &family)
    }

    /// Writes the family, new or not, and returns what was there. One read; writes only what changed.
    ///
    /// # Errors
    /// As [`insert`](Self::insert), but for [`OrmError::AlreadyExists`].
    pub fn upsert(
        &self,
        storage: &mut dyn Storage,
        key: &F::PrimaryKey,
        family: F,
    ) -> Result<Option<F>, OrmError> {
        self.table.upsert(storage, key, &family)
    }

    /// Reads the family, has `change` make another of it, writes and returns that. One read; writes only what changed.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], whatever `change` returns, and as [`update`](Self::update).
    pub fn modify<E: From<OrmError>>(
        &self,
        storage: &mut dyn Storage,
        key: &F::PrimaryKey,
        change: impl FnOnce(F) -> Result<F, E>,
    ) -> Result<F, E>
    where
        F: Clone,
    {
        let (_, new) = self.table.rewrite(storage, key, |old| {
            let new = change(old.ok_or_else(|| not_found::<F>(key))?.clone())?;
            Ok::<_, E>((Some(new.clone()), new))
        })?;
        Ok(new)
    }

    /// Deletes the family and returns it; the row's others stay. One read; one delete for it and one an index key.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::Key`].
    pub fn delete(&self, storage: &mut dyn Storage, key: &F::PrimaryKey) -> Result<F, OrmError> {
        self.table.delete(storage, key)
    }
}
