//! What can be done: a file an action.

mod governance;
mod register;
mod submit;

pub(crate) use governance::decide;
pub(crate) use register::{Known, Registry, find_known};
pub(crate) use submit::{check, submit_vaas};
