//! Ids that are missing, taken or out of range.

use cw_orm::{Family, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct Missing {
    #[pk]
    id: u64,
    #[index]
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 1, name = by_both, key(market, price))]
struct Taken {
    #[pk]
    id: u64,
    #[index(id = 1)]
    market: String,
    price: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct Zero {
    #[pk]
    id: u64,
    #[index(id = 0)]
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct Large {
    #[pk]
    id: u64,
    #[unique(id = 64)]
    market: String,
}

#[derive(Family, Serialize, Deserialize)]
struct Market {
    name: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 2, name = by_name, key(market.name))]
struct TakenByAFamily {
    #[pk]
    id: u64,
    #[family(id = 2)]
    market: Option<Market>,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct FamilyWithout {
    #[pk]
    id: u64,
    #[family]
    market: Option<Market>,
}

fn main() {}
