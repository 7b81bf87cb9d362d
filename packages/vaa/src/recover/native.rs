//! Recovery and signing in native code.

use k256::ecdsa::{RecoveryId, Signature as EcdsaSignature, SigningKey, VerifyingKey};
use thiserror::Error;

use super::{PublicKey, Recover, RecoverError};
use crate::address::GuardianAddress;
use crate::digest::Digest;
use crate::hex::{HexError, decode_array};
use crate::signature::Signature;

/// Recovers keys with the `k256` crate.
#[derive(Clone, Copy, Debug, Default)]
pub struct K256Recover;

impl Recover for K256Recover {
    fn recover(&self, digest: &Digest, rs: &[u8; 64], v: u8) -> Result<PublicKey, RecoverError> {
        let signature = EcdsaSignature::from_slice(rs).map_err(|_| RecoverError)?;
        let id = RecoveryId::from_byte(v).ok_or(RecoverError)?;
        let key = VerifyingKey::recover_from_prehash(&digest.0, &signature, id)
            .map_err(|_| RecoverError)?;
        public_key(&key)
    }
}

/// A guardian's secret key, for tools and tests.
#[derive(Clone)]
pub struct SecretKey {
    key: SigningKey,
    address: GuardianAddress,
}

/// Bytes or a text that are not a secret key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SecretKeyError {
    /// The text is not 32 bytes of hex.
    #[error(transparent)]
    Hex(#[from] HexError),
    /// The number is zero, or not below the group's order.
    #[error("secret key: the number is zero or not below the order of secp256k1")]
    OutOfRange,
}

impl SecretKey {
    /// Makes a key of 32 big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`SecretKeyError::OutOfRange`] for zero and for numbers from the group's order up.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, SecretKeyError> {
        let key = SigningKey::from_slice(bytes).map_err(|_| SecretKeyError::OutOfRange)?;
        let address = public_key(key.verifying_key())
            .map_err(|_| SecretKeyError::OutOfRange)?
            .guardian_address();
        Ok(Self { key, address })
    }

    /// Makes a key of 64 hex digits.
    ///
    /// # Errors
    ///
    /// [`SecretKeyError`] if the text is not that, or the number is out of range.
    pub fn from_hex(text: &str) -> Result<Self, SecretKeyError> {
        Self::from_bytes(&decode_array("secret key", text, "64")?)
    }

    /// Returns the address that stands for the key in a guardian set.
    #[must_use]
    pub const fn address(&self) -> GuardianAddress {
        self.address
    }

    /// Signs `digest` as the guardian at `index`; deterministic, with a low s.
    #[must_use]
    pub fn sign(&self, digest: &Digest, index: u8) -> Signature {
        let (signature, id) = self.key.sign_prehash_recoverable(&digest.0);
        let (r, s) = signature.split_bytes();
        Signature {
            index,
            r: r.into(),
            s: s.into(),
            v: id.to_byte(),
        }
    }
}

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretKey(of {})", self.address)
    }
}

/// Returns a key's coordinates.
fn public_key(key: &VerifyingKey) -> Result<PublicKey, RecoverError> {
    PublicKey::from_sec1(key.to_sec1_point(false).as_bytes())
}
