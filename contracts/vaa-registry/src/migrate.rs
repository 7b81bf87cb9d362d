//! Migration: from the same contract, of this version or an older one, with the same layout.

use cosmwasm_std::{Response, Storage};
use semver::Version;

use crate::{
    contract::{CONTRACT_NAME, CONTRACT_VERSION},
    error::ContractError,
    state::Layout,
};

pub(crate) fn migrate(storage: &mut dyn Storage) -> Result<Response, ContractError> {
    let stored = cw2::get_contract_version(storage)?;
    let refused = || ContractError::Migration {
        contract: stored.contract.clone(),
        version: stored.version.clone(),
    };
    let known = stored.contract == CONTRACT_NAME;
    let older = match (
        Version::parse(&stored.version),
        Version::parse(CONTRACT_VERSION),
    ) {
        (Ok(from), Ok(to)) => from <= to,
        _ => false,
    };
    if !known || !older {
        return Err(refused());
    }
    Layout::check(storage)?;
    cw2::set_contract_version(storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    Ok(Response::new()
        .add_attribute("action", "migrate")
        .add_attribute("from_version", stored.version))
}
