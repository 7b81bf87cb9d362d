//! What the derive's code needs to put a row together and to plan its change, family by family.

use core::cell::Cell;

use cosmwasm_std::Storage;

use super::{Families, decode_member};
use crate::{
    error::OrmError,
    key::Key,
    raw::WritePlan,
    row::Record,
    table::{Options, Table},
};

/// The stored values of a row's families.
#[derive(Debug)]
pub struct FamilyValues<'a> {
    id: &'a [u8],
    values: &'a [Option<Vec<u8>>],
}

impl<'a> FamilyValues<'a> {
    pub(super) fn new(id: &'a [u8], values: &'a [Option<Vec<u8>>]) -> Self {
        Self { id, values }
    }

    /// Returns the family at `position`, if the row has it and it was read.
    ///
    /// # Errors
    /// [`OrmError::Decode`].
    pub fn member<F: Record>(
        &mut self,
        position: usize,
        key: &F::PrimaryKey,
    ) -> Result<Option<F>, OrmError> {
        decode_member::<F>(
            self.id,
            key,
            self.values.get(position).and_then(Option::as_deref),
        )
    }
}

/// A change of a row, to be planned family by family.
pub struct FamilyChange<'a, K: Key> {
    pub(super) storage: &'a dyn Storage,
    pub(super) key: &'a K,
    pub(super) id: &'a [u8],
    pub(super) options: Options,
    pub(super) old: &'a [Option<Vec<u8>>],
    pub(super) named: Families,
    pub(super) present: Cell<bool>,
}

impl<K: Key> core::fmt::Debug for FamilyChange<'_, K> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("FamilyChange")
            .field("named", &self.named)
            .finish_non_exhaustive()
    }
}

impl<K: Key> FamilyChange<'_, K> {
    /// Plans the change of the family at `position`.
    ///
    /// # Errors
    /// Whatever forbids it.
    pub fn member<F: Record<PrimaryKey = K>>(
        &self,
        position: usize,
        old: Option<&F>,
        new: Option<&F>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        if !self.named.contains(position) {
            return match new {
                None => Ok(()),
                Some(_) => Err(OrmError::Invalid {
                    table: F::META.name,
                    reason: "a family that was not read changed".into(),
                }),
            };
        }
        if new.is_some() {
            self.present.set(true);
        }
        let bytes = self.old.get(position).and_then(Option::as_deref);
        Table::<F>::with(self.options).plan_change(
            self.storage,
            self.key,
            self.id,
            old.zip(bytes),
            new,
            plan,
        )
    }

    /// Refuses a row that is to exist but has no family.
    pub(super) fn check_present<R>(
        &self,
        table: &'static str,
        new: Option<&R>,
    ) -> Result<(), OrmError> {
        if new.is_some() && !self.present.get() {
            return Err(OrmError::Invalid {
                table,
                reason: "the row has no column family".into(),
            });
        }
        Ok(())
    }
}
