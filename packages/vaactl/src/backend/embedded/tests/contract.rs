//! A contract that writes, fails after a write, and reports what it sees.

use cosmwasm_std::{
    Binary, Deps, DepsMut, Empty, Env, MessageInfo, Order, Response, StdError, StdResult, WasmMsg,
    to_json_binary,
};
use cw_multi_test::ContractWrapper;
use serde::{Deserialize, Serialize};

use super::super::Code;

#[derive(Serialize, Deserialize)]
pub(super) struct Instantiate {
    refuse: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Execute {
    Set { key: String, value: String },
    Fill { from: u64, count: u64 },
    SetAndFail { key: String },
    SetAndCall { key: String },
    CountAndSet { key: String },
    Echo {},
    Silent {},
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Query {
    Get { key: String },
    Count {},
    Page { limit: usize, reverse: bool },
    Block {},
    Refuse {},
}

fn instantiate(deps: DepsMut<'_>, _: Env, _: MessageInfo, msg: Instantiate) -> StdResult<Response> {
    if msg.refuse {
        return Err(StdError::msg("no guardian set [E7]"));
    }
    deps.storage.set(b"made", b"yes");
    Ok(Response::new())
}

fn execute(deps: DepsMut<'_>, env: Env, info: MessageInfo, msg: Execute) -> StdResult<Response> {
    match msg {
        Execute::Set { key, value } => deps.storage.set(key.as_bytes(), value.as_bytes()),
        Execute::Fill { from, count } => {
            for n in (from..).zip(0..count).map(|(n, _)| n) {
                deps.storage.set(format!("row{n:09}").as_bytes(), &[7; 100]);
            }
        }
        Execute::SetAndFail { key } => {
            deps.storage.set(key.as_bytes(), b"lost");
            return Err(StdError::msg("failed on purpose [E42]"));
        }
        Execute::SetAndCall { key } => {
            deps.storage.set(key.as_bytes(), b"lost");
            let msg = to_json_binary(&Execute::SetAndFail { key })?;
            let contract_addr = env.contract.address.to_string();
            return Ok(Response::new().add_message(WasmMsg::Execute {
                contract_addr,
                msg,
                funds: vec![],
            }));
        }
        Execute::CountAndSet { key } => {
            let count = deps.storage.range(None, None, Order::Ascending).count();
            deps.storage
                .set(key.as_bytes(), count.to_string().as_bytes());
        }
        Execute::Echo {} => {
            let seen = (env.block.height, env.block.time, info.sender);
            return Ok(Response::new().set_data(to_json_binary(&seen)?));
        }
        Execute::Silent {} => {}
    }
    Ok(Response::new().add_attribute("action", "done"))
}

fn query(deps: Deps<'_>, env: Env, msg: Query) -> StdResult<Binary> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    match msg {
        Query::Get { key } => to_json_binary(&deps.storage.get(key.as_bytes()).map(text)),
        Query::Count {} => {
            to_json_binary(&deps.storage.range(None, None, Order::Ascending).count())
        }
        Query::Page { limit, reverse } => {
            let order = if reverse {
                Order::Descending
            } else {
                Order::Ascending
            };
            let rows = deps.storage.range(Some(b"row"), Some(b"rox"), order);
            to_json_binary(
                &rows
                    .take(limit)
                    .map(|(key, _)| text(key))
                    .collect::<Vec<_>>(),
            )
        }
        Query::Block {} => to_json_binary(&(env.block.height, env.block.time, env.block.chain_id)),
        Query::Refuse {} => Err(StdError::msg("nothing to see [E404]")),
    }
}

pub(super) fn code(version: &'static str) -> Code {
    let contract =
        ContractWrapper::<_, _, _, _, _, _, Empty, Empty>::new(execute, instantiate, query);
    Code {
        name: "counter",
        version,
        contract: Box::new(contract),
    }
}
