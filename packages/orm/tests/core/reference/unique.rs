//! The unique index, by the first byte of a row's metadata.

use cosmwasm_std::Order::{self, Ascending, Descending};
use cw_orm::{
    Codec, Indexable, KeyRule, Namespace, OrmError, PageLimits, PageRequest, Postcard,
    PrimaryKeyTable, PrimaryKeyed, Record, TableMeta, UniqueIndex, expect_version,
};

use crate::fixture::Store;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    id: u64,
    metadata: Vec<u8>,
}

const ROWS: PrimaryKeyTable<Row> = PrimaryKeyTable::new();
const BY_BYTE: UniqueIndex<Row, [u8; 1]> =
    UniqueIndex::new(1, "by_byte", Namespace::new(b"rub"), |_, row| {
        row.metadata
            .first()
            .map(|byte| [*byte])
            .into_iter()
            .collect()
    });

impl Record for Row {
    type PrimaryKey = u64;
    type Codec = Postcard;
    const META: TableMeta = TableMeta {
        name: "rows",
        namespace: Namespace::new(b"ru"),
        version: 1,
        key_rule: KeyRule::Delimited,
        limits: PageLimits::DEFAULT,
    };
    const INDEXES: &'static [&'static dyn Indexable<Self>] = &[&BY_BYTE];

    fn encode(&self) -> Result<Vec<u8>, String> {
        Postcard::encode(&self.metadata)
    }

    fn decode(id: &u64, version: u8, bytes: &[u8]) -> Result<Self, String> {
        expect_version(1, version)?;
        Ok(Self {
            id: *id,
            metadata: Postcard::decode(bytes)?,
        })
    }
}

impl PrimaryKeyed for Row {
    fn primary_key_fields(&self) -> u64 {
        self.id
    }
}

fn row(id: u64, metadata: &[u8]) -> Row {
    Row {
        id,
        metadata: metadata.to_vec(),
    }
}

fn store() -> Store {
    let mut store = Store::default();
    ROWS.insert(&mut store, &row(1, b"metadata")).unwrap();
    store
}

fn scan(from: u8, order: Order) -> Vec<(u64, Row)> {
    let view = ROWS.by(BY_BYTE).unwrap();
    view.range([from]..)
        .unwrap()
        .entries(&store(), order)
        .read_all()
        .unwrap()
}

#[test]
fn has() {
    let view = ROWS.by(BY_BYTE).unwrap();
    assert_eq!(view.has(&store(), b"m"), Ok(true));
    assert_eq!(view.has(&store(), b"n"), Ok(false));
}

#[test]
fn get() {
    let view = ROWS.by(BY_BYTE).unwrap();
    assert_eq!(view.get(&store(), b"m"), Ok(Some((1, row(1, b"metadata")))));
    assert_eq!(view.get(&store(), b"n"), Ok(None));
}

#[test]
fn get_paginated_without_key() {
    let scan = ROWS.by(BY_BYTE).unwrap().key(b"m").unwrap();
    let page = scan.page(&store(), &PageRequest::default()).unwrap();
    assert_eq!(
        (page.items, page.page.next_key),
        (vec![row(1, b"metadata")], None)
    );
}

/// The reference takes the index key's bytes for a place behind every row, and answers with none; here they are no cursor.
#[test]
fn get_paginated_after_the_index_key() {
    let scan = ROWS.by(BY_BYTE).unwrap().key(b"m").unwrap();
    let request = PageRequest {
        key: Some(b"m".into()),
        ..PageRequest::default()
    };
    assert_eq!(
        scan.page(&store(), &request).unwrap_err(),
        OrmError::MalformedCursor
    );
}

#[test]
fn prefix_scan_match() {
    assert_eq!(scan(b'm', Ascending), [(1, row(1, b"metadata"))]);
}

#[test]
fn prefix_scan_no_match() {
    assert_eq!(scan(b'n', Ascending), []);
}

#[test]
fn reverse_prefix_scan_match() {
    assert_eq!(scan(b'm', Descending), [(1, row(1, b"metadata"))]);
}

#[test]
fn reverse_prefix_scan_no_match() {
    assert_eq!(scan(b'n', Descending), []);
}

/// The reference's own test of this can not fail, and repeats the primary key too. Here only the index can refuse.
#[test]
fn create_with_the_same_index_key() {
    let mut store = store();
    let before = store.dump();
    let taken = OrmError::UniqueViolation {
        table: "rows",
        index: "by_byte",
        key: hex::encode("m"),
    };
    assert_eq!(ROWS.insert(&mut store, &row(2, b"my-metadata")), Err(taken));
    assert_eq!(store.dump(), before);
}

#[test]
fn delete_frees_the_key() {
    let mut store = store();
    ROWS.delete(&mut store, &1).unwrap();
    assert_eq!(ROWS.by(BY_BYTE).unwrap().has(&store, b"m"), Ok(false));
    ROWS.insert(&mut store, &row(2, b"my-metadata")).unwrap();
}

#[test]
fn add_func_creates_when_not_exists() {
    let mut store = Store::default();
    ROWS.insert(&mut store, &row(7, b"x")).unwrap();
    let entry = store
        .dump()
        .remove(&crate::fixture::raw_key("rub", &[b"x"]));
    assert_eq!(entry, Some(7_u64.to_be_bytes().to_vec()));
}

/// No key at all, not an empty one, is how a row stays out of the index.
#[test]
fn add_func_of_no_key() {
    let mut store = Store::default();
    ROWS.insert(&mut store, &row(1, b"")).unwrap();
    ROWS.insert(&mut store, &row(2, b"")).unwrap();
    assert_eq!(store.dump().len(), 2, "the rows alone");
}
