//! Indexes that do not say what they are.

use cw_orm::Table;

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 1, key(market))]
struct NoName {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 1, name = by_nothing)]
struct NoKeys {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 1, name = by_word, with = words)]
struct NoKeyType {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 1, name = by_markt, key(markt))]
struct UnknownColumn {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 1, name = by_market, key())]
struct EmptyKey {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 2, name = by_market, key(market, id))]
struct SameName {
    #[pk]
    id: u64,
    #[index(id = 1)]
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct Unknown {
    #[pk]
    id: u64,
    #[index(id = 1, unique)]
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct KeyOnAField {
    #[pk]
    id: u64,
    #[index(id = 1, key(market))]
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct EachOfAnOption {
    #[pk]
    id: u64,
    #[index(id = 1, each)]
    market: Option<String>,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 1, name = by_market, family = market, key(id))]
struct NoFamilies {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 1, name = by_market, key(market.name))]
struct NoFamily {
    #[pk]
    id: u64,
    market: String,
}

fn main() {}
