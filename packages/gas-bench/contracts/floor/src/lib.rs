//! The benchmark's row packed by hand, straight on the storage: as few bytes and calls as the operations can do with.
//!
//! | | key | value |
//! | --- | --- | --- |
//! | row | `00`, sequence | columns, without the key |
//! | by guardian set | `01`, set, sequence | `01` |
//! | by transaction | `02`, transaction id | sequence |
//!
//! Whether a key is there is asked by a scan of it alone, and an entry of the unique index is read so.

pub mod pack;

use bench_interface::{Message, PAGE, Page, Peer, bytes32};
use cosmwasm_std::{Order, Record, StdError, StdResult, Storage, Uint64};
use pack::{pack, unpack};

const ROW: u8 = 0;
const SET: u8 = 1;
const TX: u8 = 2;

/// The rows.
pub struct Floor;

bench_interface::contract!(crate::Floor);

/// Returns a key: a tag and what follows it.
pub fn key(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = Vec::with_capacity(48);
    key.push(tag);
    parts.iter().for_each(|part| key.extend_from_slice(part));
    key
}

/// Returns the key of a row.
pub fn row_key(tag: u8, sequence: u64) -> Vec<u8> {
    key(tag, &[&sequence.to_be_bytes()])
}

/// Returns the key of an entry of the index of guardian sets.
pub fn set_key(set: u32, sequence: u64) -> Vec<u8> {
    key(SET, &[&set.to_be_bytes(), &sequence.to_be_bytes()])
}

/// Returns the key of an entry of the index of transactions.
pub fn tx_key(tx: &[u8]) -> Vec<u8> {
    key(TX, &[tx])
}

/// Reads a key by a scan of it alone.
pub fn probe(storage: &dyn Storage, key: &[u8]) -> Option<Vec<u8>> {
    let mut end = Vec::with_capacity(key.len() + 1);
    end.extend_from_slice(key);
    end.push(0);
    let mut found = storage.range(Some(key), Some(&end), Order::Ascending);
    found.next().map(|(_, value)| value)
}

/// Returns the keys that begin with a prefix, with their values.
pub fn scan<'s>(
    storage: &'s dyn Storage,
    prefix: &[u8],
    order: Order,
) -> Box<dyn Iterator<Item = Record> + 's> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < 0xff {
            end.push(last + 1);
            break;
        }
    }
    storage.range(Some(prefix), Some(&end), order)
}

/// Returns the sequence at the end of a key, or that is a value.
///
/// # Errors
///
/// There are fewer than eight bytes.
pub fn sequence(bytes: &[u8]) -> StdResult<u64> {
    match bytes.last_chunk() {
        Some(tail) => Ok(u64::from_be_bytes(*tail)),
        None => Err(StdError::msg("a key is too short")),
    }
}

/// Returns a page of entries, which starts after the last sequence of the one before.
///
/// # Errors
///
/// Those of `map`.
pub fn page<T>(
    mut entries: impl Iterator<Item = Record>,
    mut map: impl FnMut(u64, Vec<u8>) -> StdResult<T>,
) -> StdResult<Page<T>> {
    let mut items = Vec::with_capacity(PAGE);
    let mut last = 0;
    while items.len() < PAGE {
        let Some((key, value)) = entries.next() else {
            return Ok(Page { items, next: None });
        };
        last = sequence(&key)?;
        items.push(map(last, value)?);
    }
    let next = entries.next().map(|_| last.to_be_bytes().into());
    Ok(Page { items, next })
}

fn missing() -> StdError {
    StdError::msg("no row")
}

/// Checks that nobody has a transaction id.
///
/// # Errors
///
/// Somebody has it.
pub fn free(storage: &dyn Storage, tx: &[u8]) -> StdResult<()> {
    match probe(storage, &tx_key(tx)) {
        Some(_) => Err(StdError::msg("transaction taken")),
        None => Ok(()),
    }
}

/// Moves a row from one guardian set to another, in the index.
pub fn move_set(storage: &mut dyn Storage, sequence: u64, from: u32, to: u32) {
    if from != to {
        storage.remove(&set_key(from, sequence));
        storage.set(&set_key(to, sequence), &[1]);
    }
}

impl Peer for Floor {
    fn insert(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        let key = row_key(ROW, row.sequence);
        if probe(storage, &key).is_some() {
            return Err(StdError::msg("key taken"));
        }
        let tx = bytes32(&row.initiating_tx_id)?;
        free(storage, &tx)?;
        storage.set(&key, &pack(&row)?);
        storage.set(&set_key(row.guardian_set_index, row.sequence), &[1]);
        storage.set(&tx_key(&tx), &row.sequence.to_be_bytes());
        Ok(())
    }

    fn update(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        let key = row_key(ROW, row.sequence);
        let old = storage.get(&key).ok_or_else(missing)?;
        let new = pack(&row)?;
        if old == new {
            return Ok(());
        }
        let old = unpack(row.sequence, &old)?;
        if old.initiating_tx_id != row.initiating_tx_id {
            free(storage, &row.initiating_tx_id)?;
            storage.remove(&tx_key(&old.initiating_tx_id));
            storage.set(&tx_key(&row.initiating_tx_id), &row.sequence.to_be_bytes());
        }
        move_set(
            storage,
            row.sequence,
            old.guardian_set_index,
            row.guardian_set_index,
        );
        storage.set(&key, &new);
        Ok(())
    }

    fn delete(storage: &mut dyn Storage, sequence: u64) -> StdResult<()> {
        let key = row_key(ROW, sequence);
        let old = unpack(sequence, &storage.get(&key).ok_or_else(missing)?)?;
        storage.remove(&set_key(old.guardian_set_index, sequence));
        storage.remove(&tx_key(&old.initiating_tx_id));
        storage.remove(&key);
        Ok(())
    }

    fn get(storage: &dyn Storage, sequence: u64) -> StdResult<Option<Message>> {
        let found = storage.get(&row_key(ROW, sequence));
        found.map(|bytes| unpack(sequence, &bytes)).transpose()
    }

    fn by_tx(storage: &dyn Storage, tx: &[u8]) -> StdResult<Option<Message>> {
        match probe(storage, &tx_key(tx)) {
            Some(id) => Self::get(storage, sequence(&id)?),
            None => Ok(None),
        }
    }

    fn rows_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Message>> {
        let entries = scan(storage, &key(SET, &[&set.to_be_bytes()]), order);
        page(entries, |sequence, _| {
            Self::get(storage, sequence)?.ok_or_else(missing)
        })
    }

    fn ids_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Uint64>> {
        let entries = scan(storage, &key(SET, &[&set.to_be_bytes()]), order);
        page(entries, |sequence, _| Ok(sequence.into()))
    }

    fn rows(storage: &dyn Storage, order: Order) -> StdResult<Page<Message>> {
        page(scan(storage, &[ROW], order), |sequence, value| {
            unpack(sequence, &value)
        })
    }
}
