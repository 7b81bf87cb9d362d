//! Signatures that those of a newer set replaced: kept, so that every encoding of a message stays readable.

use cw_orm::Table;

/// The signatures of an older set.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "superseded", ns = "s")]
pub struct Superseded {
    /// The emitter's Wormhole chain id.
    #[pk]
    pub emitter_chain: u16,
    /// The emitter's address.
    #[pk]
    pub emitter_address: [u8; 32],
    /// The emitter's sequence number.
    #[pk]
    pub sequence: u64,
    /// The set that signed.
    #[pk]
    pub guardian_set_index: u32,
    /// The signatures as in the VAA, 66 bytes each.
    #[serde(with = "serde_bytes")]
    pub signatures: Vec<u8>,
    /// The block at which they were verified.
    pub height: u64,
    /// The time of that block, in Unix seconds.
    pub time: u64,
}
