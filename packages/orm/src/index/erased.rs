//! A table's indexes without its types.

use core::marker::PhantomData;

use cosmwasm_std::Storage;

use super::{CountedList, IndexKind};
use crate::{error::OrmError, namespace::Namespace, row::Record};

/// The fixed facts of an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErasedIndex {
    pub(crate) id: u8,
    pub(crate) name: &'static str,
    pub(crate) namespace: Namespace,
    pub(crate) tracked: bool,
    pub(crate) unique: bool,
}

/// The indexes of a table, by position.
pub(crate) trait ErasedIndexes {
    /// Returns the facts of an index, if there are so many.
    fn index(&self, position: usize) -> Option<ErasedIndex>;

    /// Asks an index for the length of a list; see [`Indexable::counted`](crate::Indexable::counted).
    fn counted(
        &self,
        position: usize,
        storage: &dyn Storage,
        list: CountedList,
        head: &[u8],
    ) -> Result<Option<u64>, OrmError>;
}

impl dyn ErasedIndexes + '_ {
    /// Iterates over the indexes with their positions.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, ErasedIndex)> {
        (0..).map_while(|position| Some((position, self.index(position)?)))
    }
}

/// The indexes of the rows `R`.
pub(crate) struct IndexesOf<R>(PhantomData<fn() -> R>);

impl<R> IndexesOf<R> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<R: Record> ErasedIndexes for IndexesOf<R> {
    fn index(&self, position: usize) -> Option<ErasedIndex> {
        let index = R::INDEXES.get(position)?;
        Some(ErasedIndex {
            id: index.id(),
            name: index.name(),
            namespace: index.namespace(),
            tracked: index.is_tracked(),
            unique: index.kind() == IndexKind::Unique,
        })
    }

    fn counted(
        &self,
        position: usize,
        storage: &dyn Storage,
        list: CountedList,
        head: &[u8],
    ) -> Result<Option<u64>, OrmError> {
        match R::INDEXES.get(position) {
            Some(index) => index.counted(storage, list, head),
            None => Ok(None),
        }
    }
}
