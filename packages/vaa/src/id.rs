//! The key of a message and its text forms.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::address::Address;
use crate::hex::HexError;

/// What identifies a message: the chain, the emitter on it, the emitter's running number.
///
/// Prints as `chain/emitter/sequence`; reads that and `chain:emitter:sequence`, with the emitter
/// in any form that [`Address`] reads. Orders by chain, then emitter, then sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId {
    /// The chain that the message comes from.
    pub chain: u16,
    /// The contract that published it.
    pub emitter: Address,
    /// The emitter's running number.
    pub sequence: u64,
}

/// A text that is not a message id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MessageIdError {
    /// There are not three parts.
    #[error("message id: {0} parts, expected chain/emitter/sequence or chain:emitter:sequence")]
    Parts(usize),
    /// The chain is not a number below 65,536.
    #[error("message id: chain {0:?} is not a decimal number from 0 to 65535")]
    Chain(String),
    /// The emitter is not an address.
    #[error("message id: emitter {0}")]
    Emitter(#[source] HexError),
    /// The sequence is not an unsigned 64-bit number.
    #[error("message id: sequence {0:?} is not a decimal number from 0 to 18446744073709551615")]
    Sequence(String),
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.chain, self.emitter, self.sequence)
    }
}

impl FromStr for MessageId {
    type Err = MessageIdError;

    fn from_str(text: &str) -> Result<Self, MessageIdError> {
        let separator = if text.contains('/') { '/' } else { ':' };
        let mut parts = text.split(separator);
        let (Some(chain), Some(emitter), Some(sequence), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(MessageIdError::Parts(text.split(separator).count()));
        };
        Ok(Self {
            chain: decimal(chain).ok_or_else(|| MessageIdError::Chain(shorten(chain)))?,
            emitter: emitter.parse().map_err(MessageIdError::Emitter)?,
            sequence: decimal(sequence)
                .ok_or_else(|| MessageIdError::Sequence(shorten(sequence)))?,
        })
    }
}

/// Reads a number of decimal digits only: no sign, no blank.
pub(crate) fn decimal<N: FromStr>(text: &str) -> Option<N> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Keeps what an error quotes short, whatever the input is.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
