//! Conflicts: messages with quorum whose id another one held already. One row each, so that no value grows.

use cw_orm::Table;

use super::{Decision, MessageKey, MessagePublication};

/// A message that came second to its id.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "conflicts", ns = "x", limits(default = 10, max = 30))]
pub struct Conflict {
    /// The emitter's Wormhole chain id.
    #[pk]
    pub emitter_chain: u16,
    /// The emitter's address.
    #[pk]
    pub emitter_address: [u8; 32],
    /// The emitter's sequence number.
    #[pk]
    pub sequence: u64,
    /// The digest.
    #[unique(id = 1)]
    #[pk]
    pub digest: [u8; 32],
    /// What was published.
    pub publication: MessagePublication,
    /// The signatures as in the VAA, 66 bytes each.
    #[serde(with = "serde_bytes")]
    pub signatures: Vec<u8>,
    /// The block at which it was verified.
    pub height: u64,
    /// The time of that block, in Unix seconds.
    pub time: u64,
    /// What was decided about a governance message.
    pub governance: Option<Decision>,
}

impl Conflict {
    /// Returns the key of the message that both claim to be.
    #[must_use]
    pub const fn message_key(&self) -> MessageKey {
        (self.emitter_chain, self.emitter_address, self.sequence)
    }
}
