//! One instance of the contract, and the block it runs in.

use cosmwasm_std::{ContractResult, Env, MessageInfo, Record, Response, Timestamp};
use cosmwasm_vm::internals::instance_from_module;
use cosmwasm_vm::testing::{MockApi, MockQuerier, mock_env, mock_info};
use cosmwasm_vm::{
    Backend, Instance, VmResult, call_execute, call_instantiate, call_migrate, call_query,
};
use serde_json::Value;
use wasmer::Store;

use crate::{Contract, MemoryStorage};

/// Far above what any call of these tests uses (the machine runs about 10^12 a second), yet an endless loop ends.
const GAS_LIMIT: u64 = 200_000_000_000_000;

type Machine = Instance<MockApi, MemoryStorage, MockQuerier>;

/// A contract's state on a chain of its own.
///
/// As on a chain, each call gets fresh memory, and one that fails leaves the storage as it was.
#[derive(Clone, Debug)]
pub struct Chain {
    contract: Contract,
    storage: MemoryStorage,
    env: Env,
    last_gas: u64,
}

/// A call that failed.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{kind:?}: {message}")]
pub struct Failure {
    /// Who refused.
    pub kind: FailureKind,
    /// The error's text.
    pub message: String,
    /// Whether the contract had changed the storage by then; a chain reverts it, a caller that catches the error
    /// inside one transaction sees it reverted too.
    pub wrote: bool,
}

/// Tells a refusal from a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The contract answered with an error.
    Contract,
    /// The machine stopped the contract: a panic, no gas left, or something that it may not do.
    Machine,
}

impl Chain {
    /// Starts a chain on which the contract is not instantiated yet, at the given block time in Unix seconds.
    pub fn new(contract: &Contract, time: u64) -> Self {
        let mut env = mock_env();
        env.block.time = Timestamp::from_seconds(time);
        Self {
            contract: contract.clone(),
            storage: MemoryStorage::default(),
            env,
            last_gas: 0,
        }
    }

    /// Returns a valid address made from a name.
    pub fn address(name: &str) -> String {
        MockApi::default().addr_make(name)
    }

    /// Returns the contract's own address.
    pub fn contract_address(&self) -> &str {
        self.env.contract.address.as_str()
    }

    /// Makes the next block, at the given time in Unix seconds.
    pub fn next_block(&mut self, time: u64) {
        self.env.block.height += 1;
        self.env.block.time = Timestamp::from_seconds(time);
    }

    /// Returns the block time in Unix seconds.
    pub fn time(&self) -> u64 {
        self.env.block.time.seconds()
    }

    /// Returns every entry stored, in key order.
    pub fn dump(&self) -> Vec<Record> {
        self.storage.dump()
    }

    /// Returns the CosmWasm gas of the last call, without storage, which only a chain charges for.
    pub fn last_gas(&self) -> u64 {
        self.last_gas
    }

    /// Instantiates the contract.
    ///
    /// # Errors
    ///
    /// The contract refused or crashed.
    pub fn instantiate(&mut self, sender: &str, msg: &Value) -> Result<Response, Failure> {
        let info = sent_by(sender);
        self.call(msg, |vm, env, msg| call_instantiate(vm, env, &info, msg))
    }

    /// Executes a message.
    ///
    /// # Errors
    ///
    /// The contract refused or crashed.
    pub fn execute(&mut self, sender: &str, msg: &Value) -> Result<Response, Failure> {
        let info = sent_by(sender);
        self.call(msg, |vm, env, msg| call_execute(vm, env, &info, msg))
    }

    /// Migrates the contract to the code it has.
    ///
    /// # Errors
    ///
    /// The contract refused or crashed.
    pub fn migrate(&mut self, msg: &Value) -> Result<Response, Failure> {
        self.call(msg, call_migrate)
    }

    /// Asks the contract.
    ///
    /// # Errors
    ///
    /// The contract refused or crashed, or answered something that is not JSON.
    pub fn query(&mut self, msg: &Value) -> Result<Value, Failure> {
        let answer = self.call(msg, call_query)?;
        serde_json::from_slice(&answer).map_err(|error| Failure {
            kind: FailureKind::Machine,
            message: error.to_string(),
            wrote: false,
        })
    }

    fn call<T>(
        &mut self,
        msg: &Value,
        entry: impl FnOnce(&mut Machine, &Env, &[u8]) -> VmResult<ContractResult<T>>,
    ) -> Result<T, Failure> {
        let backend = Backend {
            api: MockApi::default(),
            storage: self.storage.clone(),
            querier: MockQuerier::new(&[]),
        };
        let store = Store::new(self.contract.engine.clone());
        let started = instance_from_module(store, &self.contract.module, backend, GAS_LIMIT, None);
        let mut vm = started.map_err(|error| crash(error.to_string(), false))?;
        let result = entry(&mut vm, &self.env, msg.to_string().as_bytes());
        self.last_gas = GAS_LIMIT - vm.get_gas_left();
        let mut after = vm
            .recycle()
            .ok_or_else(|| crash("the instance lost its storage".to_owned(), false))?
            .storage;
        after.close_iterators();
        let wrote = !after.same_entries(&self.storage);
        match result {
            Ok(ContractResult::Ok(value)) => {
                self.storage = after;
                Ok(value)
            }
            Ok(ContractResult::Err(message)) => Err(Failure {
                kind: FailureKind::Contract,
                message,
                wrote,
            }),
            Err(error) => Err(crash(error.to_string(), wrote)),
        }
    }
}

fn sent_by(sender: &str) -> MessageInfo {
    mock_info(sender, &[])
}

fn crash(message: String, wrote: bool) -> Failure {
    Failure {
        kind: FailureKind::Machine,
        message,
        wrote,
    }
}
