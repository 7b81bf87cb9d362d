//! Token bridge transfers: payload types 1 and 3.

use std::fmt;

use thiserror::Error;

use crate::address::Address;
use crate::error::ParseError;
use crate::reader::Reader;

/// An amount of tokens, 256 bits big-endian; prints in decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(pub [u8; 32]);

impl Amount {
    /// Returns the amount as a number, if it fits 128 bits (bridges normalise theirs to 64).
    #[must_use]
    pub fn to_u128(self) -> Option<u128> {
        let (high, low) = self.0.split_first_chunk::<16>()?;
        let low = <[u8; 16]>::try_from(low).ok()?;
        (*high == [0; 16]).then_some(u128::from_be_bytes(low))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.to_u128() {
            return fmt::Display::fmt(&number, f);
        }
        // Long division by ten, most significant byte first.
        let mut number = self.0;
        let mut digits = Vec::with_capacity(78);
        while number != [0; 32] {
            let mut remainder = 0_u16;
            for byte in &mut number {
                let dividend = remainder << 8 | u16::from(*byte);
                // The quotient of (10 · 256 - 1) by 10 is 255 at most.
                *byte = u8::try_from(dividend / 10).unwrap_or(u8::MAX);
                remainder = dividend % 10;
            }
            digits.extend(char::from_digit(u32::from(remainder), 10));
        }
        f.pad_integral(true, "", &digits.iter().rev().collect::<String>())
    }
}

/// Where a transfer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransferRecipient {
    /// The chain that pays out.
    pub chain: u16,
    /// The account or contract on it.
    pub address: Address,
}

/// A transfer of tokens, payload type 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// How much, in the bridge's normalised unit.
    pub amount: Amount,
    /// The token, on its own chain.
    pub token_address: Address,
    /// The token's own chain.
    pub token_chain: u16,
    /// Who receives it.
    pub recipient: TransferRecipient,
    /// The part of the amount that pays the relayer.
    pub fee: Amount,
}

/// A transfer of tokens with a message to the recipient, payload type 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TransferWithPayload<'a> {
    /// How much, in the bridge's normalised unit.
    pub amount: Amount,
    /// The token, on its own chain.
    pub token_address: Address,
    /// The token's own chain.
    pub token_chain: u16,
    /// Who receives it.
    pub recipient: TransferRecipient,
    /// Who sends it.
    pub from_address: Address,
    /// The message to the recipient, possibly empty.
    pub payload: &'a [u8],
}

/// A payload that is laid out as a transfer.
///
/// The layout alone does not make a message a transfer: any emitter can publish such bytes. A
/// caller that needs to know holds the emitter against the bridges that it trusts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransferPayload<'a> {
    /// Payload type 1.
    Transfer(Transfer),
    /// Payload type 3.
    WithPayload(TransferWithPayload<'a>),
}

/// A payload that is not laid out as a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TransferError {
    /// There are no bytes, so no type.
    #[error("transfer: the payload is empty")]
    Empty,
    /// The type is neither 1 nor 3.
    #[error("transfer: payload type {0} is neither 1 nor 3")]
    OtherType(u8),
    /// A payload of type 1 is not exactly 133 bytes long.
    #[error("transfer: {got} bytes of payload type 1, expected exactly {need}")]
    Length {
        /// The right length.
        need: usize,
        /// The length there is.
        got: usize,
    },
    /// A payload of type 3 ends too early.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

impl<'a> TransferPayload<'a> {
    /// The bytes of type 1, and of type 3 without its message.
    pub const LEN: usize = 133;

    /// Reads a transfer: exactly 133 bytes of type 1, or at least 133 of type 3.
    ///
    /// # Errors
    ///
    /// [`TransferError`] for everything else; nothing is guessed.
    pub fn parse(payload: &'a [u8]) -> Result<Self, TransferError> {
        const WHAT: &str = "transfer with payload";
        let got = payload.len();
        let need = Self::LEN;
        let kind = *payload.first().ok_or(TransferError::Empty)?;
        match kind {
            1 if got != need => return Err(TransferError::Length { need, got }),
            3 if got < need => {
                let what = WHAT;
                return Err(ParseError::TooShort { what, need, got }.into());
            }
            1 | 3 => {}
            other => return Err(TransferError::OtherType(other)),
        }
        let mut reader = Reader::new(WHAT, payload);
        reader.u8()?;
        let amount = Amount(*reader.array()?);
        let token_address = Address(*reader.array()?);
        let token_chain = reader.u16()?;
        let address = Address(*reader.array()?);
        let chain = reader.u16()?;
        let recipient = TransferRecipient { chain, address };
        let last = *reader.array()?;
        Ok(if kind == 1 {
            Self::Transfer(Transfer {
                amount,
                token_address,
                token_chain,
                recipient,
                fee: Amount(last),
            })
        } else {
            Self::WithPayload(TransferWithPayload {
                amount,
                token_address,
                token_chain,
                recipient,
                from_address: Address(last),
                payload: reader.rest(),
            })
        })
    }

    /// Returns where the transfer goes.
    #[must_use]
    pub const fn recipient(&self) -> TransferRecipient {
        match self {
            Self::Transfer(transfer) => transfer.recipient,
            Self::WithPayload(transfer) => transfer.recipient,
        }
    }
}

impl TransferRecipient {
    /// Returns where a payload that is laid out as a transfer goes, and `None` for all others.
    #[must_use]
    pub fn of(payload: &[u8]) -> Option<Self> {
        TransferPayload::parse(payload)
            .ok()
            .map(|transfer| transfer.recipient())
    }
}
