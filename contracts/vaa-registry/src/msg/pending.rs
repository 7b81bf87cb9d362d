//! What is answered about what no quorum signed yet, about publications, and about transactions.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::{Binary, Uint64};
use cw_orm::PageResponse;

use super::PublisherScope;

/// A page of bodies that guardians signed, but no quorum.
#[cw_serde]
pub struct PendingMessagesResponse {
    /// The bodies.
    pub messages: Vec<PendingMessageResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A body that guardians signed, but no quorum.
#[cw_serde]
pub struct PendingMessageResponse {
    /// The message's id, `chain/emitter/sequence`. Several bodies can claim it.
    pub id: String,
    /// The digest in hex.
    pub digest: String,
    /// The body's bytes, as in a VAA.
    pub body: Binary,
    /// How far each guardian set is, by index: signatures of different sets do not add up.
    pub signatures: Vec<PendingSignatures>,
}

/// How many guardians of a set have signed.
#[cw_serde]
pub struct PendingSignatures {
    /// The set's index.
    pub guardian_set_index: u32,
    /// The indexes of the guardians who have signed.
    pub guardians: Vec<u8>,
    /// How many have to.
    pub quorum: u32,
    /// Whether the set is live at the block of the query: no more signatures of an expired one are taken.
    pub live: bool,
}

/// A page of pending signatures of a digest.
#[cw_serde]
pub struct ObservationsResponse {
    /// The signatures.
    pub observations: Vec<ObservationResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A pending signature.
#[cw_serde]
pub struct ObservationResponse {
    /// The guardian's set.
    pub guardian_set_index: u32,
    /// The guardian's index in the set.
    pub guardian_index: u8,
    /// The signature as in a VAA but without the guardian's index: r, s, recovery id; 65 bytes.
    pub signature: Binary,
    /// The transaction that the guardian claims to have published the message.
    pub tx_id: Binary,
}

/// What makes a guardian's signature over a batch of observations good for this registry only.
#[cw_serde]
pub struct ObservationDomainResponse {
    /// The text that comes first.
    pub prefix: String,
    /// The id of the chain that the registry lives on.
    pub chain_id: String,
    /// The registry's canonical address.
    pub contract: Binary,
}

/// What guardians claim to be the transaction that published a message.
#[cw_serde]
pub struct TxIdsResponse {
    /// The message's id.
    pub id: String,
    /// The digest, in hex, that the claims are about.
    pub digest: String,
    /// The claims: attested ones first, then those of more guardians; 30 at most.
    pub tx_ids: Vec<TxIdResponse>,
    /// How many different claims there are.
    pub total: u32,
}

/// A transaction that guardians of a set claim.
#[cw_serde]
pub struct TxIdResponse {
    /// The transaction id.
    pub tx_id: Binary,
    /// The set's index.
    pub guardian_set_index: u32,
    /// How many of its guardians claim it.
    pub claims: u32,
    /// How many are a quorum.
    pub quorum: u32,
    /// Whether a quorum claims it.
    pub attested: bool,
}

/// A page of decided messages for which guardians claim a transaction.
#[cw_serde]
pub struct TxMessagesResponse {
    /// The messages.
    pub messages: Vec<TxMessageResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A decided message for which guardians claim a transaction.
#[cw_serde]
pub struct TxMessageResponse {
    /// The message's id.
    pub id: String,
    /// The digest, in hex, that the claims are about.
    pub digest: String,
    /// Whether this digest is the message that stands under the id; if not, it is a conflict.
    pub stands: bool,
    /// How many guardians claim it, of the set of which most do.
    pub claims: u32,
    /// Whether a quorum of one set claims it.
    pub attested: bool,
}

/// A page of publishers.
#[cw_serde]
pub struct PublishersResponse {
    /// The publishers.
    pub publishers: Vec<PublisherResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A publisher.
#[cw_serde]
pub struct PublisherResponse {
    /// Its account.
    pub publisher: String,
    /// Which messages it may publish.
    pub scope: PublisherScope,
    /// The most publications that it may have stored.
    pub quota: u32,
    /// How many it has.
    pub rows: u32,
    /// Whether it is revoked, and listed only until its publications are removed.
    pub revoked: bool,
}

/// A page of publications that nobody attested.
#[cw_serde]
pub struct PublicationsResponse {
    /// The publications.
    pub publications: Vec<PublicationResponse>,
    /// What comes next.
    pub page: PageResponse,
}

/// A publication that nobody attested.
#[cw_serde]
pub struct PublicationResponse {
    /// The message's id.
    pub id: String,
    /// The digest in hex.
    pub digest: String,
    /// The publisher's account.
    pub publisher: String,
    /// Whether the publisher is revoked.
    pub revoked: bool,
    /// The body's bytes, as in a VAA.
    pub body: Binary,
    /// The transaction that published the message, as the publisher says; null if it does not.
    pub tx_id: Option<Binary>,
    /// The time of the block in which it was stored, in Unix seconds.
    pub time: Uint64,
}
