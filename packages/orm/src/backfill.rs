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
        let (built, plan) = self.build(&*storage, index, from, limit)?;
        plan.apply(storage);
        Ok(built)
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

    /// Plans to take up to `limit` rows behind `last` into the index.
    fn build(
        &self,
        storage: &dyn Storage,
        index: &dyn Indexable<R>,
        mut last: Vec<u8>,
        limit: u32,
    ) -> Result<(Progress, WritePlan), OrmError> {
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
        let state = if done {
            Stored::Ready
        } else {
            Stored::Building(last)
        };
        let mut plan = staged.into_plan();
        state.plan(index.namespace().name(), &mut plan);
        Ok((Progress { steps, done }, plan))
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
