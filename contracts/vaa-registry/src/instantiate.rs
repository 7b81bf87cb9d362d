//! Creation: the guardian sets to start with, the governance emitter, indexes and limits.

use cosmwasm_std::{DepsMut, Env, Response, Storage};
use wormhole_vaa::{Address, GOVERNANCE_CHAIN, GOVERNANCE_EMITTER, GuardianAddress, GuardianSet};

#[cfg(feature = "import")]
use crate::state::{Owed, OwedKind};
use crate::{
    contract::{CONTRACT_NAME, CONTRACT_VERSION},
    error::ContractError,
    execute::valid_address,
    msg::{GuardianSetInit, IndexFlags, InstantiateMsg, Limits},
    state::{Admin, Config, GRACE_SECONDS, GuardianSetRow, GuardianSetTimes, IndexBits, Layout},
};

/// The largest batch that can be allowed.
const MAX_BATCH: u32 = 1_000;
/// The largest payload that can be allowed: with 255 signatures, a VAA still fits the 128 KiB of a stored value.
const MAX_PAYLOAD: u32 = 100_000;
/// The largest scan budget that can be allowed.
const MAX_SCAN_BUDGET: u32 = 100_000;

pub(crate) fn instantiate(
    deps: DepsMut<'_>,
    env: &Env,
    msg: &InstantiateMsg,
) -> Result<Response, ContractError> {
    let rows = guardian_sets(env, &msg.guardian_sets)?;
    let current = rows.last().ok_or(ContractError::NoGuardianSets)?.index;
    let limits = msg.limits.clone().unwrap_or_default();
    check_limits(&limits)?;
    let governance = match &msg.governance {
        Some(emitter) => Some((emitter.chain, emitter.address.parse::<Address>()?)),
        None => None,
    };
    // Wormhole's own emitter is not stored: the settings are read by every message.
    let governance = governance
        .filter(|emitter| *emitter != (GOVERNANCE_CHAIN, GOVERNANCE_EMITTER))
        .map(|(chain, address)| (chain, address.0));
    let config = Config {
        id: 0,
        this_chain: msg.this_chain,
        governance,
        current_guardian_set: current,
        indexes: IndexBits::from(msg.indexes.as_ref().unwrap_or(&IndexFlags::ALL)),
        batch_limit: limits.batch,
        payload_limit: limits.payload,
        scan_budget: limits.scan_budget,
        paused: false,
        importing: msg.import,
        building: None,
    };
    let admin = msg
        .admin
        .as_deref()
        .map(|admin| valid_address(deps.api, admin))
        .transpose()?;
    if msg.import && admin.is_none() {
        return Err(ContractError::ImportWithoutAdmin);
    }
    let storage = deps.storage;
    cw2::set_contract_version(storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    Layout::store(storage)?;
    Config::TABLE.insert(storage, &config)?;
    if let Some(address) = admin {
        let (id, proposed) = (0, None);
        Admin::TABLE.insert(
            storage,
            &Admin {
                id,
                address,
                proposed,
            },
        )?;
    }
    if msg.import {
        trust(storage, &rows)?;
    } else {
        rows.iter().try_for_each(|row| row.insert(storage))?;
    }
    Ok(Response::new()
        .add_attribute("action", "instantiate")
        .add_attribute("current_guardian_set", current.to_string()))
}

/// Notes the sets that an import is to find, and trusts.
#[cfg(feature = "import")]
fn trust(storage: &mut dyn Storage, rows: &[GuardianSetRow]) -> Result<(), ContractError> {
    for row in rows {
        let mut trusted = Owed::of_set(OwedKind::TrustedSet, row.index);
        trusted.addresses.clone_from(&row.addresses);
        Owed::TABLE.insert(storage, &trusted)?;
    }
    Ok(())
}

#[cfg(not(feature = "import"))]
fn trust(_: &mut dyn Storage, _: &[GuardianSetRow]) -> Result<(), ContractError> {
    Err(ContractError::NotImporting)
}

fn guardian_sets(
    env: &Env,
    sets: &[GuardianSetInit],
) -> Result<Vec<GuardianSetRow>, ContractError> {
    let now = env.block.time.seconds();
    let last = sets.len().saturating_sub(1);
    let mut rows: Vec<GuardianSetRow> = Vec::new();
    for (position, set) in sets.iter().enumerate() {
        let index = set.index;
        if let Some(previous) = rows.last().map(|row| row.index)
            && previous.checked_add(1) != Some(index)
        {
            return Err(ContractError::SetsNotContiguous {
                previous,
                found: index,
            });
        }
        let parse = |address: &String| address.parse::<GuardianAddress>();
        let addresses = set
            .addresses
            .iter()
            .map(parse)
            .collect::<Result<Vec<_>, _>>();
        let addresses =
            addresses.map_err(|reason| ContractError::InvalidGuardian { index, reason })?;
        let guardians = GuardianSet::new(addresses)
            .map_err(|reason| ContractError::InvalidGuardianSet { index, reason })?;
        rows.push(GuardianSetRow {
            index,
            times: GuardianSetTimes {
                applied_at: now,
                applied_height: env.block.height,
                expires_at: expiry(set, position == last, now)?,
            },
            addresses: GuardianSetRow::pack(&guardians),
        });
    }
    Ok(rows)
}

/// A replaced set must expire, and no later than one replaced just now would; the current one must not.
fn expiry(set: &GuardianSetInit, current: bool, now: u64) -> Result<Option<u64>, ContractError> {
    let latest = now.saturating_add(GRACE_SECONDS);
    let wrong = |reason: String| ContractError::Expiry {
        index: set.index,
        reason,
    };
    match set.expires_at {
        None if current => Ok(None),
        None => Err(wrong("a replaced set needs an expiry".into())),
        Some(_) if current => Err(wrong("the current set has no expiry".into())),
        Some(at) if at.u64() > latest => Err(wrong(format!("expiry {at} is later than {latest}"))),
        Some(at) => Ok(Some(at.u64())),
    }
}

pub(crate) fn check_limits(limits: &Limits) -> Result<(), ContractError> {
    let all = [
        ("batch", limits.batch, MAX_BATCH),
        ("payload", limits.payload, MAX_PAYLOAD),
        ("scan_budget", limits.scan_budget, MAX_SCAN_BUDGET),
    ];
    match all
        .into_iter()
        .find(|(_, value, max)| *value == 0 || value > max)
    {
        Some((limit, value, max)) => Err(ContractError::Limit { limit, value, max }),
        None => Ok(()),
    }
}
