//! The signed part of a VAA.

use crate::address::Address;
use crate::digest::{Digest, digest, digest_of};
use crate::error::ParseError;
use crate::id::MessageId;
use crate::reader::Reader;

/// The bytes of a body before its payload.
pub const BODY_MIN_LEN: usize = 51;

/// A message body: what an emitter published and guardians sign.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// When the message was published, in Unix seconds, as its emitter's chain says.
    pub timestamp: u32,
    /// A number that the emitter chose.
    pub nonce: u32,
    /// The chain that the message comes from.
    pub emitter_chain: u16,
    /// The contract that published it.
    pub emitter_address: Address,
    /// The emitter's running number.
    pub sequence: u64,
    /// Which finality guardians awaited.
    pub consistency_level: u8,
    /// The application's bytes, possibly none.
    pub payload: Vec<u8>,
}

impl Body {
    /// Reads a body from its wire bytes; everything after the fixed fields is payload.
    ///
    /// # Errors
    ///
    /// [`ParseError::TooShort`] below [`BODY_MIN_LEN`] bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        BodyRef::parse(bytes).map(|body| body.to_body())
    }

    /// Returns the wire bytes.
    #[must_use]
    pub fn serialize(&self) -> Vec<u8> {
        let mut bytes = self.fixed_fields(self.payload.len());
        bytes.extend_from_slice(&self.payload);
        bytes
    }

    /// Returns the key of the message.
    #[must_use]
    pub const fn id(&self) -> MessageId {
        MessageId {
            chain: self.emitter_chain,
            emitter: self.emitter_address,
            sequence: self.sequence,
        }
    }

    /// Returns the digest that guardians sign.
    #[must_use]
    pub fn digest(&self) -> Digest {
        digest_of(&[&self.fixed_fields(0), &self.payload])
    }

    /// Writes what precedes the payload, leaving `room` bytes after it.
    fn fixed_fields(&self, room: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BODY_MIN_LEN.saturating_add(room));
        bytes.extend_from_slice(&self.timestamp.to_be_bytes());
        bytes.extend_from_slice(&self.nonce.to_be_bytes());
        bytes.extend_from_slice(&self.emitter_chain.to_be_bytes());
        bytes.extend_from_slice(&self.emitter_address.0);
        bytes.extend_from_slice(&self.sequence.to_be_bytes());
        bytes.push(self.consistency_level);
        bytes
    }
}

/// A body read in place: its fields, and its bytes as they came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyRef<'a> {
    raw: &'a [u8],
    /// When the message was published, in Unix seconds, as its emitter's chain says.
    pub timestamp: u32,
    /// A number that the emitter chose.
    pub nonce: u32,
    /// The chain that the message comes from.
    pub emitter_chain: u16,
    /// The contract that published it.
    pub emitter_address: Address,
    /// The emitter's running number.
    pub sequence: u64,
    /// Which finality guardians awaited.
    pub consistency_level: u8,
    /// The application's bytes, possibly none.
    pub payload: &'a [u8],
}

impl<'a> BodyRef<'a> {
    /// Reads a body from its wire bytes without copying the payload.
    ///
    /// # Errors
    ///
    /// [`ParseError::TooShort`] below [`BODY_MIN_LEN`] bytes.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ParseError> {
        const WHAT: &str = "vaa body";
        if bytes.len() < BODY_MIN_LEN {
            return Err(ParseError::TooShort {
                what: WHAT,
                need: BODY_MIN_LEN,
                got: bytes.len(),
            });
        }
        let mut reader = Reader::new(WHAT, bytes);
        Ok(Self {
            raw: bytes,
            timestamp: reader.u32()?,
            nonce: reader.u32()?,
            emitter_chain: reader.u16()?,
            emitter_address: Address(*reader.array()?),
            sequence: reader.u64()?,
            consistency_level: reader.u8()?,
            payload: reader.rest(),
        })
    }

    /// Returns the wire bytes.
    #[must_use]
    pub const fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// Returns the key of the message.
    #[must_use]
    pub const fn id(&self) -> MessageId {
        MessageId {
            chain: self.emitter_chain,
            emitter: self.emitter_address,
            sequence: self.sequence,
        }
    }

    /// Returns the digest that guardians sign, computed over the bytes as they came.
    #[must_use]
    pub fn digest(&self) -> Digest {
        digest(self.raw)
    }

    /// Copies the body.
    #[must_use]
    pub fn to_body(&self) -> Body {
        Body {
            timestamp: self.timestamp,
            nonce: self.nonce,
            emitter_chain: self.emitter_chain,
            emitter_address: self.emitter_address,
            sequence: self.sequence,
            consistency_level: self.consistency_level,
            payload: self.payload.to_vec(),
        }
    }
}
