//! Rows: what a type must tell for a table to keep it. `#[derive(Table)]` writes these impls.

use crate::{
    codec::Codec,
    error::{OrmError, hex},
    index::Indexable,
    key::{Key, KeyRule},
    namespace::Namespace,
};

/// The fixed facts of a table, or of one column family of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableMeta {
    /// Its name in errors and schema descriptors; never stored.
    pub name: &'static str,
    /// Where its rows are.
    pub namespace: Namespace,
    /// The version of the row layout, written before each row of a versioned codec.
    pub version: u8,
    /// How variable-length parts of the primary key are delimited.
    pub key_rule: KeyRule,
    /// How many rows a page has.
    pub limits: PageLimits,
}

/// The page sizes of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLimits {
    /// The size of a page when the request names none, or zero.
    pub default: u32,
    /// The largest page; larger requests get this.
    pub max: u32,
}

impl PageLimits {
    /// 10 rows by default, 30 at most, as CosmWasm contracts are used to.
    pub const DEFAULT: Self = Self {
        default: 10,
        max: 30,
    };
}

/// What is stored under a primary key: a whole row, or one column family of a row.
pub trait Record: Sized + 'static {
    /// The primary key's type.
    type PrimaryKey: Key + Clone;
    /// How columns become bytes.
    type Codec: Codec;
    /// The table's fixed facts.
    const META: TableMeta;
    /// The indexes kept over this record, each in a namespace of its own.
    const INDEXES: &'static [&'static dyn Indexable<Self>];

    /// Returns the bytes of the columns that are not in the key.
    ///
    /// # Errors
    /// The reason why they cannot be encoded.
    fn encode(&self) -> Result<Vec<u8>, String>;

    /// Puts a record together from its key and the bytes of its other columns, which `version` was written in: this
    /// code's or an older one, never a newer.
    ///
    /// # Errors
    /// The reason why `bytes` are no such columns, or no known `version`.
    fn decode(key: &Self::PrimaryKey, version: u8, bytes: &[u8]) -> Result<Self, String>;

    /// Refuses a record that breaks a rule of its own. Called before every write.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }
}

/// A row that carries its own primary key.
pub trait PrimaryKeyed: Record {
    /// Returns the primary key, made of fields of the row.
    fn primary_key_fields(&self) -> Self::PrimaryKey;
}

/// A row whose primary key is an id that its table gives.
pub trait AutoKeyed: PrimaryKeyed<PrimaryKey = u64> {
    /// Where the table keeps the last id given.
    const SEQUENCE: Namespace;

    /// Puts the id given into the row.
    fn set_id(&mut self, id: u64);
}

/// Returns the row id (the encoded primary key) of `key`.
pub(crate) fn row_id<R: Record>(key: &R::PrimaryKey) -> Result<Vec<u8>, OrmError> {
    let table = R::META.name;
    if key.is_empty() {
        return Err(OrmError::Key {
            table,
            source: crate::key::KeyError::Empty,
        });
    }
    key.encode(R::META.key_rule)
        .map_err(|source| OrmError::Key { table, source })
}

/// Returns the primary key that `row_id` encodes.
pub(crate) fn primary_key<R: Record>(row_id: &[u8]) -> Result<R::PrimaryKey, OrmError> {
    R::PrimaryKey::decode(row_id, R::META.key_rule).map_err(|source| OrmError::Key {
        table: R::META.name,
        source,
    })
}

/// Returns the value stored for `record`.
pub(crate) fn to_value<R: Record>(record: &R) -> Result<Vec<u8>, OrmError> {
    let table = R::META.name;
    if let Err(reason) = record.validate() {
        return Err(OrmError::Invalid { table, reason });
    }
    let version = R::Codec::VERSIONED.then_some(R::META.version);
    value_of(table, version, record.encode())
}

/// Returns the version that `value` was written in, if that is an older one.
pub(crate) fn older_version(meta: &TableMeta, versioned: bool, value: &[u8]) -> Option<u8> {
    let version = value.first().copied()?;
    (versioned && version < meta.version).then_some(version)
}

/// Returns the record that is stored as `value` under `key`.
pub(crate) fn from_value<R: Record>(
    row_id: &[u8],
    key: &R::PrimaryKey,
    value: &[u8],
) -> Result<R, OrmError> {
    let (version, columns) = columns_of(&R::META, R::Codec::VERSIONED, row_id, value)?;
    match R::decode(key, version, columns) {
        Ok(record) => Ok(record),
        Err(reason) => Err(undecodable(&R::META, row_id, reason)),
    }
}

/// Puts the version before what a codec wrote.
fn value_of(
    table: &'static str,
    version: Option<u8>,
    columns: Result<Vec<u8>, String>,
) -> Result<Vec<u8>, OrmError> {
    let mut columns = columns.map_err(|reason| OrmError::Encode { table, reason })?;
    if let Some(version) = version {
        columns.insert(0, version);
    }
    if columns.is_empty() {
        return Err(OrmError::Encode {
            table,
            reason: "the codec wrote no bytes".into(),
        });
    }
    Ok(columns)
}

/// Takes a stored value apart: the version that it was written in, and what a codec wrote.
fn columns_of<'v>(
    meta: &TableMeta,
    versioned: bool,
    row_id: &[u8],
    value: &'v [u8],
) -> Result<(u8, &'v [u8]), OrmError> {
    match value.split_first() {
        None => Err(undecodable(meta, row_id, "the value is empty".into())),
        Some((version, _)) if versioned && *version > meta.version => Err(OrmError::NewerVersion {
            table: meta.name,
            key: hex(row_id),
            found: *version,
            known: meta.version,
        }),
        Some((version, columns)) if versioned => Ok((*version, columns)),
        Some(_) => Ok((meta.version, value)),
    }
}

fn undecodable(meta: &TableMeta, row_id: &[u8], reason: String) -> OrmError {
    OrmError::Decode {
        table: meta.name,
        key: hex(row_id),
        reason,
    }
}

/// Refuses a key that is not the one which a row is stored under; for the derive.
///
/// # Errors
/// If `found` is not `key`.
pub fn same_key<K: Key>(what: &str, found: &K, key: &K) -> Result<(), String> {
    // Delimited keys of one type are equal exactly if their bytes are.
    match (found.encode(KeyRule::Ordered), key.encode(KeyRule::Ordered)) {
        (Ok(found), Ok(key)) if found == key => Ok(()),
        _ => Err(format!(
            "{what} is not the one that the row is stored under"
        )),
    }
}

/// Refuses a version that this code does not know; for [`Record::decode`] of rows with one layout so far.
///
/// # Errors
/// If `found` is not `known`.
pub fn expect_version(known: u8, found: u8) -> Result<(), String> {
    if found == known {
        Ok(())
    } else {
        Err(format!("row version {found}, this code knows {known}"))
    }
}
