//! Indexes: other orders to find rows in. A new kind of index is a new file here, or in a contract, that implements
//! [`Indexable`].

mod count;
mod counters;
mod covering;
mod erased;
mod indexer;
mod multi_key;
mod unique;
mod view;

pub use count::CountIndex;
pub use counters::{CountScan, CountView};
pub use covering::{ColumnsFunc, CoveredColumns, CoveringIndex};
pub(crate) use erased::{ErasedIndexes, IndexesOf};
pub use indexer::{Indexer, IndexerFunc};
pub use multi_key::MultiKeyIndex;
pub use unique::UniqueIndex;
pub use view::{IndexView, Lookup, LookupFacts};

use cosmwasm_std::Storage;

use crate::{
    error::OrmError,
    key::KeyLayout,
    namespace::Namespace,
    raw::{Probe, WritePlan},
    row::Record,
    staged::Nothing,
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
///
/// ```
/// use cw_orm::{CountIndex, CountedList, Namespace, Table};
///
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "sales", ns = "s")]
/// struct Sale {
///     #[pk]
///     seller: String,
///     #[pk]
///     number: u32,
///     #[index(id = 1)]
///     market: String,
/// }
///
/// // By hand, what `#[count(id = 2, name = per_seller, key(seller))]` and `#[count(…, of = by_market)]` say.
/// const PER_SELLER: CountIndex<Sale, String> =
///     CountIndex::<Sale, _>::new(2, "per_seller", Namespace::new(b"s2"), |key, _| vec![key.0.clone()])
///         .of(CountedList::Rows);
/// const PER_MARKET: CountIndex<Sale, String> =
///     Sale::BY_MARKET.counter(3, "per_market", Namespace::new(b"s3"));
/// # assert_eq!((PER_SELLER.id(), PER_MARKET.id()), (2, 3));
/// ```
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

/// An entry of an index: its key, without the namespace, and its value.
pub type IndexEntry = (Vec<u8>, Vec<u8>);

/// What an entry of an index is about. See [`Indexable::trace`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trace<'e> {
    /// The row with this id, which is its encoded primary key.
    Row(&'e [u8]),
    /// Many rows, summed up to this.
    Sum(u64),
    /// Nothing: no entry of this index looks so.
    Malformed,
    /// The index does not say: it may be one row or many.
    Unknown,
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

    /// Whether its state is in the store, so that it can be added to, built on and dropped from a table in use. The
    /// table then tells it only of rows that it has or is to have, and refuses reads until it has all.
    fn is_tracked(&self) -> bool {
        false
    }

    /// Returns what its keys are made of, for schema descriptors. One that does not say is opaque: no change is seen.
    fn layout(&self) -> KeyLayout {
        KeyLayout::opaque()
    }

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

    /// Returns the entries that the index holds for one row, or what the row adds to entries that sum up. By
    /// these the integrity check knows an entry that is missing, wrong or left over.
    ///
    /// Unless overridden: what [`on_create`](Self::on_create) plans on an empty store.
    ///
    /// # Errors
    /// Those of the index function.
    fn entries(&self, subject: &Subject<'_, R>, row: &R) -> Result<Vec<IndexEntry>, OrmError> {
        let mut plan = WritePlan::default();
        self.on_create(&Nothing, subject, row, &mut plan)?;
        Ok(plan.within(self.namespace()))
    }

    /// Says which row an entry is of. Unless overridden [`Trace::Unknown`]: the integrity check then finds entries that
    /// are missing, but none that are wrong or left over.
    fn trace<'e>(&self, key: &'e [u8], value: &'e [u8]) -> Trace<'e> {
        let _ = (key, value);
        Trace::Unknown
    }

    /// Whether [`trace`](Self::trace) may answer [`Trace::Sum`]. The integrity check then adds up the rows. Unless
    /// overridden `false`.
    fn sums(&self) -> bool {
        false
    }

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
