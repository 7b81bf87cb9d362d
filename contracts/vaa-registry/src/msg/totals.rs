//! What is answered in numbers: totals, and sequences that are missing; and lists by phase.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::Uint64;
use cw_orm::PageResponse;

/// A page of missing sequences.
#[cw_serde]
pub struct MissingSequencesResponse {
    /// Ranges without a registered message, in order; they do not touch each other, unless a page ends between them.
    pub ranges: Vec<SequenceRange>,
    /// What comes next.
    pub page: PageResponse,
}

/// A range of sequences.
#[cw_serde]
#[derive(Copy, Eq)]
pub struct SequenceRange {
    /// The first.
    pub first: Uint64,
    /// The last, which is included.
    pub last: Uint64,
}

/// A page of chains.
#[cw_serde]
pub struct ChainTotalsResponse {
    /// The chains that have messages, by id.
    pub totals: Vec<ChainTotal>,
    /// What comes next.
    pub page: PageResponse,
}

/// How many messages of a chain are registered.
#[cw_serde]
#[derive(Copy, Eq)]
pub struct ChainTotal {
    /// The Wormhole chain id.
    pub chain: u16,
    /// How many messages it has. Of messages that claim one id, the one that stands counts.
    pub messages: Uint64,
}

/// A page of emitters.
#[cw_serde]
pub struct EmitterTotalsResponse {
    /// The emitters that have messages, by chain and address.
    pub totals: Vec<EmitterTotal>,
    /// What comes next.
    pub page: PageResponse,
}

/// How many messages of an emitter are registered.
#[cw_serde]
#[derive(Eq)]
pub struct EmitterTotal {
    /// The emitter's Wormhole chain id.
    pub chain: u16,
    /// The emitter's address, 32 bytes in hex.
    pub emitter: String,
    /// How many messages it has. Of messages that claim one id, the one that stands counts.
    pub messages: Uint64,
}

/// A page of days.
#[cw_serde]
pub struct DayTotalsResponse {
    /// The days that have messages, in order.
    pub totals: Vec<DayTotal>,
    /// What comes next.
    pub page: PageResponse,
}

/// How many messages of a day are registered.
#[cw_serde]
#[derive(Copy, Eq)]
pub struct DayTotal {
    /// The first second of the day in UTC, in Unix time. The day is that of the time which emitters wrote.
    pub day: u32,
    /// How many messages it has. Of messages that claim one id, the one that stands counts.
    pub messages: Uint64,
}

/// A phase that can be listed.
#[cw_serde]
#[derive(Copy, Eq)]
pub enum ListedPhase {
    /// Only publishers say that it was published.
    Published,
    /// Guardians have signed it, but no quorum.
    Observed,
    /// It is registered.
    Quorum,
}

/// A page of messages of a phase.
#[cw_serde]
pub struct MessagesByPhaseResponse {
    /// The messages.
    pub messages: Vec<MessageOfPhase>,
    /// What comes next.
    pub page: PageResponse,
}

/// A message of a phase.
#[cw_serde]
pub struct MessageOfPhase {
    /// Its id, `chain/emitter/sequence`.
    pub id: String,
    /// The digest in hex: of the registered message, or of a body that guardians signed, where each has an entry.
    pub digest: String,
}
