use cosmwasm_std::testing::{MockApi, MockStorage};
use cosmwasm_std::{Empty, Timestamp};
use cw_multi_test::{AddressGenerator, Contract, SimpleAddressGenerator};

use super::meta::StoreConfig;
use super::recorder::words_of;
use crate::backend::BackendError;

/// Brings the code of one contract.
pub struct Code {
    /// Name of the contract.
    pub name: &'static str,
    /// Version of the contract.
    pub version: &'static str,
    /// Its entry points.
    pub contract: Box<dyn Contract<Empty>>,
}

/// Says what a new chain begins with.
#[derive(Clone, Debug)]
pub struct Genesis<'a> {
    /// Identifier of the chain.
    pub chain_id: &'a str,
    /// Time of the first block.
    pub time: Timestamp,
    /// What is recorded about the registry.
    pub config: StoreConfig,
    /// JSON message that instantiates the first code.
    pub msg: &'a [u8],
    /// Label of the contract.
    pub label: &'a str,
}

/// Returns the address that the first contract of a chain gets.
pub(super) fn contract_address() -> Result<String, BackendError> {
    let mut unused = MockStorage::new();
    SimpleAddressGenerator
        .contract_address(&MockApi::default(), &mut unused, 1, 0)
        .map(String::from)
        .map_err(|error| BackendError::contract(words_of(&error)))
}
