//! Hexadecimal text: lower-case out; with or without `0x`, in any case, in.

use thiserror::Error;

/// A text that is not the hexadecimal form of the value it should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HexError {
    /// There is no digit at all.
    #[error("{what}: no hex digits")]
    Empty {
        /// The value that was read.
        what: &'static str,
    },
    /// A character is not a hex digit.
    #[error("{what}: {found:?} at digit {position} is not a hex digit")]
    Digit {
        /// The value that was read.
        what: &'static str,
        /// The character.
        found: char,
        /// Its place, counted from 0 after any `0x`.
        position: usize,
    },
    /// The number of digits is wrong.
    #[error("{what}: {digits} hex digits, expected {expected}")]
    Length {
        /// The value that was read.
        what: &'static str,
        /// How many digits there are.
        digits: usize,
        /// Which counts are right.
        expected: &'static str,
    },
}

/// Returns `bytes` as lower-case hex digits.
#[must_use]
pub fn encode_hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        for nibble in [byte >> 4, byte & 0x0f] {
            text.extend(char::from_digit(u32::from(nibble), 16));
        }
    }
    text
}

/// Returns the bytes that `text` spells: hex digits in any case, after an optional `0x`.
///
/// `what` names the value in errors.
///
/// # Errors
///
/// [`HexError`] if there are no digits, if a character is not one, or if their count is odd.
pub fn decode_hex(what: &'static str, text: &str) -> Result<Vec<u8>, HexError> {
    let digits = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .unwrap_or(text);
    if digits.is_empty() {
        return Err(HexError::Empty { what });
    }
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    let mut high = None;
    for (position, found) in digits.chars().enumerate() {
        // A digit in base 16 always fits a byte.
        let nibble = found
            .to_digit(16)
            .and_then(|nibble| u8::try_from(nibble).ok())
            .ok_or(HexError::Digit {
                what,
                found,
                position,
            })?;
        match high.take() {
            None => high = Some(nibble),
            Some(first) => bytes.push(first << 4 | nibble),
        }
    }
    if high.is_some() {
        return Err(HexError::Length {
            what,
            digits: digits.len(),
            expected: "an even number",
        });
    }
    Ok(bytes)
}

/// Returns the `N` bytes that `text` spells.
pub(crate) fn decode_array<const N: usize>(
    what: &'static str,
    text: &str,
    expected: &'static str,
) -> Result<[u8; N], HexError> {
    let bytes = decode_for(what, text, expected)?;
    <[u8; N]>::try_from(bytes.as_slice()).map_err(|_| HexError::Length {
        what,
        digits: bytes.len().saturating_mul(2),
        expected,
    })
}

/// Decodes like [`decode_hex`], but names the lengths that are right when the count is odd.
pub(crate) fn decode_for(
    what: &'static str,
    text: &str,
    expected: &'static str,
) -> Result<Vec<u8>, HexError> {
    decode_hex(what, text).map_err(|error| match error {
        HexError::Length { what, digits, .. } => HexError::Length {
            what,
            digits,
            expected,
        },
        other => other,
    })
}

/// Gives a newtype over `[u8; N]` its text forms and conversions.
macro_rules! hex_newtype {
    ($name:ident, $len:literal) => {
        impl $name {
            /// Returns the value as lower-case hex digits, without `0x`.
            #[must_use]
            pub fn to_hex(&self) -> String {
                crate::hex::encode_hex(&self.0)
            }

            /// Returns the bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; $len] {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.to_hex())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.to_hex())
            }
        }

        impl From<[u8; $len]> for $name {
            fn from(bytes: [u8; $len]) -> Self {
                Self(bytes)
            }
        }

        impl From<$name> for [u8; $len] {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }
    };
}

pub(crate) use hex_newtype;
