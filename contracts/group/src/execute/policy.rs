//! Policies and their accounts.

use cosmwasm_std::{
    Addr, Decimal, DepsMut, Env, Response, Storage, Uint64, WasmMsg, instantiate2_address,
    to_json_binary,
};

use super::{address, check_metadata};
use crate::{
    error::ContractError,
    events::about,
    msg::{CreatePolicyResponse, DecisionPolicy},
    state::{Config, Group, Policy},
};

pub(super) fn create(
    deps: DepsMut<'_>,
    env: &Env,
    sender: &Addr,
    group_id: u64,
    metadata: String,
    decision: DecisionPolicy,
) -> Result<Response, ContractError> {
    let config = Config::load(deps.storage)?;
    Group::load(deps.storage, group_id)?.only_admin(sender)?;
    check_metadata(&metadata)?;
    check_decision(&decision, &config)?;
    // The account's address follows from the policy's id, so that the row can be written with it.
    let id = Policy::TABLE.sequence().peek(deps.storage)?;
    let salt = id.to_be_bytes();
    let account = predict(&deps, env, config.account_code_id, &salt)
        .map_err(|reason| ContractError::Account { id, reason })?;
    let mut policy = Policy {
        id: 0,
        account: account.clone(),
        group_id,
        admin: sender.clone(),
        metadata,
        version: 1,
        decision,
        created_at: env.block.time.seconds(),
    };
    Policy::TABLE.insert(deps.storage, &mut policy)?;
    let instantiate = WasmMsg::Instantiate2 {
        admin: None,
        code_id: config.account_code_id,
        label: format!("group {group_id} policy {id}"),
        msg: to_json_binary(&group_account::msg::InstantiateMsg {})?,
        funds: vec![],
        salt: salt.into(),
    };
    let event = about("policy_created", "policy_id", id)
        .add_attribute("group_id", group_id.to_string())
        .add_attribute("account", &account);
    let answer = CreatePolicyResponse {
        policy_id: Uint64::new(id),
        account: account.into(),
    };
    Ok(Response::new()
        .add_message(instantiate)
        .add_event(event)
        .set_data(to_json_binary(&answer)?))
}

pub(super) fn update_admin(
    deps: DepsMut<'_>,
    sender: &Addr,
    id: u64,
    admin: &str,
) -> Result<Response, ContractError> {
    let mut policy = Policy::load(deps.storage, id)?;
    policy.only_admin(sender)?;
    policy.admin = address(deps.api, admin)?;
    store(deps.storage, policy)
}

pub(super) fn update_decision(
    storage: &mut dyn Storage,
    sender: &Addr,
    id: u64,
    decision: DecisionPolicy,
) -> Result<Response, ContractError> {
    let mut policy = Policy::load(storage, id)?;
    policy.only_admin(sender)?;
    check_decision(&decision, &Config::load(storage)?)?;
    policy.decision = decision;
    store(storage, policy)
}

pub(super) fn update_metadata(
    storage: &mut dyn Storage,
    sender: &Addr,
    id: u64,
    metadata: String,
) -> Result<Response, ContractError> {
    let mut policy = Policy::load(storage, id)?;
    policy.only_admin(sender)?;
    check_metadata(&metadata)?;
    policy.metadata = metadata;
    store(storage, policy)
}

/// Writes a policy that was changed. Proposals submitted under the version before are thereby aborted.
fn store(storage: &mut dyn Storage, mut policy: Policy) -> Result<Response, ContractError> {
    policy.version = policy.version.saturating_add(1);
    let event = about("policy_updated", "policy_id", policy.id);
    Policy::TABLE.update(storage, policy)?;
    Ok(Response::new().add_event(event))
}

/// Returns the address that an account instantiated by this contract will have.
fn predict(deps: &DepsMut<'_>, env: &Env, code_id: u64, salt: &[u8]) -> Result<Addr, String> {
    let text = |error: cosmwasm_std::StdError| error.to_string();
    let code = deps.querier.query_wasm_code_info(code_id).map_err(text)?;
    let creator = deps
        .api
        .addr_canonicalize(env.contract.address.as_str())
        .map_err(text)?;
    let account = instantiate2_address(code.checksum.as_slice(), &creator, salt)
        .map_err(|error| error.to_string())?;
    deps.api.addr_humanize(&account).map_err(text)
}

fn check_decision(decision: &DecisionPolicy, config: &Config) -> Result<(), ContractError> {
    let refused = |reason| Err(ContractError::Decision { reason });
    match decision {
        DecisionPolicy::Threshold { threshold, .. } if threshold.is_zero() => {
            return refused("the threshold is zero");
        }
        DecisionPolicy::Percentage { percentage, .. }
            if percentage.is_zero() || *percentage > Decimal::one() =>
        {
            return refused("the percentage is not over 0 and up to 1");
        }
        _ => {}
    }
    let windows = decision.windows();
    if windows.voting_period == 0 {
        return refused("the voting period is zero");
    }
    let last = u64::from(windows.voting_period).saturating_add(config.max_execution_period.into());
    if u64::from(windows.min_execution_period) > last {
        return refused("the time to wait for execution is longer than the time to execute");
    }
    Ok(())
}
