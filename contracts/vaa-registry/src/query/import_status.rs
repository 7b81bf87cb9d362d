//! How far the import of a genesis is.

use cosmwasm_std::{Order, Uint64};

use super::Context;
use crate::{
    error::ContractError,
    execute::{imported_tables, pages_of},
    msg::{GenesisTable, ImportStatusResponse},
    state::Owed,
};

/// The most unproved things that are told.
const MAX_TOLD: usize = 10;

#[inline(never)]
pub(super) fn import_status(context: &Context<'_>) -> Result<ImportStatusResponse, ContractError> {
    let storage = context.deps.storage;
    let importing = context.config.importing;
    let mut status = ImportStatusResponse {
        importing,
        next: None,
        rows: Uint64::zero(),
        unproved: Vec::new(),
    };
    if !importing {
        return Ok(status);
    }
    let tables = usize::from(imported_tables(storage)?);
    status.next = GenesisTable::ALL.get(tables).copied();
    if let Some(table) = status.next.filter(|table| *table != GenesisTable::Config) {
        let state = pages_of(table, &context.config)?.state(storage)?;
        status.rows = state.map(|state| state.rows).unwrap_or_default();
    }
    let owed = Owed::TABLE.all().rows(storage, Order::Ascending);
    for owed in owed.limit(MAX_TOLD) {
        status.unproved.push(owed?.what());
    }
    Ok(status)
}
