//! What the admin may do: nothing here touches guardian sets, the governance emitter or a verified message.

use cosmwasm_std::{Api, DepsMut, Event, MessageInfo, Response, Storage};

use crate::{
    error::ContractError,
    instantiate::check_limits,
    msg::Limits,
    state::{Admin, Config, remove},
};

/// Returns the normal form of an address of this chain.
pub(crate) fn valid_address(api: &dyn Api, address: &str) -> Result<String, ContractError> {
    match api.addr_validate(address) {
        Ok(address) => Ok(address.into_string()),
        Err(reason) => Err(ContractError::Address {
            address: address.into(),
            reason: reason.to_string(),
        }),
    }
}

/// Refuses all but the admin, and returns the role.
pub(super) fn check_admin(
    storage: &dyn Storage,
    info: &MessageInfo,
) -> Result<Admin, ContractError> {
    match Admin::load(storage)? {
        Some(admin) if admin.address == info.sender.as_str() => Ok(admin),
        _ => Err(ContractError::NotAdmin {
            sender: info.sender.to_string(),
        }),
    }
}

pub(crate) fn set_limits(
    deps: DepsMut<'_>,
    info: &MessageInfo,
    limits: &Limits,
) -> Result<Response, ContractError> {
    check_admin(deps.storage, info)?;
    check_limits(limits)?;
    let config = Config::load_open(deps.storage)?;
    let config = Config {
        batch_limit: limits.batch,
        payload_limit: limits.payload,
        scan_budget: limits.scan_budget,
        ..config
    };
    Config::TABLE.update(deps.storage, config)?;
    let event = Event::new("limits_set")
        .add_attribute("batch", limits.batch.to_string())
        .add_attribute("payload", limits.payload.to_string())
        .add_attribute("scan_budget", limits.scan_budget.to_string());
    Ok(Response::new().add_event(event))
}

pub(crate) fn set_paused(
    deps: DepsMut<'_>,
    info: &MessageInfo,
    paused: bool,
) -> Result<Response, ContractError> {
    check_admin(deps.storage, info)?;
    let config = Config::load_open(deps.storage)?;
    Config::TABLE.update(deps.storage, Config { paused, ..config })?;
    let event = Event::new(if paused { "paused" } else { "unpaused" });
    Ok(Response::new().add_event(event))
}

pub(crate) fn transfer_admin(
    deps: DepsMut<'_>,
    info: &MessageInfo,
    to: Option<&str>,
) -> Result<Response, ContractError> {
    let admin = check_admin(deps.storage, info)?;
    let proposed = to.map(|to| valid_address(deps.api, to)).transpose()?;
    let event = Event::new("admin_proposed")
        .add_attribute("proposed", proposed.as_deref().unwrap_or_default());
    Admin::TABLE.update(deps.storage, Admin { proposed, ..admin })?;
    Ok(Response::new().add_event(event))
}

pub(crate) fn accept_admin(
    deps: DepsMut<'_>,
    info: &MessageInfo,
) -> Result<Response, ContractError> {
    let sender = info.sender.to_string();
    match Admin::load(deps.storage)? {
        Some(admin) if admin.proposed.as_ref() == Some(&sender) => {
            let address = sender.clone();
            let (id, proposed) = (admin.id, None);
            Admin::TABLE.update(
                deps.storage,
                Admin {
                    id,
                    address,
                    proposed,
                },
            )?;
        }
        _ => return Err(ContractError::NotProposed { sender }),
    }
    let event = Event::new("admin_changed").add_attribute("admin", sender);
    Ok(Response::new().add_event(event))
}

pub(crate) fn renounce_admin(
    deps: DepsMut<'_>,
    info: &MessageInfo,
) -> Result<Response, ContractError> {
    let admin = check_admin(deps.storage, info)?;
    if Config::load_open(deps.storage)?.paused {
        return Err(ContractError::PausedRenounce);
    }
    remove::<Admin>(deps.storage, &admin.id)?;
    Ok(Response::new().add_event(Event::new("admin_renounced")))
}
