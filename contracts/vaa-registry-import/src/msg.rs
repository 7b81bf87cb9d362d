//! The messages that this code takes: some of the registry's.

use cosmwasm_schema::cw_serde;
use cw_orm::GenesisPage;

/// Imports.
#[cw_serde]
pub enum ExecuteMsg {
    /// Imports the next page.
    Import {
        /// The page, as `export` gave it.
        page: GenesisPage,
    },
    /// Ends the import.
    Seal {},
}

/// Asks.
#[cw_serde]
pub enum QueryMsg {
    /// How the registry is set up.
    Config {},
    /// How far the import is.
    ImportStatus {},
}
