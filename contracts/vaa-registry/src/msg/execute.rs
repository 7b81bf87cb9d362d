//! What can be done, and what is answered to it in the response's data.

use cosmwasm_schema::cw_serde;
use cosmwasm_std::Binary;

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

/// What was decided about a governance message, once.
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
