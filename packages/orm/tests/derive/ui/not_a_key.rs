//! Columns whose type is no key.

use cw_orm::Table;

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct Order {
    #[pk]
    id: u64,
    #[index(id = 1)]
    price: f64,
}

fn main() {}
