//! Beginnings of a text or bytes part: what [`PrefixOf`] takes as its last part besides whole ones.
//!
//! Text ends in a NUL and ordered bytes in an escape, so that the part's first bytes, without the end, begin exactly the
//! keys whose part begins so. Behind a length they do not, and that is refused.

use cosmwasm_std::{Addr, Binary};

use super::{Key, KeyError, KeyRule, KeyWriter, MAX_BYTES_PART, PrefixOf};

/// A key part that is one text, and can be searched by its first letters: `String`, `Addr`, or a type of your own whose
/// [`Key::write`] is one [`KeyWriter::text`].
///
/// ```
/// use cw_orm::{Key, KeyError, KeyRule, PrefixOf, TextPart, TextPrefix};
///
/// #[derive(Key)]
/// struct Symbol(String);
/// impl TextPart for Symbol {}
///
/// fn begins<K: Key>(prefix: &impl PrefixOf<K>, key: &K) -> Result<bool, KeyError> {
///     let rule = KeyRule::Delimited;
///     Ok(key.encode(rule)?.starts_with(&prefix.encode_prefix(rule)?))
/// }
/// # fn main() -> Result<(), KeyError> {
/// assert!(begins(&(TextPrefix("bt"),), &(Symbol("btc".into()), 1_u8))?);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no text part, so that a `TextPrefix` cannot stand in its place"
)]
pub trait TextPart: Key {}

impl TextPart for String {}
impl TextPart for Addr {}

/// A key part that is one byte string, and can be searched by its first bytes: `Vec<u8>` and `Binary` under
/// [`KeyRule::Ordered`], `[u8; N]` under every rule.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no bytes part, so that a `BytesPrefix` cannot stand in its place"
)]
pub trait BytesPart: Key {
    /// How many bytes it has, if all of its values have as many.
    const WIDTH: Option<usize>;
}

impl BytesPart for Vec<u8> {
    const WIDTH: Option<usize> = None;
}

impl BytesPart for Binary {
    const WIDTH: Option<usize> = None;
}

impl<const N: usize> BytesPart for [u8; N] {
    const WIDTH: Option<usize> = Some(N);
}

/// The beginning of a text part, as the last part of a prefix or of a bound.
///
/// ```
/// # use cosmwasm_std::{Order, testing::MockStorage};
/// # use cw_orm::{OrmError, Table, TextPrefix};
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "names", ns = "n")]
/// struct Name {
///     #[pk]
///     zone: u8,
///     #[pk]
///     name: String,
/// }
///
/// # fn main() -> Result<(), OrmError> {
/// let mut store = MockStorage::new();
/// for name in ["anna", "anton", "bea"] {
///     Name::TABLE.insert(&mut store, &Name { zone: 1, name: name.into() })?;
/// }
/// let an = Name::TABLE.prefix(&(1, TextPrefix("an")))?;
/// assert_eq!(an.ids(&store, Order::Ascending).count(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPrefix<'a>(pub &'a str);

/// The beginning of a bytes part, as the last part of a prefix or of a bound.
///
/// Byte strings of variable length need a table or index whose keys are [`KeyRule::Ordered`]. Under the default rule they
/// stand behind their length, and the search is refused with [`KeyError::NoPrefix`].
///
/// ```
/// # use cosmwasm_std::{Order, testing::MockStorage};
/// # use cw_orm::{BytesPrefix, OrmError, Table};
/// #[derive(Clone, Debug, PartialEq, Table)]
/// #[table(name = "blobs", ns = "b", key_rule = "ordered")]
/// struct Blob {
///     #[pk]
///     path: Vec<u8>,
/// }
///
/// # fn main() -> Result<(), OrmError> {
/// let mut store = MockStorage::new();
/// for path in [&b"\x01"[..], b"\x01\xff", b"\x02"] {
///     Blob::TABLE.insert(&mut store, &Blob { path: path.into() })?;
/// }
/// let one = Blob::TABLE.prefix(&BytesPrefix(&[1]))?;
/// assert_eq!(one.ids(&store, Order::Ascending).count(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BytesPrefix<'a>(pub &'a [u8]);

const BEHIND_LENGTH: KeyError = KeyError::NoPrefix {
    reason: "it stands behind its length unless the keys are ordered",
};

impl KeyWriter {
    /// Writes the beginning of a text: all but its end; `last` says whether the part is the key's last.
    fn text_prefix(
        &mut self,
        TextPrefix(text): TextPrefix<'_>,
        last: bool,
    ) -> Result<(), KeyError> {
        if let Some(at) = text.bytes().position(|byte| byte == 0) {
            return Err(KeyError::NulInText { at });
        }
        if self.rule == KeyRule::StoragePlus && !last {
            return Err(BEHIND_LENGTH);
        }
        self.raw(text.as_bytes());
        Ok(())
    }

    /// Writes the beginning of bytes; `last` says whether the part is the key's last.
    fn bytes_prefix<B: BytesPart>(
        &mut self,
        BytesPrefix(bytes): BytesPrefix<'_>,
        last: bool,
    ) -> Result<(), KeyError> {
        match B::WIDTH {
            Some(width) if bytes.len() > width => {
                return Err(KeyError::NoPrefix {
                    reason: "it is longer than the part",
                });
            }
            Some(_) if self.rule == KeyRule::StoragePlus && !last => return Err(BEHIND_LENGTH),
            Some(_) => self.raw(bytes),
            None if bytes.len() > MAX_BYTES_PART => {
                return Err(KeyError::PartTooLong { len: bytes.len() });
            }
            None => match self.rule {
                KeyRule::Ordered => self.escaped(bytes),
                KeyRule::RawLast | KeyRule::StoragePlus if last => self.raw(bytes),
                // No bytes begin every part, whatever its length.
                _ if bytes.is_empty() => {}
                KeyRule::Delimited | KeyRule::RawLast | KeyRule::StoragePlus => {
                    return Err(BEHIND_LENGTH);
                }
            },
        }
        Ok(())
    }
}

impl<K: TextPart> PrefixOf<K> for TextPrefix<'_> {
    const WHOLE: bool = false;

    fn encode_prefix(&self, rule: KeyRule) -> Result<Vec<u8>, KeyError> {
        let mut out = KeyWriter::leading(rule);
        out.text_prefix(*self, true)?;
        Ok(out.finish())
    }
}

impl<K: BytesPart> PrefixOf<K> for BytesPrefix<'_> {
    const WHOLE: bool = false;

    fn encode_prefix(&self, rule: KeyRule) -> Result<Vec<u8>, KeyError> {
        let mut out = KeyWriter::leading(rule);
        out.bytes_prefix::<K>(*self, true)?;
        Ok(out.finish())
    }
}

macro_rules! partial {
    // Of the parts, `$head` are given whole, `$part` is begun, `$tail` are left open.
    (@ ($($head:ident)*) $part:ident ($($tail:ident)*)) => {
        #[allow(non_snake_case)]
        impl<$($head: Key,)* $part: TextPart, $($tail: Key,)*> PrefixOf<($($head,)* $part, $($tail,)*)>
            for ($($head,)* TextPrefix<'_>,)
        {
            const WHOLE: bool = false;

            fn encode_prefix(&self, rule: KeyRule) -> Result<Vec<u8>, KeyError> {
                let ($($head,)* begun,) = self;
                let mut out = KeyWriter::leading(rule);
                $(out.part($head, false)?;)*
                let open: &[&str] = &[$(stringify!($tail)),*];
                out.text_prefix(*begun, open.is_empty())?;
                Ok(out.finish())
            }
        }

        #[allow(non_snake_case)]
        impl<$($head: Key,)* $part: BytesPart, $($tail: Key,)*> PrefixOf<($($head,)* $part, $($tail,)*)>
            for ($($head,)* BytesPrefix<'_>,)
        {
            const WHOLE: bool = false;

            fn encode_prefix(&self, rule: KeyRule) -> Result<Vec<u8>, KeyError> {
                let ($($head,)* begun,) = self;
                let mut out = KeyWriter::leading(rule);
                $(out.part($head, false)?;)*
                let open: &[&str] = &[$(stringify!($tail)),*];
                out.bytes_prefix::<$part>(*begun, open.is_empty())?;
                Ok(out.finish())
            }
        }
    };
    // Every place of the begun part in a tuple.
    (($($head:ident)*) $part:ident) => { partial!(@ ($($head)*) $part ()); };
    (($($head:ident)*) $part:ident $next:ident $($tail:ident)*) => {
        partial!(@ ($($head)*) $part ($next $($tail)*));
        partial!(($($head)* $part) $next $($tail)*);
    };
}

partial!(() A);
partial!(() A B);
partial!(() A B C);
partial!(() A B C D);
partial!(() A B C D E);
partial!(() A B C D E F);
partial!(() A B C D E F G);
partial!(() A B C D E F G H);
partial!(() A B C D E F G H I);
partial!(() A B C D E F G H I J);
partial!(() A B C D E F G H I J K);
partial!(() A B C D E F G H I J K L);
