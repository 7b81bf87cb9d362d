//! Tests of the compiled contract, in one binary.
#![allow(missing_docs)]

mod artifact;
mod calls;
mod replay;
mod support;
mod verdicts;
