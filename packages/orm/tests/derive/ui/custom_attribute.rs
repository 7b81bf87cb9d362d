//! Indexes of one's own that do not say what they are.

use cw_orm::Table;

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[custom(id = 1, name = latest, with = latest)]
struct NoType {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[custom(id = 1, name = latest, with = latest, index_type = Latest, key(id))]
struct Key {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[custom(id = 1, with = latest, index_type = Latest)]
struct NoName {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct OnAField {
    #[pk]
    #[custom(id = 1, name = latest, with = latest, index_type = Latest)]
    id: u64,
}

fn main() {}
