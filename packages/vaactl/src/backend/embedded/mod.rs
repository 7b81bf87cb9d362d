//! Runs the contract in this process, over a database file.
//!
//! [`Embedded`] is a chain of one account and one contract. cw-multi-test stands in for the
//! chain's wasm module; a buffered storage keeps what it writes in memory until the call has ended, and
//! then in one transaction of the database, with the block that the call made. So a process that
//! dies at any moment leaves the state of the last call that returned. [`Home`] keeps a second
//! process out.

mod error;
mod genesis;
mod home;
mod keyspace;
mod meta;
mod range;
mod recorder;
mod storage;
mod store;
#[cfg(test)]
mod tests;

pub use error::StoreError;
pub use genesis::{Code, Genesis};
pub use home::{DATABASE, Home};
pub use meta::{ChainState, CodeRecord, LAYOUT, StoreConfig};
use storage::BufferedStorage;

use std::path::Path;

use cosmwasm_std::testing::MockApi;
use cosmwasm_std::{
    Addr, Api, Binary, BlockInfo, CosmosMsg, Empty, QueryRequest, StdResult, Storage, Timestamp,
    WasmMsg, WasmQuery,
};
use cw_multi_test::{App, AppBuilder, AppResponse, BankKeeper, CosmosRouter, no_init};

use super::proto::bytes_field;
use super::{Backend, BackendError, Block, CallLimits, Executed};
use genesis::contract_address;
use keyspace::Keyspace;
use meta::ChainState as State;
use recorder::{Recorded, Refusal, words_of};
use store::{MetaEntry, Store};

/// How many bytes of VAAs go into one call: their memory is all that bounds it.
const BATCH_BYTES: usize = 4 << 20;

/// Names the account that signs every call of the embedded chain.
const OPERATOR: &str = "vaactl operator";

/// Runs one contract on a chain of its own, kept in a home directory.
pub struct Embedded {
    app: App<BankKeeper, MockApi, BufferedStorage>,
    state: State,
    config: StoreConfig,
    refusal: Refusal,
    operator: Addr,
    now: Timestamp,
    // Last, so that the database is closed before the next process may come in.
    _home: Option<Home>,
}

impl Embedded {
    /// Makes a chain in `home`, which must not hold one; on any error the home still holds none.
    ///
    /// The first of the codes is instantiated, with the operator as its admin.
    ///
    /// # Errors
    /// The contract's refusal, or why the home can not be used.
    pub fn create(
        home: &Path,
        codes: Vec<Code>,
        genesis: Genesis<'_>,
    ) -> Result<Self, BackendError> {
        let home = Home::create(home)?;
        let made = Store::create(&home.new_database())
            .map_err(BackendError::from)
            .and_then(|store| Self::begin(store, codes, genesis));
        let finished = made.and_then(|chain| {
            home.finish()?;
            Ok(chain)
        });
        match finished {
            Ok(chain) => Ok(Self {
                _home: Some(home),
                ..chain
            }),
            Err(error) => {
                home.abandon();
                Err(error)
            }
        }
    }

    /// Opens the chain in `home`.
    ///
    /// `now` is the time of the next block, unless the chain is past it: its time never goes back.
    ///
    /// # Errors
    /// Why the home can not be used, or that its codes are not `codes`.
    pub fn open(home: &Path, codes: Vec<Code>, now: Timestamp) -> Result<Self, StoreError> {
        let home = Home::open(home)?;
        let store = Store::open(&home.database())?;
        let chain = Self::resume(store, codes, now)?;
        Ok(Self {
            _home: Some(home),
            ..chain
        })
    }

    /// Moves the chain in `home`, whose code may be older, to `codes`, and runs the contract's migration.
    ///
    /// # Errors
    /// The contract's refusal, or why the home can not be used.
    pub fn migrate(
        home: &Path,
        codes: Vec<Code>,
        now: Timestamp,
        msg: &[u8],
    ) -> Result<(), BackendError> {
        let home = Home::open(home)?;
        let store = Store::open(&home.database())?;
        let state: State = store.meta("chain").map_err(BackendError::from)?;
        let config = store.meta("config").map_err(BackendError::from)?;
        let mut chain = Self::assemble(store, codes, state, config, now)?;
        let new_code_id = chain.state.codes.first().map_or(0, |code| code.id);
        let msg = WasmMsg::Migrate {
            contract_addr: chain.state.contract.clone(),
            new_code_id,
            msg: Binary::from(msg),
        };
        // The codes now running are recorded with the block of the call.
        chain.call(msg.into(), None, |_, _| Ok(()))?;
        drop(chain);
        drop(home);
        Ok(())
    }

    fn begin(store: Store, codes: Vec<Code>, genesis: Genesis<'_>) -> Result<Self, BackendError> {
        let state = State {
            height: 0,
            time: genesis.time,
            chain_id: genesis.chain_id.to_owned(),
            contract: contract_address()?,
            codes: Vec::new(),
        };
        let config = genesis.config;
        let mut chain = Self::assemble(store, codes, state, config, genesis.time)?;
        let code_id = chain.state.codes.first().map_or(0, |code| code.id);
        let msg = WasmMsg::Instantiate {
            admin: Some(chain.operator.to_string()),
            code_id,
            msg: Binary::from(genesis.msg),
            funds: Vec::new(),
            label: genesis.label.to_owned(),
        };
        let config = MetaEntry::new(chain.store().path(), "config", &chain.config)?;
        chain.call(msg.into(), Some(config), |response, state| {
            let data = response.data.as_deref().unwrap_or_default();
            let address = bytes_field(data, 1).map_err(|_| BackendError::ResponseData)?;
            // The store has been told of this address, and keeps its keys apart.
            if address == Some(state.contract.as_bytes()) {
                Ok(())
            } else {
                Err(BackendError::ResponseData)
            }
        })?;
        Ok(chain)
    }

    fn resume(store: Store, codes: Vec<Code>, now: Timestamp) -> Result<Self, StoreError> {
        let state: State = store.meta("chain")?;
        let config = store.meta("config")?;
        let recorded = state.codes.clone();
        let chain = Self::assemble(store, codes, state, config, now)?;
        chain.check_codes(&recorded)?;
        Ok(chain)
    }

    /// Registers the codes, always in the same order, so that each has its number again.
    fn assemble(
        store: Store,
        codes: Vec<Code>,
        state: State,
        config: StoreConfig,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let api = MockApi::default();
        let operator = api.addr_make(OPERATOR);
        let refusal = Refusal::default();
        let mut app = AppBuilder::new()
            .with_api(api)
            .with_storage(BufferedStorage::new(store, Keyspace::new(&state.contract))?)
            .build(no_init);
        let mut state = state;
        state.codes.clear();
        for Code {
            name,
            version,
            contract,
        } in codes
        {
            let recorded = Recorded {
                contract,
                refusal: refusal.clone(),
            };
            let id = app.store_code_with_creator(operator.clone(), Box::new(recorded));
            state.codes.push(CodeRecord {
                id,
                name: name.to_owned(),
                version: version.to_owned(),
            });
        }
        Ok(Self {
            app,
            state,
            config,
            refusal,
            operator,
            now,
            _home: None,
        })
    }

    fn check_codes(&self, recorded: &[CodeRecord]) -> Result<(), StoreError> {
        let mut running = self.state.codes.iter();
        let mut recorded = recorded.iter();
        loop {
            let pair = (recorded.next(), running.next());
            if pair.0 == pair.1 {
                match pair.0 {
                    Some(_) => continue,
                    None => return Ok(()),
                }
            }
            let text = |code: Option<&CodeRecord>| code.map_or("none".into(), |c| c.to_string());
            return Err(StoreError::Codes {
                id: pair.0.or(pair.1).map_or(0, |code| code.id),
                recorded: text(pair.0),
                running: text(pair.1),
            });
        }
    }

    /// Sets the time of the next block, unless the chain is past it.
    pub fn set_time(&mut self, now: Timestamp) {
        self.now = now;
    }

    /// Returns what is recorded about the registry.
    #[must_use]
    pub fn config(&self) -> &StoreConfig {
        &self.config
    }

    /// Returns where the chain stands.
    #[must_use]
    pub fn state(&self) -> &ChainState {
        &self.state
    }

    /// Returns the account that signs the calls of every embedded chain.
    #[must_use]
    pub fn operator_address() -> Addr {
        MockApi::default().addr_make(OPERATOR)
    }

    /// Returns the account that signs the calls.
    #[must_use]
    pub fn operator(&self) -> &Addr {
        &self.operator
    }

    /// Returns the contract's host functions, for work beside it.
    #[must_use]
    pub fn api(&self) -> &dyn Api {
        self.app.api()
    }

    /// Reads the contract's storage.
    ///
    /// # Errors
    /// A failure of the database, also one that `read` did not notice.
    pub fn with_storage<T>(&self, read: impl FnOnce(&dyn Storage) -> T) -> Result<T, StoreError> {
        self.app.storage().check()?;
        let contract = Addr::unchecked(&self.state.contract);
        let result = read(self.app.contract_storage(&contract).as_ref());
        match self.app.storage().fault() {
            Some(error) => Err(error),
            None => Ok(result),
        }
    }

    fn store(&self) -> &Store {
        self.app.storage().store()
    }

    fn time(&self) -> Timestamp {
        self.state.time.max(self.now)
    }

    fn block_at(&self, height: u64) -> BlockInfo {
        BlockInfo {
            height,
            time: self.time(),
            chain_id: self.state.chain_id.clone(),
        }
    }

    /// Runs one message in a block of its own; its effects are durable, or there are none.
    fn call(
        &mut self,
        msg: CosmosMsg,
        extra: Option<MetaEntry>,
        settle: impl FnOnce(&AppResponse, &mut State) -> Result<(), BackendError>,
    ) -> Result<AppResponse, BackendError> {
        self.app.storage().check()?;
        let block = self.block_at(self.state.height.saturating_add(1));
        let sender = self.operator.clone();
        self.refusal.take();
        // Not `App::execute`: the storage has its own way to undo a call, and needs no second copy
        // of every change.
        let result = self
            .app
            .init_modules(|router, api, storage| router.execute(api, storage, &block, sender, msg));
        let settled = self.outcome(result).and_then(|response| {
            let mut state = State {
                height: block.height,
                time: block.time,
                ..self.state.clone()
            };
            settle(&response, &mut state)?;
            let mut entries = vec![MetaEntry::new(self.store().path(), "chain", &state)?];
            entries.extend(extra);
            Ok((response, state, entries))
        });
        let storage = self.app.storage_mut();
        match settled {
            Ok((response, state, entries)) => {
                storage.flush(&entries)?;
                self.state = state;
                Ok(response)
            }
            Err(error) => {
                storage.discard();
                Err(error)
            }
        }
    }

    /// Prefers the store's own error over whatever the contract made of missing values.
    fn outcome<T>(&self, result: StdResult<T>) -> Result<T, BackendError> {
        if let Some(error) = self.app.storage().fault() {
            return Err(error.into());
        }
        result.map_err(|error| {
            let words = self.refusal.take().unwrap_or_else(|| words_of(&error));
            BackendError::contract(words)
        })
    }
}

impl Backend for Embedded {
    fn execute(&mut self, msg: &[u8]) -> Result<Executed, BackendError> {
        let msg = WasmMsg::Execute {
            contract_addr: self.state.contract.clone(),
            msg: Binary::from(msg),
            funds: Vec::new(),
        };
        let mut data = None;
        let response = self.call(msg.into(), None, |response, _| {
            let wrapped = response.data.as_deref().unwrap_or_default();
            let field = bytes_field(wrapped, 1).map_err(|_| BackendError::ResponseData)?;
            data = field.map(<[u8]>::to_vec);
            Ok(())
        })?;
        Ok(Executed {
            data,
            events: response.events,
            height: self.state.height,
            tx: None,
        })
    }

    fn query(&self, msg: &[u8]) -> Result<Vec<u8>, BackendError> {
        self.app.storage().check()?;
        let request: QueryRequest<Empty> = QueryRequest::Wasm(WasmQuery::Smart {
            contract_addr: self.state.contract.clone(),
            msg: Binary::from(msg),
        });
        let block = self.block_at(self.state.height);
        self.refusal.take();
        let result = self
            .app
            .read_module(|router, api, storage| router.query(api, storage, &block, request));
        Ok(self.outcome(result)?.into())
    }

    fn block(&self) -> Result<Block, BackendError> {
        let BlockInfo {
            height,
            time,
            chain_id,
        } = self.block_at(self.state.height);
        Ok(Block {
            height,
            time,
            chain_id,
        })
    }

    fn limits(&self) -> CallLimits {
        CallLimits {
            bytes: BATCH_BYTES,
            paid: false,
        }
    }
}
