//! Row versions: rows of an older layout are read as they are, and rewritten when they change or in bounded steps.
//!
//! The index entries of such a row were made by older code. Before it is rewritten or deleted, they must be the ones that
//! this code makes, or they would be left behind: see [`Table::upgrade_rows`].
//!
//! Progress: `00 01 00 | 'v' | namespace of the rows → version | 00 | row id`, up to and with that row, or `version | 01`
//! once all are of that version.

use cosmwasm_std::{Order, Storage};

use crate::{
    backfill::Progress,
    codec::Codec,
    error::{OrmError, hex},
    namespace::{LIFE_CYCLE, Namespace},
    raw::{Source, Span, WritePlan},
    row::{Record, from_value, to_value},
    table::Table,
    write::RowChange,
};

const UNDER_WAY: u8 = 0;
const FINISHED: u8 = 1;

/// Returns where the progress of an upgrade is kept.
pub(crate) fn progress_key(namespace: &[u8]) -> Vec<u8> {
    LIFE_CYCLE.key(&[b"v", namespace].concat())
}

impl<R: Record> Table<R> {
    /// Rewrites rows of older versions as this code does, going through at most `limit` rows (1 if it is 0) behind those
    /// of the step before. Rows can be read, written and deleted in between, with or without it: a row is read through
    /// its migration whenever it is of an older version, and always written in this one. Where all rows are of the
    /// version already it is one read, and so it is for a codec without versions.
    ///
    /// Reads the rows; writes those that were older, and the progress. Indexes stay as they are, since a migrated row has
    /// the keys that it had: this is checked, by one probe an entry, here and where a write meets a row of an older
    /// version. **An index whose keys change is another index**: it gets a new id, is built by
    /// [`backfill`](Self::backfill), and the old one is dropped. What cannot be seen is an old key that the new function
    /// no longer gives.
    ///
    /// # Errors
    /// [`OrmError::IndexKeysChanged`]; [`OrmError::Upgrade`] if a row cannot be decoded, migrated or encoded;
    /// [`OrmError::NewerVersion`], [`OrmError::MalformedState`], [`OrmError::IndexOmitted`]. All of them leave the store
    /// as it was.
    pub fn upgrade_rows(
        &self,
        storage: &mut dyn Storage,
        limit: u32,
    ) -> Result<Progress, OrmError> {
        if !R::Codec::VERSIONED {
            return Ok(Progress::DONE);
        }
        let version = R::META.version;
        let progress = progress_key(R::META.namespace.name());
        let stored = storage.get(&progress);
        let last = match stored.as_deref() {
            Some([of, FINISHED]) if *of == version => return Ok(Progress::DONE),
            Some([of, UNDER_WAY, last @ ..]) if *of == version => Some(last.to_vec()),
            // Of another version: that work is over, or was given up for this one.
            None | Some([_, FINISHED] | [_, UNDER_WAY, ..]) => None,
            Some(_) => {
                return Err(OrmError::MalformedState {
                    table: R::META.name,
                    subject: "the upgrade",
                });
            }
        };
        let (done, last, mut plan) = self.plan_upgrade(&*storage, last, limit.max(1))?;
        let state = match (&last, done.done) {
            (_, true) | (None, _) => vec![version, FINISHED],
            (Some(last), false) => [&[version, UNDER_WAY], &last[..]].concat(),
        };
        plan.set(progress, state);
        plan.apply(storage);
        Ok(done)
    }

    fn plan_upgrade(
        &self,
        storage: &dyn Storage,
        mut last: Option<Vec<u8>>,
        limit: u32,
    ) -> Result<(Progress, Option<Vec<u8>>, WritePlan), OrmError> {
        let span = match &last {
            Some(last) => Span::default().after(last.clone(), Order::Ascending),
            None => Span::default(),
        };
        let mut rows = R::META.namespace.open(storage, &span, Order::Ascending);
        let mut plan = WritePlan::default();
        let (mut steps, mut done) = (0_u32, false);
        while steps < limit {
            let Some((id, value)) = rows.next() else {
                done = true;
                break;
            };
            if value.first() != Some(&R::META.version) {
                self.plan_upgrade_of(storage, &id, &value, &mut plan)?;
            }
            last = Some(id);
            steps = steps.saturating_add(1);
        }
        let done = done || rows.next().is_none();
        Ok((Progress { steps, done }, last, plan))
    }

    fn plan_upgrade_of(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        value: &[u8],
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let key = Self::key_of(id)?;
        let failed = |error| match error {
            OrmError::Decode { table, key, reason } => OrmError::Upgrade { table, key, reason },
            OrmError::Invalid { table, reason } | OrmError::Encode { table, reason } => {
                OrmError::Upgrade {
                    table,
                    key: hex(id),
                    reason,
                }
            }
            other => other,
        };
        let row = from_value::<R>(id, &key, value).map_err(failed)?;
        let change = RowChange {
            key: &key,
            old: Some(&row),
            new: None,
        };
        self.target(id).check_entries(storage, &change, value)?;
        plan.set(R::META.namespace.key(id), to_value(&row).map_err(failed)?);
        Ok(())
    }

    /// Whether [`upgrade_rows`](Self::upgrade_rows) has gone through all rows for this code's version. One read.
    #[must_use]
    pub fn is_upgraded(&self, storage: &dyn Storage) -> bool {
        !R::Codec::VERSIONED || finished(storage, R::META.namespace, R::META.version)
    }
}

fn finished(storage: &dyn Storage, namespace: Namespace, version: u8) -> bool {
    storage.get(&progress_key(namespace.name())).as_deref() == Some(&[version, FINISHED])
}
