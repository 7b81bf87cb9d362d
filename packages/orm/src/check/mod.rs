//! The integrity check: whether rows, index entries and sequence of a table agree, in bounded steps.
//!
//! Each row is read and asked, by [`Indexable::entries`], for its index entries, which must be there as they are; each
//! entry is asked, by [`Indexable::trace`], for its row, which must be there and have it. Sums are added up. Whatever is
//! stored, the check reports it and goes on.

mod fault;
mod tables;
mod walk;

pub use fault::{CheckReport, Fault};

use cosmwasm_std::{Storage, Uint64};

use crate::{
    error::hex,
    index::{Indexable, Trace},
    row::{Record, from_value},
    shelf::RecordShelf,
};

/// Tells what is wrong with a stored row, and with its index entries as seen from it.
pub(crate) fn row<R: Record>(
    shelf: &RecordShelf<R>,
    storage: &dyn Storage,
    id: &[u8],
    value: &[u8],
    faults: &mut Vec<Fault>,
) {
    let (table, key) = (R::META.name.to_owned(), hex(id));
    let primary = match RecordShelf::<R>::key(id) {
        Ok(primary) => primary,
        Err(error) => {
            let reason = error.to_string();
            return faults.push(Fault::MalformedKey { table, key, reason });
        }
    };
    let row = match from_value::<R>(id, &primary, value) {
        Ok(row) => row,
        Err(error) => {
            let reason = error.to_string();
            return faults.push(Fault::MalformedRow { table, key, reason });
        }
    };
    if let Some(carried) = shelf.other_id(id, &row) {
        faults.push(Fault::OtherKey {
            table: table.clone(),
            key: key.clone(),
            carried: hex(&carried),
        });
    }
    if let Err(reason) = row.validate() {
        faults.push(Fault::InvalidRow {
            table: table.clone(),
            key: key.clone(),
            reason,
        });
    }
    // An index that is being built has entries of the rows up to where it is.
    let live = match shelf.table.indexes(storage, id) {
        Ok(live) => live,
        Err(error) => {
            let reason = error.to_string();
            return faults.push(Fault::InvalidRow { table, key, reason });
        }
    };
    for index in live {
        let (table, key, name) = (table.clone(), key.clone(), index.name().to_owned());
        let entries = match index.entries(&shelf.subject(id, &primary), &row) {
            Ok(entries) => entries,
            Err(error) => {
                faults.push(Fault::IndexFailed {
                    table,
                    index: name,
                    key,
                    reason: error.to_string(),
                });
                continue;
            }
        };
        for (entry, expected) in entries {
            let stored = storage.get(&index.namespace().key(&entry));
            let sums = matches!(index.trace(&entry, &expected), Trace::Sum(_));
            let (table, index, key) = (table.clone(), name.clone(), key.clone());
            let entry = hex(&entry);
            match stored {
                None => faults.push(Fault::MissingEntry {
                    table,
                    index,
                    key,
                    entry,
                }),
                Some(stored) if !sums && stored != expected => faults.push(Fault::WrongEntry {
                    table,
                    index,
                    key,
                    entry,
                }),
                Some(_) => {}
            }
        }
    }
}

/// Tells what is wrong with an index entry, as seen from it. A row that cannot be read is told of elsewhere.
pub(crate) fn entry<R: Record>(
    shelf: &RecordShelf<R>,
    index: usize,
    storage: &dyn Storage,
    key: &[u8],
    value: &[u8],
    faults: &mut Vec<Fault>,
) {
    let Some(index) = shelf.index(index) else {
        return;
    };
    let (table, name) = (R::META.name.to_owned(), index.name().to_owned());
    let id = match index.trace(key, value) {
        Trace::Row(id) => id,
        Trace::Malformed => {
            let entry = hex(key);
            return faults.push(Fault::MalformedEntry {
                table,
                index: name,
                entry,
            });
        }
        Trace::Sum(_) | Trace::Unknown => return,
    };
    let accounted = match storage.get(&R::META.namespace.key(id)) {
        None => false,
        Some(value) => match RecordShelf::<R>::read(id, &value) {
            Err(_) => true,
            Ok((primary, row)) => index
                .entries(&shelf.subject(id, &primary), &row)
                .is_ok_and(|entries| entries.iter().any(|(entry, _)| entry == key)),
        },
    };
    if !accounted {
        faults.push(Fault::StrayEntry {
            table,
            index: name,
            key: hex(id),
            entry: hex(key),
        });
    }
}

/// Returns the sum that an entry holds, if it holds one.
pub(crate) fn sum<R: Record>(index: &dyn Indexable<R>, key: &[u8], value: &[u8]) -> Option<u64> {
    match index.trace(key, value) {
        Trace::Sum(sum) => Some(sum),
        _ => None,
    }
}

/// Returns what a stored row adds to the sums of an index; `None` if it cannot be read.
pub(crate) fn sums_of<R: Record>(
    shelf: &RecordShelf<R>,
    storage: &dyn Storage,
    index: usize,
    id: &[u8],
    value: &[u8],
) -> Option<Vec<(Vec<u8>, u64)>> {
    let index = shelf.index(index)?;
    // A counter that is being built counts the rows up to where it is.
    let mut live = shelf.table.indexes(storage, id).ok()?;
    live.find(|live| live.id() == index.id())?;
    let (primary, row) = RecordShelf::<R>::read(id, value).ok()?;
    let entries = index.entries(&shelf.subject(id, &primary), &row).ok()?;
    let added = |(key, value): (Vec<u8>, Vec<u8>)| {
        let sum = sum(index, &key, &value)?;
        Some((key, sum))
    };
    Some(entries.into_iter().filter_map(added).collect())
}

/// Makes the fault of a sum that is not what its rows add up to.
fn wrong_sum(
    table: &str,
    index: &str,
    key: &[u8],
    stored: Option<u64>,
    rows: u64,
) -> Option<Fault> {
    let stored = stored.unwrap_or(0);
    (stored != rows).then(|| Fault::WrongSum {
        table: table.to_owned(),
        index: index.to_owned(),
        entry: hex(key),
        stored: Uint64::new(stored),
        rows: Uint64::new(rows),
    })
}
