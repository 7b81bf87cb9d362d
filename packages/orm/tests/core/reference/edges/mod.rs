//! What the reference's tests miss, each decided. The numbers are those of the package's `DIFFERENCES.md`.

mod keys;
mod pages;
mod rows;
