//! Pages of an index key that the rows 1, 2 and 4 of five have.
//!
//! The reference's `next_key` is the first row that was not returned; here it is a place after the last that was, so that
//! a page begins at a row by the cursor of the page that ended before it.

use cosmwasm_std::{Binary, Uint64};
use cw_orm::{OrmError, Page, PageRequest};

use super::model::{GIVEN, GIVEN_BY_METADATA, Given, given};
use crate::fixture::{Store, counted, first, total};

const METADATA: &[u8] = b"metadata";

fn store() -> Store {
    let other = &b"other-metadata"[..];
    given(&[METADATA, METADATA, other, METADATA, other])
}

fn page(key: &[u8], request: &PageRequest) -> Result<Page<Given>, OrmError> {
    let scan = GIVEN.by(GIVEN_BY_METADATA)?.key(&key.to_vec())?;
    scan.page(&store(), request)
}

fn ids(page: &Page<Given>) -> Vec<u64> {
    page.items.iter().map(|row| row.id).collect()
}

/// The cursor after the first `n` rows.
fn after(n: u64) -> Option<Binary> {
    page(METADATA, &first(n)).unwrap().page.next_key
}

#[test]
fn one_item() {
    let page = page(METADATA, &first(1)).unwrap();
    assert_eq!((ids(&page), page.page.total), (vec![1], None));
    assert_eq!(page.page.next_key, after(1));
    assert!(after(1).is_some());
}

#[test]
fn with_both_key_and_offset() {
    let offset = Some(Uint64::one());
    let request = PageRequest {
        key: after(1),
        offset,
        ..PageRequest::default()
    };
    assert_eq!(
        page(METADATA, &request).unwrap_err(),
        OrmError::KeyAndOffset
    );
}

#[test]
fn up_to_max() {
    let page = page(METADATA, &counted(0, 3)).unwrap();
    assert_eq!(ids(&page), [1, 2, 4]);
    assert_eq!((page.page.total, page.page.next_key), (total(3), None));
}

#[test]
fn no_results() {
    let page = page(b"no-group-address", &counted(0, 2)).unwrap();
    assert_eq!(ids(&page), [0; 0]);
    assert_eq!((page.page.total, page.page.next_key), (total(0), None));
}

#[test]
fn with_offset_and_count_total() {
    let page = page(METADATA, &counted(1, 2)).unwrap();
    assert_eq!(ids(&page), [2, 4]);
    assert_eq!((page.page.total, page.page.next_key), (total(3), None));
}

/// The reference counts where no limit is given; here only who asks for a total pays for it.
#[test]
fn default_page_request() {
    let page = page(METADATA, &PageRequest::default()).unwrap();
    assert_eq!(ids(&page), [1, 2, 4]);
    assert_eq!((page.page.total, page.page.next_key), (None, None));
}

#[test]
fn with_key_and_limit_below_the_rest() {
    let request = PageRequest {
        key: after(1),
        count_total: true,
        ..first(1)
    };
    let page = page(METADATA, &request).unwrap();
    assert_eq!(
        (ids(&page), page.page.total),
        (vec![2], None),
        "count_total is for a first page"
    );
    assert_eq!(page.page.next_key, after(2));
}

#[test]
fn with_key_and_limit_of_the_rest() {
    let page = page(
        METADATA,
        &PageRequest {
            key: after(1),
            ..first(2)
        },
    )
    .unwrap();
    assert_eq!((ids(&page), page.page.next_key), (vec![2, 4], None));
}

/// The reference takes any row's key; here the cursor names a place, and what was behind it can have been deleted.
#[test]
fn with_nothing_left_to_iterate_from_key() {
    let (mut store, key) = (store(), after(2));
    GIVEN.delete(&mut store, 4).unwrap();
    let scan = GIVEN
        .by(GIVEN_BY_METADATA)
        .unwrap()
        .key(&METADATA.to_vec())
        .unwrap();
    let page = scan
        .page(
            &store,
            &PageRequest {
                key,
                ..PageRequest::default()
            },
        )
        .unwrap();
    assert_eq!((ids(&page), page.page.next_key), (vec![], None));
}
