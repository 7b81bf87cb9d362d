//! Writes that are kept back: a store on top of another, so that many changes are planned, each seeing those before it,
//! before the first is made.

use core::{cmp::Ordering, iter::Peekable, ops::Bound};
use std::collections::BTreeMap;

use cosmwasm_std::{Order, Record, Storage};

use crate::raw::WritePlan;

/// A view of a store with writes that it has not got yet. A key written twice is written once in the end.
pub(crate) struct Staged<'a> {
    base: &'a dyn Storage,
    writes: Writes,
}

/// What a [`Staged`] collected: each key's new value, or that it goes.
pub(crate) type Writes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

impl<'a> Staged<'a> {
    pub(crate) fn new(base: &'a dyn Storage) -> Self {
        Self {
            base,
            writes: Writes::new(),
        }
    }

    /// Takes the writes of a plan.
    pub(crate) fn apply(&mut self, plan: WritePlan) {
        plan.apply(self);
    }

    /// Returns the writes as a plan, each key once.
    pub(crate) fn into_plan(self) -> WritePlan {
        let mut plan = WritePlan::default();
        for (key, value) in self.writes {
            match value {
                Some(value) => plan.set(key, value),
                None => plan.remove(key),
            }
        }
        plan
    }

    /// Returns the writes, for [`commit`].
    pub(crate) fn into_writes(self) -> Writes {
        self.writes
    }
}

/// Makes the writes, in the order of their keys.
pub(crate) fn commit(storage: &mut dyn Storage, writes: Writes) {
    for (key, value) in writes {
        match value {
            Some(value) => storage.set(&key, &value),
            None => storage.remove(&key),
        }
    }
}

impl Storage for Staged<'_> {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        match self.writes.get(key) {
            Some(written) => written.clone(),
            None => self.base.get(key),
        }
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        self.writes.insert(key.to_vec(), Some(value.to_vec()));
    }

    fn remove(&mut self, key: &[u8]) {
        self.writes.insert(key.to_vec(), None);
    }

    fn range<'s>(
        &'s self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 's> {
        if let (Some(start), Some(end)) = (start, end) {
            // A probe of one key that was written needs no look below.
            if end.strip_prefix(start) == Some(&[0])
                && let Some(written) = self.writes.get(start)
            {
                let entry = written.clone().map(|value| (start.to_vec(), value));
                return Box::new(entry.into_iter());
            }
            // A map's range panics on bounds that cross.
            if start >= end {
                return self.base.range(Some(start), Some(end), order);
            }
        }
        let base = self.base.range(start, end, order);
        let bounds = (
            start.map_or(Bound::Unbounded, Bound::Included),
            end.map_or(Bound::Unbounded, Bound::Excluded),
        );
        let written = self.writes.range::<[u8], _>(bounds);
        let written: Written<'_> = match order {
            Order::Ascending => Box::new(written),
            Order::Descending => Box::new(written.rev()),
        };
        Box::new(Overlaid {
            base: base.peekable(),
            written: written.peekable(),
            order,
        })
    }
}

type Written<'s> = Box<dyn Iterator<Item = (&'s Vec<u8>, &'s Option<Vec<u8>>)> + 's>;

/// A store's entries, with what was written since in their place.
struct Overlaid<'s> {
    base: Peekable<Box<dyn Iterator<Item = Record> + 's>>,
    written: Peekable<Written<'s>>,
    order: Order,
}

impl Iterator for Overlaid<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            let earlier = match (self.base.peek(), self.written.peek()) {
                (None, None) => return None,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((stored, _)), Some((written, _))) => match self.order {
                    Order::Ascending => stored.cmp(written),
                    Order::Descending => (*written).cmp(stored),
                },
            };
            if earlier == Ordering::Less {
                return self.base.next();
            }
            if earlier == Ordering::Equal {
                self.base.next();
            }
            if let Some((key, Some(value))) = self.written.next() {
                return Some((key.clone(), value.clone()));
            }
        }
    }
}

/// A store with nothing in it: what a row's entries are worked out on, where no other row is to be seen.
pub(crate) struct Nothing;

impl Storage for Nothing {
    fn get(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn set(&mut self, _: &[u8], _: &[u8]) {}

    fn remove(&mut self, _: &[u8]) {}

    fn range<'s>(
        &'s self,
        _: Option<&[u8]>,
        _: Option<&[u8]>,
        _: Order,
    ) -> Box<dyn Iterator<Item = Record> + 's> {
        Box::new(core::iter::empty())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use cosmwasm_std::testing::MockStorage;
    use proptest::prelude::*;

    use super::*;

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        proptest::collection::vec(0_u8..3, 0..3)
    }

    fn write() -> impl Strategy<Value = (Vec<u8>, Option<u8>)> {
        (bytes(), proptest::option::of(1_u8..4))
    }

    fn put(storage: &mut dyn Storage, (key, value): &(Vec<u8>, Option<u8>)) {
        match value {
            Some(value) => storage.set(key, &[*value]),
            None => storage.remove(key),
        }
    }

    proptest! {
        #[test]
        fn staged_is_the_store_with_the_writes_made(
            before in proptest::collection::vec(write(), 0..12),
            after in proptest::collection::vec(write(), 0..12),
            probes in proptest::collection::vec((proptest::option::of(bytes()), proptest::option::of(bytes())), 8),
        ) {
            let mut store = MockStorage::new();
            before.iter().for_each(|write| put(&mut store, write));
            let mut made = MockStorage::new();
            before.iter().chain(&after).for_each(|write| put(&mut made, write));
            let mut staged = Staged::new(&store);
            after.iter().for_each(|write| put(&mut staged, write));
            for (from, until) in &probes {
                for order in [Order::Ascending, Order::Descending] {
                    let one = from.as_ref().map(|key| [&key[..], &[0]].concat());
                    prop_assert_eq!(
                        staged.range(from.as_deref(), one.as_deref(), order).collect::<Vec<_>>(),
                        made.range(from.as_deref(), one.as_deref(), order).collect::<Vec<_>>()
                    );
                    let (from, until) = (from.as_deref(), until.as_deref());
                    let found: Vec<_> = staged.range(from, until, order).collect();
                    let want: Vec<_> = made.range(from, until, order).collect();
                    prop_assert_eq!(found, want);
                }
                let key = from.clone().unwrap_or_default();
                prop_assert_eq!(staged.get(&key), made.get(&key));
            }
            let writes = staged.into_writes();
            commit(&mut store, writes);
            let all = |store: &MockStorage| store.range(None, None, Order::Ascending).collect::<Vec<_>>();
            prop_assert_eq!(all(&store), all(&made));
        }
    }
}
