//! What a guardian signs when it brings observations.

use wormhole_vaa::{Digest, keccak256};

/// The first bytes of what a guardian signs over a batch of observations: nothing else that guardians sign begins so.
pub const OBSERVATIONS_PREFIX: &[u8] = b"vaa_registry_observations_v1_000|";

/// Returns what a guardian signs over a batch of observations: keccak256 of the prefix; chain id and canonical contract
/// address, each after its length in one byte; guardian set index; guardian index; the batch's bytes. So the signature is
/// worth nothing on another chain, to another contract, or as another guardian's. `None` if the chain id or the address
/// has more than 255 bytes.
#[must_use]
pub fn observations_digest(
    chain_id: &str,
    canonical_contract: &[u8],
    guardian_set_index: u32,
    guardian_index: u8,
    observations: &[u8],
) -> Option<Digest> {
    let mut bytes = OBSERVATIONS_PREFIX.to_vec();
    for part in [chain_id.as_bytes(), canonical_contract] {
        bytes.push(u8::try_from(part.len()).ok()?);
        bytes.extend_from_slice(part);
    }
    bytes.extend_from_slice(&guardian_set_index.to_be_bytes());
    bytes.push(guardian_index);
    bytes.extend_from_slice(observations);
    Some(Digest(keccak256(&bytes)))
}
