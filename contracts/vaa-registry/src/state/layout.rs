//! Which layout the store has: what a migration compares, so that code never reads what other code wrote otherwise.

use cosmwasm_std::Storage;
use cw_orm::{Schema, Table};

use super::{
    Admin, Config, Conflict, Emitter, FurtherDigest, GuardianSetEntry, Import, Message,
    Observation, Owed, PendingBody, PruneCursor, Publication, Publisher, Registered, Superseded,
    TxClaim, TxMessage, Undecided,
};
use crate::error::ContractError;

/// The layout of this code: keccak256 of the ORM's descriptor of all tables, [`schema`], as JSON. A number rather than the
/// descriptor, which would cost code and some kilobytes of storage; a test holds it against the tables.
pub const LAYOUT: [u8; 32] = [
    0xf3, 0x0d, 0xf6, 0x8b, 0x69, 0x71, 0xc8, 0x68, 0xb4, 0x2f, 0xb0, 0xcc, 0x65, 0xac, 0xb2, 0x18,
    0x50, 0x03, 0x8e, 0x60, 0xbd, 0x69, 0x01, 0x6f, 0x07, 0xf4, 0x8e, 0x48, 0xd8, 0x94, 0x66, 0x04,
];

/// The layout that is stored.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "layout", ns = "z")]
pub struct Layout {
    /// Always 0: there is one row.
    #[pk]
    pub id: u8,
    /// What [`LAYOUT`] was when it was stored.
    pub digest: [u8; 32],
}

impl Layout {
    /// Stores the layout of this code.
    ///
    /// # Errors
    /// [`ContractError::Storage`] if one is stored.
    pub fn store(storage: &mut dyn Storage) -> Result<(), ContractError> {
        let (id, digest) = (0, LAYOUT);
        Ok(Self::TABLE.insert(storage, &Self { id, digest })?)
    }

    /// Refuses a store of another layout.
    ///
    /// # Errors
    /// [`ContractError::Layout`], [`ContractError::Storage`].
    pub fn check(storage: &dyn Storage) -> Result<(), ContractError> {
        let stored = Self::TABLE.get(storage, &0)?;
        match stored.map(|stored| stored.digest) {
            Some(LAYOUT) => Ok(()),
            found => Err(ContractError::Layout { found }),
        }
    }
}

/// Describes all tables, as [`LAYOUT`] stands for them.
#[must_use]
pub fn schema() -> Schema {
    Schema::new()
        .with(&Admin::TABLE)
        .with(&Config::TABLE)
        .with(&Conflict::TABLE)
        .with(&Emitter::TABLE)
        .with(&FurtherDigest::TABLE)
        .with(&GuardianSetEntry::TABLE)
        .with(&Import::TABLE)
        .with(&Layout::TABLE)
        .with(&Message::TABLE)
        .with(&Observation::TABLE)
        .with(&Owed::TABLE)
        .with(&PendingBody::TABLE)
        .with(&PruneCursor::TABLE)
        .with(&Publication::TABLE)
        .with(&Publisher::TABLE)
        .with(&Registered::TABLE)
        .with(&Superseded::TABLE)
        .with(&TxClaim::TABLE)
        .with(&TxMessage::TABLE)
        .with(&Undecided::TABLE)
}
