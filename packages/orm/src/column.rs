//! How a table's derive learns the columns of a family, whose struct it does not see, and asks of a column what an index
//! entry needs.

use serde::{Serialize, de::DeserializeOwned};

/// A column of a family, told from the others by the hash of its name. `#[derive(Family)]` writes these impls.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no such column for an index",
    label = "no column of `{Self}`",
    note = "`{Self}` derives `Family`, and a column that an index names is a field that everyone sees who sees the struct",
    note = "for any other key write `with = function, key_type = Type`"
)]
pub trait Column<const NAME: u64> {
    /// What an index key is made of: the column's type, or what is inside if that is an `Option`.
    type Key;

    /// The column's type.
    type Value;

    /// Returns the column, unless it is `None`.
    fn key(&self) -> Option<&Self::Key>;

    /// Returns the column.
    fn value(&self) -> &Self::Value;
}

/// Asks of a column that an index entry can hold it, where the derive's code names it.
pub fn covered<T: Serialize + DeserializeOwned>(column: T) -> T {
    column
}
