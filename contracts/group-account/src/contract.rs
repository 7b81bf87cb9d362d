//! The entry points.

#[cfg(not(feature = "library"))]
use cosmwasm_std::entry_point;
use cosmwasm_std::{Addr, Binary, Deps, DepsMut, Env, MessageInfo, Response, to_json_binary};
use cw_storage_plus::Item;

use crate::{
    error::ContractError,
    msg::{ExecuteMsg, InstantiateMsg, OwnerResponse, QueryMsg},
};

/// The name under which `cw2` knows this contract.
pub const CONTRACT_NAME: &str = "crates.io:group-account";
/// The version of this code.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");

const OWNER: Item<Addr> = Item::new("owner");

/// Creates an account of the sender.
///
/// # Errors
/// [`ContractError::Std`].
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn instantiate(
    deps: DepsMut,
    _: Env,
    info: MessageInfo,
    _: InstantiateMsg,
) -> Result<Response, ContractError> {
    cw2::set_contract_version(deps.storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    OWNER.save(deps.storage, &info.sender)?;
    Ok(Response::new().add_attribute("owner", info.sender))
}

/// Runs messages.
///
/// # Errors
/// [`ContractError::NotOwner`].
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn execute(
    deps: DepsMut,
    _: Env,
    info: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, ContractError> {
    let ExecuteMsg::Run { messages } = msg;
    if OWNER.load(deps.storage)? != info.sender {
        return Err(ContractError::NotOwner {
            sender: info.sender.into(),
        });
    }
    Ok(Response::new().add_messages(messages))
}

/// Answers a query.
///
/// # Errors
/// [`ContractError::Std`].
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn query(deps: Deps, _: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    let QueryMsg::Owner {} = msg;
    let owner = OWNER.load(deps.storage)?.into();
    Ok(to_json_binary(&OwnerResponse { owner })?)
}
