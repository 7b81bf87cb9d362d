//! What genesis does with one stored value.

use cosmwasm_std::Storage;

use super::GenesisError;
use crate::{
    codec::Codec,
    error::{OrmError, hex},
    raw::WritePlan,
    row::Record,
    shelf::{RecordShelf, Shelf, Use},
    upgrade::progress_key,
};

/// The use of shelves to export from: a contract that only exports carries no code that imports.
pub(super) struct Confirming;

impl Use for Confirming {
    type Shelf = dyn Confirm;

    fn shelf<R: Record>(shelf: RecordShelf<R>) -> Box<dyn Confirm> {
        Box::new(shelf)
    }
}

/// A shelf to export from.
pub(super) trait Confirm: Shelf {
    /// Refuses bytes that are no row of this table, or none that it would write.
    fn confirm(&self, id: &[u8], value: &[u8]) -> Result<(), OrmError>;
}

impl<R: Record> Confirm for RecordShelf<R> {
    fn confirm(&self, id: &[u8], value: &[u8]) -> Result<(), OrmError> {
        confirmed(self, id, value).map(drop)
    }
}

/// The use of shelves to import into.
pub(super) struct Restoring;

impl Use for Restoring {
    type Shelf = dyn Restore;

    fn shelf<R: Record>(shelf: RecordShelf<R>) -> Box<dyn Restore> {
        Box::new(shelf)
    }
}

/// A shelf to import into.
pub(super) trait Restore: Shelf {
    /// Plans for a value to be stored as it is, under an id without one; refuses what [`Confirm`] does.
    fn plan_restore(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        value: &[u8],
        plan: &mut WritePlan,
    ) -> Result<(), OrmError>;
}

impl<R: Record> Restore for RecordShelf<R> {
    fn plan_restore(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        value: &[u8],
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let (key, row) = confirmed(self, id, value)?;
        if R::Codec::VERSIONED && value.first() != Some(&R::META.version) {
            // A row of an older version: an upgrade that was at its end is so no more.
            plan.remove(progress_key(R::META.namespace.name()));
        }
        self.table
            .plan_create(storage, &key, id, &row, value.to_vec(), plan)
    }
}

fn confirmed<R: Record>(
    shelf: &RecordShelf<R>,
    id: &[u8],
    value: &[u8],
) -> Result<(R::PrimaryKey, R), OrmError> {
    let table = R::META.name;
    let (key, row) = RecordShelf::<R>::read(id, value)?;
    if let Some(carried) = shelf.other_id(id, &row) {
        let (key, carried) = (hex(id), hex(&carried));
        let source = GenesisError::OtherKey { key, carried };
        return Err(OrmError::Genesis { table, source });
    }
    row.validate()
        .map_err(|reason| OrmError::Invalid { table, reason })?;
    Ok((key, row))
}
