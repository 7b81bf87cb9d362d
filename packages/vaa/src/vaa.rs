//! A whole VAA: header, signatures, body.

use crate::body::{BODY_MIN_LEN, Body, BodyRef};
use crate::digest::Digest;
use crate::error::{ParseError, SerializeError};
use crate::id::MessageId;
use crate::reader::Reader;
use crate::signature::{SIGNATURE_LEN, Signature};

/// The version that this crate reads and writes.
pub const VERSION: u8 = 1;

/// The bytes before the signatures: version, guardian set index, number of signatures.
pub const HEADER_LEN: usize = 6;

/// A VAA of version 1.
///
/// Only the body is signed: the set index and the signatures can differ between encodings of the
/// same message, so neither they nor the whole bytes identify it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Vaa {
    /// The guardian set that the signatures claim to be of.
    pub guardian_set_index: u32,
    /// The signatures, in the order in which they came.
    pub signatures: Vec<Signature>,
    /// The signed message.
    pub body: Body,
}

impl Vaa {
    /// Reads a VAA; its structure is checked, its signatures are not.
    ///
    /// # Errors
    ///
    /// [`ParseError`] for a version other than 1, and for input that ends before the declared
    /// signatures or the fixed fields of the body do.
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        VaaRef::parse(bytes).map(|vaa| vaa.to_vaa())
    }

    /// Returns the wire bytes: exactly those that [`Vaa::parse`] read.
    ///
    /// # Errors
    ///
    /// [`SerializeError::TooManySignatures`] above 255, which no parsed VAA has.
    pub fn serialize(&self) -> Result<Vec<u8>, SerializeError> {
        assemble(
            self.guardian_set_index,
            &self.signatures,
            &self.body.serialize(),
        )
    }

    /// Returns the key of the message.
    #[must_use]
    pub const fn id(&self) -> MessageId {
        self.body.id()
    }

    /// Returns the digest that guardians sign.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.body.digest()
    }
}

/// A VAA read in place: nothing is copied until asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VaaRef<'a> {
    /// The guardian set that the signatures claim to be of.
    pub guardian_set_index: u32,
    signatures: &'a [[u8; SIGNATURE_LEN]],
    /// The signed message.
    pub body: BodyRef<'a>,
}

impl<'a> VaaRef<'a> {
    /// Reads a VAA; its structure is checked, its signatures are not.
    ///
    /// The declared number of signatures is held against the input's length before anything
    /// depends on it.
    ///
    /// # Errors
    ///
    /// As for [`Vaa::parse`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ParseError> {
        const WHAT: &str = "vaa header";
        // A foreign version is named as such, however short it is.
        if let Some(version) = bytes.first().filter(|version| **version != VERSION) {
            return Err(ParseError::UnsupportedVersion(*version));
        }
        if bytes.len() < HEADER_LEN {
            return Err(ParseError::TooShort {
                what: WHAT,
                need: HEADER_LEN,
                got: bytes.len(),
            });
        }
        let mut reader = Reader::new(WHAT, bytes);
        reader.u8()?;
        let guardian_set_index = reader.u32()?;
        let count = usize::from(reader.u8()?);
        let rest = reader.rest();

        let too_short = |what, need: usize| ParseError::TooShort {
            what,
            need: need.saturating_add(HEADER_LEN),
            got: bytes.len(),
        };
        let signatures_len = count.saturating_mul(SIGNATURE_LEN);
        let Some((signatures, body)) = rest.split_at_checked(signatures_len) else {
            return Err(too_short("vaa signatures", signatures_len));
        };
        if body.len() < BODY_MIN_LEN {
            let need = signatures_len.saturating_add(BODY_MIN_LEN);
            return Err(too_short("vaa body", need));
        }
        let (signatures, _) = signatures.as_chunks();
        Ok(Self {
            guardian_set_index,
            signatures,
            body: BodyRef::parse(body)?,
        })
    }

    /// Returns how many signatures there are.
    #[must_use]
    pub const fn signature_count(&self) -> usize {
        self.signatures.len()
    }

    /// Returns the wire bytes of the signatures, one after the other.
    #[must_use]
    pub const fn signature_bytes(&self) -> &'a [u8] {
        self.signatures.as_flattened()
    }

    /// Returns the signatures in the order in which they came.
    #[must_use]
    pub fn signatures(&self) -> Vec<Signature> {
        self.signatures.iter().map(Signature::from_bytes).collect()
    }

    /// Returns the key of the message.
    #[must_use]
    pub const fn id(&self) -> MessageId {
        self.body.id()
    }

    /// Returns the digest that guardians sign, computed over the bytes as they came.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.body.digest()
    }

    /// Copies the VAA.
    #[must_use]
    pub fn to_vaa(&self) -> Vaa {
        Vaa {
            guardian_set_index: self.guardian_set_index,
            signatures: self.signatures(),
            body: self.body.to_body(),
        }
    }
}

/// Returns the wire bytes of a VAA made of `signatures` and the wire bytes of a body.
///
/// # Errors
///
/// [`SerializeError::TooManySignatures`] above 255.
pub fn assemble(
    guardian_set_index: u32,
    signatures: &[Signature],
    body: &[u8],
) -> Result<Vec<u8>, SerializeError> {
    let count = u8::try_from(signatures.len())
        .map_err(|_| SerializeError::TooManySignatures(signatures.len()))?;
    let len = usize::from(count)
        .saturating_mul(SIGNATURE_LEN)
        .saturating_add(HEADER_LEN)
        .saturating_add(body.len());
    let mut bytes = Vec::with_capacity(len);
    bytes.push(VERSION);
    bytes.extend_from_slice(&guardian_set_index.to_be_bytes());
    bytes.push(count);
    for signature in signatures {
        bytes.extend_from_slice(&signature.to_bytes());
    }
    bytes.extend_from_slice(body);
    Ok(bytes)
}
