//! Building and dropping a tracked index, in bounded steps, while its table is in use.
//!
//! Rows are taken in the order of their ids. The state says how far it is: the rows up to there are in the index and
//! writes keep it for them; rows behind are not yet, whatever happens to them. So each row is told to the index once, and
//! any kind of index can be built so, also one that counts.

use cosmwasm_std::{Order, Storage};

use crate::{
    error::{OrmError, hex, unhex},
    index::{IndexKind, Indexable, Subject},
    namespace::Namespace,
    raw::{Source, Span, WritePlan},
    row::{Record, from_value},
    staged::Staged,
    state::Stored,
    table::Table,
};

/// How a step of a longer work went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many rows or entries this step went through.
    pub steps: u32,
    /// Whether nothing is left to do. A further step then changes nothing.
    pub done: bool,
}

/// How far [`Table::build_index`] has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// How many rows this step took in.
    pub steps: u32,
    /// The encoded key of the last row that is in the index, for the next step; empty if there is none.
    pub last: Vec<u8>,
    /// Whether all rows are in the index.
    pub done: bool,
}

impl Progress {
    pub(crate) const DONE: Self = Self {
        steps: 0,
        done: true,
    };
}

impl<R: Record> Table<R> {
    /// Builds a tracked index, or goes on with it: takes at most `limit` rows (1 if it is 0) that are not in it yet. The
    /// index is asked again once this says that it is done; after that, and in a table without rows, it is one probe.
    ///
    /// An index that was dropped, or whose state was never set, is built anew, whatever entries its namespace has: a first
    /// step, or more, clears those. Reads the state and the rows; writes their entries and the state.
    ///
    /// ```
    /// use cosmwasm_std::{Order, testing::MockStorage};
    /// use cw_orm::{OrmError, Table};
    ///
    /// # #[cfg(feature = "derive")]
    /// # fn main() -> Result<(), OrmError> {
    /// #[derive(Clone, Table)]
    /// #[table(name = "people", ns = "p")]
    /// struct Person {
    ///     #[pk]
    ///     name: String,
    ///     #[index(id = 1, tracked)] // added after there were people
    ///     town: String,
    /// }
    ///
    /// let mut store = MockStorage::new();
    /// for name in ["ann", "bob", "cat"] {
    ///     Person::TABLE.insert(&mut store, &Person { name: name.into(), town: "Ulm".into() })?;
    /// }
    /// let of_ulm = Person::TABLE.by(Person::BY_TOWN)?.key(&"Ulm".into())?;
    /// let early = of_ulm.page_ids(&store, &Default::default());
    /// assert!(matches!(early, Err(OrmError::IndexNotReady { .. })));
    ///
    /// while !Person::TABLE.backfill(&mut store, &Person::BY_TOWN, 2)?.done {}
    /// assert_eq!(of_ulm.ids(&store, Order::Ascending).read_all()?, ["ann", "bob", "cat"]);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "derive"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// [`OrmError::IndexUntracked`]; [`OrmError::IndexUnavailable`] if the table has no such index or this handle does not
    /// keep it; [`OrmError::DuplicateKey`] if two rows have one key of a unique index; [`OrmError::Decode`] and the other
    /// errors of reading a row. All of them leave the store as it was.
    pub fn backfill(
        &self,
        storage: &mut dyn Storage,
        index: &dyn Indexable<R>,
        limit: u32,
    ) -> Result<Progress, OrmError> {
        self.own(index)?;
        if !self.options.kept.contains(index.id()) {
            return Err(unavailable(index));
        }
        let limit = limit.max(1);
        let from = match self.stored_state(storage, index)? {
            Stored::Ready => return Ok(Progress::DONE),
            Stored::Building(last) => last,
            Stored::Off => {
                let cleared = clear(storage, index.namespace(), limit);
                // Entries that a dropped index left go first, in steps of their own: one that then fails writes nothing.
                if cleared.steps > 0 || !cleared.done {
                    return Ok(Progress {
                        done: false,
                        ..cleared
                    });
                }
                Vec::new()
            }
        };
        let (built, mut plan) = self.build(&*storage, index, from, limit)?;
        let Built { steps, last, done } = built;
        let state = if done {
            Stored::Ready
        } else {
            Stored::Building(last)
        };
        state.plan(index.namespace().name(), &mut plan);
        plan.apply(storage);
        Ok(Progress { steps, done })
    }

    /// Drops a tracked index, or goes on with it: it is off at once, then at most `limit` of its entries (1 if it is 0)
    /// are cleared. One probe and a scan; one delete an entry.
    ///
    /// # Errors
    /// [`OrmError::IndexUntracked`]; [`OrmError::IndexUnavailable`] if the table has no such index.
    pub fn drop_index(
        &self,
        storage: &mut dyn Storage,
        index: &dyn Indexable<R>,
        limit: u32,
    ) -> Result<Progress, OrmError> {
        self.own(index)?;
        if self.stored_state(storage, index)? != Stored::Off {
            let mut plan = WritePlan::default();
            Stored::Off.plan(index.namespace().name(), &mut plan);
            plan.apply(storage);
        }
        Ok(clear(storage, index.namespace(), limit.max(1)))
    }

    /// Refuses an index that is not a tracked one of this table.
    fn own(&self, index: &dyn Indexable<R>) -> Result<(), OrmError> {
        let same = |other: &&dyn Indexable<R>| {
            other.id() == index.id() && other.namespace() == index.namespace()
        };
        match R::INDEXES.iter().find(|other| same(other)) {
            None => Err(unavailable(index)),
            Some(own) if !own.is_tracked() => Err(OrmError::IndexUntracked {
                table: R::META.name,
                index: index.name(),
            }),
            Some(_) => Ok(()),
        }
    }

    /// Builds an index that is not tracked, or goes on with it, for a contract that itself keeps how far it is, in settings
    /// that every call reads anyway: takes at most `limit` rows (1 if it is 0) behind the one whose encoded key is `after`,
    /// which is empty at first. Until all is built, writes have to keep the index for the rows up to there, and only for
    /// those: [`with_indexes`](crate::FamilyTable::with_indexes) says which a handle keeps.
    ///
    /// Reads the rows, and at first one entry of the index's namespace; writes their entries.
    ///
    /// ```
    /// use cosmwasm_std::{Order, testing::MockStorage};
    /// use cw_orm::{IndexSet, OrmError, Table};
    ///
    /// # #[cfg(feature = "derive")]
    /// # fn main() -> Result<(), OrmError> {
    /// #[derive(Clone, Table)]
    /// #[table(name = "people", ns = "p")]
    /// struct Person {
    ///     #[pk]
    ///     name: String,
    ///     #[index(id = 1)]
    ///     town: String,
    /// }
    ///
    /// let mut store = MockStorage::new();
    /// let without = Person::TABLE.with_indexes(IndexSet::NONE);
    /// for name in ["ann", "bob", "cat"] {
    ///     without.insert(&mut store, &Person { name: name.into(), town: "Ulm".into() })?;
    /// }
    /// let mut after = Vec::new();
    /// loop {
    ///     let built = Person::TABLE.build_index(&mut store, &Person::BY_TOWN, &after, 2)?;
    ///     after = built.last;
    ///     if built.done {
    ///         break;
    ///     }
    /// }
    /// let of_ulm = Person::TABLE.by(Person::BY_TOWN)?.key(&"Ulm".into())?;
    /// assert_eq!(of_ulm.ids(&store, Order::Ascending).read_all()?, ["ann", "bob", "cat"]);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "derive"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    /// [`OrmError::Index`] for a tracked index, whose state is not the contract's; [`OrmError::IndexUnavailable`] if the
    /// table has no such index or this handle does not keep it; [`OrmError::NotEmpty`] if the index has entries at first;
    /// [`OrmError::DuplicateKey`] if two rows have one key of a unique index; [`OrmError::Decode`] and the other errors of
    /// reading a row. All of them leave the store as it was.
    pub fn build_index(
        &self,
        storage: &mut dyn Storage,
        index: &dyn Indexable<R>,
        after: &[u8],
        limit: u32,
    ) -> Result<Built, OrmError> {
        if index.is_tracked() {
            return Err(OrmError::Index {
                table: R::META.name,
                index: index.name(),
                reason: "is tracked: its state is kept by backfill".into(),
            });
        }
        let same = |other: &&dyn Indexable<R>| {
            other.id() == index.id() && other.namespace() == index.namespace()
        };
        if !R::INDEXES.iter().any(same) || !self.options.kept.contains(index.id()) {
            return Err(unavailable(index));
        }
        let mut entries = index
            .namespace()
            .open(storage, &Span::default(), Order::Ascending);
        if after.is_empty() && entries.next().is_some() {
            return Err(OrmError::NotEmpty {
                table: R::META.name,
                what: index.name(),
            });
        }
        drop(entries);
        let (built, plan) = self.build(&*storage, index, after.to_vec(), limit.max(1))?;
        plan.apply(storage);
        Ok(built)
    }

    /// Plans to take up to `limit` rows behind `last` into the index.
    fn build(
        &self,
        storage: &dyn Storage,
        index: &dyn Indexable<R>,
        mut last: Vec<u8>,
        limit: u32,
    ) -> Result<(Built, WritePlan), OrmError> {
        let span = match last.is_empty() {
            true => Span::default(),
            false => Span::default().after(last.clone(), Order::Ascending),
        };
        let mut rows = R::META.namespace.open(storage, &span, Order::Ascending);
        let mut staged = Staged::new(storage);
        let (mut steps, mut done) = (0_u32, false);
        while steps < limit {
            let Some((id, value)) = rows.next() else {
                done = true;
                break;
            };
            let key = Self::key_of(&id)?;
            let row = from_value::<R>(&id, &key, &value)?;
            let subject = Subject {
                row_id: &id,
                key: &key,
                probe: self.options.probe,
            };
            let mut plan = WritePlan::default();
            index
                .on_create(&staged, &subject, &row, &mut plan)
                .map_err(|error| with_rows(&staged, index.namespace(), index.kind(), &id, error))?;
            plan.apply(&mut staged);
            last = id;
            steps = steps.saturating_add(1);
        }
        let done = done || rows.next().is_none();
        Ok((Built { steps, last, done }, staged.into_plan()))
    }
}

fn unavailable<R: Record>(index: &dyn Indexable<R>) -> OrmError {
    OrmError::IndexUnavailable {
        table: R::META.name,
        index: index.name(),
    }
}

/// Names the row that holds the key, where a unique index refuses another that is already stored.
pub(crate) fn with_rows(
    storage: &dyn Storage,
    namespace: Namespace,
    kind: IndexKind,
    second: &[u8],
    error: OrmError,
) -> OrmError {
    match error {
        OrmError::UniqueViolation { table, index, key } if kind == IndexKind::Unique => {
            let entry = namespace.key(&unhex(&key).unwrap_or_default());
            OrmError::DuplicateKey {
                table,
                index,
                key,
                first: hex(&storage.get(&entry).unwrap_or_default()),
                second: hex(second),
            }
        }
        other => other,
    }
}

/// Removes up to `limit` entries of a namespace, from its start.
pub(crate) fn clear(storage: &mut dyn Storage, namespace: Namespace, limit: u32) -> Progress {
    clear_prefix(storage, &namespace.prefix(), limit)
}

/// Removes up to `limit` keys that begin with `prefix`, in order. As what it passes is gone, it needs no cursor.
pub(crate) fn clear_prefix(storage: &mut dyn Storage, prefix: &[u8], limit: u32) -> Progress {
    let end = crate::key::successor(prefix);
    let mut found = storage.range(Some(prefix), end.as_deref(), Order::Ascending);
    let count = usize::try_from(limit).unwrap_or(usize::MAX);
    let gone: Vec<Vec<u8>> = found.by_ref().take(count).map(|(key, _)| key).collect();
    let done = gone.len() < count || found.next().is_none();
    drop(found);
    gone.iter().for_each(|key| storage.remove(key));
    Progress {
        steps: u32::try_from(gone.len()).unwrap_or(limit),
        done,
    }
}
