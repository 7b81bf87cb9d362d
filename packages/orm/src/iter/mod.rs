//! Reading many rows: what a scan covers, and what can be done with it.

mod adapters;
mod scan;
mod span;

pub use adapters::Iter;
pub use scan::{Entries, Listed, Rows, Scan};
pub(crate) use span::{span_of_bounds, span_of_prefix};
