//! Namespaces: where a table, a family, an index or a sequence keeps its entries.

use cosmwasm_std::storage_keys::{namespace_with_key, to_length_prefixed};

/// A namespace of the store. Its keys begin with a `u16` big-endian length and its bytes, exactly as those of a
/// `cw-storage-plus` `Map` of that name, so that one namespace's keys are never a part of another's. Every byte costs gas
/// in every entry: one or two are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Namespace(&'static [u8]);

impl Namespace {
    /// Names a namespace of 1 to 255 bytes.
    ///
    /// # Panics
    /// On an empty or longer name, or the single byte `00`, which is the ORM's own; evaluated in a constant, as here it always is, that is a compile error.
    #[must_use]
    #[allow(clippy::panic, clippy::indexing_slicing)]
    pub const fn new(name: &'static [u8]) -> Self {
        assert!(
            !name.is_empty() && name.len() <= 255,
            "a namespace has 1 to 255 bytes"
        );
        assert!(
            name.len() > 1 || name[0] != 0,
            "the namespace of one zero byte is the ORM's own"
        );
        Self(name)
    }

    /// Returns its name, without the length.
    #[must_use]
    pub const fn name(self) -> &'static [u8] {
        self.0
    }

    /// Returns the bytes with which all its keys begin.
    #[must_use]
    pub fn prefix(self) -> Vec<u8> {
        // A namespace is at most 255 bytes long, so the length always fits.
        to_length_prefixed(self.0)
    }

    /// Returns the store's key for `key` in this namespace.
    #[must_use]
    pub fn key(self, key: &[u8]) -> Vec<u8> {
        namespace_with_key(&[self.0], key)
    }
}

/// Where the ORM keeps the state of indexes and upgrades; no table's, as [`Namespace::new`] refuses it.
pub(crate) const LIFE_CYCLE: Namespace = Namespace(&[0]);

/// Refuses, at compile time, namespaces that occur twice.
///
/// ```
/// use cw_orm::{Namespace, assert_distinct};
/// const TABLES: &[Namespace] = &[Namespace::new(b"a"), Namespace::new(b"b")];
/// const _: () = assert_distinct(TABLES);
/// ```
///
/// ```compile_fail
/// use cw_orm::{Namespace, assert_distinct};
/// const TABLES: &[Namespace] = &[Namespace::new(b"a"), Namespace::new(b"a")];
/// const _: () = assert_distinct(TABLES);
/// ```
///
/// # Panics
/// If two are equal: in a constant, a compile error.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic
)]
pub const fn assert_distinct(namespaces: &[Namespace]) {
    let mut i = 0;
    while i < namespaces.len() {
        let mut j = i + 1;
        while j < namespaces.len() {
            assert!(
                !same(namespaces[i].0, namespaces[j].0),
                "two tables, families or indexes share a namespace"
            );
            j += 1;
        }
        i += 1;
    }
}

/// Refuses, at compile time, namespaces that occur twice among several tables, as the derive lists each one's in its
/// `NAMESPACES`.
///
/// ```
/// use cw_orm::{Namespace, assert_tables_distinct};
/// const USERS: &[Namespace] = &[Namespace::new(b"u"), Namespace::new(b"u\x01")];
/// const VERSION: Namespace = Namespace::new(b"v");
/// const _: () = assert_tables_distinct(&[USERS, &[VERSION]]);
/// ```
///
/// # Panics
/// If two are equal: in a constant, a compile error.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic
)]
pub const fn assert_tables_distinct(tables: &[&[Namespace]]) {
    let mut i = 0;
    while i < tables.len() {
        assert_distinct(tables[i]);
        let mut j = i + 1;
        while j < tables.len() {
            let mut k = 0;
            while k < tables[i].len() {
                let mut l = 0;
                while l < tables[j].len() {
                    assert!(
                        !same(tables[i][k].0, tables[j][l].0),
                        "two tables share a namespace"
                    );
                    l += 1;
                }
                k += 1;
            }
            j += 1;
        }
        i += 1;
    }
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
