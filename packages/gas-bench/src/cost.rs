//! What a chain charges: the Cosmos SDK for storage, wasmd for the rest.
//!
//! Amounts are in SDK gas unless they are said to be CosmWasm gas. They are the defaults of wasmd 0.70 and of the store
//! of the SDK's 0.54 line.

use cosmwasm_std::{Attribute, Event};

/// CosmWasm gas in one SDK gas.
pub const MULTIPLIER: u64 = 140_000;

/// The bytes that wasmd puts before each key of a contract: a marker and the contract's address.
pub const PREFIX_LEN: u64 = 33;

/// What a call costs beside all that is measured here, unless the contract is pinned.
pub const SETUP: u64 = 60_000;

const READ_FLAT: u64 = 1_000;
const READ_BYTE: u64 = 3;
const WRITE_FLAT: u64 = 2_000;
const WRITE_BYTE: u64 = 30;
const DELETE_FLAT: u64 = 1_000;
const STEP_FLAT: u64 = 30;

const EVENT: u64 = 20;
const ATTRIBUTE: u64 = 10;
/// Bytes of attributes that cost nothing, once a response.
const FREE_ATTRIBUTE_BYTES: u64 = 100;

/// One call of a contract to its storage; lengths are in bytes, the key's without the contract's prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What was asked.
    pub kind: CallKind,
    /// The key, or the start of a scan.
    pub key: Vec<u8>,
    /// The bytes that are charged for: those of the entry met, or written.
    pub entry: Option<Entry>,
}

/// The lengths of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key's, without the contract's prefix.
    pub key: usize,
    /// The value's.
    pub value: usize,
}

/// What is asked of a storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Reads a key.
    Get,
    /// Writes an entry.
    Set,
    /// Removes a key.
    Remove,
    /// Opens an iterator; its entry is the first of the range.
    Scan,
    /// Moves an iterator on; its entry is the one left behind, absent at the end.
    Next,
}

impl Call {
    /// Returns what the call costs.
    pub fn gas(&self) -> u64 {
        let key = PREFIX_LEN + self.key.len() as u64;
        let entry = self.entry.map_or(0, |entry| {
            PREFIX_LEN + entry.key as u64 + entry.value as u64
        });
        match self.kind {
            CallKind::Get => {
                let value = self.entry.map_or(0, |entry| entry.value as u64);
                READ_FLAT + READ_BYTE * (key + value)
            }
            CallKind::Set => WRITE_FLAT + WRITE_BYTE * entry,
            CallKind::Remove => DELETE_FLAT,
            CallKind::Scan => STEP_FLAT + READ_BYTE * entry,
            // At the end the machine does not ask the store at all.
            CallKind::Next => self.entry.map_or(0, |_| STEP_FLAT + READ_BYTE * entry),
        }
    }
}

/// Returns what the storage calls cost together.
pub fn storage_gas(calls: &[Call]) -> u64 {
    calls.iter().map(Call::gas).sum()
}

/// Returns what a response's own attributes and events cost.
pub fn event_gas(attributes: &[Attribute], events: &[Event]) -> u64 {
    let types: u64 = events.iter().map(|event| event.ty.len() as u64).sum();
    let all = || {
        attributes
            .iter()
            .chain(events.iter().flat_map(|event| &event.attributes))
    };
    let bytes: u64 = all()
        .map(|attribute| (attribute.key.len() + attribute.value.len()) as u64)
        .sum();
    EVENT * events.len() as u64
        + types
        + ATTRIBUTE * all().count() as u64
        + bytes.saturating_sub(FREE_ATTRIBUTE_BYTES)
}

/// What a call of a contract cost, without [`SETUP`] and the transaction around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Reading and writing.
    pub storage: u64,
    /// What ran: the wasm, and the cryptography and address checks that it asked of the chain.
    pub compute: u64,
    /// A gas for each byte of the answer, and the events.
    pub answer: u64,
}

impl Cost {
    /// Returns the sum.
    pub fn total(&self) -> u64 {
        self.storage + self.compute + self.answer
    }

    /// Returns an equal share of each part.
    pub fn per(&self, count: u64) -> Self {
        Self {
            storage: self.storage / count,
            compute: self.compute / count,
            answer: self.answer / count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(kind: CallKind, key: usize, entry: Option<(usize, usize)>) -> u64 {
        Call {
            kind,
            key: vec![0; key],
            entry: entry.map(|(key, value)| Entry { key, value }),
        }
        .gas()
    }

    #[test]
    fn a_read_pays_for_the_prefix_the_key_and_the_value() {
        assert_eq!(call(CallKind::Get, 7, Some((7, 10))), 1_000 + 3 * 50);
        assert_eq!(call(CallKind::Get, 7, None), 1_000 + 3 * 40);
    }

    #[test]
    fn a_write_pays_thirty_a_byte_and_a_removal_nothing_by_length() {
        assert_eq!(call(CallKind::Set, 7, Some((7, 10))), 2_000 + 30 * 50);
        assert_eq!(call(CallKind::Remove, 7, None), 1_000);
        assert_eq!(call(CallKind::Remove, 700, None), 1_000);
    }

    #[test]
    fn a_scan_pays_for_the_entry_met_and_the_end_is_free() {
        assert_eq!(call(CallKind::Scan, 2, None), 30);
        assert_eq!(call(CallKind::Scan, 2, Some((9, 8))), 30 + 3 * 50);
        assert_eq!(call(CallKind::Next, 2, Some((9, 8))), 30 + 3 * 50);
        assert_eq!(call(CallKind::Next, 2, None), 0);
    }

    #[test]
    fn events_pay_by_count_and_by_byte_above_a_hundred() {
        let long = Attribute::new("k", "v".repeat(99));
        assert_eq!(event_gas(std::slice::from_ref(&long), &[]), 10);
        let event = Event::new("type").add_attribute("key", "value");
        assert_eq!(event_gas(&[], std::slice::from_ref(&event)), 20 + 4 + 10);
        assert_eq!(event_gas(&[long], &[event]), 10 + 20 + 4 + 10 + 8);
    }

    #[test]
    fn shares_are_of_each_part() {
        let cost = Cost {
            storage: 30,
            compute: 21,
            answer: 10,
        };
        assert_eq!(cost.total(), 61);
        assert_eq!(cost.per(10).total(), 3 + 2 + 1);
    }
}
