//! Pages: requests and answers with the Cosmos SDK's meaning, and the loop that makes a page of any scan.

use cosmwasm_std::{Binary, Order, Storage, Uint64};
use cw_schema::Schemaifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    cursor::{Cursor, Scope},
    error::OrmError,
    raw::{Source, Span},
    row::PageLimits,
};

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

/// The list that pages are made of.
pub(crate) struct Listing<'a, S: Source> {
    pub(crate) source: &'a S,
    pub(crate) scope: Scope,
    pub(crate) span: &'a Span,
    pub(crate) limits: PageLimits,
    pub(crate) budget: u32,
    /// Whether `visit` may refuse entries.
    pub(crate) filtered: bool,
}

/// What a page is shown: an entry's key and value, and whether it can become an item. Says whether the entry matches.
pub(crate) type Visit<'v, V> = dyn FnMut(&[u8], V, bool) -> Result<bool, OrmError> + 'v;

/// Makes a page: gives entries to `visit`, which says of each whether it is an item.
pub(crate) fn paginate<S: Source>(
    storage: &dyn Storage,
    listing: &Listing<'_, S>,
    request: &PageRequest,
    visit: &mut Visit<'_, S::Value>,
) -> Result<PageResponse, OrmError> {
    let order = request.order();
    let offset = request.offset.unwrap_or_default().u64();
    let cursor = match &request.key {
        Some(key) if !key.is_empty() => {
            Some(Cursor::open(key, listing.scope, order, listing.span)?)
        }
        _ => None,
    };
    if cursor.is_some() && offset > 0 {
        return Err(OrmError::KeyAndOffset);
    }
    let count = request.count_total && cursor.is_none();
    let limit = match request.limit.unwrap_or_default().u64() {
        0 => listing.limits.default,
        limit => u32::try_from(limit).unwrap_or(u32::MAX),
    };
    let limit = limit.min(listing.limits.max).max(1);

    let span = match cursor {
        Some(position) => listing.span.clone().after(position, order),
        None => listing.span.clone(),
    };
    let mut walk = Walk {
        taken: 0,
        skipped: 0,
        total: 0,
        passed: 0,
        last: None,
    };
    let mut more = false;
    for (key, value) in listing.source.open(storage, &span, order) {
        let full = walk.taken == limit;
        if full && !count && !listing.filtered {
            more = true;
            break;
        }
        if walk.passed == listing.budget {
            if count {
                return Err(OrmError::ScanBudget {
                    what: "total",
                    budget: listing.budget,
                });
            }
            if walk.skipped < offset {
                return Err(OrmError::ScanBudget {
                    what: "offset",
                    budget: listing.budget,
                });
            }
            if listing.filtered {
                more = true;
                break;
            }
        }
        let skip = walk.skipped < offset;
        if skip || full || count || listing.filtered {
            walk.passed = walk.passed.saturating_add(1);
        }
        // Entries that are not to be an item need a look only where a filter decides whether they count.
        let matches = if (skip || full) && !listing.filtered {
            true
        } else {
            visit(&key, value, !skip && !full)?
        };
        if matches {
            walk.total = walk.total.saturating_add(1);
            if skip {
                walk.skipped = walk.skipped.saturating_add(1);
            } else if full {
                more = true;
                if !count {
                    break;
                }
            } else {
                walk.taken = walk.taken.saturating_add(1);
            }
        }
        // Under a filter this goes on past a full page, to find out whether an item is left; the next page then begins
        // behind what was looked through.
        if !more {
            walk.last = Some(key);
        }
    }
    Ok(PageResponse {
        next_key: walk
            .last
            .filter(|_| more)
            .map(|last| Cursor::seal(listing.scope, order, &last)),
        total: count.then(|| Uint64::new(walk.total)),
    })
}

/// What a page's loop has seen.
struct Walk {
    taken: u32,
    skipped: u64,
    total: u64,
    passed: u32,
    last: Option<Vec<u8>>,
}
