//! Pages of an iterator: of messages in the order of ids, which are the emitters' messages one emitter after the other.
//!
//! A cursor is `version 01 | direction (00 ascending, 01 descending) | length of the list's name | name | position`, the
//! position as a key. The next page begins after that position, whether or not its item still exists.

use cosmwasm_std::{Binary, Order, Uint64};
use cw_orm::{Iter, Key, KeyRule, OrmError, Page, PageLimits, PageRequest, PageResponse};

/// What a page must know of its list.
pub(super) struct PageTerms {
    /// The list's name and arguments, by which a cursor of another is refused; 255 bytes at most.
    pub(super) list: Vec<u8>,
    /// The page sizes.
    pub(super) limits: PageLimits,
    /// How many items may be passed to count or skip them.
    pub(super) budget: u32,
}

/// Makes a page. `open` gives the items in the direction asked for, each with its position, and begins after a position if
/// one is given.
pub(super) fn paginate<'s, P: Key, T>(
    terms: &PageTerms,
    request: &PageRequest,
    open: impl FnOnce(Option<P>, Order) -> Result<Iter<'s, (P, T)>, OrmError>,
) -> Result<Page<T>, OrmError> {
    let order = request.order();
    let head = head(terms, order);
    let after = match &request.key {
        Some(key) if !key.is_empty() => Some(position(&head, key)?),
        _ => None,
    };
    let mut offset = request.offset.unwrap_or_default().u64();
    if after.is_some() && offset > 0 {
        return Err(OrmError::KeyAndOffset);
    }
    let count = request.count_total && after.is_none();
    let limit = match request.limit.unwrap_or_default().u64() {
        0 => terms.limits.default,
        limit => u32::try_from(limit).unwrap_or(u32::MAX),
    };
    let limit = usize::try_from(limit.min(terms.limits.max).max(1)).unwrap_or(usize::MAX);

    let (mut items, mut last, mut more) = (Vec::new(), None, false);
    let (mut total, mut passed) = (0_u64, 0_u32);
    for entry in open(after, order)? {
        let (at, item) = entry?;
        let full = items.len() == limit;
        if full && !count {
            more = true;
            break;
        }
        if count || offset > 0 {
            if passed == terms.budget {
                let (what, budget) = (if count { "total" } else { "offset" }, terms.budget);
                return Err(OrmError::ScanBudget { what, budget });
            }
            passed = passed.saturating_add(1);
        }
        total = total.saturating_add(1);
        if offset > 0 {
            offset = offset.saturating_sub(1);
        } else if full {
            more = true;
        } else {
            items.push(item);
            last = Some(at);
        }
    }
    let next_key = match last.filter(|_| more) {
        Some(last) => Some(seal(head, &last)?),
        None => None,
    };
    let total = count.then(|| Uint64::new(total));
    let page = PageResponse { next_key, total };
    Ok(Page { items, page })
}

fn head(terms: &PageTerms, order: Order) -> Vec<u8> {
    let direction = match order {
        Order::Ascending => 0,
        Order::Descending => 1,
    };
    let len = u8::try_from(terms.list.len()).unwrap_or(u8::MAX);
    [&[1, direction, len], &terms.list[..]].concat()
}

fn position<P: Key>(head: &[u8], cursor: &[u8]) -> Result<P, OrmError> {
    let [1, 0 | 1, len, rest @ ..] = cursor else {
        return Err(OrmError::MalformedCursor);
    };
    let (_, at) = rest
        .split_at_checked(usize::from(*len))
        .ok_or(OrmError::MalformedCursor)?;
    if cursor.strip_suffix(at) != Some(head) {
        return Err(OrmError::ForeignCursor);
    }
    P::decode(at, KeyRule::Delimited).map_err(|_| OrmError::MalformedCursor)
}

fn seal<P: Key>(head: Vec<u8>, at: &P) -> Result<Binary, OrmError> {
    let at = at
        .encode(KeyRule::Delimited)
        .map_err(|source| OrmError::Key {
            table: "messages",
            source,
        })?;
    Ok(Binary::new([head, at].concat()))
}
