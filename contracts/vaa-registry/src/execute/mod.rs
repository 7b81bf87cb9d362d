//! What can be done: a file an action.
//!
//! Where a step is kept out of its caller by `inline(never)`, that is since chains refuse functions of more than 100
//! locals, which whole actions in one piece have.

mod admin;
mod build_index;
mod claim;
#[cfg(feature = "import")]
mod genesis;
mod governance;
mod observe;
mod pending;
mod prune;
mod publish;
mod register;
mod settle;
mod submit;
mod undecided;

pub(crate) use admin::{
    accept_admin, renounce_admin, set_limits, set_paused, transfer_admin, valid_address,
};
pub(crate) use build_index::build_index;
#[cfg(feature = "import")]
pub(crate) use genesis::{import, imported_tables, pages_of, seal};
pub(crate) use governance::{decide, decide_again};
pub(crate) use observe::{Batch, Progress, submit_observations};
pub(crate) use prune::prune;
pub(crate) use publish::{publish_messages, register_publisher, revoke_publisher};
use register::find_decided;
pub(crate) use register::{Known, Registry, find_known};
use submit::check_batch;
pub(crate) use submit::{check, check_pause, submit_vaas};
