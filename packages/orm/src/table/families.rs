//! The table whose columns are grouped into families, each stored on its own.
//!
//! A family is kept at `namespace(family) | primary key`, so that one can be listed, read or written without touching
//! the others. A row exists if any of its families does.

use core::{marker::PhantomData, ops::Deref, ops::RangeBounds};

use cosmwasm_std::Storage;

use super::{Options, Table};
use crate::{
    error::{OrmError, hex},
    index::{IndexSet, IndexView, Lookup},
    iter::{span_of_bounds, span_of_prefix},
    key::{Key, PrefixOf},
    namespace::{Namespace, assert_distinct},
    raw::{Probe, Span, WritePlan, lookup},
    row::{Record, from_value},
    shelf::Values,
    staged::Nothing,
};

mod change;
mod model;
mod reading;
mod scan;
mod view;

pub use change::{FamilyChange, FamilyValues};
pub use model::{Families, FamilyRow, Member, MemberVisitor};
pub use scan::FamiliesScan;
pub(crate) use scan::assemble;
pub use view::FamilyView;

/// A table of rows with column families. A handle: it holds no rows, so it is a constant of the contract.
///
/// Every write checks everything before it changes anything. Reads name the families they want and pay for no other.
pub struct FamilyTable<R: FamilyRow> {
    pub(crate) options: Options,
    row: PhantomData<fn() -> R>,
}

impl<R: FamilyRow> Clone for FamilyTable<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: FamilyRow> Copy for FamilyTable<R> {}

impl<R: FamilyRow> Default for FamilyTable<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: FamilyRow> core::fmt::Debug for FamilyTable<R> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("FamilyTable")
            .field("name", &R::META.name)
            .field("options", &self.options)
            .finish()
    }
}

/// The encoded key of a row and the stored values of its families.
struct Found {
    id: Vec<u8>,
    values: Vec<Option<Vec<u8>>>,
}

impl<R: FamilyRow> FamilyTable<R> {
    /// Makes a handle that keeps all indexes. Does not compile for over 32 families, or two in one namespace.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!(
                R::FAMILIES.len() <= 32,
                "a table has 32 column families at most"
            );
            assert_distinct(R::FAMILIES);
        }
        Self {
            options: Options::DEFAULT,
            row: PhantomData,
        }
    }

    /// Keeps, and answers from, only these indexes. Entries already written for others are left as they are.
    #[must_use]
    pub const fn with_indexes(mut self, kept: IndexSet) -> Self {
        self.options.kept = kept;
        self
    }

    /// Chooses how keys are probed for.
    #[must_use]
    pub const fn with_probe(mut self, probe: Probe) -> Self {
        self.options.probe = probe;
        self
    }

    /// Returns one family, to read and write alone.
    #[must_use]
    pub const fn family<F: Member<R>>(&self) -> FamilyView<R, F> {
        FamilyView::new(Table::with(self.options))
    }

    /// Answers from an index, with rows of the one family that it belongs to.
    ///
    /// # Errors
    /// [`OrmError::IndexUnavailable`] if this handle does not keep it.
    pub fn by<F: Member<R>, I: Lookup<F>>(&self, index: I) -> Result<IndexView<F, I>, OrmError> {
        self.family::<F>().by(index)
    }

    /// Writes a new row. One probe a family and a unique key; one write a present family and an index key.
    ///
    /// # Errors
    /// [`OrmError::AlreadyExists`] if any family of the row exists, [`OrmError::Invalid`] if the row has no family,
    /// [`OrmError::UniqueViolation`], [`OrmError::Key`].
    pub fn insert(&self, storage: &mut dyn Storage, row: &R) -> Result<(), OrmError> {
        let key = row.primary_key_fields();
        let id = Self::row_id(&key)?;
        if self.exists(storage, &id, Families::ALL) {
            return Err(OrmError::AlreadyExists {
                table: R::META.name,
                key: hex(&id),
            });
        }
        let found = Found {
            id,
            values: vec![None; R::FAMILIES.len()],
        };
        self.change(storage, &key, found, None, Some(row))
    }

    /// Writes a row over the one with its primary key, families that it lacks being deleted, and returns that. One read
    /// a family; writes only what changed.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], and as [`insert`](Self::insert).
    pub fn update(&self, storage: &mut dyn Storage, row: &R) -> Result<R, OrmError> {
        let key = row.primary_key_fields();
        let (found, old) = self.read(storage, &key, Families::ALL)?;
        let old = old.ok_or_else(|| Self::not_found(&found.id))?;
        self.change(storage, &key, found, Some(&old), Some(row))?;
        Ok(old)
    }

    /// Writes a row, new or not, and returns the one before. One read a family; writes only what changed.
    ///
    /// # Errors
    /// As [`insert`](Self::insert), but for [`OrmError::AlreadyExists`].
    pub fn upsert(&self, storage: &mut dyn Storage, row: &R) -> Result<Option<R>, OrmError> {
        let key = row.primary_key_fields();
        let (found, old) = self.read(storage, &key, Families::ALL)?;
        self.change(storage, &key, found, old.as_ref(), Some(row))?;
        Ok(old)
    }

    /// Reads some families of a row, has `change` make others of them, writes and returns those. Families that were not
    /// named stay as they are; `change` sees them absent and must leave them so. One read a named family; writes only
    /// what changed.
    ///
    /// # Errors
    /// [`OrmError::NotFound`] if none of the named families exists, [`OrmError::PrimaryKeyChanged`],
    /// [`OrmError::Invalid`] if the row gained a family that was not named or lost all that were, whatever `change`
    /// returns, and as [`update`](Self::update).
    pub fn modify<E: From<OrmError>>(
        &self,
        storage: &mut dyn Storage,
        key: &R::PrimaryKey,
        families: Families,
        change: impl FnOnce(R) -> Result<R, E>,
    ) -> Result<R, E> {
        let (found, old) = self.read(storage, key, families)?;
        let old = old.ok_or_else(|| Self::not_found(&found.id))?;
        let copy = self.assemble(key, &found)?;
        let new = change(copy)?;
        let new_id = Self::row_id(&new.primary_key_fields())?;
        if new_id != found.id {
            let (from, to) = (hex(&found.id), hex(&new_id));
            return Err(OrmError::PrimaryKeyChanged {
                table: R::META.name,
                from,
                to,
            }
            .into());
        }
        let guard = FamilyChange {
            named: families,
            ..self.context(storage, key, &found)
        };
        let mut plan = WritePlan::default();
        R::plan(&guard, Some(&old), Some(&new), &mut plan)?;
        guard.check_present(R::META.name, Some(&new))?;
        plan.apply(storage);
        Ok(new)
    }

    /// Deletes all families of a row and returns it. One read a family; one delete a present family and an index key.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::Key`].
    pub fn delete(&self, storage: &mut dyn Storage, key: &R::PrimaryKey) -> Result<R, OrmError> {
        let (found, old) = self.read(storage, key, Families::ALL)?;
        let old = old.ok_or_else(|| Self::not_found(&found.id))?;
        self.change(storage, key, found, Some(&old), None)?;
        Ok(old)
    }

    /// Returns the named families of a row; `None` if none of them exists. One read a named family.
    ///
    /// # Errors
    /// [`OrmError::Key`], [`OrmError::Decode`].
    pub fn get(
        &self,
        storage: &dyn Storage,
        key: &R::PrimaryKey,
        families: Families,
    ) -> Result<Option<R>, OrmError> {
        Ok(self.read(storage, key, families)?.1)
    }

    /// Returns the named families of a row, which must have one of them. One read a named family.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], and as [`get`](Self::get).
    pub fn get_one(
        &self,
        storage: &dyn Storage,
        key: &R::PrimaryKey,
        families: Families,
    ) -> Result<R, OrmError> {
        let (found, row) = self.read(storage, key, families)?;
        row.ok_or_else(|| Self::not_found(&found.id))
    }

    /// Whether any family of the row exists. One probe a family, up to the first that does.
    ///
    /// # Errors
    /// [`OrmError::Key`].
    pub fn has(&self, storage: &dyn Storage, key: &R::PrimaryKey) -> Result<bool, OrmError> {
        Ok(self.exists(storage, &Self::row_id(key)?, Families::ALL))
    }

    /// Whether any family of a row with the primary key of `row` exists.
    ///
    /// # Errors
    /// [`OrmError::Key`].
    pub fn contains(&self, storage: &dyn Storage, row: &R) -> Result<bool, OrmError> {
        self.has(storage, &row.primary_key_fields())
    }

    /// Scans the rows that have any of the named families, in primary-key order.
    #[must_use]
    pub fn all(&self, families: Families) -> FamiliesScan<R> {
        FamiliesScan::new(Span::default(), families)
    }

    /// Scans the rows whose primary key begins with the given parts.
    ///
    /// # Errors
    /// [`OrmError::Key`] if they cannot be encoded.
    pub fn prefix<P: PrefixOf<R::PrimaryKey>>(
        &self,
        parts: &P,
        families: Families,
    ) -> Result<FamiliesScan<R>, OrmError> {
        span_of_prefix::<R::PrimaryKey, P>(parts, R::META.key_rule)
            .map(|span| FamiliesScan::new(span, families))
            .map_err(|source| OrmError::Key {
                table: R::META.name,
                source,
            })
    }

    /// Scans the rows within bounds on the primary key or on its leading parts.
    ///
    /// # Errors
    /// [`OrmError::InvertedBounds`], [`OrmError::Key`].
    pub fn range<P: PrefixOf<R::PrimaryKey>>(
        &self,
        bounds: impl RangeBounds<P>,
        families: Families,
    ) -> Result<FamiliesScan<R>, OrmError> {
        span_of_bounds::<R::PrimaryKey, P>(R::META.name, R::META.key_rule, &[], bounds)
            .map(|span| FamiliesScan::new(span, families))
    }

    pub(crate) fn row_id(key: &R::PrimaryKey) -> Result<Vec<u8>, OrmError> {
        let table = R::META.name;
        if key.is_empty() {
            return Err(OrmError::Key {
                table,
                source: crate::key::KeyError::Empty,
            });
        }
        key.encode(R::META.key_rule)
            .map_err(|source| OrmError::Key { table, source })
    }

    fn not_found(id: &[u8]) -> OrmError {
        OrmError::NotFound {
            table: R::META.name,
            key: hex(id),
        }
    }

    fn exists(&self, storage: &dyn Storage, id: &[u8], families: Families) -> bool {
        let named = R::FAMILIES
            .iter()
            .enumerate()
            .filter(|(position, _)| families.contains(*position));
        named
            .into_iter()
            .any(|(_, namespace)| lookup(storage, self.options.probe, &namespace.key(id)).is_some())
    }

    fn read(
        &self,
        storage: &dyn Storage,
        key: &R::PrimaryKey,
        families: Families,
    ) -> Result<(Found, Option<R>), OrmError> {
        let id = Self::row_id(key)?;
        let value = |(position, namespace): (usize, &Namespace)| {
            if families.contains(position) {
                storage.get(&namespace.key(&id))
            } else {
                None
            }
        };
        let values: Vec<_> = R::FAMILIES.iter().enumerate().map(value).collect();
        let found = Found { id, values };
        if found.values.iter().all(Option::is_none) {
            return Ok((found, None));
        }
        let row = self.assemble(key, &found)?;
        Ok((found, Some(row)))
    }

    fn assemble(&self, key: &R::PrimaryKey, found: &Found) -> Result<R, OrmError> {
        R::assemble(
            key.clone(),
            &mut FamilyValues::new(&found.id, &found.values),
        )
    }

    /// Returns the row's id and what is stored for each of its families.
    pub(crate) fn stored_values(&self, row: &R) -> Result<Values, OrmError> {
        let key = row.primary_key_fields();
        let id = Self::row_id(&key)?;
        let found = Found {
            values: vec![None; R::FAMILIES.len()],
            id,
        };
        let mut plan = WritePlan::default();
        let bare = self.with_indexes(IndexSet::NONE);
        let change = bare.context(&Nothing, &key, &found);
        R::plan(&change, None, Some(row), &mut plan)?;
        change.check_present(R::META.name, Some(row))?;
        let values = plan.values(R::FAMILIES.iter().map(|namespace| namespace.key(&found.id)));
        Ok((found.id, values))
    }

    fn context<'a>(
        &'a self,
        storage: &'a dyn Storage,
        key: &'a R::PrimaryKey,
        found: &'a Found,
    ) -> FamilyChange<'a, R::PrimaryKey> {
        FamilyChange {
            storage,
            key,
            id: &found.id,
            options: self.options,
            old: &found.values,
            named: Families::ALL,
            present: core::cell::Cell::new(false),
        }
    }

    fn change(
        &self,
        storage: &mut dyn Storage,
        key: &R::PrimaryKey,
        found: Found,
        old: Option<&R>,
        new: Option<&R>,
    ) -> Result<(), OrmError> {
        let mut plan = WritePlan::default();
        let change = self.context(storage, key, &found);
        R::plan(&change, old, new, &mut plan)?;
        change.check_present(R::META.name, new)?;
        plan.apply(storage);
        Ok(())
    }
}

fn decode_member<F: Record>(
    id: &[u8],
    key: &F::PrimaryKey,
    value: Option<&[u8]>,
) -> Result<Option<F>, OrmError> {
    value
        .map(|value| from_value::<F>(id, key, value))
        .transpose()
}

// The view derefs to the family's table for reads.
impl<R: FamilyRow, F: Member<R>> Deref for FamilyView<R, F> {
    type Target = Table<F>;

    fn deref(&self) -> &Table<F> {
        self.table()
    }
}
