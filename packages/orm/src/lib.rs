#![cfg_attr(feature = "derive", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "derive"),
    doc = "An on-chain ORM for CosmWasm; its documentation comes with the feature `derive`."
)]

mod codec;
mod column;
mod cursor;
mod error;
mod index;
mod iter;
mod key;
mod namespace;
mod page;
mod paginate;
mod raw;
mod row;
mod sequence;
mod table;

pub use codec::{Codec, Json, Postcard};
#[cfg(feature = "derive")]
pub use cw_orm_derive::{Family, Key, Table};
pub use error::OrmError;
pub use index::{
    ColumnsFunc, CountIndex, CountScan, CountView, CountedList, CoveredColumns, CoveringIndex,
    IndexKind, IndexSet, IndexView, Indexable, Indexer, IndexerFunc, Lookup, LookupFacts,
    MultiKeyIndex, Subject, UniqueIndex,
};
pub use iter::{Chained, Entries, IndexKeys, Iter, List, Listed, Projected, Rows, Scan, Walk};
pub use key::{
    BytesPart, BytesPrefix, CompactUint64, Key, KeyError, KeyReader, KeyRule, KeyWriter,
    MAX_BYTES_PART, PrefixOf, TextPart, TextPrefix, successor,
};
pub use namespace::{Namespace, assert_distinct};
pub use page::{DEFAULT_SCAN_BUDGET, Page, PageRequest, PageResponse};
pub use paginate::{PageTerms, paginate, paginate_some};
pub use raw::{Probe, WritePlan};
pub use row::{AutoKeyed, PageLimits, PrimaryKeyed, Record, TableMeta, expect_version};
pub use sequence::Sequence;
pub use table::{
    AutoUInt64Table, Families, FamiliesScan, FamilyChange, FamilyRow, FamilyTable, FamilyValues,
    FamilyView, Member, PrimaryKeyTable, RowGetter, Table,
};

/// What the derive's code refers to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use serde;

    pub use crate::column::Column;
}
