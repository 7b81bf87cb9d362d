//! What users of comparable ORMs asked for, as far as the derive answers it. The others are in the core's tests.

use cosmwasm_std::{Order, testing::MockStorage};
use cw_orm::{OrmError, Table};

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "items", ns = "i")]
struct Item {
    #[pk]
    shelf: u64,
    #[pk]
    name: String,
    #[index(id = 1)]
    colour: String,
}

/// An index that is told a wrong type or namespace of the primary key reads keys that are none. Here nothing is told twice.
#[test]
fn ask_03_an_index_knows_the_key_of_its_table() {
    let mut store = MockStorage::new();
    for shelf in [1, 200, u64::MAX] {
        let (name, colour) = ("box".to_owned(), "red".to_owned());
        Item::TABLE
            .insert(
                &mut store,
                &Item {
                    shelf,
                    name,
                    colour,
                },
            )
            .unwrap();
    }
    let red = Item::TABLE
        .by(Item::BY_COLOUR)
        .unwrap()
        .key(&"red".into())
        .unwrap();
    let ids: Vec<(u64, String)> = red.ids(&store, Order::Ascending).read_all().unwrap();
    assert_eq!(
        ids,
        [1, 200, u64::MAX].map(|shelf| (shelf, "box".to_owned()))
    );
}

/// A list of indexes by hand forgets one. Here the struct is the list.
#[test]
fn ask_09_every_index_that_a_field_declares_is_kept() {
    use cw_orm::Record;
    let names: Vec<&str> = Item::INDEXES.iter().map(|index| index.name()).collect();
    assert_eq!(names, ["by_colour"]);
    let mut store = MockStorage::new();
    let item = |colour: &str| Item {
        shelf: 1,
        name: "box".into(),
        colour: colour.into(),
    };
    Item::TABLE.insert(&mut store, &item("red")).unwrap();
    Item::TABLE.update(&mut store, item("blue")).unwrap();
    let view = Item::TABLE.by(Item::BY_COLOUR).unwrap();
    let has = |store: &MockStorage, colour: &str| view.has(store, &colour.into());
    assert_eq!(
        (has(&store, "red"), has(&store, "blue")),
        (Ok(false), Ok(true))
    );
    Item::TABLE.delete(&mut store, &(1, "box".into())).unwrap();
    assert_eq!(has(&store, "blue"), Ok(false));
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "cells", ns = "c")]
#[index(id = 1, name = by_rest, key(sheet, kind, row, column, book))]
struct Cell {
    #[pk]
    book: u16,
    #[pk]
    sheet: String,
    #[pk]
    row: u32,
    #[pk]
    column: u32,
    kind: u8,
}

#[test]
fn ask_19_keys_of_four_parts_and_more() {
    let mut store = MockStorage::new();
    let cell = |book, sheet: &str, row, column| {
        let (sheet, kind) = (sheet.to_owned(), (column % 2) as u8);
        Cell {
            book,
            sheet,
            row,
            column,
            kind,
        }
    };
    for (row, column) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        for (book, sheet) in [(1, "a"), (1, "b"), (2, "a")] {
            Cell::TABLE
                .insert(&mut store, &cell(book, sheet, row, column))
                .unwrap();
        }
    }
    let key = (1, "b".to_owned(), 2, 1);
    assert_eq!(Cell::TABLE.get_one(&store, &key), Ok(cell(1, "b", 2, 1)));
    let count = |scan: Result<cw_orm::Scan<Cell>, OrmError>| {
        scan.unwrap().ids(&store, Order::Ascending).count()
    };
    assert_eq!(count(Cell::TABLE.prefix(&(1,))), 8);
    assert_eq!(count(Cell::TABLE.prefix(&(1, "b".to_owned()))), 4);
    assert_eq!(count(Cell::TABLE.prefix(&(1, "b".to_owned(), 2))), 2);
    assert_eq!(
        count(Cell::TABLE.range((1, "b".to_owned(), 1, 2)..(1, "b".to_owned(), 2, 2))),
        2
    );
    let odd = Cell::TABLE
        .by(Cell::BY_REST)
        .unwrap()
        .prefix(&("a".to_owned(), 1))
        .unwrap();
    let rows: Vec<Cell> = odd.rows(&store, Order::Ascending).read_all().unwrap();
    let want = [(1, 1), (2, 1), (1, 2), (2, 2)].map(|(book, row)| cell(book, "a", row, 1));
    assert_eq!(rows, want);
}
