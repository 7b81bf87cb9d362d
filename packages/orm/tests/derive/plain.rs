//! A table whose rows carry their key.

use cosmwasm_std::{Addr, Order as Direction, testing::MockStorage};
use cw_orm::{OrmError, Record, Table};

use crate::dump;

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "orders", ns = "o", version = 1, limits(default = 2, max = 4), validate = sane)]
#[index(id = 4, name = by_price, key(market, price))]
#[index(id = 5, name = by_word, with = words, key_type = String)]
#[unique(id = 6, name = by_ref, key(market, client_ref))]
#[index(id = 7, name = by_number, key(number))]
#[index(id = 8, name = by_salt, key(salt), ordered)]
pub struct Order {
    #[pk]
    pub owner: Addr,
    #[pk]
    pub number: u64,
    #[index(id = 1)]
    pub market: String,
    #[unique(id = 2)]
    pub client_id: Option<String>,
    #[index(id = 3, each, name = by_tag)]
    pub tags: Vec<String>,
    pub price: u64,
    pub client_ref: Option<u32>,
    #[serde(with = "serde_bytes")]
    pub salt: Vec<u8>,
    pub text: String,
}

fn words(row: &Order) -> Vec<String> {
    row.text.split_whitespace().map(str::to_owned).collect()
}

fn sane(row: &Order) -> Result<(), String> {
    if row.price == 0 {
        Err("a price of 0".into())
    } else {
        Ok(())
    }
}

pub fn order(owner: &str, number: u64) -> Order {
    Order {
        owner: Addr::unchecked(owner),
        number,
        market: "BTC".into(),
        client_id: None,
        tags: vec![],
        price: 5,
        client_ref: None,
        salt: vec![],
        text: String::new(),
    }
}

fn numbers(rows: impl IntoIterator<Item = Result<Order, OrmError>>) -> Vec<u64> {
    rows.into_iter().map(|row| row.unwrap().number).collect()
}

#[test]
fn facts() {
    assert_eq!(Order::META.name, "orders");
    assert_eq!(Order::META.version, 1);
    assert_eq!((Order::META.limits.default, Order::META.limits.max), (2, 4));
    let spaces: Vec<_> = Order::NAMESPACES.iter().map(|space| space.name()).collect();
    let expected: [&[u8]; 9] = [
        b"o", b"o\x01", b"o\x02", b"o\x03", b"o\x04", b"o\x05", b"o\x06", b"o\x07", b"o\x08",
    ];
    assert_eq!(spaces, expected);
    let names: Vec<_> = Order::INDEXES
        .iter()
        .map(|index| (index.id(), index.name()))
        .collect();
    let expected = [
        (1, "by_market"),
        (2, "by_client_id"),
        (3, "by_tag"),
        (4, "by_price"),
        (5, "by_word"),
        (6, "by_ref"),
        (7, "by_number"),
        (8, "by_salt"),
    ];
    assert_eq!(names, expected);
}

#[test]
fn rows_come_back_as_they_went() {
    let mut store = MockStorage::new();
    let full = Order {
        client_id: Some("c".into()),
        tags: vec!["x".into(), "y".into()],
        client_ref: Some(9),
        salt: vec![0, 255],
        text: "a b".into(),
        ..order("ann", 1)
    };
    Order::TABLE.insert(&mut store, &full).unwrap();
    let key = (Addr::unchecked("ann"), 1);
    assert_eq!(Order::TABLE.get(&store, &key).unwrap(), Some(full.clone()));
    let changed = Order {
        text: "b".into(),
        ..full.clone()
    };
    assert_eq!(
        Order::TABLE.update(&mut store, changed.clone()).unwrap(),
        full
    );
    assert_eq!(Order::TABLE.delete(&mut store, &key).unwrap(), changed);
    assert!(
        dump(&store).is_empty(),
        "a deleted row leaves no index entry"
    );
}

#[test]
fn validate_is_called() {
    let mut store = MockStorage::new();
    let free = Order {
        price: 0,
        ..order("ann", 1)
    };
    let refused = Order::TABLE.insert(&mut store, &free);
    let reason = "a price of 0".into();
    assert_eq!(
        refused,
        Err(OrmError::Invalid {
            table: "orders",
            reason
        })
    );
    assert!(dump(&store).is_empty());
}

#[test]
fn a_field_index_has_one_key_a_row() {
    let mut store = MockStorage::new();
    Order::TABLE.insert(&mut store, &order("ann", 1)).unwrap();
    Order::TABLE
        .insert(
            &mut store,
            &Order {
                market: "ETH".into(),
                ..order("ann", 2)
            },
        )
        .unwrap();
    let view = Order::TABLE.by(Order::BY_MARKET).unwrap();
    let scan = view.key(&"ETH".to_owned()).unwrap();
    assert_eq!(numbers(scan.rows(&store, Direction::Ascending)), [2]);
}

#[test]
fn a_unique_option_is_not_indexed_where_it_is_none() {
    let mut store = MockStorage::new();
    Order::TABLE.insert(&mut store, &order("ann", 1)).unwrap();
    Order::TABLE.insert(&mut store, &order("ann", 2)).unwrap();
    let named = |number| Order {
        client_id: Some("mine".into()),
        ..order("ann", number)
    };
    Order::TABLE.insert(&mut store, &named(3)).unwrap();
    let refused = Order::TABLE.insert(&mut store, &named(4));
    assert!(
        matches!(
            refused,
            Err(OrmError::UniqueViolation {
                index: "by_client_id",
                ..
            })
        ),
        "{refused:?}"
    );
    let view = Order::TABLE.by(Order::BY_CLIENT_ID).unwrap();
    let (key, row) = view.get(&store, &"mine".to_owned()).unwrap().unwrap();
    assert_eq!((key, row), ((Addr::unchecked("ann"), 3), named(3)));
}

#[test]
fn each_element_is_a_key_once() {
    let mut store = MockStorage::new();
    let tags = ["x", "y", "x"].map(str::to_owned).to_vec();
    Order::TABLE
        .insert(
            &mut store,
            &Order {
                tags,
                ..order("ann", 1)
            },
        )
        .unwrap();
    Order::TABLE
        .insert(
            &mut store,
            &Order {
                tags: vec!["y".into()],
                ..order("bob", 2)
            },
        )
        .unwrap();
    let found = |tag: &str| {
        let scan = Order::TABLE
            .by(Order::BY_TAG)
            .unwrap()
            .key(&tag.to_owned())
            .unwrap();
        numbers(scan.rows(&store, Direction::Ascending))
    };
    assert_eq!(
        (found("x"), found("y"), found("z")),
        (vec![1], vec![1, 2], vec![])
    );
}

#[test]
fn a_composite_key_can_be_searched_by_its_first_parts() {
    let mut store = MockStorage::new();
    for (number, market, price) in [(1, "BTC", 30), (2, "BTC", 10), (3, "ETH", 20)] {
        let row = Order {
            market: market.into(),
            price,
            ..order("ann", number)
        };
        Order::TABLE.insert(&mut store, &row).unwrap();
    }
    let view = Order::TABLE.by(Order::BY_PRICE).unwrap();
    let scan = view.prefix(&("BTC".to_owned(),)).unwrap();
    assert_eq!(numbers(scan.rows(&store, Direction::Ascending)), [2, 1]);
    let scan = view.range(..("BTC".to_owned(), 30)).unwrap();
    assert_eq!(numbers(scan.rows(&store, Direction::Ascending)), [2]);
}

#[test]
fn a_composite_key_with_a_none_is_not_indexed() {
    let mut store = MockStorage::new();
    Order::TABLE.insert(&mut store, &order("ann", 1)).unwrap();
    Order::TABLE.insert(&mut store, &order("ann", 2)).unwrap();
    let with_ref = Order {
        client_ref: Some(7),
        ..order("ann", 3)
    };
    Order::TABLE.insert(&mut store, &with_ref).unwrap();
    let view = Order::TABLE.by(Order::BY_REF).unwrap();
    assert_eq!(numbers(view.all().rows(&store, Direction::Ascending)), [3]);
    assert_eq!(
        view.row_key(&store, &("BTC".to_owned(), 7))
            .unwrap()
            .unwrap()
            .1,
        3
    );
}

#[test]
fn an_index_over_a_part_of_the_primary_key() {
    let mut store = MockStorage::new();
    Order::TABLE.insert(&mut store, &order("ann", 8)).unwrap();
    Order::TABLE.insert(&mut store, &order("bob", 8)).unwrap();
    Order::TABLE.insert(&mut store, &order("bob", 9)).unwrap();
    let view = Order::TABLE.by(Order::BY_NUMBER).unwrap();
    let owners = view.key(&8).unwrap().ids(&store, Direction::Descending);
    let owners: Vec<_> = owners.map(|id| id.unwrap().0.into_string()).collect();
    assert_eq!(owners, ["bob", "ann"]);
}

#[test]
fn a_function_gives_any_number_of_keys() {
    let mut store = MockStorage::new();
    let text = |number, text: &str| Order {
        text: text.into(),
        ..order("ann", number)
    };
    Order::TABLE
        .insert(&mut store, &text(1, "to be or not to be"))
        .unwrap();
    Order::TABLE
        .insert(&mut store, &text(2, "not yet"))
        .unwrap();
    Order::TABLE.insert(&mut store, &text(3, "")).unwrap();
    let view = Order::TABLE.by(Order::BY_WORD).unwrap();
    let found = |word: &str| {
        numbers(
            view.key(&word.to_owned())
                .unwrap()
                .rows(&store, Direction::Ascending),
        )
    };
    assert_eq!(
        (found("not"), found("be"), found("no")),
        (vec![1, 2], vec![1], vec![])
    );
}

#[test]
fn an_ordered_index_sorts_bytes_as_values() {
    let mut store = MockStorage::new();
    for (number, salt) in [(1, &b"b"[..]), (2, b"aa"), (3, b"a")] {
        let row = Order {
            salt: salt.to_vec(),
            ..order("ann", number)
        };
        Order::TABLE.insert(&mut store, &row).unwrap();
    }
    let view = Order::TABLE.by(Order::BY_SALT).unwrap();
    assert_eq!(
        numbers(view.all().rows(&store, Direction::Ascending)),
        [3, 2, 1]
    );
}

/// A row that is nothing but its key.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "members", ns = "b", key_rule = "ordered")]
struct Membership {
    #[pk]
    group: Vec<u8>,
    #[pk]
    #[index(id = 1)]
    member: String,
}

#[test]
fn a_row_can_be_only_a_key() {
    let mut store = MockStorage::new();
    let row = |group: &[u8], member: &str| Membership {
        group: group.to_vec(),
        member: member.into(),
    };
    Membership::TABLE
        .insert(&mut store, &row(b"b", "ann"))
        .unwrap();
    Membership::TABLE
        .insert(&mut store, &row(b"aa", "ann"))
        .unwrap();
    let rows = Membership::TABLE
        .all()
        .rows(&store, Direction::Ascending)
        .read_all()
        .unwrap();
    assert_eq!(rows, [row(b"aa", "ann"), row(b"b", "ann")]);
    let view = Membership::TABLE.by(Membership::BY_MEMBER).unwrap();
    let groups = view
        .key(&"ann".to_owned())
        .unwrap()
        .ids(&store, Direction::Ascending);
    let groups: Vec<_> = groups.map(|id| id.unwrap().0).collect();
    assert_eq!(groups, [b"aa".to_vec(), b"b".to_vec()]);
}

#[test]
fn a_row_of_another_version_is_refused() {
    let mut store = MockStorage::new();
    Membership::TABLE
        .insert(
            &mut store,
            &Membership {
                group: b"g".to_vec(),
                member: "ann".into(),
            },
        )
        .unwrap();
    let key = hex::decode(&dump(&store)[0].0).unwrap();
    cosmwasm_std::Storage::set(&mut store, &key, &[2]);
    let read = Membership::TABLE.get(&store, &(b"g".to_vec(), "ann".into()));
    assert!(
        matches!(
            read,
            Err(OrmError::NewerVersion {
                table: "members",
                found: 2,
                known: 1,
                ..
            })
        ),
        "{read:?}"
    );
}
