//! Guardian sets: all that ever were, since an archived VAA names the set that signed it.
//!
//! A set is two entries side by side, the times and the addresses, read by one scan: of a scan's entries only the first is
//! charged twice, so that the addresses behind a short one cost 600 gas less than a read of one row. And an upgrade writes
//! the replaced set's times without its addresses.

use cosmwasm_std::{Order, Storage};
use cw_orm::{OrmError, Table};
use serde::{Deserialize, Serialize};
use wormhole_vaa::{GuardianAddress, GuardianSet};

use crate::error::ContractError;

/// How long a replaced set's signatures go on to count, in seconds from the block that replaced it.
pub const GRACE_SECONDS: u64 = 86_400;

/// A stored part of a guardian set.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "guardian_sets", ns = "g")]
pub struct GuardianSetEntry {
    /// The set's index.
    #[pk]
    pub index: u32,
    /// Which part: 0 the times, 1 the addresses.
    #[pk]
    pub part: u8,
    /// The part.
    pub content: GuardianSetPart,
}

/// What a part of a guardian set holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GuardianSetPart {
    /// What changes.
    Times(GuardianSetTimes),
    /// The guardians' addresses, 20 bytes each.
    Addresses(#[serde(with = "serde_bytes")] Vec<u8>),
}

/// When a guardian set became known, and until when it counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardianSetTimes {
    /// The block time at which it became known, in Unix seconds.
    pub applied_at: u64,
    /// The block at which it became known.
    pub applied_height: u64,
    /// The last second in which its signatures count; none for the current set.
    pub expires_at: Option<u64>,
}

const TIMES: u8 = 0;
const ADDRESSES: u8 = 1;

/// A guardian set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardianSetRow {
    /// Its index.
    pub index: u32,
    /// When it became known, and until when it counts.
    pub times: GuardianSetTimes,
    /// The guardians' addresses, 20 bytes each.
    pub addresses: Vec<u8>,
}

impl GuardianSetRow {
    /// Reads a set. One scan of two entries.
    ///
    /// # Errors
    /// [`ContractError::Storage`]; [`ContractError::Damaged`] if a part is missing.
    pub fn load(storage: &dyn Storage, index: u32) -> Result<Option<Self>, ContractError> {
        let entries = GuardianSetEntry::TABLE.prefix(&(index,))?;
        let parts = entries.rows(storage, Order::Ascending).limit(2);
        let mut parts = parts.map(|entry| entry.map(|entry| entry.content));
        match (parts.next().transpose()?, parts.next().transpose()?) {
            (None, _) => Ok(None),
            (Some(GuardianSetPart::Times(times)), Some(GuardianSetPart::Addresses(addresses))) => {
                Ok(Some(Self {
                    index,
                    times,
                    addresses,
                }))
            }
            _ => Err(damaged(index)),
        }
    }

    /// Writes a new set: two probes, two writes.
    ///
    /// # Errors
    /// [`ContractError::Storage`] if the set exists.
    pub fn insert(&self, storage: &mut dyn Storage) -> Result<(), ContractError> {
        let entry = |part, content| GuardianSetEntry {
            index: self.index,
            part,
            content,
        };
        let times = entry(TIMES, GuardianSetPart::Times(self.times));
        let addresses = entry(
            ADDRESSES,
            GuardianSetPart::Addresses(self.addresses.clone()),
        );
        GuardianSetEntry::TABLE.insert(storage, &times)?;
        Ok(GuardianSetEntry::TABLE.insert(storage, &addresses)?)
    }

    /// Says until when a set's signatures count. One read, one write, of the times alone.
    ///
    /// # Errors
    /// [`ContractError::Storage`] if there is no such set; [`ContractError::Damaged`].
    pub fn expire(storage: &mut dyn Storage, index: u32, last: u64) -> Result<(), ContractError> {
        GuardianSetEntry::TABLE.modify(storage, &(index, TIMES), |entry| match entry.content {
            GuardianSetPart::Times(times) => Ok(GuardianSetEntry {
                content: GuardianSetPart::Times(GuardianSetTimes {
                    expires_at: Some(last),
                    ..times
                }),
                ..entry
            }),
            GuardianSetPart::Addresses(_) => Err(damaged(index)),
        })?;
        Ok(())
    }

    /// Returns the index of the first set known; indexes have no gaps from there to the current one. One scan of one
    /// entry.
    ///
    /// # Errors
    /// [`OrmError::Decode`].
    pub fn first_index(storage: &dyn Storage) -> Result<Option<u32>, OrmError> {
        let first = GuardianSetEntry::TABLE.all().first(storage)?;
        Ok(first.map(|entry| entry.index))
    }

    /// Returns the guardians.
    ///
    /// # Errors
    /// [`ContractError::Damaged`] if the stored addresses are no set.
    pub fn guardian_set(&self) -> Result<GuardianSet, ContractError> {
        let damaged = || damaged(self.index);
        match self.addresses.as_chunks::<20>() {
            (addresses, []) => {
                GuardianSet::new(addresses.iter().copied().map(GuardianAddress).collect())
            }
            _ => return Err(damaged()),
        }
        .map_err(|_| damaged())
    }

    /// Returns the stored form of guardians.
    #[must_use]
    pub fn pack(set: &GuardianSet) -> Vec<u8> {
        set.addresses()
            .iter()
            .flat_map(|address| address.0)
            .collect()
    }

    /// Whether the set's signatures count at this block time, in Unix seconds. The last second is included.
    #[must_use]
    pub fn live_at(&self, now: u64) -> bool {
        self.times.expires_at.is_none_or(|last| now <= last)
    }
}

fn damaged(index: u32) -> ContractError {
    ContractError::Damaged {
        what: format!("guardian set {index}"),
    }
}
