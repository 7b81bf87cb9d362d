//! A table on its way to another layout.

use core::{fmt, marker::PhantomData, ops::RangeBounds};

use cosmwasm_std::{Order, Storage};

use super::MovingScan;
use crate::{
    backfill::{Progress, with_rows},
    error::{OrmError, hex},
    index::{IndexView, Lookup},
    key::PrefixOf,
    page::{Page, PageRequest},
    raw::{Source, Span, WritePlan, lookup},
    row::{PrimaryKeyed, from_value, row_id},
    staged::Staged,
    table::{PrimaryKeyTable, Table, key_changed, not_found},
};

/// A table whose rows move from one layout, `Old`, to another, `New`, while it is in use: another namespace, codec, key
/// rule or set of columns, under the same primary keys.
///
/// Reads look at the new layout, then at the old; writes go to the new and remove the old; [`move_rows`](Self::move_rows)
/// moves the rest in bounded steps. A row is always in one of them. Once all have moved, which needs no state of its own,
/// an insert, an index, and a row that is not there cost 30 gas more than in the new table alone, with which it can then
/// be replaced.
///
/// Indexes of the new layout have only the rows that have moved, so they answer when all have. All use of the table must
/// be through this: a handle of one of the layouts sees a part of the rows. `#[table(moved_from = Old)]` therefore makes
/// it the row's `TABLE`.
///
/// ```
/// use cosmwasm_std::{Order, testing::MockStorage};
/// use cw_orm::{Json, OrmError, Table};
/// use cw_storage_plus::Map;
/// # use serde::{Deserialize, Serialize};
///
/// # #[cfg(feature = "derive")]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// /// What a contract has kept so far in a `Map<&str, Profile>` named `profiles`.
/// #[derive(Table, Serialize, Deserialize)]
/// #[table(name = "profiles", ns = "profiles", codec = Json, key_rule = "storage_plus")]
/// struct Profile {
///     #[pk(stored)] // also in the value
///     name: String,
///     points: u32,
/// }
///
/// #[derive(Table, Debug, PartialEq)]
/// #[table(name = "profiles", ns = "p", moved_from = Profile)]
/// struct Player {
///     #[pk]
///     name: String,
///     points: u32,
/// }
///
/// impl From<Profile> for Player {
///     fn from(Profile { name, points }: Profile) -> Self {
///         Self { name, points }
///     }
/// }
///
/// let mut store = MockStorage::new();
/// let map: Map<&str, Profile> = Map::new("profiles");
/// for (name, points) in [("ann", 1), ("bob", 2), ("cat", 3)] {
///     map.save(&mut store, name, &Profile { name: name.into(), points }).expect("is JSON");
/// }
/// Player::TABLE.update(&mut store, Player { name: "bob".into(), points: 5 })?; // moves it
/// let names = |store: &MockStorage| Player::TABLE.all()?.ids(store, Order::Ascending).read_all();
/// assert_eq!(names(&store)?, ["ann", "bob", "cat"]);
/// while !Player::TABLE.move_rows(&mut store, 1)?.done {}
/// assert_eq!(names(&store)?, ["ann", "bob", "cat"]);
/// assert!(map.is_empty(&store));
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "derive"))]
/// # fn main() {}
/// ```
pub struct MovingTable<Old: PrimaryKeyed, New: PrimaryKeyed> {
    old: Table<Old>,
    new: Table<New>,
    rows: PhantomData<fn() -> (Old, New)>,
}

impl<Old: PrimaryKeyed, New: PrimaryKeyed> Clone for MovingTable<Old, New> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Old: PrimaryKeyed, New: PrimaryKeyed> Copy for MovingTable<Old, New> {}

impl<Old: PrimaryKeyed, New: PrimaryKeyed> fmt::Debug for MovingTable<Old, New> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("MovingTable")
            .field("old", &self.old)
            .field("new", &self.new)
            .finish()
    }
}

impl<Old, New> Default for MovingTable<Old, New>
where
    Old: PrimaryKeyed,
    New: PrimaryKeyed<PrimaryKey = Old::PrimaryKey> + TryFrom<Old>,
    New::Error: fmt::Display,
{
    fn default() -> Self {
        Self::new()
    }
}

impl<Old: PrimaryKeyed, New: PrimaryKeyed> MovingTable<Old, New> {
    pub(crate) const fn new_table(&self) -> &Table<New> {
        &self.new
    }
}

/// Returns a row of the old layout as one of the new, which must have the same key.
pub(super) fn convert<Old, New>(key: &New::PrimaryKey, old: Old) -> Result<New, OrmError>
where
    Old: PrimaryKeyed,
    New: PrimaryKeyed<PrimaryKey = Old::PrimaryKey> + TryFrom<Old>,
    New::Error: fmt::Display,
{
    let new = New::try_from(old).map_err(|reason| OrmError::Upgrade {
        table: New::META.name,
        key: hex(&row_id::<New>(key).unwrap_or_default()),
        reason: reason.to_string(),
    })?;
    key_changed::<New>(key, &new.primary_key_fields())?;
    Ok(new)
}

/// Where a row is, as it is stored.
struct Found {
    old_id: Vec<u8>,
    new_id: Vec<u8>,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
}

impl<Old, New> MovingTable<Old, New>
where
    Old: PrimaryKeyed,
    New: PrimaryKeyed<PrimaryKey = Old::PrimaryKey> + TryFrom<Old>,
    New::Error: fmt::Display,
{
    /// Makes a handle that keeps all indexes of both layouts. Does not compile if they are in one namespace.
    #[must_use]
    pub const fn new() -> Self {
        const { crate::namespace::assert_distinct(&[Old::META.namespace, New::META.namespace]) };
        Self {
            old: Table::new(),
            new: Table::new(),
            rows: PhantomData,
        }
    }

    /// Makes a handle of two handles, with the indexes that these keep.
    #[must_use]
    pub fn of(old: PrimaryKeyTable<Old>, new: PrimaryKeyTable<New>) -> Self {
        Self {
            old: *old,
            new: *new,
            rows: PhantomData,
        }
    }

    /// Moves at most `limit` rows (1 if it is 0). Reads them in the order of the old layout; for each, one probe, one
    /// delete, one write, and what the indexes of both take.
    ///
    /// # Errors
    /// [`OrmError::Upgrade`] if a row cannot be converted; [`OrmError::PrimaryKeyChanged`] if its key would change;
    /// [`OrmError::AlreadyExists`] if something else wrote a row under its key; [`OrmError::DuplicateKey`] if another row
    /// holds its key of a unique index; [`OrmError::Decode`], [`OrmError::Invalid`]. All of them leave the store as it was.
    pub fn move_rows(&self, storage: &mut dyn Storage, limit: u32) -> Result<Progress, OrmError> {
        let (moved, plan) = self.plan_move(&*storage, limit.max(1))?;
        plan.apply(storage);
        Ok(moved)
    }

    /// Whether all rows have moved. One probe.
    #[must_use]
    pub fn is_moved(&self, storage: &dyn Storage) -> bool {
        let mut rows = Old::META
            .namespace
            .open(storage, &Span::default(), Order::Ascending);
        rows.next().is_none()
    }

    fn plan_move(
        &self,
        storage: &dyn Storage,
        limit: u32,
    ) -> Result<(Progress, WritePlan), OrmError> {
        let mut rows = Old::META
            .namespace
            .open(storage, &Span::default(), Order::Ascending);
        let mut staged = Staged::new(storage);
        let (mut steps, mut done) = (0_u32, false);
        while steps < limit {
            let Some((old_id, value)) = rows.next() else {
                done = true;
                break;
            };
            let key = Table::<Old>::key_of(&old_id)?;
            let old = from_value::<Old>(&old_id, &key, &value)?;
            let mut plan = WritePlan::default();
            self.old.plan_change(
                &staged,
                &key,
                &old_id,
                Some((&old, &value)),
                None,
                &mut plan,
            )?;
            let new = convert::<Old, New>(&key, old)?;
            let id = row_id::<New>(&key)?;
            self.new
                .plan_insert(&staged, &key, &id, &new, &mut plan)
                .map_err(|error| self.with_rows(&staged, &id, error))?;
            plan.apply(&mut staged);
            steps = steps.saturating_add(1);
        }
        let done = done || rows.next().is_none();
        Ok((Progress { steps, done }, staged.into_plan()))
    }

    fn with_rows(&self, storage: &dyn Storage, id: &[u8], error: OrmError) -> OrmError {
        let named = match &error {
            OrmError::UniqueViolation { index, .. } => {
                New::INDEXES.iter().find(|other| other.name() == *index)
            }
            _ => None,
        };
        match named {
            Some(index) => with_rows(storage, index.namespace(), index.kind(), id, error),
            None => error,
        }
    }

    fn find(&self, storage: &dyn Storage, key: &New::PrimaryKey) -> Result<Found, OrmError> {
        let (old_id, new_id) = (row_id::<Old>(key)?, row_id::<New>(key)?);
        let new = storage.get(&New::META.namespace.key(&new_id));
        let old = match new {
            Some(_) => None,
            None => self.find_old(storage, &old_id),
        };
        Ok(Found {
            old_id,
            new_id,
            old,
            new,
        })
    }

    fn find_old(&self, storage: &dyn Storage, id: &[u8]) -> Option<Vec<u8>> {
        lookup(
            storage,
            self.old.options.probe,
            &Old::META.namespace.key(id),
        )
    }

    /// Returns the row with this primary key. One read, and one probe if it has not moved or does not exist.
    ///
    /// # Errors
    /// As [`Table::get`], and [`OrmError::Upgrade`] if a row that has not moved cannot be converted.
    pub fn get(
        &self,
        storage: &dyn Storage,
        key: &New::PrimaryKey,
    ) -> Result<Option<New>, OrmError> {
        let found = self.find(storage, key)?;
        match (&found.new, &found.old) {
            (Some(value), _) => from_value::<New>(&found.new_id, key, value).map(Some),
            (None, Some(value)) => {
                convert(key, from_value::<Old>(&found.old_id, key, value)?).map(Some)
            }
            (None, None) => Ok(None),
        }
    }

    /// Returns the row with this primary key, which must exist. As [`get`](Self::get).
    ///
    /// # Errors
    /// [`OrmError::NotFound`], and as [`get`](Self::get).
    pub fn get_one(&self, storage: &dyn Storage, key: &New::PrimaryKey) -> Result<New, OrmError> {
        self.get(storage, key)?.ok_or_else(|| not_found::<New>(key))
    }

    /// Whether a row has this primary key. One probe, or two.
    ///
    /// # Errors
    /// [`OrmError::Key`] if the key cannot be encoded.
    pub fn has(&self, storage: &dyn Storage, key: &New::PrimaryKey) -> Result<bool, OrmError> {
        Ok(self.new.has(storage, key)? || self.old.has(storage, key)?)
    }

    /// Writes a new row. A probe in each layout and one a unique key; one write for the row and one an index key.
    ///
    /// # Errors
    /// [`OrmError::AlreadyExists`], [`OrmError::UniqueViolation`], [`OrmError::Invalid`], [`OrmError::Key`].
    pub fn insert(&self, storage: &mut dyn Storage, row: &New) -> Result<(), OrmError> {
        let key = row.primary_key_fields();
        if self.old.has(storage, &key)? {
            return Err(OrmError::AlreadyExists {
                table: New::META.name,
                key: hex(&row_id::<New>(&key)?),
            });
        }
        self.new.insert(storage, &key, row)
    }

    /// Writes a row over the one with its primary key, and returns that. A row that has not moved moves.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::UniqueViolation`], [`OrmError::Invalid`], [`OrmError::Key`].
    pub fn update(&self, storage: &mut dyn Storage, row: New) -> Result<New, OrmError> {
        let key = row.primary_key_fields();
        let (old, ()) = self.rewrite(storage, &key, |old| match old {
            Some(_) => Ok((Some(row), ())),
            None => Err(not_found::<New>(&key)),
        })?;
        old.ok_or_else(|| not_found::<New>(&key))
    }

    /// Writes a row, new or not, and returns the one before. A row that has not moved moves.
    ///
    /// # Errors
    /// [`OrmError::UniqueViolation`], [`OrmError::Invalid`], [`OrmError::Key`].
    pub fn upsert(&self, storage: &mut dyn Storage, row: New) -> Result<Option<New>, OrmError> {
        let key = row.primary_key_fields();
        let (old, ()) = self.rewrite(storage, &key, |_| Ok::<_, OrmError>((Some(row), ())))?;
        Ok(old)
    }

    /// Reads a row, has `change` make another of it, writes and returns that. A row that has not moved moves.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::PrimaryKeyChanged`], whatever `change` returns, and as
    /// [`update`](Self::update).
    pub fn modify<E: From<OrmError>>(
        &self,
        storage: &mut dyn Storage,
        key: &New::PrimaryKey,
        change: impl FnOnce(New) -> Result<New, E>,
    ) -> Result<New, E>
    where
        New: Clone,
    {
        let (_, new) = self.rewrite(storage, key, |old| {
            let new = change(old.ok_or_else(|| not_found::<New>(key))?.clone())?;
            key_changed::<New>(key, &new.primary_key_fields())?;
            Ok::<_, E>((Some(new.clone()), new))
        })?;
        Ok(new)
    }

    /// Deletes a row, wherever it is, and returns it.
    ///
    /// # Errors
    /// [`OrmError::NotFound`], [`OrmError::Key`].
    pub fn delete(
        &self,
        storage: &mut dyn Storage,
        key: &New::PrimaryKey,
    ) -> Result<New, OrmError> {
        let (old, ()) = self.rewrite(storage, key, |_| Ok::<_, OrmError>((None, ())))?;
        old.ok_or_else(|| not_found::<New>(key))
    }

    /// Reads the row, has `change` say what it becomes, writes that to the new layout and removes the old.
    fn rewrite<T, E: From<OrmError>>(
        &self,
        storage: &mut dyn Storage,
        key: &New::PrimaryKey,
        change: impl FnOnce(Option<&New>) -> Result<(Option<New>, T), E>,
    ) -> Result<(Option<New>, T), E> {
        let found = self.find(storage, key)?;
        let Some(value) = found.old else {
            return self
                .new
                .rewrite_value(storage, key, &found.new_id, found.new, change);
        };
        let old = from_value::<Old>(&found.old_id, key, &value)?;
        let mut plan = WritePlan::default();
        self.old.plan_change(
            storage,
            key,
            &found.old_id,
            Some((&old, &value)),
            None,
            &mut plan,
        )?;
        let before: New = convert(key, old)?;
        let (after, answer) = change(Some(&before))?;
        self.new
            .plan_change(storage, key, &found.new_id, None, after.as_ref(), &mut plan)?;
        plan.apply(storage);
        Ok((Some(before), answer))
    }

    /// Scans all rows in primary-key order.
    ///
    /// # Errors
    /// [`OrmError::OrderDiffers`] if keys are not sure to sort alike in both layouts: where text or bytes stand before
    /// the last part, the new layout must keep [`KeyRule::StoragePlus`](crate::KeyRule::StoragePlus) to be listed.
    pub fn all(&self) -> Result<MovingScan<Old, New>, OrmError> {
        MovingScan::new((Span::default(), Span::default()))
    }

    /// Scans the rows whose primary key begins with the given parts.
    ///
    /// # Errors
    /// [`OrmError::Key`] if they cannot be encoded, and as [`all`](Self::all).
    pub fn prefix<P: PrefixOf<New::PrimaryKey>>(
        &self,
        parts: &P,
    ) -> Result<MovingScan<Old, New>, OrmError> {
        let span = |rule| {
            crate::iter::span_of_prefix::<New::PrimaryKey, P>(parts, rule).map_err(|source| {
                OrmError::Key {
                    table: New::META.name,
                    source,
                }
            })
        };
        MovingScan::new((span(Old::META.key_rule)?, span(New::META.key_rule)?))
    }

    /// Scans the rows within bounds on the primary key or on its leading parts.
    ///
    /// # Errors
    /// [`OrmError::InvertedBounds`], [`OrmError::Key`], and as [`all`](Self::all).
    pub fn range<P: PrefixOf<New::PrimaryKey>>(
        &self,
        bounds: impl RangeBounds<P>,
    ) -> Result<MovingScan<Old, New>, OrmError> {
        let bounds = (bounds.start_bound(), bounds.end_bound());
        let span = |rule| {
            crate::iter::span_of_bounds::<New::PrimaryKey, P>(New::META.name, rule, &[], bounds)
        };
        MovingScan::new((span(Old::META.key_rule)?, span(New::META.key_rule)?))
    }

    /// Returns a page of all rows in primary-key order; the same as `all()?.page(…)`.
    ///
    /// # Errors
    /// As [`all`](Self::all) and [`MovingScan::page`].
    pub fn get_paginated(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
    ) -> Result<Page<New>, OrmError> {
        self.all()?.page(storage, request)
    }

    /// Answers from an index of the new layout. One probe.
    ///
    /// # Errors
    /// [`OrmError::Moving`] while rows are still to be moved, [`OrmError::IndexUnavailable`].
    pub fn by<I: Lookup<New>>(
        &self,
        storage: &dyn Storage,
        index: I,
    ) -> Result<IndexView<New, I>, OrmError> {
        if !self.is_moved(storage) {
            return Err(OrmError::Moving {
                table: New::META.name,
            });
        }
        self.new.by(index)
    }

    /// Returns the table of the new layout, which has all rows now. One probe.
    ///
    /// # Errors
    /// [`OrmError::Moving`] while rows are still to be moved.
    pub fn moved(&self, storage: &dyn Storage) -> Result<PrimaryKeyTable<New>, OrmError> {
        if !self.is_moved(storage) {
            return Err(OrmError::Moving {
                table: New::META.name,
            });
        }
        Ok(PrimaryKeyTable::of(self.new))
    }
}
