#![cfg_attr(feature = "derive", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "derive"),
    doc = "An on-chain ORM for CosmWasm; its documentation comes with the feature `derive`."
)]

mod backfill;
mod bulk;
mod check;
mod codec;
mod column;
mod cursor;
mod error;
mod genesis;
mod index;
mod iter;
mod key;
mod merge;
mod namespace;
mod page;
mod paginate;
mod raw;
mod row;
mod schema;
mod sequence;
mod shelf;
mod staged;
mod state;
mod table;
mod takeover;
mod upgrade;
mod write;

pub use backfill::{Built, Progress};
pub use bulk::Deleted;
pub use check::{CheckReport, Fault};
pub use codec::{Codec, Json, Postcard};
#[cfg(feature = "derive")]
pub use cw_orm_derive::{Family, Key, Table};
pub use error::OrmError;
pub use genesis::{GenesisError, GenesisPage, GenesisRow, ImportState, PagedImport};
pub use index::{
    ColumnsFunc, CountIndex, CountScan, CountView, CountedList, CoveredColumns, CoveringIndex,
    IndexEntry, IndexKind, IndexSet, IndexView, Indexable, Indexer, IndexerFunc, Lookup,
    LookupFacts, MultiKeyIndex, Subject, Trace, UniqueIndex,
};
pub use iter::{
    Chained, Entries, IndexKeys, Iter, List, ListFacts, Listed, Projected, Rows, Scan, Walk,
};
pub use key::{
    BytesPart, BytesPrefix, CompactUint64, Key, KeyError, KeyLayout, KeyReader, KeyRule, KeyWriter,
    MAX_BYTES_PART, PrefixOf, TextPart, TextPrefix, successor,
};
pub use namespace::{Namespace, assert_distinct, assert_tables_distinct};
pub use page::{DEFAULT_SCAN_BUDGET, Page, PageRequest, PageResponse};
pub use paginate::{PageTerms, paginate, paginate_some};
pub use raw::{Probe, WritePlan};
pub use row::{AutoKeyed, PageLimits, PrimaryKeyed, Record, TableMeta, expect_version};
pub use schema::{
    Described, IndexSchema, RecordSchema, Schema, SchemaChange, SchemaStep, SchemaStore,
    TableChange, TableSchema,
};
pub use sequence::Sequence;
pub use state::IndexState;
pub use table::{
    AutoUInt64Table, Families, FamiliesScan, FamilyChange, FamilyRow, FamilyTable, FamilyValues,
    FamilyView, Member, MemberVisitor, PrimaryKeyTable, RowGetter, Table,
};
pub use takeover::{MovingScan, MovingTable, StoragePlusIndex};

/// What the derive's code refers to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use serde;

    pub use crate::{
        column::{Column, covered},
        row::same_key,
    };
}
