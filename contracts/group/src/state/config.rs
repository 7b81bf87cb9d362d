//! The contract's settings.

use cosmwasm_std::Storage;
use cw_orm::Table;

use crate::error::ContractError;

/// The one row of settings.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "config", ns = "c")]
pub struct Config {
    /// Always 0: there is one row.
    #[pk]
    pub id: u8,
    /// The code of which every new policy's account is.
    pub account_code_id: u64,
    /// How long after its voting period a proposal can be executed, in seconds.
    pub max_execution_period: u32,
}

impl Config {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ContractError::NotSetUp`], [`ContractError::Storage`].
    pub fn load(storage: &dyn Storage) -> Result<Self, ContractError> {
        Self::TABLE.get(storage, &0)?.ok_or(ContractError::NotSetUp)
    }
}
