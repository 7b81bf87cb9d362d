//! Messages and answers.

use cosmwasm_schema::{QueryResponses, cw_serde};
use cosmwasm_std::CosmosMsg;

/// Creates an account, whose owner is the sender.
#[cw_serde]
pub struct InstantiateMsg {}

/// Acts as the account.
#[cw_serde]
pub enum ExecuteMsg {
    /// Executes messages in order, all or none. Only the owner may.
    Run {
        /// The messages.
        messages: Vec<CosmosMsg>,
    },
}

/// Asks the account.
#[cw_serde]
#[derive(QueryResponses)]
pub enum QueryMsg {
    /// Who may run messages.
    #[returns(OwnerResponse)]
    Owner {},
}

/// Who may run messages.
#[cw_serde]
pub struct OwnerResponse {
    /// The owner's address.
    pub owner: String,
}
