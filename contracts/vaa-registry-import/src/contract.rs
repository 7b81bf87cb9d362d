//! The entry points: the registry's own, for the messages that an import takes.

#[cfg(not(feature = "library"))]
use cosmwasm_std::entry_point;
use cosmwasm_std::{Binary, Deps, DepsMut, Env, MessageInfo, Response};
use vaa_registry::{
    ContractError, contract,
    msg::{self as registry, InstantiateMsg, MigrateMsg},
};

use crate::msg::{ExecuteMsg, QueryMsg};

/// Creates a registry that imports.
///
/// # Errors
/// [`ContractError::NotImporting`] without `import: true`, and those of the registry.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn instantiate(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    msg: InstantiateMsg,
) -> Result<Response, ContractError> {
    if !msg.import {
        return Err(ContractError::NotImporting);
    }
    contract::instantiate(deps, env, info, msg)
}

/// Imports a page, or seals the import.
///
/// # Errors
/// Those of the registry.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn execute(
    deps: DepsMut,
    env: Env,
    info: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, ContractError> {
    match msg {
        ExecuteMsg::Import { page } => contract::import(deps, &env, &info, &page),
        ExecuteMsg::Seal {} => contract::seal(deps, &info),
    }
}

/// Answers a query.
///
/// # Errors
/// Those of the registry.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn query(deps: Deps, env: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    match msg {
        QueryMsg::Config {} => contract::config(deps, &env),
        QueryMsg::ImportStatus {} => contract::import_status(deps, &env),
    }
}

/// Moves a registry that is not sealed back to this code.
///
/// # Errors
/// Those of the registry.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn migrate(deps: DepsMut, env: Env, msg: MigrateMsg) -> Result<Response, ContractError> {
    contract::migrate(deps, env, msg)
}

// The messages have the registry's form.
const _: fn(ExecuteMsg) -> registry::ExecuteMsg = |msg| match msg {
    ExecuteMsg::Import { page } => registry::ExecuteMsg::Import { page },
    ExecuteMsg::Seal {} => registry::ExecuteMsg::Seal {},
};
