//! What a row tells about its families.

use super::{FamilyChange, FamilyValues};
use crate::{
    error::OrmError,
    key::Key,
    namespace::Namespace,
    raw::WritePlan,
    row::{Record, TableMeta},
};

/// Which families of a table are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Families(u32);

impl Families {
    /// Every family.
    pub const ALL: Self = Self(u32::MAX);
    /// No family.
    pub const NONE: Self = Self(0);

    /// The family at this position of [`FamilyRow::FAMILIES`].
    #[must_use]
    pub const fn at(position: usize) -> Self {
        Self(1_u32.wrapping_shl(position as u32))
    }

    /// These and those.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether the family at this position is meant.
    #[must_use]
    pub const fn contains(self, position: usize) -> bool {
        self.0 & Self::at(position).0 != 0
    }
}

/// A row whose columns are grouped into families. `#[derive(Table)]` writes this impl for a struct with `#[family]` fields.
pub trait FamilyRow: Sized + 'static {
    /// The primary key's type.
    type PrimaryKey: Key + Clone;
    /// The fixed facts of the table; the namespace is that of the first family.
    const META: TableMeta;
    /// Where the families are, in the order of the fields; 32 at most.
    const FAMILIES: &'static [Namespace];

    /// Returns the primary key, made of fields of the row.
    fn primary_key_fields(&self) -> Self::PrimaryKey;

    /// Puts a row together from its key and the values of its families; fails if a value cannot be decoded.
    ///
    /// # Errors
    /// [`OrmError::Decode`].
    fn assemble(key: Self::PrimaryKey, values: &mut FamilyValues<'_>) -> Result<Self, OrmError>;

    /// Plans every family's change, by calling [`FamilyChange::member`] for each.
    ///
    /// # Errors
    /// Whatever forbids one of them.
    fn plan(
        change: &FamilyChange<'_, Self::PrimaryKey>,
        old: Option<&Self>,
        new: Option<&Self>,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError>;

    /// Shows every family's type to `visitor`, in their order, so that what concerns all of them can be done.
    fn members(visitor: &mut impl MemberVisitor<Self>);
}

/// Something to be done for each family of a table, of whatever type.
pub trait MemberVisitor<R: FamilyRow> {
    /// Does it for one family.
    fn visit<F: Member<R>>(&mut self);
}

/// One family of the rows `R`.
pub trait Member<R: FamilyRow>: Record<PrimaryKey = R::PrimaryKey> {
    /// Its position in [`FamilyRow::FAMILIES`].
    const POSITION: usize;
}
