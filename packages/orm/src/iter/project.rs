//! A scan of which only what its entries hold is listed.

use cosmwasm_std::{Order, Storage};

use super::{
    Entries, List, Listed, Scan,
    list::{Found, Start, Walk},
    listed::read_id,
};
use crate::{
    error::OrmError,
    index::Lookup,
    key::{Key, KeyReader},
    row::{PageLimits, Record},
};

/// A [`Scan`] whose items are made of its entries alone, without reading rows, unless rows are filtered. Its cursors are
/// those of the scan.
pub struct Projected<R: Record, L: Listed<R>, T> {
    scan: Scan<R, L>,
    item: Project<L, T>,
}

/// Makes an item of what was scanned, of an entry's key and of its value.
pub(crate) type Project<L, T> = fn(&L, &[u8], &[u8]) -> Result<T, OrmError>;

impl<R: Record, L: Listed<R>, T> core::fmt::Debug for Projected<R, L, T> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_tuple("Projected").field(&self.scan).finish()
    }
}

impl<R: Record, L: Listed<R> + 'static> Scan<R, L> {
    pub(crate) fn project<T: 'static>(self, item: Project<L, T>) -> List<Projected<R, L, T>> {
        let budget = self.run.stretch.budget;
        List::new(Projected { scan: self, item }).budget(budget)
    }

    /// Lists primary keys only. Reads no row, unless filtered before.
    #[must_use]
    pub fn only_ids(self) -> List<Projected<R, L, R::PrimaryKey>> {
        self.project(|listed, key, value| read_id::<R>(&listed.facts(), key, value))
    }
}

/// A list of index key and primary key.
pub type IndexKeys<R, I> =
    List<Projected<R, Entries<I>, (<I as Lookup<R>>::Key, <R as Record>::PrimaryKey)>>;

impl<R: Record, I: Lookup<R> + 'static> Scan<R, Entries<I>> {
    /// Lists what the index entries name: index keys and primary keys. Reads no row, unless filtered before.
    #[must_use]
    pub fn index_keys(self) -> IndexKeys<R, I> {
        self.project(|entries, key, value| {
            let mut reader = KeyReader::leading(key, entries.0.facts().rule);
            let list = Listed::<R>::facts(entries);
            match I::Key::read(&mut reader) {
                Ok(found) => Ok((found, read_id::<R>(&list, key, value)?)),
                Err(_) => Err(list.malformed(R::META.name, key)),
            }
        })
    }
}

impl<R: Record, L: Listed<R> + 'static, T: 'static> Walk for Projected<R, L, T> {
    type Value = Vec<u8>;
    type Item = T;

    fn scope(&self) -> u64 {
        self.scan.scope()
    }

    fn limits(&self) -> PageLimits {
        self.scan.limits()
    }

    fn contains(&self, position: &[u8]) -> bool {
        self.scan.contains(position)
    }

    fn has_gaps(&self) -> bool {
        self.scan.has_gaps()
    }

    fn total(&self, storage: &dyn Storage) -> Result<Option<u64>, OrmError> {
        self.scan.total(storage)
    }

    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        start: Start<'_>,
        order: Order,
    ) -> Found<'s, Vec<u8>> {
        self.scan.open(storage, start, order)
    }

    fn item(
        &self,
        storage: &dyn Storage,
        position: &[u8],
        value: Vec<u8>,
    ) -> Result<Option<T>, OrmError> {
        let item = (self.item)(&self.scan.listed, position, &value)?;
        let kept = self.scan.is_item(storage, position, value)?;
        Ok(Some(item).filter(|_| kept))
    }
}
