//! What cannot be a row, a family or a key at all.

use cw_orm::{Family, Key, Table};

#[derive(Table)]
#[table(name = "orders", ns = "o")]
enum Row {
    One,
}

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct Bare(#[pk] u64);

#[derive(Table)]
#[table(name = "orders", ns = "o")]
struct Generic<T> {
    #[pk]
    id: T,
}

#[derive(Family)]
struct BareFamily(u64);

#[derive(Family)]
struct GenericFamily<T> {
    column: T,
}

#[derive(Key)]
struct GenericKey<'a>(&'a str);

#[derive(Key)]
struct NoPart;

#[derive(Key)]
enum NoVariant {}

#[derive(Key)]
enum WithData {
    One(u8),
}

#[derive(Key)]
#[key(krate = cw_orm)]
enum UnknownWord {
    One,
}

fn main() {}
