//! Taking over what `cw-storage-plus` wrote.
//!
//! A `Map` or `IndexedMap` is a table as it stands: codec [`Json`](crate::Json), [`KeyRule::StoragePlus`](crate::KeyRule),
//! its own namespace. From there: native indexes are added by [`Table::backfill`](crate::Table::backfill), the map's own
//! are cleared ([`StoragePlusIndex`]), and the rows can be moved to another layout while they are in use
//! ([`MovingTable`]).

mod moving;
mod scan;
mod storage_plus;

pub use moving::MovingTable;
pub use scan::MovingScan;
pub use storage_plus::StoragePlusIndex;
