//! A table that gives the ids.

use cosmwasm_std::{Order, testing::MockStorage};
use cw_orm::{AutoKeyed, OrmError, Table};

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "groups", ns = "g")]
pub struct Group {
    #[pk(auto)]
    pub id: u64,
    #[unique(id = 1)]
    pub title: String,
}

pub fn group(title: &str) -> Group {
    Group {
        id: 0,
        title: title.into(),
    }
}

#[test]
fn ids_are_given_and_not_burnt() {
    let mut store = MockStorage::new();
    let mut first = group("a");
    assert_eq!(Group::TABLE.insert(&mut store, &mut first), Ok(1));
    assert_eq!(first.id, 1);
    let refused = Group::TABLE.insert(&mut store, &mut group("a"));
    assert!(matches!(
        refused,
        Err(OrmError::UniqueViolation {
            index: "by_title",
            ..
        })
    ));
    assert_eq!(Group::TABLE.insert(&mut store, &mut group("b")), Ok(2));
    let rows = Group::TABLE
        .all()
        .rows(&store, Order::Ascending)
        .read_all()
        .unwrap();
    assert_eq!(
        rows,
        [
            first,
            Group {
                id: 2,
                title: "b".into()
            }
        ]
    );
}

#[test]
fn the_sequence_has_its_own_namespace() {
    assert_eq!(Group::SEQUENCE.name(), b"g\0");
    let spaces: Vec<_> = Group::NAMESPACES.iter().map(|space| space.name()).collect();
    assert_eq!(spaces, [&b"g"[..], b"g\0", b"g\x01"]);
}
