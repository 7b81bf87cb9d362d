//! A store that counts what a chain charges for its use.

use std::cell::Cell;

use cosmwasm_std::{Order, Record, Storage, testing::MockStorage};

/// The bytes that a chain puts before a contract's keys.
const PREFIX: u64 = 33;

/// A store with the Cosmos SDK's gas: 1,000 and 3 a byte for a read, 2,000 and 30 a byte for a write, 1,000 for a delete,
/// 30 and 3 a byte for an entry of a scan, charged when it is reached and when it is left.
#[derive(Default)]
pub struct Metered {
    inner: MockStorage,
    gas: Cell<u64>,
    accesses: Cell<u64>,
    /// The most bytes that any value written had.
    pub longest: usize,
}

impl Metered {
    pub fn gas(&self) -> u64 {
        self.gas.get()
    }

    /// How often the store was gone to: reads, writes, deletes, scans opened and entries of them.
    pub fn accesses(&self) -> u64 {
        self.accesses.get()
    }

    pub fn reset(&self) {
        self.gas.set(0);
        self.accesses.set(0);
    }

    fn charge(&self, flat: u64, byte: u64, key: &[u8], value: usize) {
        let bytes = PREFIX + key.len() as u64 + value as u64;
        self.gas.set(self.gas.get() + flat + byte * bytes);
        self.accesses.set(self.accesses.get() + 1);
    }
}

impl Storage for Metered {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        let value = self.inner.get(key);
        self.charge(1_000, 3, key, value.as_ref().map_or(0, Vec::len));
        value
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        assert!(!value.is_empty(), "a chain stores no empty value");
        self.charge(2_000, 30, key, value.len());
        self.longest = self.longest.max(value.len());
        self.inner.set(key, value);
    }

    fn remove(&mut self, key: &[u8]) {
        self.charge(1_000, 0, key, 0);
        self.inner.remove(key);
    }

    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        let mut entries = self.inner.range(start, end, order).peekable();
        match entries.peek() {
            Some((key, value)) => self.charge(30, 3, key, value.len()),
            None => self.gas.set(self.gas.get() + 30),
        }
        Box::new(entries.inspect(|(key, value)| self.charge(30, 3, key, value.len())))
    }
}
