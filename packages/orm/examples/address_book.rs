//! An address book: a unique index, one of many keys a row, pages, and searches by the beginning of a name.

use cosmwasm_std::{Order, testing::MockStorage};
use cw_orm::{OrmError, PageRequest, Table, TextPrefix};

/// A person.
#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "contacts", ns = "c", limits(default = 2, max = 30))]
struct Contact {
    /// The key, by which contacts sort.
    #[pk]
    name: String,
    /// At most one contact has it; a contact need not.
    #[unique(id = 1)]
    email: Option<String>,
    /// Each is a key of its own.
    #[index(id = 2, name = by_tag, each)]
    tags: Vec<String>,
}

fn contact(name: &str, email: Option<&str>, tags: &[&str]) -> Contact {
    Contact {
        name: name.into(),
        email: email.map(Into::into),
        tags: tags.iter().map(|tag| (*tag).into()).collect(),
    }
}

fn main() -> Result<(), OrmError> {
    let mut store = MockStorage::new();
    let book = Contact::TABLE;
    book.insert(
        &mut store,
        &contact("ann", Some("ann@example.org"), &["climbing"]),
    )?;
    book.insert(&mut store, &contact("anton", None, &["chess", "climbing"]))?;
    book.insert(&mut store, &contact("bob", Some("bob@example.org"), &[]))?;

    // An e-mail that another has is refused, and nothing is written.
    let taken = book.insert(&mut store, &contact("eve", Some("bob@example.org"), &[]));
    assert!(matches!(taken, Err(OrmError::UniqueViolation { .. })));

    let by_email = book.by(Contact::BY_EMAIL)?;
    let bob = by_email.row_key(&store, &"bob@example.org".into())?;
    println!("bob@example.org is {bob:?}");

    let climbers = book.by(Contact::BY_TAG)?.key(&"climbing".into())?;
    println!(
        "climbers: {:?}",
        climbers.ids(&store, Order::Ascending).read_all()?
    );

    let an = book.prefix(&TextPrefix("an"))?;
    println!("an…: {:?}", an.ids(&store, Order::Ascending).read_all()?);

    let mut request = PageRequest::default();
    loop {
        let page = book.get_paginated(&store, &request)?;
        let names: Vec<_> = page.items.iter().map(|row| &row.name).collect();
        println!("page: {names:?}");
        match request.after(&page.page) {
            Some(next) => request = next,
            None => return Ok(()),
        }
    }
}
