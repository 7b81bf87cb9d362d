//! Tests of the compiled contract, in one binary.
#![allow(missing_docs)]

mod answers;
#[path = "../../../contracts/vaa-registry/tests/registry/archive_model.rs"]
mod archive_model;
mod archives;
mod artifact;
mod calls;
mod replay;
mod support;
mod verdicts;
