//! What a bulk delete does with one stored value.

use cosmwasm_std::Storage;

use crate::{
    error::OrmError,
    index::IndexKind,
    raw::WritePlan,
    row::Record,
    shelf::{RecordShelf, Shelf, Use},
};

/// The use of shelves to delete from.
pub(super) struct Removing;

impl Use for Removing {
    type Shelf = dyn Remove;

    fn shelf<R: Record>(shelf: RecordShelf<R>) -> Box<dyn Remove> {
        Box::new(shelf)
    }
}

/// A shelf to delete from.
pub(super) trait Remove: Shelf {
    /// Plans for a stored value that goes. What is damaged, the value or an index, is an error, or, if `broken_too`, left
    /// out, so that entries may be left behind.
    fn plan_remove(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        value: &[u8],
        broken_too: bool,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError>;
}

impl<R: Record> Remove for RecordShelf<R> {
    fn plan_remove(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        value: &[u8],
        broken_too: bool,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let read = Self::read(id, value);
        if !broken_too {
            let (key, row) = read?;
            return self
                .table
                .plan_change(storage, &key, id, Some((&row, value)), None, plan);
        }
        plan.remove(R::META.namespace.key(id));
        let Ok((key, row)) = read else { return Ok(()) };
        for index in self.table.indexes(storage, id)? {
            let mut own = WritePlan::default();
            match index.on_delete(storage, &self.subject(id, &key), &row, &mut own) {
                Ok(()) => plan.append(own),
                // Only a contract's own index can have another reason than that it is damaged.
                Err(error) if matches!(index.kind(), IndexKind::Custom(_)) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(())
    }
}
