//! The entry points.

#[cfg(not(feature = "library"))]
use cosmwasm_std::entry_point;
use cosmwasm_std::{
    Addr, Binary, Deps, DepsMut, Env, MessageInfo, Reply, Response, SubMsg, SubMsgResult, WasmMsg,
    to_json_binary,
};
use cw_orm::OrmError;
use vaa_registry::{
    helper::VaaRegistry,
    msg::{ExecuteMsg as RegistryMsg, OnInvalid},
};
use wormhole_vaa::{Address, Digest, MessageId};

use crate::{
    error::ContractError,
    msg::{ActResponse, ExecuteMsg, InstantiateMsg, QueryMsg},
    state::{Act, Config},
};

/// The name under which `cw2` knows this contract.
pub const CONTRACT_NAME: &str = "crates.io:vaa-consumer";
/// The version of this code.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The id of the reply to VAAs that were submitted.
const RELAYED: u64 = 1;

/// Creates a consumer.
///
/// # Errors
/// [`ContractError::Hex`], [`ContractError::Std`] for an address that is none.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn instantiate(
    deps: DepsMut,
    _: Env,
    _: MessageInfo,
    msg: InstantiateMsg,
) -> Result<Response, ContractError> {
    cw2::set_contract_version(deps.storage, CONTRACT_NAME, CONTRACT_VERSION)?;
    let config = Config {
        id: 0,
        registry: deps.api.addr_validate(&msg.registry)?.into(),
        emitter_chain: msg.emitter_chain,
        emitter_address: msg.emitter_address.parse::<Address>()?.0,
        require_live: msg.require_live,
    };
    Config::TABLE.insert(deps.storage, &config)?;
    Ok(Response::new())
}

/// Acts on a message, or relays VAAs.
///
/// # Errors
/// Those of the message.
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn execute(
    deps: DepsMut,
    _: Env,
    _: MessageInfo,
    msg: ExecuteMsg,
) -> Result<Response, ContractError> {
    let config = Config::TABLE.get_one(deps.storage, &0)?;
    match msg {
        ExecuteMsg::Act { id } => act(deps, config, &id),
        ExecuteMsg::Relay { vaas } => {
            let msg = WasmMsg::Execute {
                contract_addr: config.registry,
                msg: to_json_binary(&RegistryMsg::SubmitVaas {
                    vaas,
                    on_invalid: Some(OnInvalid::Abort),
                })?,
                funds: Vec::new(),
            };
            Ok(Response::new().add_submessage(SubMsg::reply_on_error(msg, RELAYED)))
        }
    }
}

fn act(deps: DepsMut, config: Config, id: &str) -> Result<Response, ContractError> {
    let id: MessageId = id.parse()?;
    if (id.chain, id.emitter.0) != (config.emitter_chain, config.emitter_address) {
        return Err(ContractError::OtherEmitter { id });
    }
    let registry = VaaRegistry(Addr::unchecked(config.registry));
    let message = registry.verified(&deps.querier, &id)?;
    if config.require_live && message.expired_now {
        return Err(ContractError::Expired { id });
    }
    let done = Act {
        digest: message.digest.0,
        payload: message.body.payload,
    };
    match Act::TABLE.insert(deps.storage, &done) {
        Err(OrmError::AlreadyExists { .. }) => {
            let digest = message.digest;
            return Err(ContractError::ActedOn { digest });
        }
        other => other?,
    }
    Ok(Response::new()
        .add_attribute("action", "act")
        .add_attribute("id", id.to_string())
        .add_attribute("digest", message.digest.to_string()))
}

/// Goes on where the registry refused what was relayed.
///
/// # Errors
/// [`ContractError::Reply`].
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn reply(_: DepsMut, _: Env, msg: Reply) -> Result<Response, ContractError> {
    match (msg.id, msg.result) {
        (RELAYED, SubMsgResult::Err(_)) => Ok(Response::new().add_attribute("relayed", "refused")),
        (id, _) => Err(ContractError::Reply { id }),
    }
}

/// Answers a query.
///
/// # Errors
/// [`ContractError::Hex`].
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn query(deps: Deps, _: Env, msg: QueryMsg) -> Result<Binary, ContractError> {
    let QueryMsg::Act { digest } = msg;
    let digest: Digest = digest.parse()?;
    let act = Act::TABLE.get(deps.storage, &digest.0)?;
    let payload = act.map(|act| Binary::new(act.payload));
    Ok(to_json_binary(&ActResponse { payload })?)
}
