//! Guardian sets: all that ever were, since an archived VAA names the set that signed it.

use cosmwasm_std::Storage;
use cw_orm::Table;
use wormhole_vaa::{GuardianAddress, GuardianSet};

use crate::error::ContractError;

/// How long a replaced set's signatures go on to count, in seconds from the block that replaced it.
pub const GRACE_SECONDS: u64 = 86_400;

/// A guardian set.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "guardian_sets", ns = "g")]
pub struct GuardianSetRow {
    /// Its index.
    #[pk]
    pub index: u32,
    /// The block time at which it became known, in Unix seconds.
    pub applied_at: u64,
    /// The block at which it became known.
    pub applied_height: u64,
    /// The last second in which its signatures count; none for the current set.
    pub expires_at: Option<u64>,
    /// The guardians' addresses, 20 bytes each.
    #[serde(with = "serde_bytes")]
    pub addresses: Vec<u8>,
}

impl GuardianSetRow {
    /// Reads a set.
    ///
    /// # Errors
    /// [`ContractError::Storage`].
    pub fn load(storage: &dyn Storage, index: u32) -> Result<Option<Self>, ContractError> {
        Ok(Self::TABLE.get(storage, &index)?)
    }

    /// Returns the guardians.
    ///
    /// # Errors
    /// [`ContractError::Damaged`] if the stored addresses are no set.
    pub fn guardian_set(&self) -> Result<GuardianSet, ContractError> {
        let damaged = || ContractError::Damaged {
            what: format!("guardian set {}", self.index),
        };
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
        self.expires_at.is_none_or(|last| now <= last)
    }
}
