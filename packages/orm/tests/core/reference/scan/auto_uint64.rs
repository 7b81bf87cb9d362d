//! Scans of a table that gives ids.

use core::ops::{Bound, RangeBounds};

use cosmwasm_std::Order;
use cw_orm::OrmError;

use super::both_ways;
use crate::reference::model::{GIVEN, given};

fn scan(order: Order, bounds: impl RangeBounds<u64>) -> Result<Vec<u64>, OrmError> {
    let store = given(&[b"a", b"b", b"c", b"d"]);
    let rows = match order {
        Order::Ascending => GIVEN.prefix_scan(&store, bounds)?,
        Order::Descending => GIVEN.reverse_prefix_scan(&store, bounds)?,
    };
    Ok(rows.read_all()?.iter().map(|row| row.id).collect())
}

const INVERTED: Result<Vec<u64>, OrmError> = Err(OrmError::InvertedBounds { table: "Given" });

fn pair(from: u64, until: u64) -> core::ops::Range<u64> {
    from..until
}

both_ways! { scan:
    first_element(1..2) => Ok(vec![1]);
    first_2_elements(1..3) => Ok(vec![1, 2]);
    first_3_elements(1..4) => Ok(vec![1, 2, 3]);
    all_elements_with_max_end(1..u64::MAX) => Ok(vec![1, 2, 3, 4]);
    all_but_the_first_and_past_the_last(2..5) => Ok(vec![2, 3, 4]);
    start_equals_end(1..1) => INVERTED;
    start_after_end(pair(2, 1)) => INVERTED;
    excluded_neighbours((Bound::Excluded(1), Bound::Excluded(2))) => Ok(vec![]);
    after_the_greatest_id((Bound::Excluded(u64::MAX), Bound::Unbounded)) => Ok(vec![]);
    after_the_greatest_id_and_before_a_less((Bound::Excluded(u64::MAX), Bound::Included(3))) => INVERTED;
}
