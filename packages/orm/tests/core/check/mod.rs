//! The integrity check: what it finds, how it is taken up again, and that no bytes make it panic.

mod arbitrary;
mod custom;
mod finds;
mod steps;
