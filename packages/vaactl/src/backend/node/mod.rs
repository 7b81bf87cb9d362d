//! Runs calls on a chain, through the RPC of one of its nodes.
//!
//! Every call is a transaction of its own: simulated, signed, noted in the `journal`, handed in, and awaited until it
//! is in a block. Queries and account look-ups go through the same RPC, so that one URL is all there is to know.

mod error;
mod journal;
mod price;
mod rpc;
mod tx;

pub use error::NodeError;
pub use price::GasPrice;
pub use tx::Signer;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use cosmrs::Any;
use cosmrs::crypto::secp256k1::SigningKey;
use cosmrs::proto::cosmos::auth::v1beta1::{
    Bech32PrefixRequest, Bech32PrefixResponse, QueryAccountInfoRequest, QueryAccountInfoResponse,
};
use cosmrs::proto::cosmos::tx::v1beta1::{SimulateRequest, SimulateResponse};
use cosmrs::proto::cosmwasm::wasm::v1::{
    MsgExecuteContract, MsgExecuteContractResponse, MsgInstantiateContract,
    MsgInstantiateContractResponse, MsgMigrateContract, MsgStoreCode, MsgStoreCodeResponse,
    QueryRawContractStateRequest, QueryRawContractStateResponse, QuerySmartContractStateRequest,
    QuerySmartContractStateResponse,
};
use cosmwasm_std::{Event, Timestamp};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use vaa_registry::contract::CONTRACT_NAME;

use super::{Backend, BackendError, Block, CallLimits, Executed, TxReport};
use journal::{Journal, Note};
use rpc::{Patience, QueryRefusal, Rpc, Status, TxAnswer, TxResult};
use tx::{Account, Fault, any, contract_words, fault, hash, hash_text, response, unknown_query};

/// How many bytes of VAAs go into one transaction. Nodes take requests of 1,000,000 bytes by default; base64 makes
/// 16 bytes of 9, twice: in the contract's JSON and in the request.
const BATCH_BYTES: usize = 400_000;
/// How often a call is put together anew when the account's sequence has moved.
const SEQUENCE_TRIES: usize = 5;
/// How often a block is looked for.
const POLL: Duration = Duration::from_millis(200);

/// Says which chain and contract are meant, and how transactions are paid for.
#[derive(Clone, Debug)]
pub struct NodeOptions {
    /// The RPC's URL.
    pub url: String,
    /// The contract's address; none where one is to be made.
    pub contract: Option<String>,
    /// The chain that the node must be on.
    pub chain_id: Option<String>,
    /// The price of gas.
    pub gas_price: GasPrice,
    /// How much more gas is paid for than simulated, as simulation falls short.
    pub gas_adjustment: f64,
    /// The most gas of a transaction, beside the chain's own limit.
    pub max_gas: Option<u64>,
    /// How long a node may be down, or a transaction out of a block.
    pub timeout: Duration,
    /// Where transactions on their way are noted.
    pub journal: PathBuf,
}

/// Speaks to one contract of a chain.
pub struct Node {
    rpc: Rpc,
    options: NodeOptions,
    chain_id: String,
    signing: Option<Signing>,
    block_gas: Option<Option<u64>>,
}

/// What is needed to send.
struct Signing {
    signer: Signer,
    journal: Journal,
    account: Option<Account>,
}

/// A transaction that is in a block.
#[derive(Clone, Debug)]
pub struct Included {
    /// The protobuf of its messages' responses.
    data: Vec<u8>,
    /// Its events.
    pub events: Vec<Event>,
    /// The block.
    pub height: u64,
    /// Its hash, and the gas that it used.
    pub report: TxReport,
}

impl Node {
    /// Finds the node and, if there is one, the contract. A key is needed to send, not to ask.
    ///
    /// # Errors
    /// A node that is down, behind, or on another chain; a contract that is none, or no registry; a journal that can
    /// not be read.
    pub fn connect(options: NodeOptions, key: Option<SigningKey>) -> Result<Self, BackendError> {
        let rpc = Rpc::new(&options.url, options.timeout)?;
        let Status {
            chain_id,
            height,
            catching_up,
            ..
        } = rpc.status()?;
        if let Some(wanted) = options.chain_id.as_ref().filter(|id| **id != chain_id) {
            return Err(NodeError::WrongChain {
                wanted: wanted.clone(),
                found: chain_id,
            }
            .into());
        }
        if catching_up {
            let url = rpc.url().to_owned();
            return Err(NodeError::CatchingUp { url, height }.into());
        }
        let mut node = Self {
            rpc,
            options,
            chain_id,
            signing: None,
            block_gas: None,
        };
        if let Some(contract) = node.options.contract.clone() {
            node.check_contract(&contract)?;
        }
        if let Some(key) = key {
            let signer = Signer::new(key, &node.prefix()?)?;
            let journal = Journal::new(&node.options.journal, &node.chain_id, &signer.address);
            node.signing = Some(Signing {
                signer,
                journal,
                account: None,
            });
            node.settle()?;
        }
        Ok(node)
    }

    /// Returns the chain's name.
    #[must_use]
    pub fn chain_id(&self) -> &str {
        &self.chain_id
    }

    /// Returns the address that signs.
    ///
    /// # Errors
    /// That there is no key.
    pub fn address(&self) -> Result<&str, NodeError> {
        Ok(&self.signing()?.signer.address)
    }

    /// Stores code, packed by gzip, and returns its number on the chain.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    pub fn store_code(&mut self, wasm: &[u8]) -> Result<(u64, Included), BackendError> {
        let sender = self.address()?.to_owned();
        // Chains unpack it, and take it so under the limits on a request.
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        let packed = packed.write_all(wasm).and_then(|()| packed.finish());
        let wasm_byte_code = packed.map_err(|error| NodeError::Make {
            reason: error.to_string(),
        })?;
        let done = self.send(any(&MsgStoreCode {
            sender,
            wasm_byte_code,
            instantiate_permission: None,
        }))?;
        let stored: MsgStoreCodeResponse = response(&done.data)?;
        Ok((stored.code_id, done))
    }

    /// Makes a contract of code, and returns its address, which is from now on the contract meant.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    pub fn instantiate(
        &mut self,
        code_id: u64,
        msg: &[u8],
        label: &str,
        admin: Option<String>,
    ) -> Result<(String, Included), BackendError> {
        let sender = self.address()?.to_owned();
        let done = self.send(any(&MsgInstantiateContract {
            sender,
            admin: admin.unwrap_or_default(),
            code_id,
            label: label.to_owned(),
            msg: msg.to_vec(),
            funds: Vec::new(),
        }))?;
        let made: MsgInstantiateContractResponse = response(&done.data)?;
        self.options.contract = Some(made.address.clone());
        Ok((made.address, done))
    }

    /// Moves the contract to other code.
    ///
    /// # Errors
    /// As [`Backend::execute`].
    pub fn migrate(&mut self, code_id: u64, msg: &[u8]) -> Result<Included, BackendError> {
        let sender = self.address()?.to_owned();
        let contract = self.contract()?.to_owned();
        self.send(any(&MsgMigrateContract {
            sender,
            contract,
            code_id,
            msg: msg.to_vec(),
        }))
    }

    fn contract(&self) -> Result<&str, NodeError> {
        self.options
            .contract
            .as_deref()
            .ok_or(NodeError::NoContract)
    }

    fn signing(&self) -> Result<&Signing, NodeError> {
        self.signing.as_ref().ok_or(NodeError::NoKey)
    }

    fn refused(path: &str, refusal: QueryRefusal) -> NodeError {
        NodeError::Refused {
            method: path.to_owned(),
            reason: format!("{} ({} {})", refusal.log, refusal.codespace, refusal.code),
        }
    }

    /// Returns what the chain's addresses begin with.
    fn prefix(&self) -> Result<String, NodeError> {
        const PATH: &str = "/cosmos.auth.v1beta1.Query/Bech32Prefix";
        let answer: Bech32PrefixResponse = self
            .rpc
            .query(PATH, &Bech32PrefixRequest {})?
            .map_err(|refusal| Self::refused(PATH, refusal))?;
        Ok(answer.bech32_prefix)
    }

    /// Refuses a contract that is no registry, by what cw2 keeps of it.
    fn check_contract(&self, address: &str) -> Result<(), NodeError> {
        const PATH: &str = "/cosmwasm.wasm.v1.Query/RawContractState";
        #[derive(Deserialize)]
        struct ContractVersion {
            contract: String,
        }
        let request = QueryRawContractStateRequest {
            address: address.to_owned(),
            query_data: b"contract_info".to_vec(),
        };
        let answer: Result<QueryRawContractStateResponse, _> = self.rpc.query(PATH, &request)?;
        let found = match answer {
            Ok(answer) => serde_json::from_slice(&answer.data)
                .map_or("unnamed".to_owned(), |found: ContractVersion| {
                    found.contract
                }),
            Err(refusal)
                if refusal.codespace == "wasm" || refusal.log.contains("no such contract") =>
            {
                return Err(NodeError::UnknownContract {
                    address: address.to_owned(),
                    chain: self.chain_id.clone(),
                });
            }
            Err(refusal) => return Err(Self::refused(PATH, refusal)),
        };
        if found == CONTRACT_NAME {
            return Ok(());
        }
        Err(NodeError::OtherContract {
            address: address.to_owned(),
            found,
            wanted: CONTRACT_NAME,
        })
    }

    fn account(&self) -> Result<Account, NodeError> {
        const PATH: &str = "/cosmos.auth.v1beta1.Query/AccountInfo";
        let address = self.address()?.to_owned();
        let request = QueryAccountInfoRequest {
            address: address.clone(),
        };
        let answer: Result<QueryAccountInfoResponse, _> = self.rpc.query(PATH, &request)?;
        let unknown = || NodeError::NoAccount {
            address,
            chain: self.chain_id.clone(),
        };
        match answer {
            Ok(answer) => {
                let info = answer.info.ok_or_else(unknown)?;
                Ok(Account {
                    number: info.account_number,
                    sequence: info.sequence,
                })
            }
            Err(refusal) if refusal.log.contains("not found") => Err(unknown()),
            Err(refusal) => Err(Self::refused(PATH, refusal)),
        }
    }

    /// Sees a transaction through that an earlier run of this program left on its way.
    fn settle(&mut self) -> Result<(), BackendError> {
        let Some(note) = self.signing()?.journal.read()? else {
            return Ok(());
        };
        let hash = hash(&note.tx);
        let gone = self.rpc.tx(&hash)?.is_some() || self.account()?.sequence > note.sequence;
        if !gone {
            // The chain takes it, or has refused it for good; what it did shows in the state either way.
            if let Ok(answer) = self.rpc.broadcast(&note.tx)?
                && (answer.code == 0 || (answer.codespace == "sdk" && answer.code == 19))
            {
                self.wait(&hash)?;
            }
        }
        self.signing()?.journal.clear()?;
        Ok(())
    }

    /// Runs one message in a transaction of its own, and waits for its block.
    fn send(&mut self, msg: Any) -> Result<Included, BackendError> {
        let mut tries = 0_usize;
        loop {
            match self.try_send(&msg)? {
                Ok(done) => {
                    if let Some(account) = self.signing.as_mut().and_then(|s| s.account.as_mut()) {
                        account.sequence = account.sequence.saturating_add(1);
                    }
                    return Ok(done);
                }
                Err(reason) => {
                    if let Some(signing) = &mut self.signing {
                        signing.account = None;
                    }
                    tries = tries.saturating_add(1);
                    if tries >= SEQUENCE_TRIES {
                        let address = self.address()?.to_owned();
                        return Err(NodeError::Sequence { address, reason }.into());
                    }
                    std::thread::sleep(POLL);
                }
            }
        }
    }

    /// As [`send`](Self::send); the inner error is that the account's sequence has moved.
    fn try_send(&mut self, msg: &Any) -> Result<Result<Included, String>, BackendError> {
        let account = match self.signing()?.account {
            Some(account) => account,
            None => {
                let account = self.account()?;
                if let Some(signing) = &mut self.signing {
                    signing.account = Some(account);
                }
                account
            }
        };
        let gas = match self.simulate(msg, account)? {
            Ok(gas) => gas,
            Err(reason) => return Ok(Err(reason)),
        };
        if let Some(most) = self.most_gas()?
            && gas > most
        {
            return Err(NodeError::TooMuchGas { needed: gas, most }.into());
        }
        let Signing {
            signer, journal, ..
        } = self.signing()?;
        let price = &self.options.gas_price;
        let tx = signer.sign(&self.chain_id, account, msg.clone(), gas, price)?;
        journal.write(&Note {
            sequence: account.sequence,
            tx: tx.clone(),
        })?;
        let handed = self.hand_in(&tx, gas)?;
        let included = match handed {
            Ok(()) => self.wait(&hash(&tx)),
            Err(reason) => {
                self.signing()?.journal.clear()?;
                return Ok(Err(reason));
            }
        };
        // A transaction that is in no block yet stays noted.
        match &included {
            Err(BackendError::Node(
                NodeError::NotIncluded { .. } | NodeError::Unreachable { .. },
            )) => {}
            _ => self.signing()?.journal.clear()?,
        }
        included.map(Ok)
    }

    /// Hands a transaction in, again and again while the mempool is full. The inner error is that the account's
    /// sequence has moved.
    fn hand_in(&self, tx: &[u8], gas: u64) -> Result<Result<(), String>, BackendError> {
        let mut patience = Patience::new(self.rpc.patience());
        let fee = format!(
            "{}{}",
            self.options.gas_price.of(gas),
            self.options.gas_price.denom
        );
        loop {
            let answer = self.rpc.broadcast(tx)?;
            let (codespace, code, log) = match answer {
                Ok(answer) if answer.code == 0 => return Ok(Ok(())),
                Ok(answer) => (answer.codespace, answer.code, answer.log),
                Err(words) => (String::new(), 0, words),
            };
            let address = self.address()?;
            match fault(&codespace, code, &log, address, &fee, tx.len()) {
                Fault::Known => return Ok(Ok(())),
                Fault::Sequence(reason) => return Ok(Err(reason)),
                Fault::Full(_) if patience.wait() => {}
                Fault::Full(reason) => {
                    self.signing()?.journal.clear()?;
                    return Err(NodeError::MempoolFull { reason }.into());
                }
                Fault::Error(error) => {
                    self.signing()?.journal.clear()?;
                    return Err(error);
                }
            }
        }
    }

    /// Returns the gas to pay for, or that the account's sequence has moved.
    fn simulate(&self, msg: &Any, account: Account) -> Result<Result<u64, String>, BackendError> {
        const PATH: &str = "/cosmos.tx.v1beta1.Service/Simulate";
        let signer = &self.signing()?.signer;
        let tx = signer.sign(
            &self.chain_id,
            account,
            msg.clone(),
            0,
            &self.options.gas_price,
        )?;
        let bytes = tx.len();
        let request = SimulateRequest {
            tx_bytes: tx,
            ..SimulateRequest::default()
        };
        // A node that was started just now has no block to simulate in before it has seen a new one.
        let mut patience = Patience::new(self.options.timeout);
        let answer: Result<SimulateResponse, QueryRefusal> = loop {
            match self.rpc.query(PATH, &request)? {
                Err(refusal)
                    if refusal.log.contains("time must never be empty") && patience.wait() => {}
                answer => break answer,
            }
        };
        match answer {
            Ok(answer) => {
                let used = answer.gas_info.unwrap_or_default().gas_used;
                // Past 2^53 the product is inexact, and far past the gas of any block.
                let wanted = (used as f64 * self.options.gas_adjustment).ceil();
                Ok(Ok(wanted as u64))
            }
            Err(refusal) => {
                let QueryRefusal {
                    codespace,
                    code,
                    log,
                } = refusal;
                if log.contains("out of gas") {
                    let most = self.options.max_gas.unwrap_or_default();
                    return Err(NodeError::TooMuchGas {
                        needed: u64::MAX,
                        most,
                    }
                    .into());
                }
                match fault(&codespace, code, &log, &signer.address, "", bytes) {
                    Fault::Sequence(reason) => Ok(Err(reason)),
                    Fault::Error(error) => Err(error),
                    Fault::Full(_) | Fault::Known => Err(Self::refused(
                        PATH,
                        QueryRefusal {
                            codespace,
                            code,
                            log,
                        },
                    )
                    .into()),
                }
            }
        }
    }

    /// Returns the most gas of a transaction.
    fn most_gas(&mut self) -> Result<Option<u64>, NodeError> {
        let block = match self.block_gas {
            Some(known) => known,
            None => *self.block_gas.insert(self.rpc.block_gas()?),
        };
        Ok([block, self.options.max_gas].into_iter().flatten().min())
    }

    /// Waits until a transaction is in a block, and takes what became of it.
    fn wait(&self, hash: &[u8]) -> Result<Included, BackendError> {
        let seconds = self.rpc.patience().as_secs();
        let begin = std::time::Instant::now();
        loop {
            if let Some(answer) = self.rpc.tx(hash)? {
                return self.outcome(hash_text(hash), answer);
            }
            if begin.elapsed() >= self.rpc.patience() {
                let hash = hash_text(hash);
                return Err(NodeError::NotIncluded { hash, seconds }.into());
            }
            std::thread::sleep(POLL);
        }
    }

    fn outcome(&self, hash: String, answer: TxAnswer) -> Result<Included, BackendError> {
        let TxAnswer {
            height,
            tx_result: result,
        } = answer;
        if result.code == 0 {
            let data = result.data.as_deref().unwrap_or_default();
            return Ok(Included {
                data: BASE64
                    .decode(data)
                    .map_err(|_| BackendError::ResponseData)?,
                events: tx::events(&result),
                height,
                report: TxReport {
                    hash,
                    gas_used: result.gas_used,
                    gas_wanted: result.gas_wanted,
                },
            });
        }
        let TxResult {
            code,
            codespace,
            log,
            gas_used: used,
            gas_wanted: wanted,
            ..
        } = result;
        if codespace == "sdk" && code == 11 {
            return Err(NodeError::OutOfGas { hash, used, wanted }.into());
        }
        match fault(&codespace, code, &log, self.address()?, "", 0) {
            Fault::Error(error) => Err(error),
            _ => Err(NodeError::Transaction {
                codespace,
                code,
                reason: log,
            }
            .into()),
        }
    }
}

impl Backend for Node {
    fn execute(&mut self, msg: &[u8]) -> Result<Executed, BackendError> {
        let sender = self.address()?.to_owned();
        let contract = self.contract()?.to_owned();
        let done = self.send(any(&MsgExecuteContract {
            sender,
            contract,
            msg: msg.to_vec(),
            funds: Vec::new(),
        }))?;
        let answer: MsgExecuteContractResponse = response(&done.data)?;
        Ok(Executed {
            data: (!answer.data.is_empty()).then_some(answer.data),
            events: done.events,
            height: done.height,
            tx: Some(done.report),
        })
    }

    fn query(&self, msg: &[u8]) -> Result<Vec<u8>, BackendError> {
        const PATH: &str = "/cosmwasm.wasm.v1.Query/SmartContractState";
        let request = QuerySmartContractStateRequest {
            address: self.contract()?.to_owned(),
            query_data: msg.to_vec(),
        };
        let answer: Result<QuerySmartContractStateResponse, _> = self.rpc.query(PATH, &request)?;
        match answer {
            Ok(answer) => Ok(answer.data),
            Err(refusal) => match contract_words(&refusal.log) {
                Some(words) => match unknown_query(&words) {
                    Some(query) => Err(NodeError::UnknownQuery { query }.into()),
                    None => Err(BackendError::contract(words)),
                },
                None => Err(Self::refused(PATH, refusal).into()),
            },
        }
    }

    fn block(&self) -> Result<Block, BackendError> {
        let Status {
            chain_id,
            height,
            time,
            ..
        } = self.rpc.status()?;
        let time: cosmrs::tendermint::Time = time.parse().map_err(|_| NodeError::Answer {
            url: self.rpc.url().to_owned(),
            method: "status",
            reason: format!("`{time}` is no time"),
        })?;
        let nanos = u64::try_from(time.unix_timestamp_nanos()).unwrap_or_default();
        Ok(Block {
            height,
            time: Timestamp::from_nanos(nanos),
            chain_id,
        })
    }

    fn limits(&self) -> CallLimits {
        CallLimits {
            bytes: BATCH_BYTES,
            paid: true,
        }
    }
}
