//! Counts that do not say what they count.

use cw_orm::Table;

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[count(id = 1)]
struct NoName {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[count(id = 1, of = by_market)]
struct NoNameOfIndex {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[count(name = total)]
struct NoId {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[count(id = 1, name = per_market, of = by_market)]
struct NoIndex {
    #[pk]
    id: u64,
    #[unique(id = 2)]
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[count(id = 1, name = per_market, of = by_market)]
struct AnotherIndex {
    #[pk]
    id: u64,
    #[index(id = 2)]
    owner: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[count(id = 1, name = per_market, of = by_market, ordered)]
struct KeyOfItsOwn {
    #[pk]
    id: u64,
    #[index(id = 2)]
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct OfOnAField {
    #[pk]
    id: u64,
    #[index(id = 2)]
    #[count(id = 1, of = by_market)]
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[count(id = 1, name = per_market, columns(market))]
struct Columns {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[index(id = 1, name = by_market, of = per_market)]
struct IndexOf {
    #[pk]
    id: u64,
    market: String,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[count(id = 1, name = per_word, with = words)]
struct NoKeyType {
    #[pk]
    id: u64,
    market: String,
}

fn main() {}
