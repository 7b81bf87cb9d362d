//! Messages: one row an id, in column families.

use cw_orm::{Family, Table};
use serde::{Deserialize, Serialize};
use wormhole_vaa::{
    Address, Body, Digest, MessageId, NotApplied, TransferRecipient, is_governance,
};

use crate::msg::Governance;

/// Emitter chain, emitter address, sequence.
pub type MessageKey = (u16, [u8; 32], u64);

/// A registered message.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "messages", ns = "m", limits(default = 10, max = 30))]
#[unique(id = 9, name = by_digest, family = publication, with = digest_key, key_type = [u8; 32])]
#[index(id = 10, name = by_time, key(publication.timestamp))]
#[index(id = 11, name = by_chain_time, key(emitter_chain, publication.timestamp))]
#[index(id = 12, name = by_emitter_time, key(emitter_chain, emitter_address, publication.timestamp))]
#[index(id = 13, name = by_guardian_set, family = status, with = guardian_set_keys, key_type = u32)]
#[index(id = 14, name = by_recipient, family = publication, with = recipient_key, key_type = (u16, [u8; 32]))]
pub struct Message {
    /// The emitter's Wormhole chain id.
    #[pk]
    pub emitter_chain: u16,
    /// The emitter's address.
    #[pk]
    pub emitter_address: [u8; 32],
    /// The emitter's sequence number.
    #[pk]
    pub sequence: u64,
    /// What the emitter published.
    #[family(id = 1)]
    pub publication: Option<MessagePublication>,
    /// The newest signatures.
    #[family(id = 2)]
    pub quorum: Option<QuorumState>,
    /// What changes: small, so that a change costs little.
    #[family(id = 3)]
    pub status: Option<Status>,
}

impl Message {
    /// Returns the primary key.
    #[must_use]
    pub const fn key(&self) -> MessageKey {
        (self.emitter_chain, self.emitter_address, self.sequence)
    }
}

/// What an emitter published. Never changes.
#[derive(Family, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagePublication {
    /// The version of the VAA.
    pub version: u8,
    /// The guardian set that it was first recorded under.
    pub guardian_set_index: u32,
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

/// The signatures of the newest guardian set that signed.
#[derive(Family, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuorumState {
    /// The set's index.
    pub guardian_set_index: u32,
    /// The signatures as in the VAA, 66 bytes each.
    #[serde(with = "serde_bytes")]
    pub signatures: Vec<u8>,
}

/// How the message was verified.
#[derive(Family, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Every set that it was verified under, oldest first; the last is that of [`QuorumState`].
    pub guardian_sets: Vec<u32>,
    /// The block of the last verification.
    pub height: u64,
    /// The time of that block, in Unix seconds.
    pub time: u64,
    /// Whether another message with quorum claims the id.
    pub conflict: bool,
    /// What was decided about a governance message.
    pub governance: Option<Decision>,
}

impl Status {
    /// Whether a set is newer than all that verified the message.
    #[must_use]
    pub fn is_older_than(&self, set: u32) -> bool {
        self.guardian_sets.iter().all(|known| *known < set)
    }
}

/// What was decided about a governance message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// Made the set with this index the current one.
    Applied(u32),
    /// Changed nothing, for the reason with this [`NotApplied::code`].
    NotApplied(u8),
}

impl From<NotApplied> for Decision {
    fn from(reason: NotApplied) -> Self {
        Self::NotApplied(reason.code())
    }
}

impl From<Decision> for Governance {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Applied(index) => Self::Applied(index),
            Decision::NotApplied(code) => {
                let reason = NotApplied::from_code(code).map_or("unknown", NotApplied::as_str);
                Self::NotApplied(reason.into())
            }
        }
    }
}

/// Returns the id that a key stands for.
pub(crate) const fn id_of(key: &MessageKey) -> MessageId {
    MessageId {
        chain: key.0,
        emitter: Address(key.1),
        sequence: key.2,
    }
}

/// Returns the key of an id.
pub(crate) const fn key_of(id: &MessageId) -> MessageKey {
    (id.chain, id.emitter.0, id.sequence)
}

impl MessagePublication {
    /// Returns the body that the guardians signed.
    #[must_use]
    pub fn body(&self, key: &MessageKey) -> Body {
        Body {
            timestamp: self.timestamp,
            nonce: self.nonce,
            emitter_chain: key.0,
            emitter_address: Address(key.1),
            sequence: key.2,
            consistency_level: self.consistency_level,
            payload: self.payload.clone(),
        }
    }

    /// Returns the digest. Computed where it is needed: hashing costs less than storing 32 bytes.
    #[must_use]
    pub fn digest(&self, key: &MessageKey) -> Digest {
        self.body(key).digest()
    }
}

fn digest_key(key: &MessageKey, publication: &MessagePublication) -> Vec<[u8; 32]> {
    vec![publication.digest(key).0]
}

fn guardian_set_keys(_: &MessageKey, status: &Status) -> Vec<u32> {
    status.guardian_sets.clone()
}

/// Wormhole's governance speaks a language of its own: what looks like a transfer there is none.
fn recipient_key(key: &MessageKey, publication: &MessagePublication) -> Vec<(u16, [u8; 32])> {
    if is_governance(&id_of(key)) {
        return Vec::new();
    }
    TransferRecipient::of(&publication.payload)
        .into_iter()
        .map(|to| (to.chain, to.address.0))
        .collect()
}
