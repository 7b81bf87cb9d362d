//! Pages.

use cw_orm::{Page, PageRequest};

use crate::{
    fixture::{BY_PX, Store, TRADES, Trade, first, total, walk},
    page::{ids, trades},
};

/// Both kinds of list: rows by key, and entries of an index.
const LISTS: [fn(&Store, &PageRequest) -> Page<Trade>; 2] = [
    |store, request| TRADES.all().page(store, request).unwrap(),
    |store, request| {
        let scan = TRADES.by(BY_PX).unwrap().key(&7).unwrap();
        scan.page(store, request).unwrap()
    },
];

/// With a limit of just the number of rows, and a total, the iterator was asked once more than it could answer.
#[test]
fn ask_13_limits_around_the_number_of_rows_with_a_total() {
    for rows in 0..6 {
        let store = trades(rows, |_| 7);
        let in_order: Vec<u64> = (1..=rows).collect();
        for limit in rows.saturating_sub(1).max(1)..=rows + 1 {
            for reverse in [false, true] {
                let request = PageRequest {
                    count_total: true,
                    reverse,
                    ..first(limit)
                };
                let mut want = in_order.clone();
                if reverse {
                    want.reverse();
                }
                want.truncate(limit as usize);
                for page in LISTS.map(|list| list(&store, &request)) {
                    assert_eq!(ids(&page), want);
                    assert_eq!(page.page.total, total(rows));
                    assert_eq!(page.page.next_key.is_some(), limit < rows);
                }
            }
        }
    }
}

/// In reverse, a page that began at a key left that key's row out.
#[test]
fn ask_15_reverse_pages_skip_and_repeat_no_row() {
    let store = trades(7, |_| 7);
    for limit in 1..=8 {
        let request = PageRequest {
            reverse: true,
            ..first(limit)
        };
        for list in LISTS {
            let rows = walk(&request, |request| Ok(list(&store, request)));
            let found: Vec<u64> = rows.iter().map(|row| row.id).collect();
            assert_eq!(found, [7, 6, 5, 4, 3, 2, 1]);
        }
    }
}

/// The cursor knows its direction, so that turning round is an error, and no other place in the list.
#[test]
fn ask_15_a_cursor_of_the_other_direction_is_refused() {
    let store = trades(3, |_| 7);
    let key = TRADES.all().page(&store, &first(1)).unwrap().page.next_key;
    let back = PageRequest {
        key,
        reverse: true,
        ..first(1)
    };
    let refused = TRADES.all().page(&store, &back).unwrap_err();
    assert_eq!(refused, cw_orm::OrmError::ForeignCursor);
}
