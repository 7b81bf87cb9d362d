//! Into a store: what a page is checked for, and all pages at once.

use cosmwasm_std::{Order, Storage, Uint64};

use super::{GenesisError, GenesisPage, GenesisRow, Imported};
use crate::{
    error::{OrmError, hex},
    raw::{Source, Span, WritePlan, lookup},
    staged::{Staged, commit},
};

/// How far an import has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// How many rows are imported.
    pub(super) rows: u64,
    /// The digest of the last page.
    pub(super) digest: u64,
    /// Whether that was the last page of all.
    pub(super) complete: bool,
    /// The key of the last row.
    pub(super) last: Vec<u8>,
}

/// Imports all pages of a table that has nothing in it, all or, on an error, nothing.
pub(super) fn import(
    shelves: &Imported,
    storage: &mut dyn Storage,
    pages: &[GenesisPage],
) -> Result<u64, OrmError> {
    require_empty(shelves, storage)?;
    let mut staged = Staged::new(storage);
    let mut place = Place::default();
    for page in pages {
        place = import_page(shelves, &mut staged, &place, page, false)?;
    }
    if !place.complete {
        return Err(fault(
            shelves.table,
            GenesisError::Unfinished { rows: place.rows },
        ));
    }
    let writes = staged.into_writes();
    commit(storage, writes);
    Ok(place.rows)
}

/// Stages the rows of the page after `place`, and the sequence; says where the next one is to begin. `in_use` says that
/// rows may have been written by others.
pub(super) fn import_page(
    shelves: &Imported,
    staged: &mut Staged<'_>,
    place: &Place,
    page: &GenesisPage,
    in_use: bool,
) -> Result<Place, OrmError> {
    check_page(shelves, place, page).map_err(|source| fault(shelves.table, source))?;
    let mut last = (place.rows > 0).then(|| place.last.clone());
    for row in &page.rows {
        check_row(shelves, page, last.as_deref(), row)
            .map_err(|source| fault(shelves.table, source))?;
        if in_use {
            require_absent(shelves, staged, row)?;
        }
        for (shelf, value) in shelves.shelves.iter().zip(&row.values) {
            if let Some(value) = value {
                let mut plan = WritePlan::default();
                shelf.plan_restore(staged, &row.key, value, &mut plan)?;
                staged.apply(plan);
            }
        }
        last = Some(row.key.to_vec());
    }
    if let (Some(sequence), Some(value)) = (&shelves.sequence, page.sequence) {
        // Ids given meanwhile, or by a table that was emptied since, are not to be given again.
        if sequence.stored(staged)?.is_none_or(|now| now < value.u64()) {
            staged.set(&sequence.key(), &value.u64().to_be_bytes());
        }
    }
    Ok(Place {
        rows: page.end(),
        digest: page.digest.u64(),
        complete: page.total.is_some(),
        last: last.unwrap_or_default(),
    })
}

fn check_page(shelves: &Imported, place: &Place, page: &GenesisPage) -> Result<(), GenesisError> {
    if page.table != shelves.table {
        return Err(GenesisError::OtherTable {
            found: page.table.clone(),
        });
    }
    let (first, expected) = (page.first.u64(), place.rows);
    if first < expected {
        return Err(GenesisError::Repeated { first, expected });
    }
    if first > expected {
        return Err(GenesisError::OutOfOrder { first, expected });
    }
    if place.complete {
        return Err(GenesisError::AfterLast);
    }
    if page.digest != page.digest_after(Uint64::new(place.digest)) {
        return Err(GenesisError::Digest { first });
    }
    match (&shelves.sequence, page.sequence) {
        (None, Some(_)) => return Err(GenesisError::UnexpectedSequence),
        (Some(_), None) if !page.rows.is_empty() => return Err(GenesisError::NoSequence),
        _ => {}
    }
    match page.total {
        Some(total) if total.u64() != page.end() => Err(GenesisError::Total {
            total: total.u64(),
            rows: page.end(),
        }),
        _ => Ok(()),
    }
}

fn check_row(
    shelves: &Imported,
    page: &GenesisPage,
    last: Option<&[u8]>,
    row: &GenesisRow,
) -> Result<(), GenesisError> {
    if let Some(last) = last
        && row.key.as_slice() <= last
    {
        return Err(GenesisError::RowOrder {
            key: hex(&row.key),
            before: hex(last),
        });
    }
    let (found, expected) = (row.values.len(), shelves.shelves.len());
    if found != expected {
        return Err(GenesisError::Values {
            key: hex(&row.key),
            found,
            expected,
        });
    }
    if row.values.iter().all(Option::is_none) {
        return Err(GenesisError::NoValue { key: hex(&row.key) });
    }
    if shelves.sequence.is_some() {
        confirm_id(&row.key, page.sequence.map(|sequence| sequence.u64()))?;
    }
    Ok(())
}

/// Refuses an id that the sequence would give again. Bytes that are no id are refused as a row's key, elsewhere.
pub(super) fn confirm_id(id: &[u8], sequence: Option<u64>) -> Result<(), GenesisError> {
    let sequence = sequence.unwrap_or_default();
    match <[u8; 8]>::try_from(id).map(u64::from_be_bytes) {
        Ok(id) if id > sequence => Err(GenesisError::SequenceBehind { sequence, id }),
        _ => Ok(()),
    }
}

/// Refuses a table with a row, or with an entry in a kept index. A sequence may be left.
pub(super) fn require_empty(shelves: &Imported, storage: &dyn Storage) -> Result<(), OrmError> {
    let rows = shelves.shelves.iter().map(|shelf| shelf.meta().namespace);
    let entries = shelves.indexes().map(|index| (index.name, index.namespace));
    for (what, namespace) in rows.map(|namespace| ("rows", namespace)).chain(entries) {
        let mut found = namespace.open(storage, &Span::default(), Order::Ascending);
        if found.next().is_some() {
            return Err(OrmError::NotEmpty {
                table: shelves.table,
                what,
            });
        }
    }
    Ok(())
}

fn require_absent(
    shelves: &Imported,
    storage: &dyn Storage,
    row: &GenesisRow,
) -> Result<(), OrmError> {
    for shelf in &shelves.shelves {
        let key = shelf.meta().namespace.key(&row.key);
        if lookup(storage, shelves.probe, &key).is_some() {
            return Err(OrmError::AlreadyExists {
                table: shelves.table,
                key: hex(&row.key),
            });
        }
    }
    Ok(())
}

pub(super) fn fault(table: &'static str, source: GenesisError) -> OrmError {
    OrmError::Genesis { table, source }
}
