//! Who may set limits, pause, and register publishers.

use cosmwasm_std::Storage;
use cw_orm::Table;

use crate::error::ContractError;

/// The admin; there is no row where there is none, and never will be again.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "admin", ns = "a")]
pub struct Admin {
    /// Always 0: there is one row.
    #[pk]
    pub id: u8,
    /// The admin's account.
    pub address: String,
    /// The account that is to accept the role; none if none was proposed.
    pub proposed: Option<String>,
}

impl Admin {
    /// Reads the admin; none if there is none.
    ///
    /// # Errors
    /// [`ContractError::Storage`].
    pub fn load(storage: &dyn Storage) -> Result<Option<Self>, ContractError> {
        Ok(Self::TABLE.get(storage, &0)?)
    }
}
