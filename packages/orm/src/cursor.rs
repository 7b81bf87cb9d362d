//! Cursors: where a page ended, and of which list.
//!
//! Bytes: `version 01 | direction (00 ascending, 01 descending) | scope, 8 bytes | key of the last entry passed`. The
//! scope is a hash of the list's namespace, bounds and filter. The next page begins after that key, whether or not its
//! entry still exists, so a cursor survives inserts and deletes.

use cosmwasm_std::{Binary, Order};

use crate::{error::OrmError, raw::Span};

const VERSION: u8 = 1;

/// Which list a cursor belongs to. Tells lists apart; no secret, and no more harm in a forged one than a page that
/// begins elsewhere in the same list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scope(pub(crate) u64);

impl Scope {
    /// FNV-1a over the parts, each behind its length.
    pub(crate) fn of(parts: &[&[u8]]) -> Self {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        let mut hash = OFFSET;
        for part in parts {
            let len = u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes();
            for byte in len.iter().chain(*part) {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
            }
        }
        Self(hash)
    }

    /// The scope of a span of a namespace, under a filter of the given name.
    pub(crate) fn of_list(namespace: &[u8], span: &Span, filter: &[u8]) -> Self {
        let bound = |bound: &Option<Vec<u8>>| {
            bound
                .as_ref()
                .map_or_else(Vec::new, |bytes| [&[1], &bytes[..]].concat())
        };
        Self::of(&[namespace, &bound(&span.from), &bound(&span.until), filter])
    }
}

/// Adds a filter's name to those before it, each behind its length: no filter is then like no other combination.
pub(crate) fn filter_name(before: &[u8], name: &[u8]) -> Vec<u8> {
    let len = u32::try_from(name.len()).unwrap_or(u32::MAX).to_be_bytes();
    [before, &len, name].concat()
}

pub(crate) struct Cursor;

impl Cursor {
    /// Makes a cursor that continues after `last`.
    pub(crate) fn seal(scope: Scope, order: Order, last: &[u8]) -> Binary {
        let head = [VERSION, direction(order)];
        Binary::new([&head[..], &scope.0.to_be_bytes(), last].concat())
    }

    /// Returns the position after which a page begins, one that the list `contains`.
    pub(crate) fn open(
        cursor: &[u8],
        scope: Scope,
        order: Order,
        contains: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Vec<u8>, OrmError> {
        let Some(([VERSION, way @ (0 | 1), hash @ ..], last)) = cursor.split_first_chunk::<10>()
        else {
            return Err(OrmError::MalformedCursor);
        };
        if *way != direction(order) || *hash != scope.0.to_be_bytes() {
            return Err(OrmError::ForeignCursor);
        }
        if !contains(last) {
            return Err(OrmError::MalformedCursor);
        }
        Ok(last.to_vec())
    }
}

fn direction(order: Order) -> u8 {
    match order {
        Order::Ascending => 0,
        Order::Descending => 1,
    }
}
