//! An enum whose discriminants are not bytes.

use cw_orm::Key;

#[derive(Key)]
enum Status {
    Open = -1,
    Closed,
}

#[derive(Key)]
enum Code {
    Last = 255,
    OneMore,
}

fn main() {}
