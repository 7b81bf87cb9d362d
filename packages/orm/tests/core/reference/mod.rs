//! The test table of the Cosmos SDK's group ORM, ported: one test a case, as far as this ORM has the subject. Where the
//! answer differs on purpose, the test's comment says so, and `DIFFERENCES.md` of the package says why.
//!
//! Cases that types exclude, so that they can not be written here, are: a nil model, row getter, index key or indexer
//! function; an index key of a type that is no key; a row, iterator destination or `contains` of another type; a nil
//! iterator; a negative limit; a destination that is nil or no slice; a key part without a type.

mod edges;
mod index;
mod indexer;
mod iterator;
mod key_codec;
mod model;
mod paginate;
mod prefix_range;
mod properties;
mod scan;
mod scenario;
mod sequence;
mod table;
mod unique;
