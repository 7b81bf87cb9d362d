//! Keys: how typed values become order-preserving, prefix-free bytes.
//!
//! A [`Key`] is one part or a tuple of parts. Parts write themselves one after the other, each so that a reader knows
//! where it ends; nothing else in the crate knows the bytes of a key. See `LAYOUT.md` for the encoding of each type.

mod address;
mod bytes;
mod compact;
mod int;
mod layout;
mod option;
mod partial;
mod prefix;
mod storage_plus;
mod text;
mod tuple;

pub use bytes::MAX_BYTES_PART;
pub use compact::CompactUint64;
pub use layout::KeyLayout;
pub(crate) use layout::sorts_by_value;
pub use partial::{BytesPart, BytesPrefix, TextPart, TextPrefix};
pub use prefix::{PrefixOf, successor};

use cw_schema::Schemaifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The rule by which the variable-length parts of a key are delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(rename_all = "snake_case")]
pub enum KeyRule {
    /// Bytes carry a one-byte length (255 at most), text ends in NUL. The default: shortest, prefix-free. Bytes order
    /// by length first.
    Delimited,
    /// Bytes are escaped (`00` as `00 ff`, end `00 01`), text ends in NUL: prefix-free, and every type keeps its order.
    Ordered,
    /// As [`KeyRule::Delimited`], but a variable-length last part is raw. **Not prefix-free**: `a` is a prefix of `ab`.
    /// For compatibility with stores written so; unfit for index keys, which a row id follows.
    RawLast,
    /// As `cw-storage-plus` 3 writes the keys of a `Map`: every part but the last behind its length as `u16` big-endian,
    /// also numbers; the last raw. **Not prefix-free**, and parts before the last sort by length first. For tables that
    /// take such a map over; unfit for index keys.
    StoragePlus,
}

impl KeyRule {
    /// Whether no key's bytes begin another's.
    pub(crate) const fn prefix_free(self) -> bool {
        matches!(self, Self::Delimited | Self::Ordered)
    }
}

/// A way for a value to be no key, or for bytes to be no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyError {
    /// Text with a NUL, which ends a text part.
    #[error("text has a NUL at byte {at}")]
    NulInText {
        /// Where the NUL stands.
        at: usize,
    },
    /// A bytes part over the limit.
    #[error("bytes part of {len} bytes is over the limit of {MAX_BYTES_PART}")]
    PartTooLong {
        /// Its length in bytes.
        len: usize,
    },
    /// A part before the last over the 65,535 bytes that [`KeyRule::StoragePlus`] can say.
    #[error("part of {len} bytes does not fit a 16-bit length")]
    ElementTooLong {
        /// Its length in bytes.
        len: usize,
    },
    /// A primary key without any content.
    #[error("key is empty")]
    Empty,
    /// The bytes end inside a part.
    #[error("key ends inside a part")]
    Truncated,
    /// Bytes are left after the last part.
    #[error("{len} bytes are left after the key")]
    Trailing {
        /// How many.
        len: usize,
    },
    /// Bytes that no value of the part's type encodes to.
    #[error("no {expected} at this place of the key")]
    Malformed {
        /// The type that was to be read.
        expected: &'static str,
    },
    /// A prefix inside a part that no range of keys stands for.
    #[error("cannot search by the beginning of this part: {reason}")]
    NoPrefix {
        /// Why.
        reason: &'static str,
    },
}

/// A value that can be (part of) a key.
///
/// Implemented for integers (`u8`…`u128`, `i8`…`i128`), `bool`, `[u8; N]`, `Vec<u8>`, `Binary`, `String`, `Addr`,
/// `Timestamp`, `Uint64`, `Uint128`, [`CompactUint64`], `Option` and tuples of none to twelve parts, which may nest; for
/// structs and enums of your own by `#[derive(Key)]`.
///
/// # Laws
/// Distinct values write distinct bytes; under [`KeyRule::Delimited`] and [`KeyRule::Ordered`] no key's bytes begin
/// another's; `read` gives back what `write` was given and takes exactly its bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no key",
    note = "a type of your own derives `Key`; an index by anything else is by what a function makes of the row: write \
            `with = function, key_type = Type`"
)]
pub trait Key: Sized + 'static {
    /// Whether, under [`KeyRule::Delimited`], bytes sort as the values do. Under [`KeyRule::Ordered`] they always do.
    const ORDERED: bool;

    /// Writes this value's parts.
    ///
    /// # Errors
    /// [`KeyError::NulInText`], [`KeyError::PartTooLong`], [`KeyError::ElementTooLong`].
    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError>;

    /// Reads a value from the front of what is left.
    ///
    /// # Errors
    /// Any [`KeyError`] that says why the bytes are no such value.
    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError>;

    /// Whether there is no content at all: empty text or bytes, or a tuple of such.
    fn is_empty(&self) -> bool {
        false
    }

    /// Returns what the key is made of, for schema descriptors: the parts' names, with commas between them, as `text,u32`.
    /// Types of the same bytes have the same name. A type of your own that does not say is `opaque`, in which no change
    /// is seen.
    ///
    /// ```
    /// use cw_orm::Key;
    /// assert_eq!(<(String, [u8; 32], Option<u16>)>::describe(), "text,bytes32,option(u16)");
    /// ```
    #[must_use]
    fn describe() -> String {
        "opaque".to_owned()
    }

    /// Returns the bytes of a whole key.
    ///
    /// # Errors
    /// As [`Key::write`].
    fn encode(&self, rule: KeyRule) -> Result<Vec<u8>, KeyError> {
        let mut out = KeyWriter::new(rule);
        self.write(&mut out)?;
        Ok(out.finish())
    }

    /// Returns the value of a whole key; leftover bytes are an error.
    ///
    /// # Errors
    /// As [`Key::read`], and [`KeyError::Trailing`].
    fn decode(bytes: &[u8], rule: KeyRule) -> Result<Self, KeyError> {
        let mut input = KeyReader::new(bytes, rule);
        let key = Self::read(&mut input)?;
        match input.rest.len() {
            0 => Ok(key),
            len => Err(KeyError::Trailing { len }),
        }
    }
}

/// Collects the bytes of a key, part by part.
#[derive(Debug)]
pub struct KeyWriter {
    bytes: Vec<u8>,
    rule: KeyRule,
    last: bool,
}

impl KeyWriter {
    /// Starts an empty key.
    #[must_use]
    pub fn new(rule: KeyRule) -> Self {
        Self {
            bytes: Vec::new(),
            rule,
            last: true,
        }
    }

    /// Starts a key that more bytes will follow, so that no part of it is the last.
    #[must_use]
    pub fn leading(rule: KeyRule) -> Self {
        Self {
            bytes: Vec::new(),
            rule,
            last: false,
        }
    }

    /// Writes one part of a composite key; `last` says whether it is the composite's last.
    ///
    /// # Errors
    /// Those of the part.
    pub fn part<K: Key>(&mut self, part: &K, last: bool) -> Result<(), KeyError> {
        let outer = self.last;
        self.last = outer && last;
        let written = part.write(self);
        self.last = outer;
        written
    }

    /// Writes bytes of a width that the type fixes.
    pub fn fixed(&mut self, bytes: &[u8]) {
        self.element_length(bytes);
        self.raw(bytes);
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the bytes written.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    fn raw_last(&self) -> bool {
        self.last && self.rule == KeyRule::RawLast
    }
}

/// Takes the bytes of a key, part by part.
#[derive(Debug)]
pub struct KeyReader<'a> {
    rest: &'a [u8],
    rule: KeyRule,
    last: bool,
}

impl<'a> KeyReader<'a> {
    /// Starts at the front of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8], rule: KeyRule) -> Self {
        Self {
            rest: bytes,
            rule,
            last: true,
        }
    }

    /// Starts at the front of `bytes`, of which the key is only the leading part.
    #[must_use]
    pub fn leading(bytes: &'a [u8], rule: KeyRule) -> Self {
        Self {
            rest: bytes,
            rule,
            last: false,
        }
    }

    /// Reads one part of a composite key; `last` says whether it is the composite's last.
    ///
    /// # Errors
    /// Those of the part.
    pub fn part<K: Key>(&mut self, last: bool) -> Result<K, KeyError> {
        let outer = self.last;
        self.last = outer && last;
        let read = K::read(self);
        self.last = outer;
        read
    }

    /// Takes `N` bytes.
    ///
    /// # Errors
    /// [`KeyError::Truncated`]; [`KeyError::Malformed`] if the bytes say another length.
    pub fn fixed<const N: usize>(&mut self) -> Result<[u8; N], KeyError> {
        let part = self.sized(N)?;
        <[u8; N]>::try_from(part).map_err(|_| KeyError::Truncated)
    }

    /// Returns what has not been read.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], KeyError> {
        let (head, rest) = self.rest.split_at_checked(len).ok_or(KeyError::Truncated)?;
        self.rest = rest;
        Ok(head)
    }

    fn raw_last(&self) -> bool {
        self.last && self.rule == KeyRule::RawLast
    }
}
