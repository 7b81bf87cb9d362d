//! Families, and indexes over them, that cannot be.

use cw_orm::{Family, Table};
use serde::{Deserialize, Serialize};

#[derive(Family, Serialize, Deserialize)]
struct Body {
    time: u32,
}

#[derive(Family, Serialize, Deserialize)]
struct Proof {
    set: u32,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
#[index(id = 3, name = by_both, key(body.time, proof.set))]
struct TwoInAnIndex {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
    #[family(id = 2)]
    proof: Option<Proof>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
struct NoOption {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Body,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
struct ColumnInNone {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
    seen: bool,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
#[index(id = 3, name = by_id, key(id))]
struct IndexInNone {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
#[index(id = 3, name = by_time, key(bdy.time))]
struct UnknownFamily {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
#[index(id = 3, name = by_time, family = body, key(time))]
struct PlainColumn {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
struct IndexOnAField {
    #[pk]
    id: u64,
    #[family(id = 1)]
    #[index(id = 3)]
    body: Option<Body>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
struct Auto {
    #[pk(auto)]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m", validate = check)]
struct Validated {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
struct SameType {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
    #[family(id = 2)]
    other: Option<Body>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
struct UnknownWord {
    #[pk]
    id: u64,
    #[family(id = 1, optional)]
    body: Option<Body>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
#[count(id = 3, name = total)]
struct CountOfNoFamily {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
#[covering(id = 3, name = by_time, key(body.time), columns(proof.set))]
struct ColumnsOfTwo {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
    #[family(id = 2)]
    proof: Option<Proof>,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
#[covering(id = 3, name = by_id, family = body, key(id), columns(time))]
struct ColumnOfTheKey {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
}

fn main() {}
