//! Addresses of emitters and of guardians.

use std::str::FromStr;

use crate::hex::{HexError, decode_array, decode_for, hex_newtype};

/// The 32-byte address of an emitter, a token or a recipient on any chain.
///
/// Prints as 64 lower-case hex digits. Reads 64 digits, or the 40 of a 20-byte address, which it
/// pads on the left with zeros as the protocol does; either with or without `0x`, in any case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub [u8; 32]);

hex_newtype!(Address, 32);

impl Address {
    const WHAT: &'static str = "address";
    const EXPECTED: &'static str = "64, or 40 for a 20-byte address";

    /// Returns the 32-byte form of a 20-byte address: twelve zero bytes, then the address.
    #[must_use]
    pub fn from_short(short: [u8; 20]) -> Self {
        let mut bytes = [0; 32];
        if let Some(tail) = bytes.last_chunk_mut::<20>() {
            *tail = short;
        }
        Self(bytes)
    }

    /// Returns the 20-byte form, if the first twelve bytes are zero.
    #[must_use]
    pub fn to_short(self) -> Option<[u8; 20]> {
        let (padding, short) = self.0.split_last_chunk::<20>()?;
        padding.iter().all(|byte| *byte == 0).then_some(*short)
    }
}

impl FromStr for Address {
    type Err = HexError;

    fn from_str(text: &str) -> Result<Self, HexError> {
        let bytes = decode_for(Self::WHAT, text, Self::EXPECTED)?;
        if let Ok(whole) = <[u8; 32]>::try_from(bytes.as_slice()) {
            return Ok(Self(whole));
        }
        match <[u8; 20]>::try_from(bytes.as_slice()) {
            Ok(short) => Ok(Self::from_short(short)),
            Err(_) => Err(HexError::Length {
                what: Self::WHAT,
                digits: bytes.len().saturating_mul(2),
                expected: Self::EXPECTED,
            }),
        }
    }
}

/// The 20-byte address of a guardian: the last 20 bytes of keccak256 of its public key.
///
/// Prints as 40 lower-case hex digits and reads 40 digits, with or without `0x`, in any case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GuardianAddress(pub [u8; 20]);

hex_newtype!(GuardianAddress, 20);

impl GuardianAddress {
    /// Tells whether every byte is zero, which no key has as its address.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0 == [0; 20]
    }
}

impl FromStr for GuardianAddress {
    type Err = HexError;

    fn from_str(text: &str) -> Result<Self, HexError> {
        decode_array("guardian address", text, "40").map(Self)
    }
}
