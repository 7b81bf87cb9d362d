//! The test table of the Cosmos SDK's group ORM, ported: one test a case, as far as this ORM has the subject. Where the
//! answer differs on purpose, the test's comment says so.

mod index;
mod indexer;
mod iterator;
mod scan;
mod sequence;
mod table;
