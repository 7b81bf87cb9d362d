//! A table with column families.

use cosmwasm_std::{Order, testing::MockStorage};
use cw_orm::{Families, FamilyRow, Member, OrmError, Record, Table};

use crate::dump;

/// The families live elsewhere, and only their names come into scope.
mod parts {
    use cw_orm::Family;
    use serde::{Deserialize, Serialize};

    #[derive(Family, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Publication {
        pub timestamp: u32,
        pub digest: [u8; 32],
        pub to: Option<(u16, [u8; 4])>,
        #[serde(with = "serde_bytes")]
        pub payload: Vec<u8>,
        secret: Secret,
    }

    impl Publication {
        pub fn new(timestamp: u32, digest: u8, payload: &[u8]) -> Self {
            let payload = payload.to_vec();
            Self {
                timestamp,
                digest: [digest; 32],
                to: None,
                payload,
                secret: Secret,
            }
        }
    }

    /// Of a type that only the family knows.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Secret;

    #[derive(Family, Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Quorum {
        pub set: u32,
        pub signatures: Vec<u8>,
    }
}

pub use parts::{Publication, Quorum};

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "messages", ns = "m")]
#[index(id = 10, name = by_time, key(publication.timestamp))]
#[index(id = 11, name = by_chain_time, key(chain, publication.timestamp))]
#[index(id = 12, name = by_byte, family = publication, with = bytes, key_type = (u16, u8))]
#[unique(id = 13, name = by_digest, key(publication.digest))]
#[index(id = 14, name = by_recipient, key(publication.to))]
#[index(id = 15, name = by_set, key(quorum.set, sequence))]
pub struct Message {
    #[pk]
    pub chain: u16,
    #[pk]
    pub emitter: [u8; 4],
    #[pk]
    pub sequence: u64,
    #[family(id = 1, validate = not_empty)]
    pub publication: Option<Publication>,
    #[family(id = 2, version = 3)]
    pub quorum: Option<Quorum>,
}

type Key = (u16, [u8; 4], u64);

fn bytes(key: &Key, publication: &Publication) -> Vec<(u16, u8)> {
    publication
        .payload
        .iter()
        .map(|byte| (key.0, *byte))
        .collect()
}

fn not_empty(publication: &Publication) -> Result<(), String> {
    if publication.payload.is_empty() {
        Err("no payload".into())
    } else {
        Ok(())
    }
}

pub fn message(sequence: u64) -> Message {
    Message {
        chain: 2,
        emitter: [7; 4],
        sequence,
        publication: Some(Publication::new(100, 1, b"ab")),
        quorum: Some(Quorum {
            set: 4,
            signatures: vec![9],
        }),
    }
}

const KEY: Key = (2, [7; 4], 1);

#[test]
fn facts() {
    assert_eq!(Message::META.name, "messages");
    assert_eq!(Message::META.namespace.name(), b"m\x01");
    let spaces: Vec<_> = Message::FAMILIES.iter().map(|space| space.name()).collect();
    assert_eq!(spaces, [b"m\x01", b"m\x02"]);
    assert_eq!(
        (Publication::META.name, Publication::META.version),
        ("messages.publication", 1)
    );
    assert_eq!(
        (Quorum::META.name, Quorum::META.version),
        ("messages.quorum", 3)
    );
    assert_eq!(<Publication as Member<Message>>::POSITION, 0);
    assert_eq!(<Quorum as Member<Message>>::POSITION, 1);
    assert_eq!(
        Message::PUBLICATION.and(Message::QUORUM),
        Families::at(0).and(Families::at(1))
    );
    assert_eq!(Message::NAMESPACES.len(), 8);
    let ids = |indexes: &[u8]| indexes.to_vec();
    let of_publication: Vec<_> = Publication::INDEXES
        .iter()
        .map(|index| index.id())
        .collect();
    let of_quorum: Vec<_> = Quorum::INDEXES.iter().map(|index| index.id()).collect();
    assert_eq!(
        (of_publication, of_quorum),
        (ids(&[10, 11, 12, 13, 14]), ids(&[15]))
    );
}

#[test]
fn rows_come_back_as_they_went() {
    let mut store = MockStorage::new();
    let row = message(1);
    Message::TABLE.insert(&mut store, &row).unwrap();
    assert_eq!(
        Message::TABLE.get(&store, &KEY, Families::ALL).unwrap(),
        Some(row.clone())
    );
    let only = Message::TABLE
        .get(&store, &KEY, Message::QUORUM)
        .unwrap()
        .unwrap();
    assert_eq!(
        only,
        Message {
            publication: None,
            ..row.clone()
        }
    );
    assert_eq!(Message::TABLE.delete(&mut store, &KEY).unwrap(), row);
    assert!(dump(&store).is_empty());
}

#[test]
fn one_family_changes_alone() {
    let mut store = MockStorage::new();
    Message::TABLE
        .insert(
            &mut store,
            &Message {
                quorum: None,
                ..message(1)
            },
        )
        .unwrap();
    let before = dump(&store);
    let quorum = Quorum {
        set: 5,
        signatures: vec![1, 2],
    };
    Message::TABLE
        .family()
        .insert(&mut store, &KEY, &quorum)
        .unwrap();
    let after = dump(&store);
    assert!(before.iter().all(|entry| after.contains(entry)));
    assert_eq!(
        after.len(),
        before.len() + 2,
        "the family and its index entry"
    );
    let row = Message::TABLE.get_one(&store, &KEY, Families::ALL).unwrap();
    assert_eq!(
        row,
        Message {
            quorum: Some(quorum),
            ..message(1)
        }
    );
}

#[test]
fn families_are_validated() {
    let mut store = MockStorage::new();
    let row = Message {
        publication: Some(Publication::new(1, 1, b"")),
        ..message(1)
    };
    let refused = Message::TABLE.insert(&mut store, &row);
    let reason = "no payload".into();
    assert_eq!(
        refused,
        Err(OrmError::Invalid {
            table: "messages.publication",
            reason
        })
    );
    assert!(dump(&store).is_empty());
}

fn filled() -> MockStorage {
    let mut store = MockStorage::new();
    for (chain, sequence, time, digest) in [(2, 1, 30, 1), (2, 2, 10, 2), (3, 3, 20, 3)] {
        let publication = Some(Publication::new(time, digest, &[digest, 9]));
        let row = Message {
            chain,
            publication,
            ..message(sequence)
        };
        Message::TABLE.insert(&mut store, &row).unwrap();
    }
    store
}

#[test]
fn an_index_over_a_column_of_a_family() {
    let store = filled();
    let view = Message::TABLE.by(Message::BY_TIME).unwrap();
    let rows = view.range(15..).unwrap().entries(&store, Order::Ascending);
    let rows: Vec<_> = rows
        .map(|entry| entry.unwrap())
        .map(|(key, row)| (key.2, row.timestamp))
        .collect();
    assert_eq!(rows, [(3, 20), (1, 30)]);
}

#[test]
fn an_index_over_parts_of_the_key_and_a_column() {
    let store = filled();
    let view = Message::TABLE.by(Message::BY_CHAIN_TIME).unwrap();
    let ids = view
        .prefix(&(2_u16,))
        .unwrap()
        .ids(&store, Order::Ascending);
    assert_eq!(ids.map(|id| id.unwrap().2).collect::<Vec<_>>(), [2, 1]);
    let view = Message::TABLE.by(Message::BY_SET).unwrap();
    let ids = view.key(&(4, 3)).unwrap().ids(&store, Order::Ascending);
    assert_eq!(ids.map(|id| id.unwrap().2).collect::<Vec<_>>(), [3]);
}

#[test]
fn an_index_by_a_function_of_key_and_family() {
    let store = filled();
    let view = Message::TABLE.by(Message::BY_BYTE).unwrap();
    let ids = view.key(&(2, 9)).unwrap().ids(&store, Order::Ascending);
    assert_eq!(ids.map(|id| id.unwrap().2).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_unique_index_over_a_column_of_a_family() {
    let mut store = filled();
    let view = Message::TABLE.by(Message::BY_DIGEST).unwrap();
    assert_eq!(
        view.row_key(&store, &[3; 32]).unwrap(),
        Some((3, [7; 4], 3))
    );
    let twin = Message {
        publication: Some(Publication::new(1, 3, b"x")),
        ..message(9)
    };
    let refused = Message::TABLE.insert(&mut store, &twin);
    assert!(matches!(
        refused,
        Err(OrmError::UniqueViolation {
            table: "messages.publication",
            index: "by_digest",
            ..
        })
    ));
    assert!(!Message::TABLE.contains(&store, &twin).unwrap());
}

#[test]
fn an_optional_column_of_a_family_is_not_indexed_where_it_is_none() {
    let mut store = filled();
    let mut to = Publication::new(1, 8, b"x");
    to.to = Some((6, [1; 4]));
    Message::TABLE
        .insert(
            &mut store,
            &Message {
                publication: Some(to),
                ..message(8)
            },
        )
        .unwrap();
    let view = Message::TABLE.by(Message::BY_RECIPIENT).unwrap();
    let ids = view.all().ids(&store, Order::Ascending);
    assert_eq!(ids.map(|id| id.unwrap().2).collect::<Vec<_>>(), [8]);
    assert!(view.has(&store, &(6, [1; 4])).unwrap());
}
