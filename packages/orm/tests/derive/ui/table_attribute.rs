//! `#[table(…)]` with something missing, unknown, twice, or out of range.

use cw_orm::Table;

#[derive(Table)]
struct Nothing {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(ns = "o")]
struct NoName {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders")]
struct NoNamespace {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "")]
struct EmptyNamespace {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o", primary_key = "id")]
struct Unknown {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[table(ns = "p")]
struct Twice {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o", version = 256)]
struct LateVersion {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o", key_rule = "sorted")]
struct UnknownRule {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o", limits(default = 31, max = 30))]
struct InvertedLimits {
    #[pk]
    id: u64,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
#[serde(tag = "kind")]
struct Tagged {
    #[pk]
    id: u64,
}

fn main() {}
