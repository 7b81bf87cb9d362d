//! Compiled contracts, and calls to them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cosmwasm_std::{Addr, ContractResult, Env, Response, Timestamp, to_json_vec};
use cosmwasm_vm::internals::{Logger, check_wasm, compile_module, instance_from_module};
use cosmwasm_vm::testing::{MockApi, MockQuerier, mock_env, mock_info};
use cosmwasm_vm::{
    Backend, BackendApi, BackendResult, GasInfo, Instance, VmError, VmResult, WasmLimits,
    call_execute_raw, call_instantiate_raw, call_query_raw, capabilities_from_csv,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasmer::{Engine, Module, Store};

use crate::cost::{Call, Cost, MULTIPLIER, event_gas, storage_gas};
use crate::storage::{Entries, MeteredStorage};

/// Far above what any call uses, so that none ends early.
const GAS_LIMIT: u64 = 1 << 62;

const CAPABILITIES: &str =
    "iterator,cosmwasm_1_1,cosmwasm_1_2,cosmwasm_1_3,cosmwasm_1_4,cosmwasm_2_0,cosmwasm_2_1";

/// What wasmd charges, in CosmWasm gas, for turning an address into bytes and into text.
const CANONICALIZE: u64 = 4 * MULTIPLIER;
const HUMANIZE: u64 = 5 * MULTIPLIER;

/// A contract that passed a chain's checks, compiled once and instantiated for each call.
#[derive(Clone, Debug)]
pub struct Contract {
    module: Module,
    engine: Engine,
}

/// Says why there is no contract to run.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file can not be read.
    #[error("no contract at {} ({reason}); scripts/gas.sh builds it", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A chain would not store it.
    #[error("a chain would refuse {}: {reason}", .path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the virtual machine said.
        reason: VmError,
    },
}

/// Says why a call came to nothing.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum CallError {
    /// The contract answered with an error.
    #[error("the contract refused: {0}")]
    Refused(String),
    /// The machine stopped the contract, or could not read its answer.
    #[error("the machine failed: {0}")]
    Failed(String),
}

impl From<VmError> for CallError {
    fn from(error: VmError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl Contract {
    /// Loads a wasm file.
    ///
    /// # Errors
    ///
    /// The file is missing, or a chain would refuse it.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let wasm = std::fs::read(path).map_err(|reason| LoadError::Read {
            path: path.to_owned(),
            reason,
        })?;
        let refused = |reason| LoadError::Refused {
            path: path.to_owned(),
            reason,
        };
        check_wasm(
            &wasm,
            &capabilities_from_csv(CAPABILITIES),
            &WasmLimits::default(),
            Logger::Off,
        )
        .map_err(refused)?;
        let (module, engine) = compile_module(&wasm, None).map_err(refused)?;
        Ok(Self { module, engine })
    }
}

/// What a call gave, and what it cost.
#[derive(Clone, Debug)]
pub struct Done<T> {
    /// The answer.
    pub answer: T,
    /// The gas.
    pub cost: Cost,
    /// Every call to the storage, in order.
    pub calls: Vec<Call>,
}

/// A contract with a state, on a chain of its own.
#[derive(Clone, Debug)]
pub struct Chain {
    contract: Contract,
    entries: Arc<Entries>,
    env: Env,
}

type Machine = Instance<PricedApi, MeteredStorage, MockQuerier>;

impl Chain {
    /// Starts a chain with these entries, at the given block time in Unix seconds.
    pub fn new(contract: &Contract, entries: Arc<Entries>, time: u64) -> Self {
        Self {
            contract: contract.clone(),
            entries,
            env: env(time),
        }
    }

    /// Returns all that is stored.
    pub fn entries(&self) -> &Arc<Entries> {
        &self.entries
    }

    /// Returns the block and the contract that calls see.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// Instantiates the contract; what it writes stays.
    ///
    /// # Errors
    ///
    /// The contract refused or crashed.
    pub fn instantiate(&mut self, msg: &impl Serialize) -> Result<Done<Response>, CallError> {
        let info = json(&mock_info("creator", &[]))?;
        let (done, entries) = self.respond(msg, |machine, env, msg| {
            call_instantiate_raw(machine, env, &info, msg)
        })?;
        self.entries = entries.into_entries();
        Ok(done)
    }

    /// Executes a message; what it writes stays.
    ///
    /// # Errors
    ///
    /// The contract refused or crashed.
    pub fn execute(&mut self, msg: &impl Serialize) -> Result<Done<Response>, CallError> {
        let (done, after) = self.executed(msg)?;
        self.entries = after.into_entries();
        Ok(done)
    }

    /// Executes a message and forgets what it wrote.
    ///
    /// # Errors
    ///
    /// The contract refused or crashed.
    pub fn try_execute(&self, msg: &impl Serialize) -> Result<Done<Response>, CallError> {
        self.executed(msg).map(|(done, _)| done)
    }

    /// Asks the contract.
    ///
    /// # Errors
    ///
    /// The contract refused or crashed, or answered something that is not JSON.
    pub fn query(&self, msg: &impl Serialize) -> Result<Done<Value>, CallError> {
        let (done, _) = self.call::<cosmwasm_std::Binary>(msg, call_query_raw)?;
        let answer = serde_json::from_slice(&done.answer)
            .map_err(|error| CallError::Failed(error.to_string()))?;
        Ok(Done {
            answer,
            cost: done.cost,
            calls: done.calls,
        })
    }

    fn executed(
        &self,
        msg: &impl Serialize,
    ) -> Result<(Done<Response>, MeteredStorage), CallError> {
        let info = json(&mock_info(SENDER, &[]))?;
        self.respond(msg, |machine, env, msg| {
            call_execute_raw(machine, env, &info, msg)
        })
    }

    fn respond(
        &self,
        msg: &impl Serialize,
        entry: impl FnOnce(&mut Machine, &[u8], &[u8]) -> VmResult<Vec<u8>>,
    ) -> Result<(Done<Response>, MeteredStorage), CallError> {
        let (mut done, after) = self.call::<Response>(msg, entry)?;
        done.cost.answer += event_gas(&done.answer.attributes, &done.answer.events);
        Ok((done, after))
    }

    fn call<T: DeserializeOwned>(
        &self,
        msg: &impl Serialize,
        entry: impl FnOnce(&mut Machine, &[u8], &[u8]) -> VmResult<Vec<u8>>,
    ) -> Result<(Done<T>, MeteredStorage), CallError> {
        let (env, msg) = (json(&self.env)?, json(msg)?);
        let backend = Backend {
            api: PricedApi::default(),
            storage: MeteredStorage::new(Arc::clone(&self.entries)),
            querier: MockQuerier::new(&[]),
        };
        let store = Store::new(self.contract.engine.clone());
        let mut machine =
            instance_from_module(store, &self.contract.module, backend, GAS_LIMIT, None)?;
        let answer = entry(&mut machine, &env, &msg)?;
        let report = machine.create_gas_report();
        let backend = machine.recycle();
        let Some(Backend { storage: after, .. }) = backend else {
            return Err(CallError::Failed("the instance lost its storage".into()));
        };
        let calls = after.calls();
        let storage = storage_gas(&calls);
        let used = report.used_internally + report.used_externally - storage * MULTIPLIER;
        let length = answer.len() as u64;
        let answer: ContractResult<T> = serde_json::from_slice(&answer)
            .map_err(|error| CallError::Failed(error.to_string()))?;
        let done = Done {
            answer: answer.into_result().map_err(CallError::Refused)?,
            cost: Cost {
                storage,
                compute: used / MULTIPLIER,
                answer: length,
            },
            calls,
        };
        Ok((done, after))
    }
}

const SENDER: &str = "cosmwasm1pgm8hyk0pvphmlvfjc8wsvk4daluz5tgrw6pu5mfpemk74uxnx9qlm3aqg";

/// Returns what a contract is told about the chain, at the given block time in Unix seconds.
pub fn env(time: u64) -> Env {
    let mut env = mock_env();
    env.block.time = Timestamp::from_seconds(time);
    env.contract.address = Addr::unchecked(MockApi::default().addr_make("contract"));
    env
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, CallError> {
    to_json_vec(value).map_err(|error| CallError::Failed(error.to_string()))
}

/// The addresses of a chain, at wasmd's prices.
#[derive(Clone, Copy, Default)]
struct PricedApi(MockApi);

impl BackendApi for PricedApi {
    fn addr_validate(&self, input: &str) -> BackendResult<()> {
        let (result, _) = self.0.addr_validate(input);
        (
            result,
            GasInfo::with_externally_used(CANONICALIZE + HUMANIZE),
        )
    }

    fn addr_canonicalize(&self, human: &str) -> BackendResult<Vec<u8>> {
        let (result, _) = self.0.addr_canonicalize(human);
        (result, GasInfo::with_externally_used(CANONICALIZE))
    }

    fn addr_humanize(&self, canonical: &[u8]) -> BackendResult<String> {
        let (result, _) = self.0.addr_humanize(canonical);
        (result, GasInfo::with_externally_used(HUMANIZE))
    }
}
