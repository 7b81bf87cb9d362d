//! Scans of an index of bytes, of which two rows share a key, and of one of text.

use core::ops::{Bound, RangeBounds};

use cosmwasm_std::Order;
use cw_orm::{Key, MultiKeyIndex, OrmError};

use super::both_ways;
use crate::reference::model::{
    GIVEN, GIVEN_BY_METADATA, GIVEN_BY_NAME, GIVEN_BY_ORDERED, Given, given,
};

fn ids<K: Key>(
    index: MultiKeyIndex<Given, K>,
    order: Order,
    bounds: impl RangeBounds<K>,
) -> Result<Vec<u64>, OrmError> {
    let store = given(&[b"metadata-a", b"metadata-b", b"metadata-b"]);
    let rows = GIVEN
        .by(index)?
        .range(bounds)?
        .entries(&store, order)
        .read_all()?;
    for (id, row) in &rows {
        assert_eq!(GIVEN.get_one(&store, id).as_ref(), Ok(row));
    }
    Ok(rows.into_iter().map(|(id, _)| id).collect())
}

/// Under both rules: what differs between them has a test of its own.
fn scan(order: Order, bounds: impl RangeBounds<Vec<u8>> + Clone) -> Result<Vec<u64>, OrmError> {
    let found = ids(GIVEN_BY_METADATA, order, bounds.clone());
    assert_eq!(ids(GIVEN_BY_ORDERED, order, bounds), found);
    found
}

fn ordered(order: Order, bounds: impl RangeBounds<Vec<u8>>) -> Result<Vec<u64>, OrmError> {
    ids(GIVEN_BY_ORDERED, order, bounds)
}

fn text(order: Order, bounds: impl RangeBounds<String>) -> Result<Vec<u64>, OrmError> {
    ids(GIVEN_BY_NAME, order, bounds)
}

fn b(bytes: &str) -> Vec<u8> {
    bytes.into()
}

const EVERY: (Bound<Vec<u8>>, Bound<Vec<u8>>) = (Bound::Unbounded, Bound::Unbounded);
const INVERTED: Result<Vec<u64>, OrmError> = Err(OrmError::InvertedBounds { table: "Given" });

both_ways! { scan:
    exact_match_with_a_single_result(b("metadata-a")..b("metadata-b")) => Ok(vec![1]);
    one_result_by_prefix(b("metadata")..b("metadata-b")) => Ok(vec![1]);
    multi_key_elements_by_exact_match(b("metadata-b")..b("metadata-c")) => Ok(vec![2, 3]);
    open_end_query(b("metadata-b")..) => Ok(vec![2, 3]);
    open_start_query(..b("metadata-b")) => Ok(vec![1]);
    open_start_and_end_query(EVERY) => Ok(vec![1, 2, 3]);
    /// In the reference this passes only because `admin` is shorter than what it is said to be a prefix of.
    all_matching_prefix(b("admin")..) => Ok(vec![1, 2, 3]);
    non_matching_prefix(b("metadata-c")..) => Ok(vec![]);
    start_equals_end(b("any")..b("any")) => INVERTED;
    start_after_end(b("b")..b("a")) => INVERTED;
}

mod by_value {
    use super::*;

    both_ways! { ordered:
        /// Longer than the keys, yet less than them: only the escaping rule sorts it so.
        longer_start_that_is_less(b("a longer start")..) => Ok(vec![1, 2, 3]);
        shorter_start_that_is_greater(b("n")..) => Ok(vec![]);
    }
}

mod by_text {
    use super::*;

    both_ways! { text:
        exact_match_with_a_single_result("my test 1".to_owned().."my test 2".to_owned()) => Ok(vec![1]);
        all_of_a_prefix("my test".to_owned().."my tesu".to_owned()) => Ok(vec![1, 2, 3]);
    }
}
