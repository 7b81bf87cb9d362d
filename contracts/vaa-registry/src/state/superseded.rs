//! Signatures that those of a newer set replaced: kept, so that every encoding of a message stays readable.

use cw_orm::{CompactUint64, Table};

use super::PackedSignatures;

/// The signatures of an older set.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "superseded", ns = "s")]
pub struct Superseded {
    /// The emitter's number.
    #[pk]
    pub emitter: CompactUint64,
    /// The emitter's sequence number.
    #[pk]
    pub sequence: CompactUint64,
    /// The set that signed.
    #[pk]
    pub guardian_set_index: u32,
    /// The block at which they were verified.
    pub height: u64,
    /// The time of that block, in Unix seconds.
    pub time: u64,
    /// The signatures.
    pub signatures: PackedSignatures,
}
