//! Importing another registry's state, page by page, and sealing it.
//!
//! Whatever can be verified again is: every VAA under the guardian set that it names, expiry aside; every guardian set but
//! the trusted ones by the upgrade that brought it, and each upgrade under the set before; every pending signature, and
//! who signed before it; that a replaced set counts for a day, and no longer. Block heights and times, claims of
//! transactions, publications and the book-keeping of limits cannot be: they are the admin's word, as far as rows that
//! build on each other agree.

mod check;

use cosmwasm_std::{DepsMut, Env, Event, MessageInfo, Order, Response, Storage};
use cw_orm::{GenesisPage, OrmError, PagedImport};

use self::check::Check;
use super::admin::check_admin;
use crate::{
    error::ContractError,
    msg::GenesisTable,
    state::{
        Config, Conflict, Emitter, FurtherDigest, GuardianSetEntry, Import, Observation, Owed,
        PendingBody, PruneCursor, Publication, Publisher, Superseded, TxClaim, TxMessage,
        Undecided,
    },
};

/// Imports the next page.
#[inline(never)]
pub(crate) fn import(
    deps: DepsMut<'_>,
    env: &Env,
    info: &MessageInfo,
    page: &GenesisPage,
) -> Result<Response, ContractError> {
    let DepsMut { storage, api, .. } = deps;
    check_admin(storage, info)?;
    let config = importing(storage)?;
    let tables = imported_tables(storage)?;
    let table = next_table(tables)?;
    if page.table != table.as_str() {
        return Err(ContractError::ImportOrder {
            expected: table.as_str(),
            found: page.table.clone(),
        });
    }
    let complete = if table == GenesisTable::Config {
        check::import_config(storage, &config, page)?;
        true
    } else {
        let pages = pages_of(table, &config)?;
        let rows = pages.state(storage)?.map_or(0, |state| state.rows.u64());
        // The last page given again changes nothing; any other than the next one is refused below.
        if page.first.u64() == rows {
            let mut check = Check::new(storage, api, &config, env.block.time.seconds());
            page.rows.iter().try_for_each(|row| check.row(table, row))?;
        }
        pages.put(storage, page)?.complete
    };
    if complete {
        end_of_table(storage, table, &config)?;
        let row = Import {
            id: 0,
            tables: tables.saturating_add(1),
        };
        Import::TABLE.upsert(storage, row)?;
    }
    let rows = page.rows.len();
    Ok(Response::new().add_event(
        Event::new("genesis_imported")
            .add_attribute("table", table.as_str())
            .add_attribute("rows", rows.to_string())
            .add_attribute("complete", complete.to_string()),
    ))
}

/// Ends the import: from here on, the registry is one as any other.
#[inline(never)]
pub(crate) fn seal(deps: DepsMut<'_>, info: &MessageInfo) -> Result<Response, ContractError> {
    let storage = deps.storage;
    check_admin(storage, info)?;
    let config = importing(storage)?;
    let tables = imported_tables(storage)?;
    if let Some(next) = GenesisTable::ALL.get(usize::from(tables)) {
        let what = format!("the table {}", next.as_str());
        return Err(ContractError::ImportIncomplete { what });
    }
    if let Some(owed) = Owed::TABLE.all().first(storage)? {
        let what = owed.what();
        return Err(ContractError::ImportIncomplete { what });
    }
    Import::TABLE.delete(storage, &0)?;
    let config = Config {
        importing: false,
        ..config
    };
    Config::TABLE.update(storage, config)?;
    Ok(Response::new().add_event(Event::new("genesis_sealed")))
}

/// Reads the settings of a registry that is importing, and refuses any other.
fn importing(storage: &dyn Storage) -> Result<Config, ContractError> {
    let config = Config::load(storage)?;
    match config.importing {
        true => Ok(config),
        false => Err(ContractError::NotImporting),
    }
}

/// Returns how many tables are imported.
pub(crate) fn imported_tables(storage: &dyn Storage) -> Result<u8, ContractError> {
    let import = Import::TABLE.get(storage, &0)?;
    Ok(import.map_or(0, |import| import.tables))
}

fn next_table(tables: u8) -> Result<GenesisTable, ContractError> {
    let next = GenesisTable::ALL.get(usize::from(tables)).copied();
    next.ok_or_else(|| ContractError::ImportOrder {
        expected: "none: all are imported, and can be sealed",
        found: "another".into(),
    })
}

/// Returns the import of a table other than the settings, which are there already.
#[inline(never)]
pub(crate) fn pages_of(table: GenesisTable, config: &Config) -> Result<PagedImport, OrmError> {
    match table {
        GenesisTable::Config => Config::TABLE.import_by_page(),
        GenesisTable::GuardianSets => GuardianSetEntry::TABLE.import_by_page(),
        GenesisTable::Emitters => Emitter::TABLE.import_by_page(),
        GenesisTable::Messages => config.messages().import_by_page(),
        GenesisTable::Superseded => Superseded::TABLE.import_by_page(),
        GenesisTable::Conflicts => Conflict::TABLE.import_by_page(),
        GenesisTable::PendingBodies => PendingBody::TABLE.import_by_page(),
        GenesisTable::Observations => Observation::TABLE.import_by_page(),
        GenesisTable::FurtherDigests => FurtherDigest::TABLE.import_by_page(),
        GenesisTable::Undecided => Undecided::TABLE.import_by_page(),
        GenesisTable::PruneCursor => PruneCursor::TABLE.import_by_page(),
        GenesisTable::TxClaims => TxClaim::TABLE.import_by_page(),
        GenesisTable::TxMessages => TxMessage::TABLE.import_by_page(),
        GenesisTable::Publishers => Publisher::TABLE.import_by_page(),
        GenesisTable::Publications => Publication::TABLE.import_by_page(),
    }
}

#[inline(never)]
fn end_of_table(
    storage: &mut dyn Storage,
    table: GenesisTable,
    config: &Config,
) -> Result<(), ContractError> {
    if table == GenesisTable::Config {
        return Ok(());
    }
    if table == GenesisTable::GuardianSets {
        let last = GuardianSetEntry::TABLE
            .all()
            .ids(storage, Order::Descending)
            .first()?;
        let current = config.current_guardian_set;
        if last != Some((current, 1)) {
            let what = format!("the guardian set {current}, which is current");
            return Err(ContractError::ImportIncomplete { what });
        }
    }
    let rows = pages_of(table, config)?.finish(storage)?;
    match table {
        GenesisTable::Emitters => check::end_of_emitters(storage, rows),
        GenesisTable::Messages => check::end_of_messages(storage),
        _ => Ok(()),
    }
}
