//! Publications that no guardian attested.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::Binary;

use super::ItemError;

/// A message as a publisher saw it.
#[cw_serde]
pub struct PublishedMessage {
    /// The body's bytes, as in a VAA.
    pub body: Binary,
    /// The transaction that published the message, 1 to 128 bytes; null if it is not said.
    pub tx_id: Option<Binary>,
}

/// What became of the publications.
#[cw_serde]
pub struct PublishMessagesResponse {
    /// One outcome a publication, in the message's order.
    pub outcomes: Vec<PublicationOutcome>,
}

/// What became of a publication.
#[cw_serde]
pub struct PublicationOutcome {
    /// The message's id, `chain/emitter/sequence`; null if the bytes are no body.
    pub id: Option<String>,
    /// The digest in hex; null if the bytes are no body.
    pub digest: Option<String>,
    /// What was done.
    pub outcome: PublicationOutcomeKind,
    /// Why it was refused; null unless it was.
    pub error: Option<ItemError>,
}

/// What was done with a publication.
#[cw_serde]
#[derive(Copy, Eq)]
pub enum PublicationOutcomeKind {
    /// It was stored.
    Published,
    /// It was stored in place of what the publisher had said about this id.
    Replaced,
    /// The publisher has said so already.
    Unchanged,
    /// A quorum has signed just this, so nothing was stored.
    AlreadyRegistered,
    /// Nothing was stored.
    Refused,
}

impl PublicationOutcomeKind {
    /// Returns its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Replaced => "replaced",
            Self::Unchanged => "unchanged",
            Self::AlreadyRegistered => "already_registered",
            Self::Refused => "refused",
        }
    }
}

/// Which messages a publisher may publish.
#[cw_serde]
pub struct PublisherScope {
    /// The emitter's Wormhole chain id.
    pub chain: u16,
    /// The one emitter, in hex; any of the chain, if null.
    pub emitter: Option<String>,
}
