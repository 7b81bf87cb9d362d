//! The state of tracked indexes, as the store has it. So a handle, which is a constant, need not know which indexes are
//! complete, and no list is short because it was asked too early.
//!
//! Entry: `00 01 00 | 'i' | namespace of the index → 01 | row id` while it is built, up to and with that row, or `02` once
//! it is ready. An index that is off has none.

use core::fmt;

use cosmwasm_std::Storage;

use crate::{
    error::OrmError,
    index::Indexable,
    namespace::{LIFE_CYCLE, Namespace},
    raw::{Probe, WritePlan, lookup},
    row::Record,
    table::Table,
};

const BUILDING: u8 = 1;
const READY: u8 = 2;

/// What can be had of a tracked index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexState {
    /// Nothing: writes leave it alone, and reads are refused.
    Off,
    /// It is being filled: writes keep it for the rows that are in it, and reads are refused.
    Building,
    /// Everything.
    Ready,
}

impl fmt::Display for IndexState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Off => "off",
            Self::Building => "being built",
            Self::Ready => "ready",
        })
    }
}

/// The same, with how far it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    Off,
    /// Rows up to this id, and with it, are in the index; none yet, if it is empty.
    Building(Vec<u8>),
    Ready,
}

impl Stored {
    pub(crate) fn of(
        storage: &dyn Storage,
        probe: Probe,
        namespace: Namespace,
        table: &'static str,
        index: &'static str,
    ) -> Result<Self, OrmError> {
        let Some(value) = lookup(storage, probe, &key(namespace.name())) else {
            return Ok(Self::Off);
        };
        match value.split_first() {
            Some((&BUILDING, last)) => Ok(Self::Building(last.to_vec())),
            Some((&READY, [])) => Ok(Self::Ready),
            _ => Err(OrmError::MalformedState {
                table,
                subject: index,
            }),
        }
    }

    /// Plans to store it as the state of the index in `namespace`.
    pub(crate) fn plan(&self, namespace: &[u8], plan: &mut WritePlan) {
        match self {
            Self::Off => plan.remove(key(namespace)),
            Self::Building(last) => plan.set(key(namespace), [&[BUILDING], &last[..]].concat()),
            Self::Ready => plan.set(key(namespace), vec![READY]),
        }
    }

    /// Whether the row with this id is in the index.
    pub(crate) fn holds(&self, id: &[u8]) -> bool {
        match self {
            Self::Off => false,
            Self::Building(last) => id <= &last[..],
            Self::Ready => true,
        }
    }

    pub(crate) fn seen(&self) -> IndexState {
        match self {
            Self::Off => IndexState::Off,
            Self::Building(_) => IndexState::Building,
            Self::Ready => IndexState::Ready,
        }
    }
}

/// Whether the index in `namespace` is ready; `None` if it is off.
pub(crate) fn is_ready(storage: &dyn Storage, namespace: &[u8]) -> Option<bool> {
    storage.get(&key(namespace)).map(|value| value == [READY])
}

fn key(namespace: &[u8]) -> Vec<u8> {
    LIFE_CYCLE.key(&[b"i", namespace].concat())
}

/// Refuses a tracked index that is not ready. One probe.
pub(crate) fn tracked_ready(
    storage: &dyn Storage,
    namespace: Namespace,
    table: &'static str,
    index: &'static str,
) -> Result<(), OrmError> {
    let state = Stored::of(storage, Probe::Scan, namespace, table, index)?;
    match state.seen() {
        IndexState::Ready => Ok(()),
        state => Err(OrmError::IndexNotReady {
            table,
            index,
            state,
        }),
    }
}

impl<R: Record> Table<R> {
    /// Returns what can be had of an index; of one that is not tracked, everything. One probe if it is tracked.
    ///
    /// # Errors
    /// [`OrmError::MalformedState`].
    pub fn index_state(
        &self,
        storage: &dyn Storage,
        index: &dyn Indexable<R>,
    ) -> Result<IndexState, OrmError> {
        if !index.is_tracked() {
            return Ok(IndexState::Ready);
        }
        self.stored_state(storage, index).map(|state| state.seen())
    }

    pub(crate) fn stored_state(
        &self,
        storage: &dyn Storage,
        index: &dyn Indexable<R>,
    ) -> Result<Stored, OrmError> {
        let probe = self.options.probe;
        Stored::of(
            storage,
            probe,
            index.namespace(),
            R::META.name,
            index.name(),
        )
    }
}
