//! Recovery of the key that signed, left to the caller's platform.

#[cfg(feature = "k256")]
pub(crate) mod native;

use thiserror::Error;

use crate::address::GuardianAddress;
use crate::digest::{Digest, keccak256};

/// A secp256k1 public key: x and y, big-endian, without a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(pub [u8; 64]);

impl PublicKey {
    /// Reads the uncompressed SEC 1 form: 65 bytes, the first of them 4.
    ///
    /// # Errors
    ///
    /// [`RecoverError`] for any other bytes.
    pub fn from_sec1(bytes: &[u8]) -> Result<Self, RecoverError> {
        match bytes.split_first_chunk::<1>() {
            Some(([4], point)) => point.try_into().map(Self).map_err(|_| RecoverError),
            _ => Err(RecoverError),
        }
    }

    /// Returns the address that stands for the key in a guardian set.
    #[must_use]
    pub fn guardian_address(&self) -> GuardianAddress {
        let hash = keccak256(&self.0);
        let [_, _, _, _, _, _, _, _, _, _, _, _, address @ ..] = hash;
        GuardianAddress(address)
    }
}

/// No public key can have made the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no public key recovers from the signature")]
pub struct RecoverError;

/// Recovers the public key from a signature.
///
/// A contract implements it with its host's call, native tools use `K256Recover` (feature
/// `k256`). An implementation must accept a high s; it is only called with `v` 0 or 1 and with r
/// and s in range.
pub trait Recover {
    /// Returns the key that made the signature `rs` (r, then s) with recovery id `v` over
    /// `digest`.
    ///
    /// # Errors
    ///
    /// [`RecoverError`] if there is none.
    fn recover(&self, digest: &Digest, rs: &[u8; 64], v: u8) -> Result<PublicKey, RecoverError>;
}

impl<R: Recover + ?Sized> Recover for &R {
    fn recover(&self, digest: &Digest, rs: &[u8; 64], v: u8) -> Result<PublicKey, RecoverError> {
        (**self).recover(digest, rs, v)
    }
}
