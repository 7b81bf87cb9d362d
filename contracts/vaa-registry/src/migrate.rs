//! Migration: from the same contract, of this version or an older one.

use cosmwasm_std::{Response, Storage};

use crate::{
    contract::{CONTRACT_NAME, CONTRACT_VERSION},
    error::ContractError,
};

pub(crate) fn migrate(storage: &mut dyn Storage) -> Result<Response, ContractError> {
    let stored = cw2::get_contract_version(storage)?;
    let refused = || ContractError::Migration {
        contract: stored.contract.clone(),
        version: stored.version.clone(),
    };
    let known = stored.contract == CONTRACT_NAME;
    let older = match (parse(&stored.version), parse(CONTRACT_VERSION)) {
        (Some(from), Some(to)) => from <= to,
        _ => false,
    };
    if !known || !older {
        return Err(refused());
    }
    cw2::set_contract_version(storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    Ok(Response::new()
        .add_attribute("action", "migrate")
        .add_attribute("from_version", stored.version))
}

/// Reads `major.minor.patch`.
fn parse(version: &str) -> Option<(u64, u64, u64)> {
    let mut parts = version.split('.').map(|part| part.parse::<u64>().ok());
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(major), Some(minor), Some(patch), None) => Some((major?, minor?, patch?)),
        _ => None,
    }
}
