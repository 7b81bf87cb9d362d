use cosmwasm_std::Timestamp;
use serde::{Deserialize, Serialize};

/// Identifies the layout of the database file.
///
/// Three tables: `contract`, the contract's keys and values, as the contract writes them; `chain`, all
/// others, as cw-multi-test writes them; and `meta`, text keys to JSON: `layout` (this text), `chain`
/// ([`ChainState`], rewritten by every call) and `config` ([`StoreConfig`]).
pub const LAYOUT: &str = "vaactl-embedded/1";

/// Records where the embedded chain stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainState {
    /// Height of the last block.
    pub height: u64,
    /// Time of the last block.
    pub time: Timestamp,
    /// Identifier of the chain.
    pub chain_id: String,
    /// Address of the registry contract.
    pub contract: String,
    /// The codes, in the order in which they are registered.
    pub codes: Vec<CodeRecord>,
}

/// Records one contract code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeRecord {
    /// Number of the code.
    pub id: u64,
    /// Name of the contract.
    pub name: String,
    /// Version of the contract.
    pub version: String,
}

impl std::fmt::Display for CodeRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{} {}`", self.name, self.version)
    }
}

/// Records how the registry in a store was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreConfig {
    /// Name of the network whose guardian sets it began with; none for sets from a file.
    pub network: Option<String>,
    /// Whether time in this store follows history.
    pub replay: bool,
    /// Wormhole id of the chain that the registry stands on.
    pub this_chain: u16,
    /// Chain of the governance emitter.
    pub governance_chain: u16,
    /// Address of the governance emitter, in lower-case hex.
    pub governance_emitter: String,
}
