//! Creation.

use cosmwasm_std::{Response, Storage};

use crate::{
    contract::{CONTRACT_NAME, CONTRACT_VERSION},
    error::ContractError,
    limits::DEFAULT_EXECUTION_PERIOD,
    msg::InstantiateMsg,
    state::Config,
};

pub(crate) fn instantiate(
    storage: &mut dyn Storage,
    msg: &InstantiateMsg,
) -> Result<Response, ContractError> {
    cw2::set_contract_version(storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    let config = Config {
        id: 0,
        account_code_id: msg.account_code_id.u64(),
        max_execution_period: msg.max_execution_period.unwrap_or(DEFAULT_EXECUTION_PERIOD),
    };
    Config::TABLE.insert(storage, &config)?;
    Ok(Response::new().add_attribute("action", "instantiate"))
}
