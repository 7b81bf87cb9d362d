//! From typed bounds to bytes.

use core::ops::{Bound, RangeBounds};

use crate::{
    error::OrmError,
    key::{Key, KeyError, KeyRule, PrefixOf, successor},
    raw::Span,
};

/// Covers the keys that begin with the given parts.
pub(crate) fn span_of_prefix<K: Key, P: PrefixOf<K>>(
    parts: &P,
    rule: KeyRule,
) -> Result<Span, KeyError> {
    let bytes = parts.encode_prefix(rule)?;
    Ok(if P::WHOLE && !rule.prefix_free() {
        one_key(bytes)
    } else {
        Span::of_prefix(bytes)
    })
}

/// Covers the keys within bounds on leading parts, all behind `head`.
pub(crate) fn span_of_bounds<K: Key, P: PrefixOf<K>>(
    table: &'static str,
    rule: KeyRule,
    head: &[u8],
    bounds: impl RangeBounds<P>,
) -> Result<Span, OrmError> {
    let encode = |parts: &P| {
        parts
            .encode_prefix(rule)
            .map_err(|source| OrmError::Key { table, source })
    };
    let start = encoded(bounds.start_bound(), encode)?;
    let end = encoded(bounds.end_bound(), encode)?;
    // Where a whole key is not prefix-free, longer keys that begin with it are other keys.
    span_between(table, P::WHOLE && !rule.prefix_free(), head, start, end)
}

/// Covers what lies between encoded bounds, behind `head`. `exact` says that a bound stands for the one key that it is,
/// not for all that begin with it.
fn span_between(
    table: &'static str,
    exact: bool,
    head: &[u8],
    start: Bound<Vec<u8>>,
    end: Bound<Vec<u8>>,
) -> Result<Span, OrmError> {
    let behind_head = |bytes: Vec<u8>| [head, &bytes[..]].concat();
    let (start, end) = (start.map(behind_head), end.map(behind_head));
    let after = |bytes: Vec<u8>| {
        if exact {
            one_key(bytes).until
        } else {
            successor(&bytes)
        }
    };
    // Only beginnings of a part can begin another bound: then one bound covers, or excludes, the other with it.
    let begins = |a: &[u8], b: &[u8]| !exact && a != b && b.starts_with(a);
    let inverted = match (&start, &end) {
        (Bound::Included(start), Bound::Included(end)) => start > end && !begins(end, start),
        (Bound::Included(start), Bound::Excluded(end)) => start >= end,
        (Bound::Excluded(start), Bound::Included(end)) => {
            (start >= end && !begins(end, start)) || begins(start, end)
        }
        (Bound::Excluded(start), Bound::Excluded(end)) => start >= end || begins(start, end),
        _ => false,
    };
    if inverted {
        return Err(OrmError::InvertedBounds { table });
    }
    let whole = Span::of_prefix(head.to_vec());
    let from = match start {
        Bound::Unbounded => whole.from,
        Bound::Included(bytes) => Some(bytes),
        Bound::Excluded(bytes) => match after(bytes) {
            Some(bytes) => Some(bytes),
            None => return Ok(Span::nothing()),
        },
    };
    let until = match end {
        Bound::Unbounded => whole.until,
        Bound::Included(bytes) => after(bytes),
        Bound::Excluded(bytes) => Some(bytes),
    };
    Ok(Span { from, until })
}

/// Encodes what is bounded.
fn encoded<P>(
    bound: Bound<&P>,
    encode: impl Fn(&P) -> Result<Vec<u8>, OrmError>,
) -> Result<Bound<Vec<u8>>, OrmError> {
    Ok(match bound {
        Bound::Unbounded => Bound::Unbounded,
        Bound::Included(parts) => Bound::Included(encode(parts)?),
        Bound::Excluded(parts) => Bound::Excluded(encode(parts)?),
    })
}

fn one_key(bytes: Vec<u8>) -> Span {
    let mut until = bytes.clone();
    until.push(0);
    Span {
        from: Some(bytes),
        until: Some(until),
    }
}
