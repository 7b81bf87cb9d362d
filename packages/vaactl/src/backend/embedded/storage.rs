use std::cell::OnceCell;
use std::iter;
use std::ops::Bound;
use std::sync::Arc;

use cosmwasm_std::{Order, Record, Storage};

use super::StoreError;
use super::keyspace::{Keyspace, Segment};
use super::range::{Merged, PartRange, Rows};
use super::store::{Changes, MetaEntry, Snapshot, Store};

/// Gives contracts a durable storage: a database below, a buffer of changes above.
///
/// Reads see both. Nothing reaches the database before [`flush`](Self::flush), which writes all
/// or nothing. The [`Storage`] trait has no errors, so one that happens below it is remembered: reads answer
/// with nothing from then on, and [`fault`](Self::fault) tells whoever made the call.
#[derive(Debug)]
pub(super) struct BufferedStorage {
    store: Store,
    keyspace: Keyspace,
    snapshot: Option<Snapshot>,
    changes: Changes,
    fault: OnceCell<Arc<StoreError>>,
}

impl BufferedStorage {
    /// Puts a buffer over a database.
    pub(super) fn new(store: Store, keyspace: Keyspace) -> Result<Self, StoreError> {
        let snapshot = store
            .snapshot()
            .map_err(|e| StoreError::database("read", store.path(), e))?;
        Ok(Self {
            store,
            keyspace,
            snapshot: Some(snapshot),
            changes: Changes::new(),
            fault: OnceCell::new(),
        })
    }

    /// Returns the database below.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the error that made this storage unusable.
    pub(super) fn fault(&self) -> Option<StoreError> {
        self.fault.get().cloned().map(StoreError::Within)
    }

    /// Refuses to go on after an error.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match self.fault() {
            Some(error) => Err(StoreError::Poisoned {
                first: error.to_string(),
            }),
            None => Ok(()),
        }
    }

    /// Forgets the buffered changes.
    pub(super) fn discard(&mut self) {
        self.changes.clear();
    }

    /// Writes the buffered changes, with entries about them, in one transaction.
    ///
    /// After an error the database holds its last state and this storage is unusable.
    pub(super) fn flush(&mut self, meta: &[MetaEntry]) -> Result<(), StoreError> {
        self.check()?;
        // An open snapshot would keep the pages that this commit frees.
        self.snapshot = None;
        let changes = std::mem::take(&mut self.changes);
        if let Err(error) = self.store.commit(&self.keyspace, &changes, meta) {
            return Err(StoreError::Within(self.poison(error)));
        }
        match self.store.snapshot() {
            Ok(snapshot) => self.snapshot = Some(snapshot),
            Err(error) => self.read_failed(error),
        }
        Ok(())
    }

    /// Returns the first error, which is the one that explains the others.
    fn poison(&self, error: StoreError) -> Arc<StoreError> {
        self.fault.get_or_init(|| Arc::new(error)).clone()
    }

    fn read_failed(&self, error: impl Into<redb::Error>) {
        self.poison(StoreError::database("read", self.store.path(), error));
    }

    /// Returns the rows of the database alone.
    fn rows(&self, start: Option<&[u8]>, end: Option<&[u8]>, order: Order) -> Option<Rows<'_>> {
        if self.fault.get().is_some() {
            return None;
        }
        let snapshot = self.snapshot.as_ref()?;
        let open = |segment: Segment| {
            let bounds = (
                segment
                    .start
                    .as_deref()
                    .map_or(Bound::Unbounded, Bound::Included),
                segment
                    .end
                    .as_deref()
                    .map_or(Bound::Unbounded, Bound::Excluded),
            );
            let range = snapshot.part(segment.part).range::<&[u8]>(bounds)?;
            let prefix = self.keyspace.prefix_of(segment.part);
            Ok::<_, redb::StorageError>(PartRange { range, prefix })
        };
        let segments = self.keyspace.segments(start, end).into_iter();
        match segments.map(open).collect::<Result<Vec<_>, _>>() {
            Ok(parts) => Some(Rows::new(parts, order, |error| self.read_failed(error))),
            Err(error) => {
                self.read_failed(error);
                None
            }
        }
    }
}

impl Storage for BufferedStorage {
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        if self.fault.get().is_some() {
            return None;
        }
        if let Some(change) = self.changes.get(key) {
            return change.clone();
        }
        let (part, key) = self.keyspace.locate(key);
        match self.snapshot.as_ref()?.part(part).get(key) {
            Ok(value) => value.map(|value| value.value().to_vec()),
            Err(error) => {
                self.read_failed(error);
                None
            }
        }
    }

    fn range<'a>(
        &'a self,
        start: Option<&[u8]>,
        end: Option<&[u8]>,
        order: Order,
    ) -> Box<dyn Iterator<Item = Record> + 'a> {
        // Both maps panic on inverted bounds; a storage has nothing between them.
        if let (Some(start), Some(end)) = (start, end)
            && start >= end
        {
            return Box::new(iter::empty());
        }
        let Some(rows) = self.rows(start, end, order) else {
            return Box::new(iter::empty());
        };
        if self.changes.is_empty() {
            return Box::new(rows);
        }
        let changes = self.changes.range::<[u8], _>((
            start.map_or(Bound::Unbounded, Bound::Included),
            end.map_or(Bound::Unbounded, Bound::Excluded),
        ));
        match order {
            Order::Ascending => Box::new(Merged::new(changes, rows, order)),
            Order::Descending => Box::new(Merged::new(changes.rev(), rows, order)),
        }
    }

    fn set(&mut self, key: &[u8], value: &[u8]) {
        self.changes.insert(key.to_vec(), Some(value.to_vec()));
    }

    fn remove(&mut self, key: &[u8]) {
        self.changes.insert(key.to_vec(), None);
    }
}
