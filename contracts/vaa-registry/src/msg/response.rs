//! What is answered.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Binary, Uint64};
use cw_orm::PageResponse;

use super::{Governance, GovernanceEmitter, IndexFlags, IndexName, ItemError, Limits, OutcomeKind};

/// How the registry is set up.
#[cw_serde]
pub struct ConfigResponse {
    /// The Wormhole chain id of the chain that the registry lives on.
    pub this_chain: u16,
    /// The emitter whose messages change the guardian set.
    pub governance: GovernanceEmitter,
    /// The index of the current guardian set.
    pub current_guardian_set: u32,
    /// The indexes that are kept.
    pub indexes: IndexFlags,
    /// The limits in force.
    pub limits: Limits,
    /// The admin; null if there is none.
    pub admin: Option<String>,
    /// The account that is to accept the role of admin; null if none was proposed.
    pub proposed_admin: Option<String>,
    /// Whether nothing is stored but guardian set upgrades.
    pub paused: bool,
    /// Whether a genesis is being imported, so that nothing else is stored.
    pub importing: bool,
    /// The index that is being built; null if none is.
    pub building: Option<IndexName>,
}

/// A guardian set.
#[cw_serde]
pub struct GuardianSetResponse {
    /// Its index.
    pub index: u32,
    /// The guardians' addresses in hex, by guardian index.
    pub addresses: Vec<String>,
    /// How many signatures a VAA of this set needs.
    pub quorum: u32,
    /// The block time, in Unix seconds, at which it became known: by an upgrade, or at instantiation.
    pub applied_at: Uint64,
    /// The block at which it became known.
    pub applied_height: Uint64,
    /// The last second, in Unix time, in which its signatures count; null for the current set.
    pub expires_at: Option<Uint64>,
    /// Whether it is the current set.
    pub current: bool,
    /// Whether its signatures count at the block of the query.
    pub live: bool,
}

/// A page of guardian sets.
#[cw_serde]
pub struct GuardianSetsResponse {
    /// The sets.
    pub guardian_sets: Vec<GuardianSetResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A message, or none.
#[cw_serde]
pub struct MessageQueryResponse {
    /// The message; null if it is not registered.
    pub message: Option<MessageResponse>,
}

/// A page of messages.
#[cw_serde]
pub struct MessagesResponse {
    /// The messages.
    pub messages: Vec<MessageResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A registered message, with the families asked for.
#[cw_serde]
pub struct MessageResponse {
    /// Its id, `chain/emitter/sequence`.
    pub id: String,
    /// The emitter's Wormhole chain id.
    pub emitter_chain: u16,
    /// The emitter's address, 32 bytes in hex.
    pub emitter_address: String,
    /// The emitter's sequence number.
    pub sequence: Uint64,
    /// What the emitter published; null if not asked for.
    pub message_publication: Option<MessagePublicationResponse>,
    /// The newest signatures; null if not asked for.
    pub quorum_state: Option<QuorumStateResponse>,
    /// How it was verified; null if not asked for.
    pub status: Option<StatusResponse>,
}

/// What an emitter published.
#[cw_serde]
pub struct MessagePublicationResponse {
    /// The version of the VAA.
    pub version: u8,
    /// The guardian set that it was first recorded under.
    pub guardian_set_index: u32,
    /// The emitter's time, in Unix seconds. Emitters write what they like: it may be 0 or lie in the future.
    pub timestamp: u32,
    /// The emitter's nonce.
    pub nonce: u32,
    /// How final the emitter's block had to be.
    pub consistency_level: u8,
    /// The payload.
    pub payload: Binary,
    /// The digest in hex.
    pub digest: String,
}

/// The signatures of the newest guardian set that signed.
#[cw_serde]
pub struct QuorumStateResponse {
    /// The set's index.
    pub guardian_set_index: u32,
    /// The indexes of the guardians who signed.
    pub signers: Vec<u8>,
    /// The signatures as in the VAA: 66 bytes each (guardian index, r, s, recovery id).
    pub signatures: Binary,
}

/// How a message was verified.
#[cw_serde]
pub struct StatusResponse {
    /// Every guardian set that it was verified under, oldest first.
    pub verifications: Vec<Verification>,
    /// Whether another message with quorum claims this id.
    pub conflict: bool,
    /// What was decided about a governance message; null for other messages.
    pub governance: Option<Governance>,
}

/// A verification that took place.
#[cw_serde]
pub struct Verification {
    /// The guardian set.
    pub guardian_set_index: u32,
    /// The block.
    pub height: Uint64,
    /// The block's time, in Unix seconds.
    pub time: Uint64,
    /// Whether the set is live at the block of the query, so that the signatures would verify now.
    pub valid_now: bool,
    /// The last second, in Unix time, in which the set's signatures count; null for the current set.
    pub expires_at: Option<Uint64>,
}

/// A signed VAA.
#[cw_serde]
pub struct SignedVaaResponse {
    /// The message's id.
    pub id: String,
    /// The digest in hex.
    pub digest: String,
    /// The guardian set that signed.
    pub guardian_set_index: u32,
    /// The VAA's bytes.
    pub vaa: Binary,
    /// Whether the set is live at the block of the query, so that the VAA would verify now.
    pub valid_now: bool,
    /// Whether another message with quorum claims this id.
    pub conflict: bool,
}

/// What would become of a VAA.
#[cw_serde]
pub struct VerifyResponse {
    /// Whether the VAA itself is good now: well formed, and signed by a quorum of a guardian set that is live.
    pub valid: bool,
    /// The message's id; null if the bytes are no VAA.
    pub id: Option<String>,
    /// The digest in hex; null if the bytes are no VAA.
    pub digest: Option<String>,
    /// The guardian set that it names; null if the bytes are no VAA.
    pub guardian_set_index: Option<u32>,
    /// Every reason against it.
    pub errors: Vec<ItemError>,
    /// What submitting it now would do.
    pub outcome: OutcomeKind,
    /// What would be decided about a governance message; null where nothing would.
    pub governance: Option<Governance>,
}

/// A page of conflicts.
#[cw_serde]
pub struct ConflictsResponse {
    /// The conflicts.
    pub conflicts: Vec<ConflictResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A message with quorum whose id another message held already.
#[cw_serde]
pub struct ConflictResponse {
    /// The id that both claim.
    pub id: String,
    /// The digest, in hex, of the message that stands.
    pub standing_digest: String,
    /// The digest, in hex, of this one.
    pub digest: String,
    /// The guardian set that signed this one.
    pub guardian_set_index: u32,
    /// The bytes of this one's VAA.
    pub vaa: Binary,
    /// The block at which it was verified.
    pub height: Uint64,
    /// The time of that block, in Unix seconds.
    pub time: Uint64,
    /// What was decided about a governance message; null for other messages.
    pub governance: Option<Governance>,
}
