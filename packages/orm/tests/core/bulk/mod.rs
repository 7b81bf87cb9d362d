//! Deleting many rows in steps.

mod damaged;
mod model;
mod steps;
