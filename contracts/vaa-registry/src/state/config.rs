//! The registry's settings, read by every message.

use cosmwasm_std::Storage;
use cw_orm::{FamilyRow, FamilyTable, IndexSet, Key, OrmError, Table};
use serde::{Deserialize, Serialize};
use wormhole_vaa::{Address, GOVERNANCE_CHAIN, GOVERNANCE_EMITTER};

use super::{Message, MessageKey};
use crate::{
    error::ContractError,
    msg::{IndexFlags, IndexName, Limits},
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
    /// Whether a genesis is being imported, so that nothing else is stored.
    pub importing: bool,
    /// The index that is being built, for one that was not kept from the start.
    pub building: Option<IndexBuild>,
}

/// An index that is being built: rows up to a key are in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexBuild {
    /// The index's bit.
    pub index: IndexBits,
    /// The encoded key of the last row that is in it; empty before the first.
    #[serde(with = "serde_bytes")]
    pub after: Vec<u8>,
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

    /// Reads the settings to change something, which an import refuses.
    ///
    /// # Errors
    /// [`ContractError::Importing`], and as [`load`](Self::load).
    pub fn load_open(storage: &dyn Storage) -> Result<Self, ContractError> {
        let config = Self::load(storage)?;
        if config.importing {
            return Err(ContractError::Importing);
        }
        Ok(config)
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

    /// Returns the messages table with the indexes to answer from.
    #[must_use]
    pub const fn messages(&self) -> FamilyTable<Message> {
        Message::TABLE.with_indexes(self.indexes.set())
    }

    /// Returns the messages table with the indexes to keep for a row: those to answer from, and the one that is being
    /// built, if it has come to the row.
    ///
    /// # Errors
    /// None for a key that a message has.
    pub fn messages_to_write(
        &self,
        key: &MessageKey,
    ) -> Result<FamilyTable<Message>, ContractError> {
        let mut kept = self.indexes;
        if let Some(build) = &self.building {
            let id = key.encode(<Message as FamilyRow>::META.key_rule);
            let id = id.map_err(|source| OrmError::Key {
                table: <Message as FamilyRow>::META.name,
                source,
            })?;
            if id <= build.after {
                kept = kept.and(build.index);
            }
        }
        Ok(Message::TABLE.with_indexes(kept.set()))
    }

    /// Whether messages can be found by transaction id, or will be: entries are written from the first step of building
    /// on, since writing one twice is harmless.
    #[must_use]
    pub fn keeps_tx_ids(&self) -> bool {
        let building = self.building.as_ref();
        self.indexes.tx_id() || building.is_some_and(|build| build.index.tx_id())
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
const GOVERNANCE_MODULE: u32 = 64;
const CHAIN_TOTALS: u32 = 128;
const EMITTER_TOTALS: u32 = 256;
const DAY_TOTALS: u32 = 512;

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
            governance_module: self.has(GOVERNANCE_MODULE),
            chain_totals: self.has(CHAIN_TOTALS),
            emitter_totals: self.has(EMITTER_TOTALS),
            day_totals: self.has(DAY_TOTALS),
        }
    }

    /// Returns the bit of one index.
    #[must_use]
    pub const fn of(index: IndexName) -> Self {
        Self(match index {
            IndexName::Time => TIME,
            IndexName::ChainTime => CHAIN_TIME,
            IndexName::EmitterTime => EMITTER_TIME,
            IndexName::GuardianSet => GUARDIAN_SET,
            IndexName::Recipient => RECIPIENT,
            IndexName::TxId => TX_ID,
            IndexName::GovernanceModule => GOVERNANCE_MODULE,
            IndexName::ChainTotals => CHAIN_TOTALS,
            IndexName::EmitterTotals => EMITTER_TOTALS,
            IndexName::DayTotals => DAY_TOTALS,
        })
    }

    /// Returns the name of the one index whose bit this is; `None` if it is not one bit.
    #[must_use]
    pub fn name(self) -> Option<IndexName> {
        let mut all = IndexName::ALL.into_iter();
        all.find(|name| Self::of(*name) == self)
    }

    /// Returns these and others.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether all of the others are among these.
    #[must_use]
    pub const fn contains(self, others: Self) -> bool {
        self.0 & others.0 == others.0
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
            (GOVERNANCE_MODULE, Message::BY_GOVERNANCE_MODULE.id()),
            (CHAIN_TOTALS, Message::CHAIN_TOTALS.id()),
            (EMITTER_TOTALS, Message::EMITTER_TOTALS.id()),
            (DAY_TOTALS, Message::DAY_TOTALS.id()),
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
                | bit(flags.tx_id, TX_ID)
                | bit(flags.governance_module, GOVERNANCE_MODULE)
                | bit(flags.chain_totals, CHAIN_TOTALS)
                | bit(flags.emitter_totals, EMITTER_TOTALS)
                | bit(flags.day_totals, DAY_TOTALS),
        )
    }
}
