//! All that the contract stores.
//!
//! | namespace | table | key | what |
//! | --- | --- | --- | --- |
//! | `c` | config | 0 | the one row of settings |
//! | `g` | groups | id | admin, weight of all members |
//! | `m` | members | group, address | weight |
//! | `p` | policies | id | account, group, when a proposal is accepted |
//! | `o1` `o2` `o3` | proposals | id | families: who submitted it, what is proposed, where it stands |
//! | `v` | votes | proposal, voter | the vote |
//!
//! (`o1` stands for the byte `o` and the byte 1; indexes and sequences are beside their tables.) `cw2` keeps its own item.
//!
//! The group module's lists, and what answers each here:
//!
//! | list | by |
//! | --- | --- |
//! | groups by admin | [`Group::BY_ADMIN`] |
//! | members by group; votes by proposal | the first part of the primary key: no index, and no gas for one |
//! | members by address | [`Member::BY_ADDRESS`] |
//! | policies by group, by admin | [`Policy::BY_GROUP`], [`Policy::BY_ADMIN`] |
//! | proposals by policy, by the end of the voting period | [`Proposal::BY_POLICY`], [`Proposal::BY_VOTING_PERIOD_END`] |
//! | votes by voter | [`Vote::BY_VOTER`] |

mod config;
mod group;
mod member;
mod policy;
mod proposal;
mod vote;

pub use config::Config;
pub use group::Group;
pub use member::Member;
pub use policy::Policy;
pub use proposal::{Content, PROPOSAL_SEQUENCE, Progress, Proposal, Status, Submission};
pub use vote::Vote;

use cw_orm::assert_tables_distinct;

const _: () = assert_tables_distinct(&[
    Config::NAMESPACES,
    Group::NAMESPACES,
    Member::NAMESPACES,
    Policy::NAMESPACES,
    Proposal::NAMESPACES,
    proposal::SEQUENCE_NAMESPACE,
    Vote::NAMESPACES,
]);
