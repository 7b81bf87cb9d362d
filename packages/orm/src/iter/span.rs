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
    Ok(if P::WHOLE && rule == KeyRule::RawLast {
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
    let encode = |parts: &P| -> Result<Vec<u8>, OrmError> {
        let bytes = parts
            .encode_prefix(rule)
            .map_err(|source| OrmError::Key { table, source })?;
        Ok([head, &bytes[..]].concat())
    };
    // Where a whole key is not prefix-free, longer keys that begin with it are other keys.
    let exact = P::WHOLE && rule == KeyRule::RawLast;
    let after = |bytes: Vec<u8>| {
        if exact {
            one_key(bytes).until
        } else {
            successor(&bytes)
        }
    };
    let whole = Span::of_prefix(head.to_vec());
    let from = match bounds.start_bound() {
        Bound::Unbounded => whole.from,
        Bound::Included(parts) => Some(encode(parts)?),
        Bound::Excluded(parts) => match after(encode(parts)?) {
            Some(bytes) => Some(bytes),
            None if matches!(bounds.end_bound(), Bound::Unbounded) => return Ok(Span::nothing()),
            None => return Err(OrmError::InvertedBounds { table }),
        },
    };
    let until = match bounds.end_bound() {
        Bound::Unbounded => whole.until,
        Bound::Included(parts) => after(encode(parts)?),
        Bound::Excluded(parts) => Some(encode(parts)?),
    };
    let bounded = !matches!(bounds.start_bound(), Bound::Unbounded)
        && !matches!(bounds.end_bound(), Bound::Unbounded);
    if bounded
        && until
            .as_ref()
            .is_some_and(|until| from.as_ref().is_some_and(|from| from >= until))
    {
        return Err(OrmError::InvertedBounds { table });
    }
    Ok(Span { from, until })
}

fn one_key(bytes: Vec<u8>) -> Span {
    let mut until = bytes.clone();
    until.push(0);
    Span {
        from: Some(bytes),
        until: Some(until),
    }
}
