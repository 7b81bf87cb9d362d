//! A store seen through writes that are not made yet: so a step of many rows sees what its first rows do, and an error in
//! its last has written nothing.

use core::iter::Peekable;
use std::collections::BTreeMap;

use cosmwasm_std::{Order, Record, Storage};

use crate::raw::WritePlan;

/// A store with writes over it.
pub(crate) struct Staged<'s> {
    base: &'s dyn Storage,
    writes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl<'s> Staged<'s> {
    pub(crate) fn over(base: &'s dyn Storage) -> Self {
        Self {
            base,
            writes: BTreeMap::new(),
        }
    }

    /// Returns the writes, each key once.
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
}

impl Storage for Staged<'_> {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        match self.writes.get(key) {
            Some(value) => value.clone(),
            None => self.base.get(key),
        }
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        self.writes.insert(key.to_vec(), Some(value.to_vec()));
    }

    fn remove(&mut self, key: &[u8]) {
        self.writes.insert(key.to_vec(), None);
    }

    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        let within =
            |key: &[u8]| start.is_none_or(|start| start <= key) && end.is_none_or(|end| key < end);
        let mut written: Vec<_> = self
            .writes
            .iter()
            .filter(|(key, _)| within(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        if order == Order::Descending {
            written.reverse();
        }
        Box::new(Merge {
            base: self.base.range(start, end, order).peekable(),
            written: written.into_iter().peekable(),
            order,
        })
    }
}

struct Merge<'a> {
    base: Peekable<Box<dyn Iterator<Item = Record> + 'a>>,
    written: Peekable<std::vec::IntoIter<(Vec<u8>, Option<Vec<u8>>)>>,
    order: Order,
}

impl Iterator for Merge<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            let (below, above) = (self.base.peek(), self.written.peek());
            let (first, same) = match (below, above) {
                (_, None) => return self.base.next(),
                (None, Some(_)) => (true, false),
                (Some((below, _)), Some((above, _))) => match self.order {
                    Order::Ascending => (above <= below, above == below),
                    Order::Descending => (above >= below, above == below),
                },
            };
            if !first {
                return self.base.next();
            }
            if same {
                self.base.next();
            }
            if let Some((key, Some(value))) = self.written.next() {
                return Some((key, value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cosmwasm_std::{Order, Storage, testing::MockStorage};
    use proptest::{collection::vec, prelude::*};

    use super::Staged;

    proptest! {
        /// Read through its writes, it is the store that they make.
        #[test]
        fn reads_as_the_store_that_its_writes_make(
            before in vec(0_u8..20, 0..10),
            writes in vec((0_u8..20, proptest::option::of(1_u8..9)), 0..20),
            bounds in (proptest::option::of(0_u8..20), proptest::option::of(0_u8..20)),
        ) {
            let mut base = MockStorage::new();
            before.iter().for_each(|key| base.set(&[*key], &[99]));
            let mut made = MockStorage::new();
            before.iter().for_each(|key| made.set(&[*key], &[99]));
            let mut staged = Staged::over(&base);
            for (key, value) in &writes {
                match value {
                    Some(value) => {
                        staged.set(&[*key], &[*value]);
                        made.set(&[*key], &[*value]);
                    }
                    None => {
                        staged.remove(&[*key]);
                        made.remove(&[*key]);
                    }
                }
            }
            let (start, end) = (bounds.0.map(|key| [key]), bounds.1.map(|key| [key]));
            let (start, end) = (start.as_ref().map(|key| &key[..]), end.as_ref().map(|key| &key[..]));
            for order in [Order::Ascending, Order::Descending] {
                let seen: Vec<_> = staged.range(start, end, order).collect();
                prop_assert_eq!(seen, made.range(start, end, order).collect::<Vec<_>>());
            }
            for key in 0..20 {
                prop_assert_eq!(staged.get(&[key]), made.get(&[key]));
            }
            let plan = staged.into_plan();
            plan.apply(&mut base);
            let all = |store: &MockStorage| store.range(None, None, Order::Ascending).collect::<Vec<_>>();
            prop_assert_eq!(all(&base), all(&made));
        }
    }
}
