//! Reading many rows: what a scan covers, and what can be done with it.

mod adapters;
mod chain;
mod list;
mod listed;
mod project;
mod run;
mod scan;
mod span;
mod steps;
mod walk;

pub use adapters::Iter;
pub use chain::Chained;
pub(crate) use list::{Found, Start, page_of};
pub use list::{List, Walk};
pub use listed::{Entries, ListFacts, Listed, Rows};
pub use project::{IndexKeys, Projected};
pub use scan::Scan;
pub(crate) use span::{span_of_bounds, span_of_prefix};
pub(crate) use steps::Steps;
