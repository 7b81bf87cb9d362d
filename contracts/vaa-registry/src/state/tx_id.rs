//! Which transaction published a message, as guardians claim.

use cw_orm::Table;

use super::GuardianBits;

/// The longest transaction id.
pub const MAX_TX_ID_LEN: usize = 128;

/// A claim of some guardians of a set: that of a digest which is decided, or whose signatures were pruned when the set
/// had expired. Claims about a pending digest are in its [`Observation`](super::Observation)s.
///
/// One claim a guardian, so a digest and set have as many rows as the set has guardians at most; guardians who claim
/// the same may still be in several rows. The last row tells who claimed so far.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "tx_claims", ns = "i")]
pub struct TxClaim {
    /// The digest.
    #[pk]
    pub digest: [u8; 32],
    /// The guardians' set.
    #[pk]
    pub guardian_set_index: u32,
    /// Its place among the set's claims about the digest, from 0.
    #[pk]
    pub position: u8,
    /// The guardians who claim it here.
    pub guardians: GuardianBits,
    /// The guardians who claim anything up to here, these included.
    pub claimants: GuardianBits,
    /// The transaction id.
    #[serde(with = "serde_bytes")]
    pub tx_id: Vec<u8>,
}

/// Leads from a transaction id to a decided message for which it is claimed: the index by transaction.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "tx_messages", ns = "t", limits(default = 10, max = 30))]
pub struct TxMessage {
    /// The transaction id.
    #[pk]
    pub tx_id: Vec<u8>,
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
    #[pk]
    pub digest: [u8; 32],
}
