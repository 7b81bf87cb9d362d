//! Tests of the chain with a small contract, over files and over storages that fail.

mod chain;
mod contract;
mod disk;
mod faults;
mod overlay;

use std::path::Path;

use cosmwasm_std::Timestamp;
use serde_json::{Value, json};

use super::*;
use crate::backend::BackendExt;

pub(super) fn config() -> StoreConfig {
    StoreConfig {
        network: Some("devnet".into()),
        replay: false,
        this_chain: 3104,
        governance_chain: 1,
        governance_emitter: format!("{:064x}", 4),
    }
}

pub(super) fn genesis(time: u64) -> Genesis<'static> {
    Genesis {
        chain_id: "test-1",
        time: Timestamp::from_seconds(time),
        config: config(),
        msg: br#"{"refuse":false}"#,
        label: "counter",
    }
}

pub(super) fn create(home: &Path) -> Embedded {
    Embedded::create(home, vec![contract::code("1.0.0")], genesis(100)).unwrap()
}

pub(super) fn open(home: &Path) -> Embedded {
    let now = Timestamp::from_seconds(50);
    Embedded::open(home, vec![contract::code("1.0.0")], now).unwrap()
}

pub(super) fn set(chain: &mut Embedded, key: &str, value: &str) -> Result<Executed, BackendError> {
    chain.execute_msg(&json!({ "set": { "key": key, "value": value } }))
}

pub(super) fn get(chain: &Embedded, key: &str) -> Result<Value, BackendError> {
    chain.query_msg(&json!({ "get": { "key": key } }))
}
