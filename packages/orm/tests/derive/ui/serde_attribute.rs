//! Columns that the default codec could not find again.

use cw_orm::{Family, Table};

#[derive(Table)]
#[table(name = "rows", ns = "r")]
struct Row {
    #[pk]
    id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Family)]
struct Columns {
    #[serde(skip_serializing)]
    note: String,
}

fn main() {}
