//! Keys of one's own.

use cosmwasm_std::{Order, testing::MockStorage};
use cw_orm::{Key, KeyError, KeyRule, Table};
use serde::{Deserialize, Serialize};

#[derive(Key, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Status {
    Open,
    Closed,
    Gone = 200,
}

#[derive(Key, Clone, Debug, PartialEq, Eq)]
struct Name(String);

#[derive(Key, Clone, Debug, PartialEq, Eq)]
struct Place {
    chain: u16,
    name: Name,
    tail: Vec<u8>,
}

fn encode(key: &impl Key) -> String {
    hex::encode(key.encode(KeyRule::Delimited).unwrap())
}

#[test]
fn enums_are_their_discriminant() {
    assert_eq!(encode(&Status::Open), "00");
    assert_eq!(encode(&Status::Closed), "01");
    assert_eq!(encode(&Status::Gone), "c8");
    for status in [Status::Open, Status::Closed, Status::Gone] {
        let bytes = status.encode(KeyRule::Delimited).unwrap();
        assert_eq!(Status::decode(&bytes, KeyRule::Delimited), Ok(status));
    }
    let none = Status::decode(&[2], KeyRule::Delimited);
    assert_eq!(none, Err(KeyError::Malformed { expected: "Status" }));
    assert_eq!(
        Status::decode(&[], KeyRule::Delimited),
        Err(KeyError::Truncated)
    );
    assert_eq!(
        Status::decode(&[1, 1], KeyRule::Delimited),
        Err(KeyError::Trailing { len: 1 })
    );
}

#[test]
fn structs_are_the_tuple_of_their_fields() {
    let place = Place {
        chain: 2,
        name: Name("ab".into()),
        tail: vec![1, 2],
    };
    for rule in [KeyRule::Delimited, KeyRule::Ordered, KeyRule::RawLast] {
        let bytes = place.encode(rule).unwrap();
        assert_eq!(
            bytes,
            (2_u16, "ab".to_owned(), vec![1_u8, 2])
                .encode(rule)
                .unwrap()
        );
        assert_eq!(Place::decode(&bytes, rule).unwrap(), place);
    }
    assert_eq!(encode(&place), "0002616200020102");
    const { assert!(!Place::ORDERED && Name::ORDERED && Status::ORDERED) };
    assert!(Name(String::new()).is_empty());
    assert!(!place.is_empty());
    let nul = Name("a\0b".into()).encode(KeyRule::Delimited);
    assert_eq!(nul, Err(KeyError::NulInText { at: 1 }));
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "places", ns = "p")]
struct Visit {
    #[pk]
    place: Place,
    #[index(id = 1)]
    status: Status,
}

#[test]
fn rows_are_kept_under_them() {
    let mut store = MockStorage::new();
    let visit = |chain, status| Visit {
        place: Place {
            chain,
            name: Name("x".into()),
            tail: vec![],
        },
        status,
    };
    Visit::TABLE
        .insert(&mut store, &visit(1, Status::Gone))
        .unwrap();
    Visit::TABLE
        .insert(&mut store, &visit(2, Status::Closed))
        .unwrap();
    let view = Visit::TABLE.by(Visit::BY_STATUS).unwrap();
    let rows = view
        .all()
        .rows(&store, Order::Ascending)
        .read_all()
        .unwrap();
    assert_eq!(rows, [visit(2, Status::Closed), visit(1, Status::Gone)]);
    let open = view
        .range(Status::Gone..)
        .unwrap()
        .rows(&store, Order::Ascending)
        .read_all()
        .unwrap();
    assert_eq!(open, [visit(1, Status::Gone)]);
}
