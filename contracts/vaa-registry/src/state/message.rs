//! Messages: one row an id, in column families.

use cw_orm::{CompactUint64, Family, Table};
use serde::{Deserialize, Serialize};
use wormhole_vaa::{Body, Digest, GuardianSetUpgrade, MessageId, NotApplied, TransferRecipient};

use super::{GOVERNANCE_NUMBER, PackedSignatures, ShortAddress};
use crate::msg::Governance;

/// The seconds of a day.
pub const DAY_SECONDS: u32 = 86_400;

/// The most guardian sets that a message is kept verified under, so that no row grows without bound.
pub const MAX_SETS: usize = 30;

/// The key of a message's row: the number of its [`Emitter`](super::Emitter), and the sequence. Four to six bytes instead
/// of the 42 of the id, in the row and in every index entry.
pub type MessageKey = (CompactUint64, CompactUint64);

/// A registered message.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "messages", ns = "m", limits(default = 10, max = 30))]
#[index(id = 10, name = by_time, key(publication.timestamp))]
#[index(id = 11, name = by_chain_time, family = publication, with = chain_time_key, key_type = (CompactUint64, u32))]
#[index(id = 12, name = by_emitter_time, key(emitter, publication.timestamp))]
#[index(id = 13, name = by_guardian_set, family = quorum, with = guardian_set_keys, key_type = CompactUint64)]
#[index(id = 14, name = by_recipient, family = publication, with = recipient_key, key_type = (CompactUint64, ShortAddress))]
#[index(id = 15, name = by_governance_module, family = publication, with = module_key, key_type = (ShortAddress, u8))]
#[count(id = 16, name = chain_totals, family = publication, with = chain_key, key_type = CompactUint64)]
#[count(id = 17, name = emitter_totals, family = publication, key(emitter))]
#[count(id = 18, name = day_totals, family = publication, with = day_key, key_type = u16)]
pub struct Message {
    /// The emitter's number.
    #[pk]
    pub emitter: CompactUint64,
    /// The emitter's sequence number.
    #[pk]
    pub sequence: CompactUint64,
    /// What the emitter published.
    #[family(id = 1)]
    pub publication: Option<MessagePublication>,
    /// The newest signatures, and how they were verified.
    #[family(id = 2)]
    pub quorum: Option<QuorumState>,
}

/// What an emitter published, in a VAA of version 1. Never changes.
#[derive(Family, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagePublication {
    /// The emitter's Wormhole chain id: the row's key has it only as part of the emitter, and an index needs it.
    pub emitter_chain: u16,
    /// The guardian set that it was first recorded under.
    pub guardian_set_index: u32,
    /// The emitter's time, in Unix seconds.
    pub timestamp: u32,
    /// The emitter's nonce.
    pub nonce: u32,
    /// How final the emitter's block had to be.
    pub consistency_level: u8,
    /// The payload.
    #[serde(with = "super::packed_bytes")]
    pub payload: Vec<u8>,
}

/// The signatures of the newest guardian set that signed, and how the message was verified. One family, since a row of
/// its own for the little that can change without the signatures would cost each message more than their rewriting costs
/// the few that change.
#[derive(Family, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuorumState {
    /// The index of the set that signed.
    pub guardian_set_index: u32,
    /// The sets that it was verified under before, oldest first, 29 at most; their signatures are in
    /// [`Superseded`](super::Superseded).
    pub older_sets: Vec<u32>,
    /// The block of the last verification.
    pub height: u64,
    /// The time of that block, in Unix seconds.
    pub time: u64,
    /// Whether another message with quorum claims the id.
    pub conflict: bool,
    /// What was decided about a governance message.
    pub governance: Option<Decision>,
    /// The signatures.
    pub signatures: PackedSignatures,
}

impl QuorumState {
    /// Returns every set that the message was verified under, oldest first.
    pub fn guardian_sets(&self) -> impl Iterator<Item = u32> + '_ {
        let older = self.older_sets.iter().copied();
        older.chain([self.guardian_set_index])
    }

    /// Whether a set is newer than all that verified the message.
    #[must_use]
    pub fn is_older_than(&self, set: u32) -> bool {
        self.guardian_sets().all(|known| known < set)
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

impl From<&Result<GuardianSetUpgrade, NotApplied>> for Decision {
    fn from(decision: &Result<GuardianSetUpgrade, NotApplied>) -> Self {
        match decision {
            Ok(upgrade) => Self::Applied(upgrade.new_index),
            Err(reason) => Self::from(*reason),
        }
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

impl MessagePublication {
    /// Returns the body that the guardians signed; `id` is the message's.
    #[must_use]
    pub fn body(&self, id: &MessageId) -> Body {
        Body {
            timestamp: self.timestamp,
            nonce: self.nonce,
            emitter_chain: id.chain,
            emitter_address: id.emitter,
            sequence: id.sequence,
            consistency_level: self.consistency_level,
            payload: self.payload.clone(),
        }
    }

    /// Returns the digest. Computed where it is needed: hashing costs less than storing 32 bytes.
    #[must_use]
    pub fn digest(&self, id: &MessageId) -> Digest {
        self.body(id).digest()
    }
}

fn chain_time_key(_: &MessageKey, publication: &MessagePublication) -> Vec<(CompactUint64, u32)> {
    let chain = CompactUint64(publication.emitter_chain.into());
    vec![(chain, publication.timestamp)]
}

fn chain_key(_: &MessageKey, publication: &MessagePublication) -> Vec<CompactUint64> {
    vec![CompactUint64(publication.emitter_chain.into())]
}

/// The day of an emitter's time, counted from 1970-01-01 in UTC: at most 49,710, which two bytes hold.
fn day_key(_: &MessageKey, publication: &MessagePublication) -> Vec<u16> {
    let day = publication.timestamp.checked_div(DAY_SECONDS);
    day.and_then(|day| u16::try_from(day).ok())
        .into_iter()
        .collect()
}

/// Module and action of a governance message: payload bytes 0 to 31 and 32.
fn module_key(key: &MessageKey, publication: &MessagePublication) -> Vec<(ShortAddress, u8)> {
    if key.0.0 != GOVERNANCE_NUMBER {
        return Vec::new();
    }
    match publication.payload.split_first_chunk() {
        Some((module, [action, ..])) => vec![(ShortAddress(*module), *action)],
        _ => Vec::new(),
    }
}

fn guardian_set_keys(_: &MessageKey, quorum: &QuorumState) -> Vec<CompactUint64> {
    let number = |set| CompactUint64(u64::from(set));
    quorum.guardian_sets().map(number).collect()
}

/// Governance speaks a language of its own: what looks like a transfer there is none.
fn recipient_key(
    key: &MessageKey,
    publication: &MessagePublication,
) -> Vec<(CompactUint64, ShortAddress)> {
    if key.0.0 == GOVERNANCE_NUMBER {
        return Vec::new();
    }
    TransferRecipient::of(&publication.payload)
        .into_iter()
        .map(|to| (CompactUint64(to.chain.into()), ShortAddress(to.address.0)))
        .collect()
}
