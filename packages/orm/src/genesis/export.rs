//! Out of a store, page by page.

use cosmwasm_std::{Binary, Order, Storage, Uint64};

use super::{Exported, GenesisPage, GenesisRow};
use crate::{
    cursor::Cursor,
    error::OrmError,
    page::DEFAULT_SCAN_BUDGET,
    raw::{Source, Span},
};

use super::import::{confirm_id, fault};

const PURPOSE: &[u8] = b"export";

/// Returns the page that begins where `key` says. The key also carries how many rows went before, and their digest.
pub(super) fn export(
    shelves: &Exported,
    storage: &dyn Storage,
    key: Option<&Binary>,
    limit: u32,
) -> Result<GenesisPage, OrmError> {
    if limit == 0 {
        return Err(OrmError::ZeroLimit {
            table: shelves.table,
        });
    }
    let limit = usize::try_from(limit.min(DEFAULT_SCAN_BUDGET)).unwrap_or(usize::MAX);
    let (order, scope) = (Order::Ascending, shelves.scope(PURPOSE));
    let (mut first, mut before, mut span) = (0, 0, Span::default());
    if let Some(key) = key.filter(|key| !key.is_empty()) {
        let place = Cursor::open(key, scope, order, &|_| true)?;
        let (rows, rest) = number(&place)?;
        let (digest, last) = number(rest)?;
        (first, before) = (rows, digest);
        span = span.after(last.to_vec(), order);
    }
    let sequence = match &shelves.sequence {
        Some(sequence) => sequence.stored(storage)?,
        None => None,
    };
    let (mut rows, mut more) = (Vec::new(), false);
    for (id, values) in shelves.source().open(storage, &span, order) {
        if rows.len() == limit {
            more = true;
            break;
        }
        for (shelf, value) in shelves.shelves.iter().zip(&values) {
            if let Some(value) = value {
                shelf.confirm(&id, value)?;
            }
        }
        if shelves.sequence.is_some() {
            confirm_id(&id, sequence).map_err(|source| fault(shelves.table, source))?;
        }
        rows.push(GenesisRow {
            key: id.into(),
            values: values
                .into_iter()
                .map(|value| value.map(Into::into))
                .collect(),
        });
    }
    let mut page = GenesisPage {
        table: shelves.table.into(),
        first: Uint64::new(first),
        rows,
        sequence: sequence.map(Uint64::new),
        total: None,
        digest: Uint64::zero(),
        next_key: None,
    };
    if !more {
        page.total = Some(Uint64::new(page.end()));
    }
    page.digest = page.digest_after(Uint64::new(before));
    if let Some(last) = page.rows.last().filter(|_| more) {
        let place = [
            &page.end().to_be_bytes()[..],
            &page.digest.u64().to_be_bytes(),
            last.key.as_slice(),
        ];
        page.next_key = Some(Cursor::seal(scope, order, &place.concat()));
    }
    Ok(page)
}

fn number(bytes: &[u8]) -> Result<(u64, &[u8]), OrmError> {
    let (number, rest) = bytes.split_first_chunk().ok_or(OrmError::MalformedCursor)?;
    Ok((u64::from_be_bytes(*number), rest))
}
