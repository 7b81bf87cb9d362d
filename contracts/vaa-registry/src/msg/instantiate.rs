//! What a registry is made of, fixed when it is instantiated.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::Uint64;

/// Creates a registry.
#[cw_serde]
pub struct InstantiateMsg {
    /// The Wormhole chain id of the chain that the registry lives on: governance for this chain, or for all, is applied.
    pub this_chain: u16,
    /// The guardian sets known from the start, by rising index without gaps. The last is the current one.
    pub guardian_sets: Vec<GuardianSetInit>,
    /// The emitter whose messages change the guardian set; Wormhole's own, if absent.
    pub governance: Option<GovernanceEmitter>,
    /// The indexes to keep, each of which costs every stored VAA 3,300 to 4,300 gas; all, if absent.
    pub indexes: Option<IndexFlags>,
    /// The account that may set limits, pause, and register publishers, but never change a guardian set, the governance
    /// emitter or a verified message; nobody, if absent.
    pub admin: Option<String>,
    /// The limits; their defaults, if absent.
    pub limits: Option<Limits>,
    /// Whether the registry begins with the import of another one's state, by the admin, which has to be there. Nothing
    /// else is stored until the admin seals the import. The guardian sets then are those that are trusted without proof;
    /// the import brings the others, each proved by its upgrade.
    #[serde(default)]
    pub import: bool,
}

/// A guardian set to start with.
#[cw_serde]
pub struct GuardianSetInit {
    /// The set's index.
    pub index: u32,
    /// The guardians' addresses, 20 bytes in hex each: 1 to 255, none zero, none twice.
    pub addresses: Vec<String>,
    /// The last second, in Unix time, in which the set's signatures count. Required on every set but the last, and at
    /// most 86,400 s after the block; absent on the last.
    pub expires_at: Option<Uint64>,
}

/// The emitter of governance messages.
#[cw_serde]
pub struct GovernanceEmitter {
    /// Its Wormhole chain id.
    pub chain: u16,
    /// Its address, 32 bytes in hex.
    pub address: String,
}

/// The indexes that a registry keeps beside the key and the digest. A query that needs an absent one is refused.
#[cw_serde]
pub struct IndexFlags {
    /// Messages by time.
    pub time: bool,
    /// Messages of a chain by time.
    pub chain_time: bool,
    /// Messages of an emitter by time.
    pub emitter_time: bool,
    /// Messages by guardian set.
    pub guardian_set: bool,
    /// Token transfers by recipient.
    pub recipient: bool,
    /// Messages by the transaction that guardians say published them; off, if absent.
    #[serde(default)]
    pub tx_id: bool,
    /// Governance messages by module and action; off, if absent.
    #[serde(default)]
    pub governance_module: bool,
    /// How many messages each chain has; off, if absent.
    #[serde(default)]
    pub chain_totals: bool,
    /// How many messages each emitter has, which also tells the totals of its pages; off, if absent.
    #[serde(default)]
    pub emitter_totals: bool,
    /// How many messages each day has; off, if absent.
    #[serde(default)]
    pub day_totals: bool,
}

/// An index that a registry may keep: a name of [`IndexFlags`].
#[cw_serde]
#[derive(Copy, Eq)]
pub enum IndexName {
    /// Messages by time.
    Time,
    /// Messages of a chain by time.
    ChainTime,
    /// Messages of an emitter by time.
    EmitterTime,
    /// Messages by guardian set.
    GuardianSet,
    /// Token transfers by recipient.
    Recipient,
    /// Messages by transaction.
    TxId,
    /// Governance messages by module and action.
    GovernanceModule,
    /// How many messages each chain has.
    ChainTotals,
    /// How many messages each emitter has.
    EmitterTotals,
    /// How many messages each day has.
    DayTotals,
}

impl IndexName {
    /// Every index.
    pub const ALL: [Self; 10] = [
        Self::Time,
        Self::ChainTime,
        Self::EmitterTime,
        Self::GuardianSet,
        Self::Recipient,
        Self::TxId,
        Self::GovernanceModule,
        Self::ChainTotals,
        Self::EmitterTotals,
        Self::DayTotals,
    ];

    /// Returns its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::ChainTime => "chain_time",
            Self::EmitterTime => "emitter_time",
            Self::GuardianSet => "guardian_set",
            Self::Recipient => "recipient",
            Self::TxId => "tx_id",
            Self::GovernanceModule => "governance_module",
            Self::ChainTotals => "chain_totals",
            Self::EmitterTotals => "emitter_totals",
            Self::DayTotals => "day_totals",
        }
    }
}

impl IndexFlags {
    /// Every index.
    pub const ALL: Self = Self {
        time: true,
        chain_time: true,
        emitter_time: true,
        guardian_set: true,
        recipient: true,
        tx_id: true,
        governance_module: true,
        chain_totals: true,
        emitter_totals: true,
        day_totals: true,
    };

    /// No index but the key and the digest.
    pub const NONE: Self = Self {
        time: false,
        chain_time: false,
        emitter_time: false,
        guardian_set: false,
        recipient: false,
        tx_id: false,
        governance_module: false,
        chain_totals: false,
        emitter_totals: false,
        day_totals: false,
    };
}

/// Bounds on what one call may do.
#[cw_serde]
pub struct Limits {
    /// The most VAAs, observations or publications in one message; default 50.
    pub batch: u32,
    /// The most bytes of a payload; default 65,536. Guardian set upgrades pass whatever it is.
    pub payload: u32,
    /// The most rows that one query passes to count, skip or filter; default 1,000.
    pub scan_budget: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            batch: 50,
            payload: 65_536,
            scan_budget: 1_000,
        }
    }
}

/// Moves a registry to this code.
#[cw_serde]
pub struct MigrateMsg {}
