//! Groups.

use cosmwasm_std::{Addr, Decimal, Storage};
use cw_orm::Table;

use crate::error::ContractError;

/// A group of weighted members.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "groups", ns = "g", limits(default = 10, max = 30))]
pub struct Group {
    /// Its id, from 1 on.
    #[pk(auto)]
    pub id: u64,
    /// Who may change it.
    #[index(id = 1)]
    pub admin: Addr,
    /// Whatever the admin wrote.
    pub metadata: String,
    /// 1, and one more for each change.
    pub version: u64,
    /// The weight of all members.
    pub total_weight: Decimal,
    /// How many members it has.
    pub members: u32,
    /// When it was created, in Unix seconds.
    pub created_at: u64,
}

impl Group {
    /// Reads a group.
    ///
    /// # Errors
    /// [`ContractError::UnknownGroup`], [`ContractError::Storage`].
    pub fn load(storage: &dyn Storage, id: u64) -> Result<Self, ContractError> {
        Self::TABLE
            .get(storage, &id)?
            .ok_or(ContractError::UnknownGroup { id })
    }

    /// Refuses anybody but the admin.
    ///
    /// # Errors
    /// [`ContractError::NotAdmin`].
    pub fn only_admin(&self, sender: &Addr) -> Result<(), ContractError> {
        if self.admin == *sender {
            return Ok(());
        }
        Err(ContractError::NotAdmin {
            what: "group",
            id: self.id,
            sender: sender.into(),
        })
    }

    /// Counts a change.
    pub(crate) const fn changed(&mut self) {
        self.version = self.version.saturating_add(1);
    }
}
