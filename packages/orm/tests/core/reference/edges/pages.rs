//! Edge 11: what pages are at the ends of their arguments.

use cosmwasm_std::{Binary, Uint64};
use cw_orm::{OrmError, Page, PageRequest};

use crate::{
    fixture::{Store, first, last, total, walk},
    reference::model::{GIVEN, GIVEN_BY_METADATA, Given, given},
};

/// Rows 1 to `n`, all of one index key.
fn store(n: usize) -> Store {
    given(&vec![&b"m"[..]; n])
}

fn page(store: &Store, request: &PageRequest) -> Result<Page<Given>, OrmError> {
    GIVEN
        .by(GIVEN_BY_METADATA)?
        .key(&b"m".to_vec())?
        .page(store, request)
}

fn ids(page: &Page<Given>) -> Vec<u64> {
    page.items.iter().map(|row| row.id).collect()
}

#[test]
fn edge_11_limit_0_is_the_tables_default_and_counts_nothing() {
    let store = store(102);
    let page = page(&store, &first(0)).unwrap();
    assert_eq!((page.items.len(), page.page.total), (100, None));
    assert!(page.page.next_key.is_some());
}

#[test]
fn edge_11_the_next_page_begins_after_the_last_row_whatever_happened_since() {
    let mut store = store(4);
    let one = page(&store, &first(2)).unwrap();
    let next = first(2).after(&one.page).unwrap();
    // The row that the cursor names goes, and so does the first one that was not returned.
    GIVEN.delete(&mut store, 2).unwrap();
    GIVEN.delete(&mut store, 3).unwrap();
    assert_eq!(ids(&page(&store, &next).unwrap()), [4]);
    GIVEN
        .insert(
            &mut store,
            &mut Given {
                id: 0,
                ..Given::new(5, b"m")
            },
        )
        .unwrap();
    assert_eq!(ids(&page(&store, &next).unwrap()), [4, 5]);
}

#[test]
fn edge_11_a_total_reads_no_row_that_is_not_on_the_page() {
    let mut store = store(50);
    let request = PageRequest {
        count_total: true,
        ..first(2)
    };
    let (page, counts) = store.count(|store| page(store, &request));
    assert_eq!(page.unwrap().page.total, total(50));
    assert_eq!(counts.get, 2);
}

#[test]
fn edge_11_a_total_is_for_a_first_page() {
    let store = store(3);
    let one = page(&store, &first(1)).unwrap();
    let request = PageRequest {
        key: one.page.next_key,
        count_total: true,
        ..first(1)
    };
    assert_eq!(page(&store, &request).unwrap().page.total, None);
}

#[test]
fn edge_11_an_empty_key_is_no_key() {
    let store = store(3);
    let key = Some(Binary::default());
    let request = PageRequest {
        key,
        offset: Some(Uint64::one()),
        ..first(5)
    };
    assert_eq!(ids(&page(&store, &request).unwrap()), [2, 3]);
}

#[test]
fn edge_11_reverse_is_honoured() {
    let store = store(5);
    assert_eq!(ids(&page(&store, &last(2)).unwrap()), [5, 4]);
    let all = walk(&last(2), |request| page(&store, request));
    assert_eq!(
        all.iter().map(|row| row.id).collect::<Vec<_>>(),
        [5, 4, 3, 2, 1]
    );
}

#[test]
fn edge_11_offset_and_the_greatest_limit_do_not_overflow() {
    let store = store(3);
    let request = PageRequest {
        offset: Some(Uint64::one()),
        ..first(u64::MAX)
    };
    assert_eq!(ids(&page(&store, &request).unwrap()), [2, 3]);
    let request = PageRequest {
        offset: Some(Uint64::MAX),
        ..first(u64::MAX)
    };
    assert_eq!(ids(&page(&store, &request).unwrap()), [0; 0]);
}
