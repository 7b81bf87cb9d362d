//! Genesis: a table's whole state as pages of rows, out of one store and into another, byte for byte.
//!
//! Rows travel as the bytes they are stored as, with the sequence that gives their ids; index entries do not, they are
//! made anew. Each page is chained to the one before it by a digest, so that a page that was altered, left out, repeated
//! or put elsewhere is refused by name, before anything is written. The digest finds accidents; it is no signature.

mod error;
mod export;
mod import;
mod page;
mod paged;
mod restore;
mod tables;

pub use error::GenesisError;
pub use page::{GenesisPage, GenesisRow};
pub use paged::{ImportState, PagedImport};

/// A table to export from.
type Exported = crate::shelf::Shelves<restore::Confirming>;

/// A table to import into.
type Imported = crate::shelf::Shelves<restore::Restoring>;
