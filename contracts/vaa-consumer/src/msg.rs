//! Messages and answers.

use cosmwasm_schema::{QueryResponses, cw_serde};
use cosmwasm_std::Binary;

/// Creates a consumer.
#[cw_serde]
pub struct InstantiateMsg {
    /// The registry's address.
    pub registry: String,
    /// The Wormhole chain id of the emitter that is listened to.
    pub emitter_chain: u16,
    /// Its address in hex.
    pub emitter_address: String,
    /// Whether a message is acted on only while the guardian set that signed it counts.
    pub require_live: bool,
}

/// Acts.
#[cw_serde]
pub enum ExecuteMsg {
    /// Acts on a message that the registry has verified; anybody may ask for it, and it is done once.
    Act {
        /// The message's id.
        id: String,
    },
    /// Submits VAAs to the registry, all or none, and goes on if it refuses them.
    Relay {
        /// The VAAs' bytes.
        vaas: Vec<Binary>,
    },
}

/// Asks.
#[cw_serde]
#[derive(QueryResponses)]
pub enum QueryMsg {
    /// What was acted on under a digest, or null.
    #[returns(ActResponse)]
    Act {
        /// The digest in hex.
        digest: String,
    },
}

/// What was acted on.
#[cw_serde]
pub struct ActResponse {
    /// The payload; null if the digest was not acted on.
    pub payload: Option<Binary>,
}
