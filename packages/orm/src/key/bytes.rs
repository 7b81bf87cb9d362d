//! Byte strings: of variable length (`Vec<u8>`, `Binary`) and of a width the type fixes (`[u8; N]`).

use cosmwasm_std::Binary;

use super::{Key, KeyError, KeyReader, KeyRule, KeyWriter};

/// The most bytes that one part of variable length holds, since its length is written as one byte.
pub const MAX_BYTES_PART: usize = 255;

const ESCAPE: u8 = 0x00;
const ESCAPED_NUL: u8 = 0xff;
const END: u8 = 0x01;

impl KeyWriter {
    /// Writes a byte string of variable length.
    ///
    /// # Errors
    /// [`KeyError::PartTooLong`] over [`MAX_BYTES_PART`] bytes; under [`KeyRule::StoragePlus`]
    /// [`KeyError::ElementTooLong`].
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), KeyError> {
        if self.rule == KeyRule::StoragePlus {
            return self.element(bytes);
        }
        let len =
            u8::try_from(bytes.len()).map_err(|_| KeyError::PartTooLong { len: bytes.len() })?;
        if self.raw_last() {
            self.raw(bytes);
        } else if self.rule == KeyRule::Ordered {
            self.escaped(bytes);
            self.raw(&[ESCAPE, END]);
        } else {
            self.bytes.push(len);
            self.raw(bytes);
        }
        Ok(())
    }

    /// Writes escaped bytes, without their end.
    pub(super) fn escaped(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.bytes.push(*byte);
            if *byte == ESCAPE {
                self.bytes.push(ESCAPED_NUL);
            }
        }
    }
}

impl KeyReader<'_> {
    /// Takes a byte string of variable length.
    ///
    /// # Errors
    /// [`KeyError::Truncated`], [`KeyError::Malformed`] for an unknown escape, [`KeyError::PartTooLong`].
    pub fn bytes(&mut self) -> Result<Vec<u8>, KeyError> {
        if self.rule == KeyRule::StoragePlus {
            return self.element().map(<[u8]>::to_vec);
        }
        let part = if self.raw_last() {
            self.take(self.rest.len())?.to_vec()
        } else if self.rule == KeyRule::Ordered {
            self.escaped()?
        } else {
            let [len] = self.fixed::<1>()?;
            self.take(usize::from(len))?.to_vec()
        };
        match part.len() {
            len if len > MAX_BYTES_PART => Err(KeyError::PartTooLong { len }),
            _ => Ok(part),
        }
    }

    fn escaped(&mut self) -> Result<Vec<u8>, KeyError> {
        let mut part = Vec::new();
        loop {
            match self.fixed::<1>()? {
                [ESCAPE] => match self.fixed::<1>()? {
                    [END] => return Ok(part),
                    [ESCAPED_NUL] => part.push(ESCAPE),
                    _ => {
                        return Err(KeyError::Malformed {
                            expected: "escaped bytes",
                        });
                    }
                },
                [byte] => part.push(byte),
            }
        }
    }
}

impl Key for Vec<u8> {
    const ORDERED: bool = false;

    fn describe() -> String {
        "bytes".to_owned()
    }

    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
        out.bytes(self)
    }

    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        input.bytes()
    }

    fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }
}

impl Key for Binary {
    const ORDERED: bool = false;

    fn describe() -> String {
        "bytes".to_owned()
    }

    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
        out.bytes(self.as_slice())
    }

    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        input.bytes().map(Binary::new)
    }

    fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }
}

impl<const N: usize> Key for [u8; N] {
    const ORDERED: bool = true;

    fn describe() -> String {
        format!("bytes{N}")
    }

    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
        out.fixed(self);
        Ok(())
    }

    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        input.fixed::<N>()
    }

    fn is_empty(&self) -> bool {
        N == 0
    }
}
