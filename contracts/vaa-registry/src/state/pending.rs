//! What guardians reported that no quorum has signed yet.

use cw_orm::Table;
use wormhole_vaa::{Address, Body, MessageId, Signature};

use super::GuardianBits;

/// The most undecided digests that a guardian of a set may have signed.
pub const MAX_UNDECIDED: u16 = 1_024;
/// The most undecided digests of one message that a guardian of a set may have signed.
pub const MAX_UNDECIDED_OF_MESSAGE: usize = 2;

/// Emitter chain, emitter address, sequence, digest.
pub type PendingKey = (u16, [u8; 32], u64, [u8; 32]);

/// A body that some guardian signed. Stored with the first signature of its digest, removed with the last.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "pending_bodies", ns = "p", limits(default = 10, max = 30))]
pub struct PendingBody {
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
    /// The digest that was the first of the message's, all of whose other pending bodies name it; none if this is it.
    /// It need not be pending any more.
    pub first: Option<[u8; 32]>,
    /// The emitter's time, in Unix seconds.
    pub timestamp: u32,
    /// The emitter's nonce.
    pub nonce: u32,
    /// How final the emitter's block had to be.
    pub consistency_level: u8,
    /// The payload.
    #[serde(with = "serde_bytes")]
    pub payload: Vec<u8>,
}

impl PendingBody {
    /// Returns the primary key.
    #[must_use]
    pub const fn key(&self) -> PendingKey {
        (
            self.emitter_chain,
            self.emitter_address,
            self.sequence,
            self.digest,
        )
    }

    /// Returns the message's id.
    #[must_use]
    pub const fn id(&self) -> MessageId {
        MessageId {
            chain: self.emitter_chain,
            emitter: Address(self.emitter_address),
            sequence: self.sequence,
        }
    }

    /// Returns the body that the guardians signed.
    #[must_use]
    pub fn body(&self) -> Body {
        Body {
            timestamp: self.timestamp,
            nonce: self.nonce,
            emitter_chain: self.emitter_chain,
            emitter_address: Address(self.emitter_address),
            sequence: self.sequence,
            consistency_level: self.consistency_level,
            payload: self.payload.clone(),
        }
    }
}

/// A guardian's signature of a pending body.
///
/// The last row of a digest and set tells who signed so far, so that one more report reads one row, however many were
/// before it. Rows are therefore only removed from the last one down.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "observations", ns = "o", limits(default = 10, max = 30))]
pub struct Observation {
    /// The digest of the body.
    #[pk]
    pub digest: [u8; 32],
    /// The guardian's set.
    #[pk]
    pub guardian_set_index: u32,
    /// Its place in the order in which the set's guardians reported the digest, from 0.
    #[pk]
    pub position: u8,
    /// The guardian's index in the set.
    pub guardian: u8,
    /// The guardians who signed up to here, this one included.
    pub signers: GuardianBits,
    /// Whether the digest was not the first of its message's: there is then a [`FurtherDigest`].
    pub further: bool,
    /// The signature: r, s, recovery id; 65 bytes.
    #[serde(with = "serde_bytes")]
    pub signature: Vec<u8>,
    /// The transaction that the guardian claims to have published the message.
    #[serde(with = "serde_bytes")]
    pub tx_id: Vec<u8>,
}

impl Observation {
    /// Returns the signature as it stands in a VAA; `None` if the stored bytes are none.
    #[must_use]
    pub fn signature(&self) -> Option<Signature> {
        signature_of(self.guardian, &self.signature)
    }
}

/// Returns the signature of the guardian at `index` whose r, s and recovery id are `bytes`; `None` unless they are 65.
#[must_use]
pub fn signature_of(index: u8, bytes: &[u8]) -> Option<Signature> {
    let bytes: &[u8; 65] = bytes.try_into().ok()?;
    let mut wire = [index; wormhole_vaa::SIGNATURE_LEN];
    let [_, tail @ ..] = &mut wire;
    tail.copy_from_slice(bytes);
    Some(Signature::from_bytes(&wire))
}

/// A pending signature of a digest that was not the first of its message's: what the limit for one message counts,
/// beside the signature of the first. In the common case, of one digest a message, there is no such row.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "further_digests", ns = "f")]
pub struct FurtherDigest {
    /// The guardian's set.
    #[pk]
    pub guardian_set_index: u32,
    /// The guardian's index in the set.
    #[pk]
    pub guardian: u8,
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

/// How many pending signatures each guardian of a set has.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "undecided", ns = "n")]
pub struct Undecided {
    /// The set's index.
    #[pk]
    pub guardian_set_index: u32,
    /// The counts by guardian index, without the zeros at the end; each is [`MAX_UNDECIDED`] at most.
    pub counts: Vec<u16>,
}

/// Where pruning goes on.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "prune_cursor", ns = "r")]
pub struct PruneCursor {
    /// Always 0: there is one row.
    #[pk]
    pub id: u8,
    /// The pending body to look at next.
    pub next: PendingKey,
}
