//! Observations: a guardian's own signatures, gathered until a quorum makes a VAA of them.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::Binary;

use super::{Governance, ItemError, OutcomeKind};

/// A guardian's observation of a message: one element of the JSON list that `submit_observations` carries.
#[cw_serde]
pub struct Observation {
    /// The body's bytes, as in a VAA.
    pub body: Binary,
    /// The transaction that published the message, as the guardian saw it: 1 to 128 bytes.
    pub tx_id: Binary,
    /// The guardian's signature over the body's digest, as in a VAA but without the guardian's index: r, s, recovery id;
    /// 65 bytes.
    pub signature: Binary,
}

/// What became of the observations.
#[cw_serde]
pub struct SubmitObservationsResponse {
    /// One outcome an observation, in the message's order.
    pub outcomes: Vec<ObservationOutcome>,
}

/// What became of an observation.
#[cw_serde]
pub struct ObservationOutcome {
    /// The message's id, `chain/emitter/sequence`; null if the bytes are no body.
    pub id: Option<String>,
    /// The digest in hex; null if the bytes are no body.
    pub digest: Option<String>,
    /// What was done.
    pub outcome: ObservationOutcomeKind,
    /// How many guardians of the set have signed the digest; null unless it is pending.
    pub signatures: Option<u32>,
    /// How many have to; null unless it is pending.
    pub quorum: Option<u32>,
    /// What was decided about a governance message; null for other messages and where nothing was decided now.
    pub governance: Option<Governance>,
    /// Why it was refused; null unless it was.
    pub error: Option<ItemError>,
}

/// What was done with an observation.
#[cw_serde]
#[derive(Copy, Eq)]
pub enum ObservationOutcomeKind {
    /// The signature is kept, now or before, and the set's quorum is not reached.
    Pending,
    /// The signature made the quorum, and the message was stored as if its VAA had been submitted.
    Stored,
    /// The message is registered. Nothing was stored but the transaction id, if this guardian had claimed none.
    AlreadyRegistered,
    /// Another message with quorum has this id. Both are kept, the first stands, the conflict is flagged. As for
    /// `already_registered`, if that was so before.
    Conflict,
    /// Nothing was stored.
    Refused,
}

impl ObservationOutcomeKind {
    /// Returns its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Stored => "stored",
            Self::AlreadyRegistered => "already_registered",
            Self::Conflict => "conflict",
            Self::Refused => "refused",
        }
    }
}

impl From<OutcomeKind> for ObservationOutcomeKind {
    fn from(kind: OutcomeKind) -> Self {
        match kind {
            OutcomeKind::Stored => Self::Stored,
            OutcomeKind::Conflict => Self::Conflict,
            OutcomeKind::Resigned | OutcomeKind::AlreadyRegistered => Self::AlreadyRegistered,
            OutcomeKind::Refused => Self::Refused,
        }
    }
}

/// What was pruned.
#[cw_serde]
pub struct PruneResponse {
    /// How many rows were removed.
    pub removed: u32,
    /// Whether the end was reached: the next call starts over. Otherwise it goes on where this one stopped.
    pub finished: bool,
}
