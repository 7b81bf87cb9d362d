//! How many undecided digests each guardian has signed: read once an execution and set, written back at its end.

use std::collections::BTreeMap;

use cosmwasm_std::Storage;

use crate::{error::ContractError, state::Undecided};

/// The counts of the sets that an execution touched.
#[derive(Default)]
pub(crate) struct UndecidedCounts {
    sets: BTreeMap<u32, Counts>,
}

struct Counts {
    now: Vec<u16>,
    stored: Vec<u16>,
}

impl UndecidedCounts {
    /// Returns a guardian's count.
    pub(super) fn get(
        &mut self,
        storage: &dyn Storage,
        set: u32,
        guardian: u8,
    ) -> Result<u16, ContractError> {
        let counts = self.load(storage, set)?;
        Ok(counts.get(usize::from(guardian)).copied().unwrap_or(0))
    }

    /// Counts one more of a guardian's.
    pub(super) fn raise(
        &mut self,
        storage: &dyn Storage,
        set: u32,
        guardian: u8,
    ) -> Result<(), ContractError> {
        let counts = self.load(storage, set)?;
        let place = usize::from(guardian);
        if counts.len() <= place {
            counts.resize(place.saturating_add(1), 0);
        }
        if let Some(count) = counts.get_mut(place) {
            *count = count.saturating_add(1);
        }
        Ok(())
    }

    /// Counts one less of a guardian's. A count that is wrong must not keep a message out, so it stops at zero.
    pub(super) fn lower(
        &mut self,
        storage: &dyn Storage,
        set: u32,
        guardian: u8,
    ) -> Result<(), ContractError> {
        let counts = self.load(storage, set)?;
        if let Some(count) = counts.get_mut(usize::from(guardian)) {
            *count = count.saturating_sub(1);
        }
        while counts.last() == Some(&0) {
            counts.pop();
        }
        Ok(())
    }

    /// Writes what changed. A set without any has no row.
    pub(super) fn write(&mut self, storage: &mut dyn Storage) -> Result<(), ContractError> {
        for (set, counts) in core::mem::take(&mut self.sets) {
            if counts.now == counts.stored {
                continue;
            }
            if counts.now.is_empty() {
                crate::state::remove::<Undecided>(storage, &set)?;
                continue;
            }
            let row = Undecided {
                guardian_set_index: set,
                counts: counts.now,
            };
            Undecided::TABLE.upsert(storage, row)?;
        }
        Ok(())
    }

    fn load(&mut self, storage: &dyn Storage, set: u32) -> Result<&mut Vec<u16>, ContractError> {
        use std::collections::btree_map::Entry;
        let counts = match self.sets.entry(set) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let row = Undecided::TABLE.get(storage, &set)?;
                let stored = row.map(|row| row.counts).unwrap_or_default();
                unknown.insert(Counts {
                    now: stored.clone(),
                    stored,
                })
            }
        };
        Ok(&mut counts.now)
    }
}
