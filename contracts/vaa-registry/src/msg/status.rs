//! What is answered about one message: how far it is, who signed it, and what its signatures are still good for.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Binary, Uint64};

use super::{Governance, PendingSignatures, TxIdResponse, Verification};

/// How far a message is. The furthest of its phases counts.
#[cw_serde]
#[derive(Copy, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Nothing is known of it.
    Unknown,
    /// A publisher says that it was published; nobody attests that.
    Published,
    /// Guardians have signed it, but no quorum.
    Observed,
    /// A quorum has signed it: it is registered.
    Quorum,
}

/// Everything that is known about a message.
#[cw_serde]
pub struct MessageStatusResponse {
    /// Its id, `chain/emitter/sequence`.
    pub id: String,
    /// How far it is.
    pub phase: Phase,
    /// The digest, in hex, of the registered message; null before there is one.
    pub digest: Option<String>,
    /// Every guardian set that it was verified under, oldest first, with block and time.
    pub verifications: Vec<Verification>,
    /// Whether its newest signatures would verify now.
    pub valid_now: bool,
    /// The last second, in Unix time, in which they will; null if they do not now, or no end is known.
    pub valid_until: Option<Uint64>,
    /// Whether another message with quorum claims this id.
    pub conflict: bool,
    /// The messages with quorum that came second, by digest: 10 at most, `conflicts` lists all.
    pub conflicts: Vec<ConflictSummary>,
    /// What was decided about a governance message; null for other messages.
    pub governance: Option<Governance>,
    /// The bodies that guardians signed, but no quorum, by digest: 10 at most, `pending_messages` lists all.
    pub pending: Vec<PendingSummary>,
    /// What publishers say, attested by nobody: 10 at most, `publications` lists all.
    pub publications: Vec<PublicationSummary>,
    /// The transactions that guardians claim for the registered message: attested ones first, 10 at most, `tx_ids` lists
    /// more.
    pub tx_ids: Vec<TxIdResponse>,
}

/// A message with quorum that came second.
#[cw_serde]
pub struct ConflictSummary {
    /// Its digest in hex.
    pub digest: String,
    /// The guardian set that signed it.
    pub guardian_set_index: u32,
    /// The block at which it was verified.
    pub height: Uint64,
    /// The time of that block, in Unix seconds.
    pub time: Uint64,
}

/// A body that guardians signed, but no quorum.
#[cw_serde]
pub struct PendingSummary {
    /// Its digest in hex.
    pub digest: String,
    /// How far each guardian set is, by index.
    pub signatures: Vec<PendingSignatures>,
}

/// What a publisher says.
#[cw_serde]
pub struct PublicationSummary {
    /// The digest in hex.
    pub digest: String,
    /// The publisher's account.
    pub publisher: String,
    /// The transaction that published the message, as the publisher says; null if it does not.
    pub tx_id: Option<Binary>,
    /// The time of the block in which it was stored, in Unix seconds.
    pub time: Uint64,
}

/// How far some messages are.
#[cw_serde]
pub struct BatchStatusResponse {
    /// One status an id, in the order of the ids.
    pub statuses: Vec<MessageSummary>,
}

/// How far a message is, in short.
#[cw_serde]
pub struct MessageSummary {
    /// Its id, `chain/emitter/sequence`.
    pub id: String,
    /// How far it is.
    pub phase: Phase,
    /// The digest, in hex, of the registered message; null before there is one.
    pub digest: Option<String>,
    /// The newest guardian set that signed it; null before there is one.
    pub guardian_set_index: Option<u32>,
    /// Whether that set's signatures would verify now.
    pub valid_now: bool,
    /// Whether another message with quorum claims this id.
    pub conflict: bool,
}

/// A guardian of a set.
#[cw_serde]
pub struct Guardian {
    /// Its index in the set.
    pub index: u8,
    /// Its address in hex.
    pub address: String,
}

/// Who signed a message, and who did not.
#[cw_serde]
pub struct SignersResponse {
    /// The message's id.
    pub id: String,
    /// The digest, in hex, that was signed.
    pub digest: String,
    /// The guardian set.
    pub guardian_set_index: u32,
    /// Whether its signatures count at the block of the query.
    pub live: bool,
    /// How many signatures a VAA of this set needs.
    pub quorum: u32,
    /// The guardians whose signatures are stored, by index.
    pub signed: Vec<Guardian>,
    /// The guardians whose signatures are not, by index.
    pub missing: Vec<Guardian>,
    /// How far the message is.
    pub phase: Phase,
}

/// What the stored signatures of a message are worth under a guardian set.
#[cw_serde]
pub struct RepairResponse {
    /// The message's id.
    pub id: String,
    /// The digest, in hex, that was signed.
    pub digest: String,
    /// The guardian set.
    pub guardian_set_index: u32,
    /// Whether its signatures count at the block of the query.
    pub live: bool,
    /// How many signatures a VAA of this set needs.
    pub quorum: u32,
    /// The guardians of the set whose signatures are stored, under whatever set they gave them.
    pub usable: Vec<Guardian>,
    /// The guardians of the set whose signatures are not.
    pub missing: Vec<Guardian>,
    /// A VAA of the set: the one that was verified, else one made of the usable signatures; null if they are too few.
    pub vaa: Option<Binary>,
}
