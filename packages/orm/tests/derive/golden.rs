//! The bytes of one row of each kind. They are an interface: a change here is a change of the stored layout.

use cosmwasm_std::testing::MockStorage;

use crate::{
    auto::Group, auto::group, dump, families::Message, families::message, plain::Order,
    plain::order,
};

fn assert_dump(store: &MockStorage, expected: &[(&str, &str)]) {
    let spaceless = |text: &str| text.replace(' ', "");
    let expected: Vec<_> = expected
        .iter()
        .map(|(key, value)| (spaceless(key), spaceless(value)))
        .collect();
    assert_eq!(dump(store), expected);
}

#[test]
fn a_plain_row() {
    let mut store = MockStorage::new();
    let row = Order {
        client_id: Some("me".into()),
        tags: vec!["x".into()],
        price: 300,
        client_ref: Some(5),
        salt: vec![0xaa, 0],
        text: "hi".into(),
        ..order("ann", 7)
    };
    Order::TABLE.insert(&mut store, &row).unwrap();
    let id = "616e6e00 0000000000000007";
    let value = "01 03425443 01026d65 010178 ac02 0105 02aa00 026869";
    assert_dump(
        &store,
        &[
            (&format!("0001 6f {id}"), value),
            (&format!("0002 6f01 42544300 {id}"), "01"),
            ("0002 6f02 6d6500", id),
            (&format!("0002 6f03 7800 {id}"), "01"),
            (&format!("0002 6f04 42544300 000000000000012c {id}"), "01"),
            (&format!("0002 6f05 686900 {id}"), "01"),
            ("0002 6f06 42544300 00000005", id),
            (&format!("0002 6f07 0000000000000007 {id}"), "01"),
            (&format!("0002 6f08 aa00ff0001 {id}"), "01"),
        ],
    );
}

#[test]
fn a_row_with_a_given_id() {
    let mut store = MockStorage::new();
    Group::TABLE.insert(&mut store, &mut group("hi")).unwrap();
    assert_dump(
        &store,
        &[
            ("0001 67 0000000000000001", "01 026869"),
            ("0002 6700", "0000000000000001"),
            ("0002 6701 686900", "0000000000000001"),
        ],
    );
}

#[test]
fn a_row_with_families() {
    let mut store = MockStorage::new();
    Message::TABLE.insert(&mut store, &message(5)).unwrap();
    let id = "0002 07070707 0000000000000005";
    let digest = "01".repeat(32);
    assert_dump(
        &store,
        &[
            (
                &format!("0002 6d01 {id}"),
                &format!("01 64 {digest} 00 026162"),
            ),
            (&format!("0002 6d02 {id}"), "03 04 0109"),
            (&format!("0002 6d0a 00000064 {id}"), "01"),
            (&format!("0002 6d0b 0002 00000064 {id}"), "01"),
            (&format!("0002 6d0c 0002 61 {id}"), "01"),
            (&format!("0002 6d0c 0002 62 {id}"), "01"),
            (&format!("0002 6d0d {digest}"), id),
            (&format!("0002 6d0f 00000004 0000000000000005 {id}"), "01"),
        ],
    );
}
