//! What can be done, and what is answered to it in the response's data.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::Binary;
#[cfg(feature = "import")]
use cw_orm::GenesisPage;

use super::{IndexName, Limits, PublishedMessage, PublisherScope};

/// Changes the registry.
#[cw_serde]
pub enum ExecuteMsg {
    /// Registers signed VAAs, in order; anybody may. Each is verified against the guardian set that it names, and a
    /// guardian set upgrade holds for the VAAs after it. Answers with `SubmitVaasResponse`.
    SubmitVaas {
        /// The VAAs' bytes: 1 up to the batch limit of them.
        vaas: Vec<Binary>,
        /// What to do about a VAA that is refused; `abort` if absent.
        on_invalid: Option<OnInvalid>,
    },
    /// Brings what one guardian observed; anybody may. The signatures of a body gather, for each guardian set apart, until
    /// a quorum makes a VAA of them, which is stored as if it had been submitted. Late, repeated and reordered observations
    /// are harmless. Answers with `SubmitObservationsResponse`.
    SubmitObservations {
        /// The guardian's set, which has to be live.
        guardian_set_index: u32,
        /// The guardian's index in the set.
        guardian_index: u8,
        /// A JSON list of `{"body", "tx_id", "signature"}`, each base64: the message body, the transaction that published
        /// it (1 to 128 bytes), and the guardian's signature over the body's digest (r, s, recovery id: 65 bytes). 1 up to
        /// the batch limit of them.
        observations: Binary,
        /// The guardian's signature (r, s, recovery id: 65 bytes) over keccak256 of: `vaa_registry_observations_v1_000|`;
        /// the chain id and the canonical address of this contract, each after its length in one byte; the guardian set
        /// index (4 bytes, big-endian); the guardian index (1 byte); the bytes of `observations`.
        signature: Binary,
        /// What to do about an observation that is refused; `skip` if absent.
        on_invalid: Option<OnInvalid>,
    },
    /// Removes observations that are of no use any more: those of guardian sets that have expired, and those of messages
    /// that are decided; then what revoked publishers left. Anybody may. Goes on where it stopped before. Answers with
    /// `PruneResponse`.
    Prune {
        /// How many rows to look at or remove at most, 1 or more; 1,000 are the most.
        limit: u32,
    },
    /// Says what was published, before or without any guardian; only registered publishers may, within their scope and
    /// quota. These publications are kept apart and listed only on request; nothing else depends on them. Answers with
    /// `PublishMessagesResponse`.
    PublishMessages {
        /// What was published: 1 up to the batch limit of them.
        messages: Vec<PublishedMessage>,
        /// What to do about one that is refused; `abort` if absent.
        on_invalid: Option<OnInvalid>,
    },
    /// Lets an account publish, or changes what and how much it may publish; only the admin may.
    RegisterPublisher {
        /// The account.
        publisher: String,
        /// Which messages it may publish.
        scope: PublisherScope,
        /// The most publications that it may have stored. If it has more already, they stay.
        quota: u32,
    },
    /// Takes the right to publish back and removes the account's publications; only the admin may. Those beyond `limit`
    /// are removed by `prune`.
    RevokePublisher {
        /// The account.
        publisher: String,
        /// How many rows to remove in this call; 100 if absent, 1,000 are the most.
        limit: Option<u32>,
    },
    /// Adds an index that was not kept from the start, or goes on with it; only the admin may. It is answered from once all
    /// messages are in it; one index is built at a time. Answers with `BuildIndexResponse`.
    BuildIndex {
        /// The index.
        index: IndexName,
        /// How many rows to take in at most, 1 or more; 1,000 are the most.
        limit: u32,
    },
    /// Imports the next page of another registry's state, in the order of the tables; only the admin may, and only a
    /// registry that was instantiated to import. Every VAA in it is verified again, whatever is not in order is refused.
    /// The last page of a table given again changes nothing. On a chain, the code `vaa_registry_import` does this.
    #[cfg(feature = "import")]
    Import {
        /// The page, as `export` gave it.
        page: GenesisPage,
    },
    /// Ends the import; only the admin may, and only when all is there and proved. On a chain, the code
    /// `vaa_registry_import` does this, and the registry is then migrated to its own code.
    #[cfg(feature = "import")]
    Seal {},
    /// Sets the limits; only the admin may.
    SetLimits {
        /// All limits.
        limits: Limits,
    },
    /// Stops all changes but guardian set upgrades, by VAA or by observations, and the admin's own; only the admin may.
    Pause {},
    /// Ends the pause; only the admin may.
    Unpause {},
    /// Proposes another admin, who has to accept; only the admin may.
    TransferAdmin {
        /// The account; withdraws what was proposed, if absent.
        to: Option<String>,
    },
    /// Accepts the role of admin; only the proposed account may.
    AcceptAdmin {},
    /// Gives the role of admin up for good; only the admin may, and not during a pause, which nobody could end.
    RenounceAdmin {},
}

/// What to do about a VAA that is refused.
#[cw_serde]
#[derive(Default)]
pub enum OnInvalid {
    /// Fails the whole message, with the refusal's code; nothing is stored.
    #[default]
    Abort,
    /// Passes over it, and tells its refusal in the answer.
    Skip,
}

/// What became of the VAAs.
#[cw_serde]
pub struct SubmitVaasResponse {
    /// One outcome a VAA, in the message's order.
    pub outcomes: Vec<VaaOutcome>,
}

/// What became of a VAA.
#[cw_serde]
pub struct VaaOutcome {
    /// The message's id, `chain/emitter/sequence`; null if the bytes are no VAA.
    pub id: Option<String>,
    /// The digest in hex: keccak256 of keccak256 of the body; null if the bytes are no VAA.
    pub digest: Option<String>,
    /// What was done.
    pub outcome: OutcomeKind,
    /// What was decided about a governance message; null for other messages and where nothing was decided now.
    pub governance: Option<Governance>,
    /// Why it was refused; null unless it was.
    pub error: Option<ItemError>,
}

/// What was done with a VAA.
#[cw_serde]
#[derive(Copy, Eq)]
pub enum OutcomeKind {
    /// A new message was verified and stored.
    Stored,
    /// A known message was verified under a newer guardian set, whose signatures were stored.
    Resigned,
    /// The message is registered, and was verified then. Says nothing about the signatures submitted now.
    AlreadyRegistered,
    /// Another message with quorum has this id. Both are kept, the first stands, the conflict is flagged.
    Conflict,
    /// Not verified; nothing was stored.
    Refused,
}

impl OutcomeKind {
    /// Returns its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Resigned => "resigned",
            Self::AlreadyRegistered => "already_registered",
            Self::Conflict => "conflict",
            Self::Refused => "refused",
        }
    }
}

/// What was decided about a governance message: once, or again when the current guardian set signs what was
/// `not_current_set`.
#[cw_serde]
pub enum Governance {
    /// The guardian set with this index was made the current one.
    Applied(u32),
    /// The message is authentic and kept, but changed nothing, for this reason: `truncated_payload`, `other_module`,
    /// `other_action`, `other_chain`, `not_current_set`, `wrong_index`, `empty_set`, `trailing_bytes`, `zero_guardian`
    /// or `duplicate_guardian`.
    NotApplied(String),
}

/// Why a VAA was refused.
#[cw_serde]
pub struct ItemError {
    /// A stable code, as `E105`.
    pub code: String,
    /// The reason in words.
    pub message: String,
}

/// How far an index is built.
#[cw_serde]
pub struct BuildIndexResponse {
    /// How many rows this call took in.
    pub rows: u32,
    /// Whether the index is complete, and answered from.
    pub done: bool,
}
