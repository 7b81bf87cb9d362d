//! The entry points: routing only.

#[cfg(not(feature = "library"))]
use cosmwasm_std::entry_point;
use cosmwasm_std::{Binary, Deps, DepsMut, Env, MessageInfo, Response};

use crate::{
    error::ContractError,
    execute,
    msg::{ExecuteMsg, InstantiateMsg, MigrateMsg, OnInvalid, QueryMsg},
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
    crate::instantiate::instantiate(deps, &env, &msg)
}

/// Changes the registry.
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
    match msg {
        ExecuteMsg::SubmitVaas { vaas, on_invalid } => {
            execute::submit_vaas(deps, &env, &vaas, on_invalid.unwrap_or_default())
        }
        ExecuteMsg::SubmitObservations {
            guardian_set_index,
            guardian_index,
            observations,
            signature,
            on_invalid,
        } => {
            let batch = execute::Batch {
                guardian_set_index,
                guardian_index,
                observations: &observations,
                signature: &signature,
            };
            let on_invalid = on_invalid.unwrap_or(OnInvalid::Skip);
            execute::submit_observations(deps, &env, &batch, on_invalid)
        }
        ExecuteMsg::Prune { limit } => execute::prune(deps, &env, limit),
        ExecuteMsg::PublishMessages {
            messages,
            on_invalid,
        } => {
            let on_invalid = on_invalid.unwrap_or_default();
            execute::publish_messages(deps, &env, &info, &messages, on_invalid)
        }
        ExecuteMsg::RegisterPublisher {
            publisher,
            scope,
            quota,
        } => execute::register_publisher(deps, &info, &publisher, &scope, quota),
        ExecuteMsg::RevokePublisher { publisher, limit } => {
            execute::revoke_publisher(deps, &info, &publisher, limit)
        }
        ExecuteMsg::BuildIndex { index, limit } => execute::build_index(deps, &info, index, limit),
        #[cfg(feature = "import")]
        ExecuteMsg::Import { page } => execute::import(deps, &env, &info, &page),
        #[cfg(feature = "import")]
        ExecuteMsg::Seal {} => execute::seal(deps, &info),
        ExecuteMsg::SetLimits { limits } => execute::set_limits(deps, &info, &limits),
        ExecuteMsg::Pause {} => execute::set_paused(deps, &info, true),
        ExecuteMsg::Unpause {} => execute::set_paused(deps, &info, false),
        ExecuteMsg::TransferAdmin { to } => execute::transfer_admin(deps, &info, to.as_deref()),
        ExecuteMsg::AcceptAdmin {} => execute::accept_admin(deps, &info),
        ExecuteMsg::RenounceAdmin {} => execute::renounce_admin(deps, &info),
    }
}

/// Imports a page, for code that does nothing else.
///
/// # Errors
/// `E3xx`, `E4xx`.
#[cfg(feature = "import")]
pub fn import(
    deps: DepsMut,
    env: &Env,
    info: &MessageInfo,
    page: &cw_orm::GenesisPage,
) -> Result<Response, ContractError> {
    execute::import(deps, env, info, page)
}

/// Seals an import, for code that does nothing else.
///
/// # Errors
/// `E3xx`, `E4xx`.
#[cfg(feature = "import")]
pub fn seal(deps: DepsMut, info: &MessageInfo) -> Result<Response, ContractError> {
    execute::seal(deps, info)
}

/// Answers how the registry is set up, for code that answers little else.
///
/// # Errors
/// `E9xx`.
#[cfg(feature = "import")]
pub fn config(deps: Deps, env: &Env) -> Result<Binary, ContractError> {
    query::config_of(deps, env)
}

/// Answers how far an import is, for code that answers little else.
///
/// # Errors
/// `E9xx`.
#[cfg(feature = "import")]
pub fn import_status(deps: Deps, env: &Env) -> Result<Binary, ContractError> {
    query::import_status_of(deps, env)
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
