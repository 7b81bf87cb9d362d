//! Numbers that are mostly small, in as few bytes as they need, still in order.
//!
//! Up to 247 a number is one byte, itself. Above, the first byte is 247 plus how many bytes follow, and those are the
//! number, big-endian, without leading zeros: `f7` is 247, `f8 f8` is 248, `f9 01 00` is 256.

use core::fmt;

use super::{Key, KeyError, KeyReader, KeyWriter};

/// The largest number of one byte.
const SINGLE_MAX: u8 = 0xf7;

const MALFORMED: KeyError = KeyError::Malformed {
    expected: "compact u64",
};

/// A `u64` key part of 1 to 9 bytes, against the 8 of a plain one: 2 bytes up to 255, 3 up to 65,535, 4 up to 16,777,215.
///
/// Sorts as the number does under every rule, and never begins another. Worth it where the part is in many keys, as a
/// row id is in every index entry: a byte costs 30 gas a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CompactUint64(pub u64);

impl Key for CompactUint64 {
    const ORDERED: bool = true;

    fn describe() -> String {
        "compact_u64".to_owned()
    }

    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
        let bytes = self.0.to_be_bytes();
        if let [0, 0, 0, 0, 0, 0, 0, byte @ 0..=SINGLE_MAX] = bytes {
            out.fixed(&[byte]);
            return Ok(());
        }
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let tail = bytes.get(zeros..).unwrap_or_default();
        let len = u8::try_from(tail.len()).unwrap_or_default();
        out.fixed(&[SINGLE_MAX.saturating_add(len)]);
        out.fixed(tail);
        Ok(())
    }

    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        let [first] = input.fixed()?;
        let len = match first.checked_sub(SINGLE_MAX) {
            None | Some(0) => return Ok(Self(u64::from(first))),
            Some(len) => usize::from(len),
        };
        let tail = input.sized(len)?;
        let number = tail.iter().fold(0_u64, |number, byte| {
            number.wrapping_shl(8) | u64::from(*byte)
        });
        // One encoding a number: no leading zero, and none that fits in one byte.
        if tail.first() == Some(&0) || number <= u64::from(SINGLE_MAX) {
            return Err(MALFORMED);
        }
        Ok(Self(number))
    }
}

impl From<u64> for CompactUint64 {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl From<CompactUint64> for u64 {
    fn from(number: CompactUint64) -> Self {
        number.0
    }
}

impl fmt::Display for CompactUint64 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}
