//! Keccak-256 and the digest that guardians sign.

use std::str::FromStr;

use sha3::{Digest as _, Keccak256};

use crate::hex::{HexError, decode_array, hex_newtype};

/// The digest of a message body: keccak256 of keccak256 of its bytes.
///
/// It is what guardians sign and what identifies the content of a message. Version, guardian set
/// index and signatures are not part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

hex_newtype!(Digest, 32);

impl FromStr for Digest {
    type Err = HexError;

    fn from_str(text: &str) -> Result<Self, HexError> {
        decode_array("digest", text, "64").map(Self)
    }
}

/// Returns keccak256 of `bytes`.
#[must_use]
pub fn keccak256(bytes: &[u8]) -> [u8; 32] {
    Keccak256::digest(bytes).into()
}

/// Returns the digest of a body given as its wire bytes.
#[must_use]
pub fn digest(body: &[u8]) -> Digest {
    digest_of(&[body])
}

/// Returns the digest of a body given in consecutive parts.
pub(crate) fn digest_of(parts: &[&[u8]]) -> Digest {
    let mut hasher = Keccak256::new();
    for part in parts {
        hasher.update(part);
    }
    let inner: [u8; 32] = hasher.finalize().into();
    Digest(keccak256(&inner))
}
