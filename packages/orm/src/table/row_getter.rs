//! From a row id to its row.

use cosmwasm_std::Storage;

use super::{FamilyRow, FamilyTable, Table, families::Families};
use crate::{
    error::{OrmError, hex},
    key::{Key, KeyError},
    row::{Record, from_value, primary_key},
};

/// Reads rows by their row ids, the encoded primary keys that index entries hold: for an index of a contract's own. All
/// tables are row getters.
///
/// ```
/// use cosmwasm_std::testing::MockStorage;
/// use cw_orm::{OrmError, RowGetter, Table};
///
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "names", ns = "n")]
/// struct Name {
///     #[pk]
///     id: u16,
///     name: String,
/// }
///
/// # fn main() -> Result<(), OrmError> {
/// let mut store = MockStorage::new();
/// let row = Name { id: 7, name: "ann".into() };
/// Name::TABLE.insert(&mut store, &row)?;
/// assert_eq!(Name::TABLE.get_row(&store, &[0, 7])?, row);
/// assert!(matches!(Name::TABLE.get_row(&store, &[0, 8]), Err(OrmError::NotFound { .. })));
/// # Ok(())
/// # }
/// ```
pub trait RowGetter<R> {
    /// Returns the row with this id, which must exist. One read (of a table with families, one for each).
    ///
    /// # Errors
    /// [`OrmError::NotFound`]; [`OrmError::Key`] if the id is empty or encodes no primary key; [`OrmError::Decode`].
    fn get_row(&self, storage: &dyn Storage, row_id: &[u8]) -> Result<R, OrmError>;
}

impl<R: Record> RowGetter<R> for Table<R> {
    fn get_row(&self, storage: &dyn Storage, row_id: &[u8]) -> Result<R, OrmError> {
        let table = R::META.name;
        not_empty(table, row_id)?;
        let key = primary_key::<R>(row_id)?;
        match storage.get(&R::META.namespace.key(row_id)) {
            Some(value) => from_value::<R>(row_id, &key, &value),
            None => Err(OrmError::NotFound {
                table,
                key: hex(row_id),
            }),
        }
    }
}

impl<R: FamilyRow> RowGetter<R> for FamilyTable<R> {
    fn get_row(&self, storage: &dyn Storage, row_id: &[u8]) -> Result<R, OrmError> {
        let table = R::META.name;
        not_empty(table, row_id)?;
        let key = R::PrimaryKey::decode(row_id, R::META.key_rule)
            .map_err(|source| OrmError::Key { table, source })?;
        self.get_one(storage, &key, Families::ALL)
    }
}

fn not_empty(table: &'static str, row_id: &[u8]) -> Result<(), OrmError> {
    if row_id.is_empty() {
        let source = KeyError::Empty;
        return Err(OrmError::Key { table, source });
    }
    Ok(())
}
