//! What is stored.

use cw_orm::Table;

/// The one row of settings.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "config", ns = "c")]
pub struct Config {
    /// Always 0.
    #[pk]
    pub id: u8,
    /// The registry's address.
    pub registry: String,
    /// The emitter's Wormhole chain id.
    pub emitter_chain: u16,
    /// The emitter's address.
    pub emitter_address: [u8; 32],
    /// Whether the guardian set that signed has to count still.
    pub require_live: bool,
}

/// A message that was acted on.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "acts", ns = "a")]
pub struct Act {
    /// The message's digest.
    #[pk]
    pub digest: [u8; 32],
    /// Its payload.
    #[serde(with = "serde_bytes")]
    pub payload: Vec<u8>,
}
