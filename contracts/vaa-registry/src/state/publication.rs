//! Publications that no guardian attested, from publishers that the admin registered.

use cw_orm::Table;
use wormhole_vaa::{Address, Body, MessageId};

/// Someone who may publish.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "publishers", ns = "b", limits(default = 10, max = 30))]
#[unique(id = 1, name = by_address, with = active_address, key_type = String)]
#[index(id = 2, name = by_revoked, with = revoked, key_type = bool)]
pub struct Publisher {
    /// Its number; an address that is registered again gets a new one.
    #[pk(auto)]
    pub id: u64,
    /// Its account.
    pub address: String,
    /// The Wormhole chain whose messages it may publish.
    pub emitter_chain: u16,
    /// The one emitter whose messages it may publish; any of the chain, if none.
    pub emitter_address: Option<[u8; 32]>,
    /// The most rows it may have.
    pub quota: u32,
    /// How many it has.
    pub rows: u32,
    /// Whether it is revoked, and there only until its rows are gone.
    pub revoked: bool,
}

fn active_address(publisher: &Publisher) -> Vec<String> {
    if publisher.revoked {
        Vec::new()
    } else {
        vec![publisher.address.clone()]
    }
}

fn revoked(publisher: &Publisher) -> Vec<bool> {
    if publisher.revoked {
        vec![true]
    } else {
        Vec::new()
    }
}

/// A publication, as its publisher says.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "publications", ns = "u", limits(default = 10, max = 30))]
pub struct Publication {
    /// The emitter's Wormhole chain id.
    #[pk]
    pub emitter_chain: u16,
    /// The emitter's address.
    #[pk]
    pub emitter_address: [u8; 32],
    /// The emitter's sequence number.
    #[pk]
    pub sequence: u64,
    /// The number of the publisher.
    #[index(id = 1)]
    #[pk]
    pub publisher: u64,
    /// The emitter's time, in Unix seconds.
    pub timestamp: u32,
    /// The emitter's nonce.
    pub nonce: u32,
    /// How final the emitter's block had to be.
    pub consistency_level: u8,
    /// The payload.
    #[serde(with = "serde_bytes")]
    pub payload: Vec<u8>,
    /// The transaction that published the message; none if the publisher does not say.
    pub tx_id: Option<Vec<u8>>,
    /// The time of the block in which it was stored, in Unix seconds.
    pub time: u64,
}

impl Publication {
    /// Returns the message's id.
    #[must_use]
    pub const fn id(&self) -> MessageId {
        MessageId {
            chain: self.emitter_chain,
            emitter: Address(self.emitter_address),
            sequence: self.sequence,
        }
    }

    /// Returns the body that guardians would sign.
    #[must_use]
    pub fn body(&self) -> Body {
        Body {
            timestamp: self.timestamp,
            nonce: self.nonce,
            emitter_chain: self.emitter_chain,
            emitter_address: Address(self.emitter_address),
            sequence: self.sequence,
            consistency_level: self.consistency_level,
            payload: self.payload.clone(),
        }
    }
}
