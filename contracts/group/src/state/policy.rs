//! Policies: when a group accepts proposals, and the account that then acts.

use cosmwasm_std::{Addr, Storage};
use cw_orm::Table;

use crate::{error::ContractError, msg::DecisionPolicy};

/// A policy of a group.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "policies", ns = "p", limits(default = 10, max = 30))]
pub struct Policy {
    /// Its id, from 1 on.
    #[pk(auto)]
    pub id: u64,
    /// The address of its account.
    #[unique(id = 1)]
    pub account: Addr,
    /// The group whose members vote.
    #[index(id = 2, name = by_group)]
    pub group_id: u64,
    /// Who may change it.
    #[index(id = 3)]
    pub admin: Addr,
    /// Whatever the admin wrote.
    pub metadata: String,
    /// 1, and one more for each change, which aborts the proposals submitted under another version that are still open.
    pub version: u64,
    /// When a proposal is accepted.
    pub decision: DecisionPolicy,
    /// When it was created, in Unix seconds.
    pub created_at: u64,
}

impl Policy {
    /// Reads a policy.
    ///
    /// # Errors
    /// [`ContractError::UnknownPolicy`], [`ContractError::Storage`].
    pub fn load(storage: &dyn Storage, id: u64) -> Result<Self, ContractError> {
        Self::TABLE
            .get(storage, &id)?
            .ok_or(ContractError::UnknownPolicy { id })
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
            what: "policy",
            id: self.id,
            sender: sender.into(),
        })
    }
}
