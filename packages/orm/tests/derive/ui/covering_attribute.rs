//! Covering indexes that do not say what they hold.

use cw_orm::Table;

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[covering(id = 1, name = by_market, key(market))]
struct NoColumns {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[covering(id = 1, name = by_market, key(market), columns())]
struct EmptyColumns {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[covering(id = 1, name = by_market, columns(price))]
struct NoKey {
    #[pk]
    id: u64,
    price: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[covering(id = 1, name = by_market, key(market), columns(prise))]
struct UnknownColumn {
    #[pk]
    id: u64,
    market: String,
    price: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[covering(id = 1, name = by_market, key(market), columns(body.price))]
struct NoFamily {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[covering(id = 1, name = by_market, key(market), columns_with = summary)]
struct NoColumnsType {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct OnAField {
    #[pk]
    id: u64,
    #[covering(id = 1)]
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[covering(id = 1, name = by_market, key(market), columns(price), version = 256)]
struct Version {
    #[pk]
    id: u64,
    market: String,
    price: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[covering(id = 1, name = by_market, key(market), columns(price), columns(market))]
struct Twice {
    #[pk]
    id: u64,
    market: String,
    price: u64,
}

fn main() {}
