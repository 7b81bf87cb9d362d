//! Names that the derive's code might trip over.

// Shadows what generated code would find without full paths.
#![allow(non_camel_case_types, non_snake_case, dead_code)]

mod elsewhere {
    pub use cw_orm as database;
}

struct Option;
struct Vec;
struct String;
struct Result;
struct Columns;
fn Some() {}
fn Ok() {}

use self::elsewhere::database;
use cosmwasm_std::testing::MockStorage;

#[derive(database::Table, Clone, Debug, PartialEq)]
#[table(name = "odd", ns = "h", crate = self::elsewhere::database)]
#[index(id = 3, name = by_pair, key(r#type, row))]
struct Row {
    #[pk]
    key: u8,
    #[pk]
    row: u8,
    #[index(id = 1)]
    r#type: u32,
    #[index(id = 2, each)]
    bytes: [u16; 2],
    version: u32,
    value: u32,
    storage: u32,
}

#[derive(database::Table, Clone, Debug, PartialEq)]
#[table(name = "odd_families", ns = "i", crate = database)]
#[index(id = 3, name = by_value, key(values.r#type, row))]
struct Wide {
    #[pk]
    row: u8,
    #[pk]
    plan: u8,
    #[family(id = 1)]
    key: ::core::option::Option<First>,
    #[family(id = 2)]
    values: ::core::option::Option<Second>,
}

#[derive(database::Family, Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[family(crate = database)]
struct First {
    value: u8,
}

#[derive(database::Family, Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[family(crate = self::elsewhere::database)]
struct Second {
    r#type: u8,
}

#[derive(database::Key, Clone, Debug, PartialEq)]
#[key(crate = database)]
struct Pair {
    out: u8,
    input: u8,
}

#[derive(database::Key, Clone, Debug, PartialEq)]
#[key(crate = database)]
enum Word {
    Ok,
    Some,
    byte,
}

#[test]
fn odd_names_work() {
    let mut store = MockStorage::new();
    let row = Row {
        key: 1,
        row: 2,
        r#type: 3,
        bytes: [4, 5],
        version: 6,
        value: 7,
        storage: 8,
    };
    Row::TABLE.insert(&mut store, &row).unwrap();
    assert_eq!(Row::TABLE.get(&store, &(1, 2)).unwrap().unwrap(), row);
    let by_type = Row::TABLE.by(Row::BY_TYPE).unwrap();
    assert!(by_type.has(&store, &3).unwrap());
    assert!(
        Row::TABLE
            .by(Row::BY_BYTES)
            .unwrap()
            .has(&store, &5)
            .unwrap()
    );
    assert!(
        Row::TABLE
            .by(Row::BY_PAIR)
            .unwrap()
            .has(&store, &(3, 2))
            .unwrap()
    );

    let (key, values) = (First { value: 1 }, Second { r#type: 2 });
    let wide = Wide {
        row: 3,
        plan: 4,
        key: ::core::option::Option::Some(key),
        values: ::core::option::Option::Some(values),
    };
    Wide::TABLE.insert(&mut store, &wide).unwrap();
    assert_eq!(
        Wide::TABLE
            .get_one(&store, &(3, 4), Wide::KEY.and(Wide::VALUES))
            .unwrap(),
        wide
    );
    assert!(
        Wide::TABLE
            .by(Wide::BY_VALUE)
            .unwrap()
            .has(&store, &(2, 3))
            .unwrap()
    );
}

#[test]
fn odd_keys_work() {
    use database::{Key, KeyRule};
    for rule in [KeyRule::Delimited, KeyRule::Ordered, KeyRule::RawLast] {
        let pair = Pair { out: 1, input: 2 };
        assert_eq!(pair.encode(rule).unwrap(), [1, 2]);
        assert_eq!(Pair::decode(&[1, 2], rule).unwrap(), pair);
        assert_eq!(Word::decode(&[2], rule).unwrap(), Word::byte);
    }
}
