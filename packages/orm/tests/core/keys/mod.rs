//! The bytes of keys: golden values, laws, edges, and the known faults of other codecs.

mod bounds;
mod edges;
mod faults;
mod golden;
mod laws;
mod nesting_faults;
mod order_faults;
mod partial;
