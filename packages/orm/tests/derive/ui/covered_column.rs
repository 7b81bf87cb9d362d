//! A column that no entry can hold: the error points at it.

use cw_orm::{Key, Table};

#[derive(Clone, Key)]
struct Place(u16);

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[covering(id = 1, name = by_market, key(market), columns(place))]
struct Order {
    #[pk]
    place: Place,
    market: String,
}

fn main() {}
