//! Indexes: other orders to find rows in. A new kind of index is a new file here, or in a contract, that implements
//! [`Indexable`].

mod count;
mod covering;
mod indexer;
mod multi_key;
mod unique;
mod view;

pub use count::{CountIndex, CountScan, CountView};
pub use covering::{ColumnsFunc, CoveredColumns, CoveringIndex};
pub use indexer::{Indexer, IndexerFunc};
pub use multi_key::MultiKeyIndex;
pub use unique::UniqueIndex;
pub use view::{IndexView, Lookup, LookupFacts};

use cosmwasm_std::Storage;

use crate::{
    error::OrmError,
    namespace::Namespace,
    raw::{Probe, WritePlan},
    row::Record,
};

/// Which indexes of a table are meant, by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSet(u64);

impl IndexSet {
    /// Every index.
    pub const ALL: Self = Self(u64::MAX);
    /// No index.
    pub const NONE: Self = Self(0);

    /// Adds the index `id`, of 1 to 63.
    #[must_use]
    pub const fn with(self, id: u8) -> Self {
        Self(self.0 | 1_u64.wrapping_shl(id as u32))
    }

    /// Takes the index `id` out.
    #[must_use]
    pub const fn without(self, id: u8) -> Self {
        Self(self.0 & !1_u64.wrapping_shl(id as u32))
    }

    /// Whether the index `id` is in it.
    #[must_use]
    pub const fn contains(self, id: u8) -> bool {
        self.0 & 1_u64.wrapping_shl(id as u32) != 0
    }
}

/// What kind of index it is, for schema descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexKind {
    /// [`MultiKeyIndex`].
    MultiKey,
    /// [`UniqueIndex`].
    Unique,
    /// [`CountIndex`].
    Count,
    /// [`CoveringIndex`].
    Covering,
    /// An index of a contract's own making.
    Custom(&'static str),
}

/// A list whose length an index may know: [`Indexable::counted`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedList {
    /// Rows in primary-key order.
    Rows,
    /// The entries of the index with this id.
    Index(u8),
}

/// A row whose indexes are to follow a change of it.
#[derive(Debug)]
pub struct Subject<'a, R: Record> {
    /// The encoded primary key.
    pub row_id: &'a [u8],
    /// The primary key.
    pub key: &'a R::PrimaryKey,
    /// How the store is probed for keys.
    pub probe: Probe,
}

/// An index attached to a table: told of every change before it is written, it plans the writes that keep itself right.
///
/// The callbacks read; all writing goes through the plan, after every index has agreed. An index owns its namespace and
/// plans writes nowhere else.
pub trait Indexable<R: Record> {
    /// Returns the index's number in the table, 1 to 63, by which [`IndexSet`] names it.
    fn id(&self) -> u8;

    /// Returns its name in errors and descriptors.
    fn name(&self) -> &'static str;

    /// Returns where its entries are.
    fn namespace(&self) -> Namespace;

    /// Returns what kind of index it is.
    fn kind(&self) -> IndexKind;

    /// Plans for a new row.
    ///
    /// # Errors
    /// Whatever forbids the row, as [`OrmError::UniqueViolation`].
    fn on_create(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, R>,
        new: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError>;

    /// Plans for a changed row.
    ///
    /// # Errors
    /// Whatever forbids the change.
    fn on_update(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, R>,
        old: &R,
        new: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError>;

    /// Plans for a row that goes.
    ///
    /// # Errors
    /// Whatever forbids that.
    fn on_delete(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, R>,
        old: &R,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError>;

    /// Returns how many entries of `list` begin with the key parts whose bytes are `head`, if this index counts just
    /// those; no bytes stand for the whole list. Totals of pages come from it.
    ///
    /// # Errors
    /// If what it has stored is no such number.
    fn counted(
        &self,
        storage: &dyn Storage,
        list: CountedList,
        head: &[u8],
    ) -> Result<Option<u64>, OrmError> {
        let _ = (storage, list, head);
        Ok(None)
    }
}
