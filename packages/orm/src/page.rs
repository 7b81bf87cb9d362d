//! Pages: requests and answers with the Cosmos SDK's meaning.

use cosmwasm_std::{Binary, Order, Uint64};
use cw_schema::Schemaifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many rows a count, an offset or a filter may pass unless the contract says otherwise.
pub const DEFAULT_SCAN_BUDGET: u32 = 1_000;

/// Which page of a list is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields, default)]
pub struct PageRequest {
    /// The `next_key` of the page before, good for the same list with the same arguments and direction; absent for the
    /// first page. Excludes `offset`.
    pub key: Option<Binary>,
    /// How many rows to pass over before the first page; absent is none. Excludes `key`.
    pub offset: Option<Uint64>,
    /// How many rows the page has at most. Absent or zero: the list's default; over its maximum: that.
    pub limit: Option<Uint64>,
    /// Whether to count all rows of the list, on the first page only. Refused if there are too many to count.
    pub count_total: bool,
    /// Whether to list in descending order. A `key` is good for the direction it came from.
    pub reverse: bool,
}

impl PageRequest {
    /// Asks for the first page, of at most `limit` rows.
    #[must_use]
    pub fn first(limit: u64) -> Self {
        Self {
            limit: Some(Uint64::new(limit)),
            ..Self::default()
        }
    }

    /// Asks for the page that `response` says comes next, if one does.
    #[must_use]
    pub fn after(&self, response: &PageResponse) -> Option<Self> {
        let key = response.next_key.clone()?;
        Some(Self {
            key: Some(key),
            offset: None,
            count_total: false,
            ..self.clone()
        })
    }

    /// Returns the direction asked for.
    #[must_use]
    pub fn order(&self) -> Order {
        if self.reverse {
            Order::Descending
        } else {
            Order::Ascending
        }
    }
}

/// What a page tells of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct PageResponse {
    /// The `key` of the next page; absent exactly when nothing is left. A filtered page can be short, even empty, and
    /// still have one: it then ended because it had passed as many rows as it may.
    #[serde(default)]
    pub next_key: Option<Binary>,
    /// How many rows the list has; only where it was asked for.
    #[serde(default)]
    pub total: Option<Uint64>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows, at most as many as asked for.
    pub items: Vec<T>,
    /// What comes next, and how many there are.
    pub page: PageResponse,
}

impl<T> Page<T> {
    /// Makes each item into another.
    ///
    /// # Errors
    /// The first error of `map`.
    pub fn try_map<U, E>(self, map: impl FnMut(T) -> Result<U, E>) -> Result<Page<U>, E> {
        Ok(Page {
            items: self.items.into_iter().map(map).collect::<Result<_, E>>()?,
            page: self.page,
        })
    }
}
