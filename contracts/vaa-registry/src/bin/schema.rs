//! Writes the JSON schema.
fn main() {}
