//! Conflicts: messages with quorum whose id another one held already. One row each, so that no value grows.
//!
//! Keyed by the whole id: they are rare, and so listed in its order.

use cw_orm::Table;
use wormhole_vaa::{Address, MessageId};

use super::{Decision, MessagePublication, PackedSignatures};

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
    /// The block at which it was verified.
    pub height: u64,
    /// The time of that block, in Unix seconds.
    pub time: u64,
    /// What was decided about a governance message.
    pub governance: Option<Decision>,
    /// The signatures.
    pub signatures: PackedSignatures,
}

impl Conflict {
    /// Returns the id that both messages claim.
    #[must_use]
    pub const fn id(&self) -> MessageId {
        MessageId {
            chain: self.emitter_chain,
            emitter: Address(self.emitter_address),
            sequence: self.sequence,
        }
    }
}
