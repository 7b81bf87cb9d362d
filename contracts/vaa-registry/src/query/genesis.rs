//! A registry's state, out in pages.

use cosmwasm_std::Binary;
use cw_orm::GenesisPage;

use super::Context;
use crate::{
    error::ContractError,
    msg::{GenesisTable, IndexName},
    state::{
        Config, Conflict, Emitter, FurtherDigest, GuardianSetEntry, Observation, PendingBody,
        PruneCursor, Publication, Publisher, Superseded, TxClaim, TxMessage, Undecided,
    },
};

/// How many rows a page has.
const DEFAULT_ROWS: u32 = 10;
/// How many it can have.
const MAX_ROWS: u32 = 30;
#[inline(never)]
pub(super) fn export(
    context: &Context<'_>,
    table: GenesisTable,
    key: Option<&Binary>,
    limit: Option<u32>,
) -> Result<GenesisPage, ContractError> {
    let config = &context.config;
    if let Some(build) = &config.building {
        let index = build.index.name().map_or("unknown", IndexName::as_str);
        return Err(ContractError::IndexBeingBuilt { index });
    }
    let limit = match limit {
        Some(0) => return Err(ContractError::NoRows),
        limit => limit.unwrap_or(DEFAULT_ROWS).min(MAX_ROWS),
    };
    let storage = context.deps.storage;
    Ok(match table {
        GenesisTable::Config => Config::TABLE.export(storage, key, limit),
        GenesisTable::GuardianSets => GuardianSetEntry::TABLE.export(storage, key, limit),
        GenesisTable::Emitters => Emitter::TABLE.export(storage, key, limit),
        GenesisTable::Messages => context.messages().export(storage, key, limit),
        GenesisTable::Superseded => Superseded::TABLE.export(storage, key, limit),
        GenesisTable::Conflicts => Conflict::TABLE.export(storage, key, limit),
        GenesisTable::PendingBodies => PendingBody::TABLE.export(storage, key, limit),
        GenesisTable::Observations => Observation::TABLE.export(storage, key, limit),
        GenesisTable::FurtherDigests => FurtherDigest::TABLE.export(storage, key, limit),
        GenesisTable::Undecided => Undecided::TABLE.export(storage, key, limit),
        GenesisTable::PruneCursor => PruneCursor::TABLE.export(storage, key, limit),
        GenesisTable::TxClaims => TxClaim::TABLE.export(storage, key, limit),
        GenesisTable::TxMessages => TxMessage::TABLE.export(storage, key, limit),
        GenesisTable::Publishers => Publisher::TABLE.export(storage, key, limit),
        GenesisTable::Publications => Publication::TABLE.export(storage, key, limit),
    }?)
}
