//! The life of a table of families that the derive describes: all of its families are known.

use cosmwasm_std::{Storage, testing::MockStorage};
use cw_orm::{Fault, OrmError};

use crate::{
    dump,
    families::{Message, Publication, Quorum, message},
};

fn filled() -> MockStorage {
    let mut store = MockStorage::new();
    for sequence in 0..5 {
        let set = u32::try_from(sequence).unwrap();
        let digest = u8::try_from(sequence).unwrap();
        let row = Message {
            publication: Some(Publication::new(100, digest, b"ab")).filter(|_| sequence != 3),
            quorum: Some(Quorum {
                set,
                signatures: vec![],
            })
            .filter(|_| sequence != 1),
            ..message(sequence)
        };
        Message::TABLE.insert(&mut store, &row).unwrap();
    }
    store
}

#[test]
fn bulk_deletes_take_every_family() {
    let mut store = filled();
    let low = Message::TABLE.by::<Quorum, _>(Message::BY_SET).unwrap();
    let low = low.range((0_u32,)..(3,)).unwrap();
    let deleted = Message::TABLE
        .delete_where_member(&mut store, &low, None, 9)
        .unwrap();
    assert_eq!((deleted.rows, deleted.more), (2, false));
    let report = Message::TABLE.check(&store, None, 99).unwrap();
    assert_eq!(report.faults, []);
    assert!(Message::TABLE.clear(&mut store, 2).unwrap().more);
    assert!(!Message::TABLE.clear(&mut store, 2).unwrap().more);
    assert!(dump(&store).is_empty());
}

#[test]
fn genesis_takes_every_family() -> Result<(), OrmError> {
    let old = filled();
    let first = Message::TABLE.export(&old, None, 3)?;
    let second = Message::TABLE.export(&old, first.next_key.as_ref(), 3)?;
    let mut new = MockStorage::new();
    assert_eq!(Message::TABLE.import(&mut new, &[first, second])?, 5);
    assert_eq!(dump(&new), dump(&old));
    Ok(())
}

#[test]
fn the_check_names_the_family() {
    let mut store = filled();
    let key = [&[0, 2][..], &[7; 4], &4_u64.to_be_bytes()].concat();
    store.set(&[&b"\0\x02m\x02"[..], &key].concat(), &[3, 0xff]);
    let report = Message::TABLE.check(&store, None, 99).unwrap();
    let [Fault::MalformedRow { table, key: at, .. }] = &report.faults[..] else {
        panic!("{:?}", report.faults)
    };
    assert_eq!((&table[..], at), ("messages.quorum", &hex::encode(key)));
}
