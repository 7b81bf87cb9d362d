//! Primary keys that are none.

use cw_orm::Table;

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct NoKey {
    number: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct AutoOfAnotherType {
    #[pk(auto)]
    id: u32,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct AutoAndAnother {
    #[pk(auto)]
    id: u64,
    #[pk]
    owner: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct UnknownWord {
    #[pk(automatic)]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct NoWord {
    #[pk()]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[pk]
struct OnTheStruct {
    id: u64,
}

fn main() {}
