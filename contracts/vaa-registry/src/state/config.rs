//! The registry's settings, read by every message.

use cosmwasm_std::Storage;
use cw_orm::{IndexSet, Table};
use serde::{Deserialize, Serialize};
use wormhole_vaa::{Address, GOVERNANCE_CHAIN, GOVERNANCE_EMITTER};

use super::Message;
use crate::{
    error::ContractError,
    msg::{IndexFlags, Limits},
};

/// The one row of settings.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "config", ns = "c")]
pub struct Config {
    /// Always 0: there is one row.
    #[pk]
    pub id: u8,
    /// The Wormhole chain id of this chain.
    pub this_chain: u16,
    /// The chain and address of the governance emitter; none, if it is Wormhole's own.
    pub governance: Option<(u16, [u8; 32])>,
    /// The current guardian set's index.
    pub current_guardian_set: u32,
    /// The indexes kept.
    pub indexes: IndexBits,
    /// The most VAAs in a message.
    pub batch_limit: u32,
    /// The most bytes of a payload.
    pub payload_limit: u32,
    /// The most rows that a query passes.
    pub scan_budget: u32,
    /// Whether nothing is stored but guardian set upgrades.
    pub paused: bool,
}

impl Config {
    /// Reads the settings. One scan of one entry, which costs a third of a read.
    ///
    /// # Errors
    /// [`ContractError::NotSetUp`], [`ContractError::Storage`].
    pub fn load(storage: &dyn Storage) -> Result<Self, ContractError> {
        let found = Self::TABLE.all().first(storage)?;
        found.ok_or(ContractError::NotSetUp)
    }

    /// Returns the emitter whose messages change the guardian set.
    #[must_use]
    pub fn governance_emitter(&self) -> (u16, Address) {
        match self.governance {
            Some((chain, address)) => (chain, Address(address)),
            None => (GOVERNANCE_CHAIN, GOVERNANCE_EMITTER),
        }
    }

    /// Whether this is the emitter whose messages change the guardian set.
    #[must_use]
    pub fn is_governance(&self, chain: u16, emitter: &Address) -> bool {
        self.governance_emitter() == (chain, *emitter)
    }

    /// Returns the limits.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        Limits {
            batch: self.batch_limit,
            payload: self.payload_limit,
            scan_budget: self.scan_budget,
        }
    }
}

/// The indexes kept, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexBits(u32);

const TIME: u32 = 1;
const CHAIN_TIME: u32 = 2;
const EMITTER_TIME: u32 = 4;
const GUARDIAN_SET: u32 = 8;
const RECIPIENT: u32 = 16;
const TX_ID: u32 = 32;

impl IndexBits {
    const fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }

    /// Returns the flags.
    #[must_use]
    pub const fn flags(self) -> IndexFlags {
        IndexFlags {
            time: self.has(TIME),
            chain_time: self.has(CHAIN_TIME),
            emitter_time: self.has(EMITTER_TIME),
            guardian_set: self.has(GUARDIAN_SET),
            recipient: self.has(RECIPIENT),
            tx_id: self.has(TX_ID),
        }
    }

    /// Whether messages are found by transaction id, which has a table of its own.
    #[must_use]
    pub const fn tx_id(self) -> bool {
        self.has(TX_ID)
    }

    /// Returns the messages table's indexes that are kept.
    #[must_use]
    pub const fn set(self) -> IndexSet {
        let mut set = IndexSet::NONE;
        let all = [
            (TIME, Message::BY_TIME.id()),
            (CHAIN_TIME, Message::BY_CHAIN_TIME.id()),
            (EMITTER_TIME, Message::BY_EMITTER_TIME.id()),
            (GUARDIAN_SET, Message::BY_GUARDIAN_SET.id()),
            (RECIPIENT, Message::BY_RECIPIENT.id()),
        ];
        let mut rest: &[(u32, u8)] = &all;
        while let [(bit, id), tail @ ..] = rest {
            if self.has(*bit) {
                set = set.with(*id);
            }
            rest = tail;
        }
        set
    }
}

impl From<&IndexFlags> for IndexBits {
    fn from(flags: &IndexFlags) -> Self {
        let bit = |on, bit| if on { bit } else { 0 };
        Self(
            bit(flags.time, TIME)
                | bit(flags.chain_time, CHAIN_TIME)
                | bit(flags.emitter_time, EMITTER_TIME)
                | bit(flags.guardian_set, GUARDIAN_SET)
                | bit(flags.recipient, RECIPIENT)
                | bit(flags.tx_id, TX_ID),
        )
    }
}
