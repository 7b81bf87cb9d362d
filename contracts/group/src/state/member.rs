//! Members of groups.

use cosmwasm_std::{Addr, Decimal};
use cw_orm::Table;

/// A member of a group.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "members", ns = "m", limits(default = 10, max = 30))]
pub struct Member {
    /// The group's id.
    #[pk]
    pub group_id: u64,
    /// The member's address.
    #[pk]
    #[index(id = 1)]
    pub address: Addr,
    /// How much the member's vote weighs; over zero.
    pub weight: Decimal,
    /// Whatever the admin wrote.
    pub metadata: String,
    /// When the member was added, in Unix seconds.
    pub added_at: u64,
}
