//! The storage of one contract, in memory.

use std::collections::BTreeMap;
use std::ops::Bound;

use cosmwasm_std::{Order, Record};
use cosmwasm_vm::{BackendError, BackendResult, GasInfo, Storage};

/// Holds a contract's entries and its open iterators.
///
/// Unlike cosmwasm-vm's own test storage it can be cloned, compared and listed, and an iterator reads entry by entry
/// rather than copying its whole range when it is opened.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage {
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
    iterators: Vec<Iter>,
}

#[derive(Clone, Debug)]
struct Iter {
    start: Bound<Vec<u8>>,
    end: Bound<Vec<u8>>,
    order: Order,
}

impl MemoryStorage {
    /// Returns the entries in key order.
    pub fn dump(&self) -> Vec<Record> {
        self.entries
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    /// Tells whether both hold the same entries.
    pub fn same_entries(&self, other: &Self) -> bool {
        self.entries == other.entries
    }

    /// Closes the iterators, whose numbers are valid within one call only.
    pub(crate) fn close_iterators(&mut self) {
        self.iterators.clear();
    }

    fn advance(&mut self, id: u32) -> Result<Option<Record>, BackendError> {
        let position = (id as usize).checked_sub(1);
        let iter = position
            .and_then(|position| self.iterators.get_mut(position))
            .ok_or_else(|| BackendError::iterator_does_not_exist(id))?;
        if is_empty(&iter.start, &iter.end) {
            return Ok(None);
        }
        let mut range = self.entries.range((iter.start.clone(), iter.end.clone()));
        let entry = match iter.order {
            Order::Ascending => range.next(),
            Order::Descending => range.next_back(),
        };
        let Some((key, value)) = entry else {
            return Ok(None);
        };
        match iter.order {
            Order::Ascending => iter.start = Bound::Excluded(key.clone()),
            Order::Descending => iter.end = Bound::Excluded(key.clone()),
        }
        Ok(Some((key.clone(), value.clone())))
    }
}

/// Tells whether no key can lie between the bounds; the map's own range panics on some of these.
fn is_empty(start: &Bound<Vec<u8>>, end: &Bound<Vec<u8>>) -> bool {
    match (start, end) {
        (Bound::Included(start) | Bound::Excluded(start), Bound::Excluded(end)) => start >= end,
        _ => false,
    }
}

impl Storage for MemoryStorage {
    fn get(&self, key: &[u8]) -> BackendResult<Option<Vec<u8>>> {
        (Ok(self.entries.get(key).cloned()), GasInfo::free())
    }

    fn scan(
        &mut self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> BackendResult<u32> {
        self.iterators.push(Iter {
            start: start.map_or(Bound::Unbounded, |key| Bound::Included(key.to_vec())),
            end: end.map_or(Bound::Unbounded, |key| Bound::Excluded(key.to_vec())),
            order,
        });
        let id = u32::try_from(self.iterators.len())
            .map_err(|_| BackendError::unknown("too many iterators"));
        (id, GasInfo::free())
    }

    fn next(&mut self, iterator_id: u32) -> BackendResult<Option<Record>> {
        (self.advance(iterator_id), GasInfo::free())
    }

    fn set(&mut self, key: &[u8], value: &[u8]) -> BackendResult<()> {
        self.entries.insert(key.to_vec(), value.to_vec());
        (Ok(()), GasInfo::free())
    }

    fn remove(&mut self, key: &[u8]) -> BackendResult<()> {
        self.entries.remove(key);
        (Ok(()), GasInfo::free())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(keys: &[&[u8]]) -> MemoryStorage {
        let mut storage = MemoryStorage::default();
        for key in keys {
            storage.set(key, b"v").0.unwrap();
        }
        storage
    }

    fn keys(
        storage: &mut MemoryStorage,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Vec<Vec<u8>> {
        let id = storage.scan(start, end, order).0.unwrap();
        std::iter::from_fn(|| storage.next(id).0.unwrap())
            .map(|(key, _)| key)
            .collect()
    }

    #[test]
    fn scans_are_half_open_and_reverse_exactly() {
        let mut storage = filled(&[b"a", b"b", b"b\xff", b"c", b"\xff\xff"]);
        let up = keys(&mut storage, Some(b"b"), Some(b"c"), Order::Ascending);
        assert_eq!(up, [b"b".to_vec(), b"b\xff".to_vec()]);
        let mut down = keys(&mut storage, Some(b"b"), Some(b"c"), Order::Descending);
        down.reverse();
        assert_eq!(up, down);
        assert_eq!(keys(&mut storage, None, None, Order::Descending).len(), 5);
    }

    #[test]
    fn inverted_and_empty_bounds_hold_nothing() {
        let mut storage = filled(&[b"a", b"b", b"c"]);
        for order in [Order::Ascending, Order::Descending] {
            assert!(keys(&mut storage, Some(b"c"), Some(b"a"), order).is_empty());
            assert!(keys(&mut storage, Some(b"b"), Some(b"b"), order).is_empty());
        }
    }

    #[test]
    fn iterators_are_independent_and_unknown_ones_are_refused() {
        let mut storage = filled(&[b"a", b"b"]);
        let first = storage.scan(None, None, Order::Ascending).0.unwrap();
        let second = storage.scan(None, None, Order::Descending).0.unwrap();
        assert_eq!(storage.next(first).0.unwrap().unwrap().0, b"a");
        assert_eq!(storage.next(second).0.unwrap().unwrap().0, b"b");
        assert_eq!(storage.next(first).0.unwrap().unwrap().0, b"b");
        for unknown in [0, 3] {
            assert_eq!(
                storage.next(unknown).0.unwrap_err(),
                BackendError::iterator_does_not_exist(unknown)
            );
        }
        storage.close_iterators();
        assert!(storage.next(first).0.is_err());
    }

    #[test]
    fn dumps_in_key_order() {
        let mut storage = filled(&[b"b", b"a"]);
        let before = storage.clone();
        assert_eq!(storage.dump()[0].0, b"a");
        assert!(storage.same_entries(&before));
        storage.set(b"a", b"other").0.unwrap();
        assert!(!storage.same_entries(&before));
        storage.remove(b"a").0.unwrap();
        assert_eq!(storage.dump(), [(b"b".to_vec(), b"v".to_vec())]);
    }
}
