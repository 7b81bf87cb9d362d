//! A cursor over bytes that reports what did not fit.

use crate::error::ParseError;

/// Reads big-endian fields from the front of a slice.
pub(crate) struct Reader<'a> {
    what: &'static str,
    whole: usize,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts reading `bytes`, which hold `what`.
    pub(crate) const fn new(what: &'static str, bytes: &'a [u8]) -> Self {
        Self {
            what,
            whole: bytes.len(),
            rest: bytes,
        }
    }

    /// Takes the next `N` bytes.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], ParseError> {
        let Some((head, rest)) = self.rest.split_first_chunk() else {
            let read = self.whole.saturating_sub(self.rest.len());
            return Err(ParseError::TooShort {
                what: self.what,
                need: read.saturating_add(N),
                got: self.whole,
            });
        };
        self.rest = rest;
        Ok(head)
    }

    /// Takes one byte.
    pub(crate) fn u8(&mut self) -> Result<u8, ParseError> {
        self.array().map(|bytes| u8::from_be_bytes(*bytes))
    }

    /// Takes a `u16`.
    pub(crate) fn u16(&mut self) -> Result<u16, ParseError> {
        self.array().map(|bytes| u16::from_be_bytes(*bytes))
    }

    /// Takes a `u32`.
    pub(crate) fn u32(&mut self) -> Result<u32, ParseError> {
        self.array().map(|bytes| u32::from_be_bytes(*bytes))
    }

    /// Takes a `u64`.
    pub(crate) fn u64(&mut self) -> Result<u64, ParseError> {
        self.array().map(|bytes| u64::from_be_bytes(*bytes))
    }

    /// Takes all that is left.
    pub(crate) const fn rest(self) -> &'a [u8] {
        self.rest
    }
}
