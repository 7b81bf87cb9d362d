//! The parts of a key as `cw-storage-plus` writes them: each but the last behind its length, `u16` big-endian.

use super::{KeyError, KeyReader, KeyRule, KeyWriter};

impl KeyWriter {
    /// Writes a whole part of variable length.
    pub(super) fn element(&mut self, bytes: &[u8]) -> Result<(), KeyError> {
        if !self.last && bytes.len() > usize::from(u16::MAX) {
            return Err(KeyError::ElementTooLong { len: bytes.len() });
        }
        self.fixed(bytes);
        Ok(())
    }

    /// Writes the length of a part, where the rule has one. A part that is too long does not say so here, and cannot be
    /// read back; parts of variable length are checked before.
    pub(super) fn element_length(&mut self, bytes: &[u8]) {
        if self.rule == KeyRule::StoragePlus && !self.last {
            let len = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
            self.raw(&len.to_be_bytes());
        }
    }
}

impl<'a> KeyReader<'a> {
    /// Takes a whole part: as long as it says, or, if it is the last, all that is left.
    pub(super) fn element(&mut self) -> Result<&'a [u8], KeyError> {
        if self.last {
            return self.take(self.rest.len());
        }
        let len = self.take(2)?.iter().fold(0_usize, |len, byte| {
            len.wrapping_shl(8) | usize::from(*byte)
        });
        self.take(len)
    }

    /// Takes a part of `len` bytes.
    pub(super) fn sized(&mut self, len: usize) -> Result<&'a [u8], KeyError> {
        if self.rule != KeyRule::StoragePlus || self.last {
            return self.take(len);
        }
        match self.element()? {
            part if part.len() == len => Ok(part),
            _ => Err(KeyError::Malformed {
                expected: "part of this length",
            }),
        }
    }
}
