//! The entry points: routing only.

#[cfg(not(feature = "library"))]
use cosmwasm_std::entry_point;
use cosmwasm_std::{Binary, Deps, DepsMut, Env, MessageInfo, Reply, Response};

use crate::{
    error::ContractError,
    execute,
    msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, QueryMsg},
    query,
};

/// The name under which `cw2` knows this contract.
pub const CONTRACT_NAME: &str = "crates.io:cw-orm-group";
/// The version of this code.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Creates the contract.
///
/// # Errors
/// [`ContractError::Storage`].
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn instantiate(
    deps: DepsMut,
    _: Env,
    _: MessageInfo,
    msg: InstantiateMsg,
) -> Result<Response, ContractError> {
    crate::instantiate::instantiate(deps.storage, &msg)
}

/// Changes groups, policies, proposals and votes.
///
/// # Errors
/// Those of the message.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn execute(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, ContractError> {
    execute::execute(deps, &env, &info, msg)
}

/// Notes what came of a proposal's messages.
///
/// # Errors
/// [`ContractError::UnknownProposal`] if the reply is to none.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn reply(deps: DepsMut, _: Env, reply: Reply) -> Result<Response, ContractError> {
    execute::executed(deps.storage, reply)
}

/// Answers a query.
///
/// # Errors
/// `E2xx` if the query is malformed.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn query(deps: Deps, _: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    query::query(deps, msg)
}

/// Moves the contract to this code.
///
/// # Errors
/// [`ContractError::Migration`] from another contract or a newer version.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn migrate(deps: DepsMut, _: Env, _: MigrateMsg) -> Result<Response, ContractError> {
    crate::migrate::migrate(deps.storage)
}
