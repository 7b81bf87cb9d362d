//! Pages under a filter, and what they may scan.

use cw_orm::{OrmError, PageResponse, Scan};

use super::{ids, trades};
use crate::fixture::{Store, TRADES, Trade, counted, first, last, total, walk};

fn every(n: u64) -> Scan<Trade> {
    TRADES
        .all()
        .filter(n.to_be_bytes(), move |id, _| id % n == 0)
}

#[test]
fn a_filtered_page_is_full_where_matches_are_left() {
    let store = trades(20, |_| 1);
    let page = every(3).page(&store, &first(4)).unwrap();
    assert_eq!(ids(&page), [3, 6, 9, 12]);
    let rest = every(3)
        .page(&store, &first(4).after(&page.page).unwrap())
        .unwrap();
    assert_eq!(
        (ids(&rest), rest.page),
        (vec![15, 18], PageResponse::default())
    );
}

#[test]
fn no_next_key_when_only_other_rows_are_left() {
    let store = trades(20, |_| 1);
    for request in [first(6), counted(0, 6)] {
        let page = every(3).page(&store, &request).unwrap();
        assert_eq!(
            (ids(&page), page.page.next_key),
            (vec![3, 6, 9, 12, 15, 18], None)
        );
    }
    let page = every(3).page(&store, &last(6)).unwrap();
    assert_eq!(
        (ids(&page), page.page.next_key),
        (vec![18, 15, 12, 9, 6, 3], None)
    );
}

#[test]
fn counts_and_offsets_are_of_matches() {
    let store = trades(20, |_| 1);
    let page = every(3).page(&store, &counted(1, 2)).unwrap();
    assert_eq!((ids(&page), page.page.total), (vec![6, 9], total(6)));
    let rest = every(3)
        .page(&store, &counted(0, 9).after(&page.page).unwrap())
        .unwrap();
    assert_eq!(ids(&rest), [12, 15, 18]);
}

#[test]
fn a_spent_budget_gives_a_short_page_that_goes_on() {
    let store = trades(20, |_| 1);
    let page = every(10).budget(7).page(&store, &first(5)).unwrap();
    assert_eq!(ids(&page), Vec::<u64>::new());
    let page = every(10)
        .budget(7)
        .page(&store, &first(5).after(&page.page).unwrap())
        .unwrap();
    assert_eq!(ids(&page), [10]);
    let page = every(10)
        .budget(7)
        .page(&store, &first(5).after(&page.page).unwrap())
        .unwrap();
    assert_eq!((ids(&page), page.page.next_key), (vec![20], None));
}

#[test]
fn a_page_reads_no_more_rows_than_its_budget() {
    let mut store = trades(500, |_| 1);
    for rows in [100, 300, 500] {
        let (_, counts) =
            store.count(|store| every(1_000).budget(50).page(store, &first(10)).unwrap());
        assert!(counts.next <= 51, "{counts:?} with {rows} rows");
    }
    assert_eq!(
        walk(&first(10), |request| every(500)
            .budget(50)
            .page(&store, request))
        .len(),
        1
    );
}

#[test]
fn a_budget_of_exactly_the_rows_suffices() {
    let store = trades(10, |_| 1);
    assert_eq!(
        every(1)
            .budget(10)
            .page(&store, &first(10))
            .unwrap()
            .page
            .next_key,
        None
    );
    assert_eq!(
        TRADES
            .all()
            .budget(10)
            .page(&store, &counted(0, 3))
            .unwrap()
            .page
            .total,
        total(10)
    );
    assert!(
        TRADES.all().budget(9).page(&store, &first(10)).is_ok(),
        "nothing is passed without count or filter"
    );
}

#[test]
fn a_total_over_the_budget_is_refused() {
    let store = trades(10, |_| 1);
    let refused = Err(OrmError::ScanBudget {
        what: "total",
        budget: 9,
    });
    assert_eq!(TRADES.all().budget(9).page(&store, &counted(0, 3)), refused);
    assert_eq!(every(2).budget(9).page(&store, &counted(0, 3)), refused);
}

#[test]
fn an_offset_over_the_budget_is_refused() {
    let store = trades(20, |_| 1);
    let request = cw_orm::PageRequest {
        count_total: false,
        ..counted(9, 3)
    };
    assert_eq!(
        ids(&TRADES.all().budget(9).page(&store, &request).unwrap()),
        [10, 11, 12]
    );
    let refused = Err(OrmError::ScanBudget {
        what: "offset",
        budget: 8,
    });
    assert_eq!(TRADES.all().budget(8).page(&store, &request), refused);
    assert_eq!(every(2).budget(8).page(&store, &request), refused);
}

#[test]
fn a_budget_of_zero_is_one() {
    let store: Store = trades(3, |_| 1);
    assert_eq!(
        walk(&first(1), |request| every(2)
            .budget(0)
            .page(&store, request))
        .len(),
        1
    );
}

#[test]
fn filtered_iterators_read_on() {
    let store = trades(9, |_| 1);
    let found = every(4)
        .ids(&store, cosmwasm_std::Order::Descending)
        .read_all()
        .unwrap();
    assert_eq!(found, [8, 4]);
    assert_eq!(every(4).first(&store).unwrap().unwrap().id, 4);
    assert!(every(10).is_empty(&store).unwrap());
}

#[test]
fn filters_add_up() {
    let store = trades(20, |_| 1);
    let both = || every(2).filter("third", |id, _| id % 3 == 0);
    let page = both().page(&store, &first(2)).unwrap();
    assert_eq!(ids(&page), [6, 12]);
    let next = first(2).after(&page.page).unwrap();
    assert_eq!(ids(&both().page(&store, &next).unwrap()), [18]);
    assert_eq!(every(2).page(&store, &next), Err(OrmError::ForeignCursor));
    let unnamed = TRADES.all().filter("", |_, _| true);
    let plain = TRADES.all().page(&store, &first(2)).unwrap();
    let foreign = unnamed.page(&store, &first(2).after(&plain.page).unwrap());
    assert_eq!(
        foreign,
        Err(OrmError::ForeignCursor),
        "a filter without a name is one"
    );
}
