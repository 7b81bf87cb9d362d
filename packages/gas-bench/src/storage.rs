//! The storage of a contract: what is in it, and each call to it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use cosmwasm_std::{Order, Record};
use cosmwasm_vm::{BackendError, BackendResult, GasInfo};

use crate::cost::{Call, CallKind, Entry, MULTIPLIER};

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// A contract's entries. Native code fills it; [`MeteredStorage`] starts from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries(pub Map);

impl cosmwasm_std::Storage for Entries {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.0.get(key).cloned()
    }

    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        let (start, end) = bounds(start, end);
        if is_empty(&start, &end) {
            return Box::new(std::iter::empty());
        }
        let range = self
            .0
            .range((start, end))
            .map(|(key, value)| (key.clone(), value.clone()));
        match order {
            Order::Ascending => Box::new(range),
            Order::Descending => Box::new(range.rev()),
        }
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        self.0.insert(key.to_vec(), value.to_vec());
    }

    fn remove(&mut self, key: &[u8]) {
        self.0.remove(key);
    }
}

/// Changes on top of entries that many calls share, with a record of every call.
#[derive(Debug, Default)]
pub struct MeteredStorage {
    base: Arc<Entries>,
    /// What is written, or removed.
    changes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    iterators: Vec<Iter>,
    calls: RefCell<Vec<Call>>,
}

#[derive(Debug)]
struct Iter {
    start: Bound<Vec<u8>>,
    end: Bound<Vec<u8>>,
    order: Order,
}

impl MeteredStorage {
    /// Starts from the given entries, which are not copied.
    pub fn new(base: Arc<Entries>) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// Returns the calls so far, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.borrow().clone()
    }

    /// Returns the entries with all that was written. Copies them only where others share them.
    pub fn into_entries(self) -> Arc<Entries> {
        let mut entries = self.base;
        if !self.changes.is_empty() {
            let map = &mut Arc::make_mut(&mut entries).0;
            for (key, value) in self.changes {
                match value {
                    Some(value) => map.insert(key, value),
                    None => map.remove(&key),
                };
            }
        }
        entries
    }

    fn find(&self, key: &[u8]) -> Option<&Vec<u8>> {
        match self.changes.get(key) {
            Some(changed) => changed.as_ref(),
            None => self.base.0.get(key),
        }
    }

    /// Returns the first entry of what an iterator has left.
    fn peek(&self, iter: &Iter) -> Option<(&Vec<u8>, &Vec<u8>)> {
        if is_empty(&iter.start, &iter.end) {
            return None;
        }
        let bounds = || (iter.start.as_ref(), iter.end.as_ref());
        let removed = |key: &Vec<u8>| self.changes.contains_key(key);
        let base = self.base.0.range::<Vec<u8>, _>(bounds());
        let changes = self.changes.range::<Vec<u8>, _>(bounds());
        let mut base = base.filter(|(key, _)| !removed(key));
        let mut changes =
            changes.filter_map(|(key, value)| value.as_ref().map(|value| (key, value)));
        match iter.order {
            Order::Ascending => {
                let found = [base.next(), changes.next()];
                found.into_iter().flatten().min()
            }
            Order::Descending => {
                let found = [base.next_back(), changes.next_back()];
                found.into_iter().flatten().max()
            }
        }
    }

    /// Records a call, and returns its price as the machine wants it.
    fn charge(&self, kind: CallKind, key: &[u8], entry: Option<Entry>) -> GasInfo {
        let call = Call {
            kind,
            key: key.to_vec(),
            entry,
        };
        let gas = GasInfo::with_externally_used(call.gas() * MULTIPLIER);
        self.calls.borrow_mut().push(call);
        gas
    }
}

fn lengths(key: &[u8], value: &[u8]) -> Entry {
    Entry {
        key: key.len(),
        value: value.len(),
    }
}

fn bounds(start: Option<&[u8]>, end: Option<&[u8]>) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
    (
        start.map_or(Bound::Unbounded, |key| Bound::Included(key.to_vec())),
        end.map_or(Bound::Unbounded, |key| Bound::Excluded(key.to_vec())),
    )
}

/// Tells whether no key can lie between the bounds; the map's own range panics on some of these.
fn is_empty(start: &Bound<Vec<u8>>, end: &Bound<Vec<u8>>) -> bool {
    match (start, end) {
        (Bound::Included(start) | Bound::Excluded(start), Bound::Excluded(end)) => start >= end,
        _ => false,
    }
}

impl cosmwasm_vm::Storage for MeteredStorage {
    fn get(&self, key: &[u8]) -> BackendResult<Option<Vec<u8>>> {
        let value = self.find(key).cloned();
        let entry = value.as_ref().map(|value| lengths(key, value));
        (Ok(value), self.charge(CallKind::Get, key, entry))
    }

    fn scan(
        &mut self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> BackendResult<u32> {
        let (low, high) = bounds(start, end);
        let iter = Iter {
            start: low,
            end: high,
            order,
        };
        let first = self.peek(&iter).map(|(key, value)| lengths(key, value));
        let gas = self.charge(CallKind::Scan, start.unwrap_or_default(), first);
        self.iterators.push(iter);
        let id = u32::try_from(self.iterators.len())
            .map_err(|_| BackendError::unknown("too many iterators"));
        (id, gas)
    }

    fn next(&mut self, iterator_id: u32) -> BackendResult<Option<Record>> {
        let position = (iterator_id as usize).checked_sub(1);
        let Some(iter) = position.and_then(|position| self.iterators.get(position)) else {
            let error = BackendError::iterator_does_not_exist(iterator_id);
            return (Err(error), GasInfo::free());
        };
        let found = self
            .peek(iter)
            .map(|(key, value)| (key.clone(), value.clone()));
        let left = found.as_ref().map(|(key, value)| lengths(key, value));
        let gas = self.charge(CallKind::Next, &[], left);
        if let Some((key, _)) = &found
            && let Some(iter) = position.and_then(|position| self.iterators.get_mut(position))
        {
            match iter.order {
                Order::Ascending => iter.start = Bound::Excluded(key.clone()),
                Order::Descending => iter.end = Bound::Excluded(key.clone()),
            }
        }
        (Ok(found), gas)
    }

    fn set(&mut self, key: &[u8], value: &[u8]) -> BackendResult<()> {
        let gas = self.charge(CallKind::Set, key, Some(lengths(key, value)));
        self.changes.insert(key.to_vec(), Some(value.to_vec()));
        (Ok(()), gas)
    }

    fn remove(&mut self, key: &[u8]) -> BackendResult<()> {
        let gas = self.charge(CallKind::Remove, key, None);
        self.changes.insert(key.to_vec(), None);
        (Ok(()), gas)
    }
}

#[cfg(test)]
mod tests {
    use cosmwasm_vm::Storage;

    use super::*;
    use crate::cost::storage_gas;

    /// `a` and `c` are in the base, `b` is written above it, and `d` removed.
    fn storage() -> MeteredStorage {
        let mut base = Entries::default();
        for (key, value) in [("a", "1"), ("c", "333"), ("d", "4444")] {
            cosmwasm_std::Storage::set(&mut base, key.as_bytes(), value.as_bytes());
        }
        let mut storage = MeteredStorage::new(Arc::new(base));
        storage.set(b"b", b"22").0.unwrap();
        storage.remove(b"d").0.unwrap();
        storage.calls.borrow_mut().clear();
        storage
    }

    fn walk(storage: &mut MeteredStorage, order: Order) -> (String, u64) {
        let id = storage.scan(Some(b"a"), Some(b"x"), order).0.unwrap();
        let keys: Vec<u8> = std::iter::from_fn(|| storage.next(id).0.unwrap())
            .flat_map(|(key, _)| key)
            .collect();
        (
            String::from_utf8(keys).unwrap(),
            storage_gas(&storage.calls()),
        )
    }

    #[test]
    fn iterators_merge_changes_and_charge_the_first_entry_twice() {
        // Each entry is 33 + 1 byte of key, and 1 to 3 bytes of value.
        let entry = |value: u64| 30 + 3 * (34 + value);
        let once = entry(1) + entry(2) + entry(3);
        assert_eq!(
            walk(&mut storage(), Order::Ascending),
            ("abc".to_owned(), entry(1) + once)
        );
        assert_eq!(
            walk(&mut storage(), Order::Descending),
            ("cba".to_owned(), entry(3) + once)
        );
    }

    #[test]
    fn a_probe_costs_thirty_where_nothing_is() {
        let mut storage = storage();
        let id = storage
            .scan(Some(b"d"), Some(b"d\0"), Order::Ascending)
            .0
            .unwrap();
        assert_eq!(storage.next(id).0.unwrap(), None);
        assert_eq!(storage_gas(&storage.calls()), 30);
    }

    #[test]
    fn the_machine_is_told_the_price_in_its_own_gas() {
        let mut storage = storage();
        let (value, gas) = storage.get(b"c");
        assert_eq!(value.unwrap().unwrap(), b"333");
        assert_eq!(gas.externally_used, (1_000 + 3 * (34 + 3)) * MULTIPLIER);
        assert_eq!(storage.get(b"d").0.unwrap(), None);
        let (_, gas) = storage.set(b"key", b"value");
        assert_eq!(gas.externally_used, (2_000 + 30 * (36 + 5)) * MULTIPLIER);
        let (_, gas) = storage.remove(b"key");
        assert_eq!(gas.externally_used, 1_000 * MULTIPLIER);
    }

    #[test]
    fn unknown_iterators_and_inverted_bounds_are_no_panic() {
        let mut storage = storage();
        assert!(storage.next(0).0.is_err());
        assert!(storage.next(1).0.is_err());
        for (start, end) in [(b"c", b"a"), (b"b", b"b")] {
            let id = storage
                .scan(Some(start), Some(end), Order::Descending)
                .0
                .unwrap();
            assert_eq!(storage.next(id).0.unwrap(), None);
        }
    }

    #[test]
    fn changes_reach_the_entries_and_not_those_who_share_them() {
        let base = Arc::new(Entries::default());
        let mut storage = MeteredStorage::new(Arc::clone(&base));
        storage.set(b"k", b"v").0.unwrap();
        let after = storage.into_entries();
        assert_eq!(after.0.len(), 1);
        assert!(base.0.is_empty());
    }
}
