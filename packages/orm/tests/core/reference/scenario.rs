//! A row's life, from end to end, in a table of either kind.

use cosmwasm_std::Order::Ascending;
use cw_orm::{MultiKeyIndex, OrmError};

use super::model::{
    GIVEN, GIVEN_BY_METADATA, Given, KEYED, KEYED_BY_METADATA, KEYED_BY_NAME, KEYED_BY_NUMBER,
    Keyed,
};
use crate::fixture::Store;

fn has_metadata(store: &Store, metadata: &str) -> bool {
    GIVEN
        .by(GIVEN_BY_METADATA)
        .unwrap()
        .has(store, &metadata.into())
        .unwrap()
}

#[test]
fn auto_uint64_table_end_to_end() {
    let mut store = Store::default();
    let mut row = Given {
        id: 0,
        ..Given::new(0, b"metadata")
    };
    let id = GIVEN.insert(&mut store, &mut row).unwrap();
    assert_eq!((id, row.id), (1, 1));
    assert_eq!(GIVEN.has(&store, &id), Ok(true));
    assert_eq!(GIVEN.get_one(&store, &id), Ok(row.clone()));

    let found = GIVEN
        .by(GIVEN_BY_METADATA)
        .unwrap()
        .key(&b"metadata".to_vec())
        .unwrap();
    assert!(has_metadata(&store, "metadata"));
    assert_eq!(
        found.entries(&store, Ascending).first(),
        Ok(Some((id, row.clone())))
    );

    row.metadata = b"new-metadata".to_vec();
    GIVEN.update(&mut store, row.clone()).unwrap();
    assert_eq!(GIVEN.get_one(&store, &id), Ok(row.clone()));
    assert!(has_metadata(&store, "new-metadata") && !has_metadata(&store, "metadata"));

    assert_eq!(GIVEN.delete(&mut store, id), Ok(row));
    assert_eq!(GIVEN.has(&store, &id), Ok(false));
    assert!(!has_metadata(&store, "new-metadata"));
    assert_eq!(store.dump().len(), 1, "the sequence alone");
}

#[test]
fn primary_key_table_end_to_end() {
    let mut store = Store::default();
    let row = Keyed::new(1, b"metadata");
    let by_number = || KEYED.by(KEYED_BY_NUMBER).unwrap();
    KEYED.insert(&mut store, &row).unwrap();
    assert_eq!(KEYED.has(&store, &1), Ok(true));
    assert_eq!(KEYED.get_one(&store, &1), Ok(row.clone()));
    assert_eq!(by_number().has(&store, &123), Ok(true));
    assert_eq!(
        by_number().key(&123).unwrap().first(&store),
        Ok(Some(row.clone()))
    );

    assert!(matches!(
        KEYED.insert(&mut store, &row),
        Err(OrmError::AlreadyExists { .. })
    ));

    // Another primary key is another row, which does not exist; and a row's own can not change.
    let moved = Keyed {
        id: 2,
        ..row.clone()
    };
    assert!(matches!(
        KEYED.update(&mut store, moved.clone()),
        Err(OrmError::NotFound { .. })
    ));
    let changed = KEYED.modify(&mut store, &1, |_| Ok::<_, OrmError>(moved));
    assert!(matches!(changed, Err(OrmError::PrimaryKeyChanged { .. })));
    assert_eq!(KEYED.get_one(&store, &1), Ok(row.clone()));

    let renamed = Keyed {
        name: "new name".into(),
        ..row.clone()
    };
    assert_eq!(KEYED.update(&mut store, renamed.clone()), Ok(row));
    assert_eq!(KEYED.get_one(&store, &1), Ok(renamed));

    KEYED.delete(&mut store, &1).unwrap();
    assert_eq!(KEYED.has(&store, &1), Ok(false));
    assert_eq!(by_number().has(&store, &123), Ok(false));
    assert!(store.dump().is_empty());
}

#[test]
fn every_index_of_every_row() {
    fn check<K: cw_orm::Key>(store: &Store, index: MultiKeyIndex<Keyed, K>, key: &K, row: &Keyed) {
        let found = KEYED.by(index).unwrap().key(key).unwrap();
        assert_eq!(
            found.entries(store, Ascending).read_all(),
            Ok(vec![(row.id, row.clone())])
        );
    }
    let mut store = Store::default();
    let row = |id: u64| Keyed {
        number: id - 1,
        ..Keyed::new(id, &[id as u8; 10])
    };
    (1..=10).for_each(|id| KEYED.insert(&mut store, &row(id)).unwrap());
    for id in 1..=10 {
        let row = row(id);
        check(&store, KEYED_BY_NAME, &row.name, &row);
        check(&store, KEYED_BY_NUMBER, &row.number, &row);
        check(&store, KEYED_BY_METADATA, &row.metadata, &row);
    }
}
