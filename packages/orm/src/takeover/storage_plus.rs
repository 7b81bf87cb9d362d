//! The indexes of an `IndexedMap`: of no use to a table, which keeps indexes of its own.

use cosmwasm_std::{Binary, Order, Storage, from_json};
use serde::{Deserialize, de::IgnoredAny};

use crate::{
    backfill::{Progress, clear},
    error::{OrmError, hex},
    namespace::Namespace,
    raw::{Source, Span},
};

/// An index that an `IndexedMap` of `cw-storage-plus` 3 kept: a `MultiIndex`, with entries
/// `namespace | length-prefixed index key | primary key → length of the primary key, as JSON`, or a `UniqueIndex`,
/// `namespace | index key → {"pk": …, "value": …}`.
///
/// ```
/// use cw_orm::{Namespace, StoragePlusIndex};
///
/// const BY_OWNER: StoragePlusIndex =
///     StoragePlusIndex::multi("tokens", "owner", Namespace::new(b"tokens__owner"));
/// # let mut store = cosmwasm_std::testing::MockStorage::new();
/// while !BY_OWNER.clear(&mut store, 100)?.done {}
/// # Ok::<_, cw_orm::OrmError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct StoragePlusIndex {
    table: &'static str,
    name: &'static str,
    namespace: Namespace,
    unique: bool,
}

/// What a `UniqueIndex` has under a key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UniqueRef {
    #[serde(rename = "pk")]
    _pk: Binary,
    #[serde(rename = "value")]
    _value: IgnoredAny,
}

impl StoragePlusIndex {
    /// Names a `MultiIndex`: the table and index in errors, and the `idx_namespace` that it was made with.
    #[must_use]
    pub const fn multi(table: &'static str, name: &'static str, namespace: Namespace) -> Self {
        Self {
            table,
            name,
            namespace,
            unique: false,
        }
    }

    /// Names a `UniqueIndex`.
    #[must_use]
    pub const fn unique(table: &'static str, name: &'static str, namespace: Namespace) -> Self {
        Self {
            table,
            name,
            namespace,
            unique: true,
        }
    }

    /// Removes up to `limit` entries (1 if it is 0). Rows are not touched; the `IndexedMap` is of no use any more. Reads
    /// and deletes the entries.
    ///
    /// # Errors
    /// [`OrmError::MalformedEntry`] if one of them is no entry of such an index, so that a wrong namespace is not cleared;
    /// nothing is removed then.
    pub fn clear(&self, storage: &mut dyn Storage, limit: u32) -> Result<Progress, OrmError> {
        let limit = limit.max(1);
        let count = usize::try_from(limit).unwrap_or(usize::MAX);
        for (key, value) in self
            .namespace
            .open(storage, &Span::default(), Order::Ascending)
            .take(count)
        {
            if !self.is_entry(&key, &value) {
                return Err(OrmError::MalformedEntry {
                    table: self.table,
                    index: self.name,
                    entry: hex(&key),
                });
            }
        }
        Ok(clear(storage, self.namespace, limit))
    }

    fn is_entry(&self, key: &[u8], value: &[u8]) -> bool {
        if self.unique {
            return from_json::<UniqueRef>(value).is_ok();
        }
        let Ok(len) = from_json::<u32>(value) else {
            return false;
        };
        // Before the primary key there is at least the length of an empty index key.
        usize::try_from(len).is_ok_and(|len| len.saturating_add(2) <= key.len())
    }
}
