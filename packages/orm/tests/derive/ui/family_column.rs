//! An index over a column that its family does not have.

use cw_orm::{Family, Table};
use serde::{Deserialize, Serialize};

#[derive(Family, Serialize, Deserialize)]
struct Body {
    time: u32,
}

#[derive(Table)]
#[table(name = "messages", ns = "m")]
#[index(id = 2, name = by_tyme, key(body.tyme))]
struct Message {
    #[pk]
    id: u64,
    #[family(id = 1)]
    body: Option<Body>,
}

fn main() {}
