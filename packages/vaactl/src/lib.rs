//! Command line for the Wormhole VAA registry.
//!
//! The binary `vaactl` parses its arguments ([`cli`]) and runs one command ([`cmd`]) on a registry
//! that a [`backend`] holds: the contract itself, run in this process over a database file. Its
//! parts are usable on their own: [`input`] recognises VAAs in files of any form, and
//! [`backend::embedded`] keeps the state of any contract that cw-multi-test can run.

pub mod backend;
pub mod cli;
pub mod cmd;
pub mod input;
pub mod keys;
pub mod network;
pub mod output;
pub mod progress;
pub mod registry;
pub mod remote;
pub mod serve;
