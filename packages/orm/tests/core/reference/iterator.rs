//! The iterators' adapters.

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{Iter, OrmError};

use crate::fixture::{Store, TRADES, Trade, trade};

fn store(rows: u64) -> Store {
    let mut store = Store::default();
    for px in 0..rows {
        TRADES.insert(&mut store, &mut trade(px)).unwrap();
    }
    store
}

fn rows(store: &Store) -> Iter<'_, Trade> {
    TRADES.all().rows(store, Ascending)
}

#[test]
fn read_all_with_rows() {
    let store = store(3);
    assert_eq!(
        rows(&store)
            .read_all()
            .unwrap()
            .iter()
            .map(|row| row.id)
            .collect::<Vec<_>>(),
        [1, 2, 3]
    );
}

#[test]
fn read_all_with_ids() {
    let store = store(2);
    assert_eq!(
        TRADES.all().ids(&store, Ascending).read_all(),
        Ok(vec![1, 2])
    );
}

#[test]
fn read_all_with_ids_and_rows() {
    let store = store(1);
    let row = TRADES.get_one(&store, &1).unwrap();
    assert_eq!(
        TRADES.all().entries(&store, Ascending).read_all(),
        Ok(vec![(1, row)])
    );
}

#[test]
fn read_all_behind_what_is_there() {
    let store = store(2);
    let mut ids = vec![9];
    ids.extend(TRADES.all().ids(&store, Ascending).read_all().unwrap());
    assert_eq!(ids, [9, 1, 2]);
}

#[test]
fn read_all_of_nothing() {
    assert_eq!(rows(&store(0)).read_all(), Ok(vec![]));
}

#[test]
fn read_all_of_an_error() {
    let failing = [Ok(1), Err(OrmError::KeyAndOffset), Ok(3)];
    assert_eq!(
        Iter::new(failing.into_iter()).read_all(),
        Err(OrmError::KeyAndOffset)
    );
}

#[test]
fn an_error_ends_the_iterator() {
    let mut failing = Iter::new([Ok(1), Err(OrmError::KeyAndOffset), Ok(3)].into_iter());
    assert_eq!(failing.next(), Some(Ok(1)));
    assert_eq!(failing.next(), Some(Err(OrmError::KeyAndOffset)));
    assert_eq!((failing.next(), failing.next()), (None, None));
}

#[test]
fn first() {
    let store = store(3);
    assert_eq!(rows(&store).first().unwrap().unwrap().id, 1);
    assert_eq!(
        TRADES
            .all()
            .rows(&store, Descending)
            .first()
            .unwrap()
            .unwrap()
            .id,
        3
    );
    assert_eq!(TRADES.all().first(&store).unwrap().unwrap().id, 1);
    assert_eq!(TRADES.all().last(&store).unwrap().unwrap().id, 3);
}

#[test]
fn first_with_its_id() {
    let store = store(3);
    let (id, row) = TRADES
        .all()
        .entries(&store, Ascending)
        .first()
        .unwrap()
        .unwrap();
    assert_eq!((id, row.id), (1, 1));
}

#[test]
fn first_of_nothing() {
    assert_eq!(rows(&store(0)).first(), Ok(None));
    assert_eq!(TRADES.all().last(&store(0)), Ok(None));
}

#[test]
fn first_of_an_error() {
    let failing: Iter<'_, u8> = Iter::new([Err(OrmError::KeyAndOffset)].into_iter());
    assert_eq!(failing.first(), Err(OrmError::KeyAndOffset));
}

#[test]
fn limit_0() {
    let mut store = store(3);
    let (found, counts) = store.count(|store| rows(store).limit(0).read_all());
    assert_eq!((found, counts.next), (Ok(vec![]), 0));
}

#[test]
fn limit_below_the_rows() {
    let mut store = store(3);
    let (found, counts) = store.count(|store| rows(store).limit(2).read_all().unwrap().len());
    assert_eq!(
        (found, counts.next),
        (2, 2),
        "reads no further than it must"
    );
}

#[test]
fn limit_at_and_above_the_rows() {
    let store = store(3);
    assert_eq!(rows(&store).limit(3).read_all().unwrap().len(), 3);
    assert_eq!(rows(&store).limit(4).read_all().unwrap().len(), 3);
    assert_eq!(rows(&store).limit(usize::MAX).read_all().unwrap().len(), 3);
}

#[test]
fn limit_of_a_limit() {
    assert_eq!(
        rows(&store(5)).limit(4).limit(2).read_all().unwrap().len(),
        2
    );
}
