//! What the contract is made of.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::Uint64;

/// Creates the contract.
#[cw_serde]
pub struct InstantiateMsg {
    /// The code of `group-account`, of which every policy gets an instance.
    pub account_code_id: Uint64,
    /// How long after its voting period a proposal can be executed, in seconds; two weeks, if absent. Then it can be
    /// pruned.
    pub max_execution_period: Option<u32>,
}

/// Moves the contract to this code.
#[cw_serde]
pub struct MigrateMsg {}
