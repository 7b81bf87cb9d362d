//! The entry points: routing only.

#[cfg(not(feature = "library"))]
use cosmwasm_std::entry_point;
use cosmwasm_std::{Binary, Deps, DepsMut, Env, MessageInfo, Response};

use crate::{
    error::ContractError,
    execute,
    msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg},
    query,
};

/// The name under which `cw2` knows this contract.
pub const CONTRACT_NAME: &str = "crates.io:vaa-registry";
/// The version of this code.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Creates a registry.
///
/// # Errors
/// `E3xx` if the sets or limits are not in order.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn instantiate(
    deps: DepsMut,
    env: Env,
    _: MessageInfo,
    msg: InstantiateMsg,
) -> Result<Response, ContractError> {
    crate::instantiate::instantiate(deps.storage, &env, &msg)
}

/// Changes the registry.
///
/// # Errors
/// Those of the message.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn execute(
    deps: DepsMut,
    env: Env,
    _: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, ContractError> {
    match msg {
        ExecuteMsg::SubmitVaas { vaas, on_invalid } => {
            execute::submit_vaas(deps, &env, &vaas, on_invalid.unwrap_or_default())
        }
    }
}

/// Answers a query.
///
/// # Errors
/// `E2xx` if the query is malformed or asks for what the registry does not keep.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn query(deps: Deps, env: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    query::query(deps, &env, msg)
}

/// Moves a registry to this code.
///
/// # Errors
/// [`ContractError::Migration`] from another contract or a newer version.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn migrate(deps: DepsMut, _: Env, _: MigrateMsg) -> Result<Response, ContractError> {
    crate::migrate::migrate(deps.storage)
}
