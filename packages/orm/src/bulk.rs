//! Deleting many rows, in bounded steps that can be interrupted and taken up again.
//!
//! A step looks for its rows first and deletes them then, so that no scan is open while something is written. All of a
//! step's rows go together with their index entries, or, on an error, none. Between steps the table is in use.

mod families;
mod select;
mod tables;

use cosmwasm_std::{Binary, Order, Storage};
use cw_schema::Schemaifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    error::OrmError,
    page::DEFAULT_SCAN_BUDGET,
    raw::{Source, Span, WritePlan},
    shelf::{Shelves, Values},
    staged::{Staged, commit},
};

/// What one step of a bulk delete did, and whether there is another to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct Deleted {
    /// How many rows were deleted.
    pub rows: u32,
    /// How many rows or index entries were looked at, those deleted among them.
    pub passed: u32,
    /// How many index entries without a row were removed as well; only by `clear`, and only from a damaged table.
    #[serde(default)]
    pub stray_entries: u32,
    /// Whether there is more to look at: another step is to be made.
    pub more: bool,
    /// What the next step of a `delete_where` is given, to go on after the last row looked at; present if there is more.
    /// Absent for `clear` and `delete_prefix`, which leave nothing standing before the place they have come to.
    #[serde(default)]
    pub next_key: Option<Binary>,
}

/// Refuses a step of nothing, which would never end; and keeps a step within bounds.
fn bounded(table: &'static str, limit: u32) -> Result<u32, OrmError> {
    match limit {
        0 => Err(OrmError::ZeroLimit { table }),
        limit => Ok(limit.min(DEFAULT_SCAN_BUDGET)),
    }
}

/// Deletes the first rows of `span`. With `broken_too` also those that cannot be read.
fn delete_span(
    shelves: &Shelves,
    storage: &mut dyn Storage,
    span: &Span,
    limit: u32,
    broken_too: bool,
) -> Result<Deleted, OrmError> {
    let limit = bounded(shelves.table, limit)?;
    let mut found: Vec<Values> = Vec::new();
    let mut deleted = Deleted::default();
    for row in shelves.source().open(storage, span, Order::Ascending) {
        if deleted.rows == limit {
            deleted.more = true;
            break;
        }
        found.push(row);
        deleted.rows = deleted.rows.saturating_add(1);
    }
    deleted.passed = deleted.rows;
    delete_rows(shelves, storage, &found, broken_too)?;
    Ok(deleted)
}

/// Deletes every row and then every index entry left over.
fn clear(shelves: &Shelves, storage: &mut dyn Storage, limit: u32) -> Result<Deleted, OrmError> {
    let mut deleted = delete_span(shelves, storage, &Span::default(), limit, true)?;
    let mut room = bounded(shelves.table, limit)?.saturating_sub(deleted.rows);
    if deleted.more {
        return Ok(deleted);
    }
    // Rows that could not be read have left their entries; in a sound table there are none.
    let mut strays = WritePlan::default();
    for index in shelves.indexes() {
        for (key, _) in index
            .namespace
            .open(storage, &Span::default(), Order::Ascending)
        {
            if room == 0 {
                deleted.more = true;
                break;
            }
            room = room.saturating_sub(1);
            strays.remove(index.namespace.key(&key));
            deleted.stray_entries = deleted.stray_entries.saturating_add(1);
        }
    }
    deleted.passed = deleted.passed.saturating_add(deleted.stray_entries);
    strays.apply(storage);
    Ok(deleted)
}

/// Deletes these rows, all or, on an error, none.
fn delete_rows(
    shelves: &Shelves,
    storage: &mut dyn Storage,
    rows: &[Values],
    broken_too: bool,
) -> Result<(), OrmError> {
    let mut staged = Staged::new(storage);
    for (id, values) in rows {
        for (shelf, value) in shelves.shelves.iter().zip(values) {
            let Some(value) = value else { continue };
            // Each value is planned on what the ones before it leave, as an index may count.
            let mut plan = WritePlan::default();
            shelf.plan_remove(&staged, id, value, broken_too, &mut plan)?;
            staged.apply(plan);
        }
    }
    let writes = staged.into_writes();
    commit(storage, writes);
    Ok(())
}
