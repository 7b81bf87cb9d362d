//! Public key recovery by the chain's host call, some eight times cheaper than in wasm.

use cosmwasm_std::Api;
use wormhole_vaa::{Digest, PublicKey, Recover, RecoverError};

/// Recovers through the host. Verifying against a known key would cost half as much, but passes a signature whose recovery
/// id is wrong, which Wormhole's contracts refuse.
pub(crate) struct HostRecover<'a>(pub(crate) &'a dyn Api);

impl Recover for HostRecover<'_> {
    fn recover(&self, digest: &Digest, rs: &[u8; 64], v: u8) -> Result<PublicKey, RecoverError> {
        let key = self
            .0
            .secp256k1_recover_pubkey(&digest.0, rs, v)
            .map_err(|_| RecoverError)?;
        PublicKey::from_sec1(&key)
    }
}
