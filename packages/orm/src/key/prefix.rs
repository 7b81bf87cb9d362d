//! Leading parts of a key, and where the range of all keys that begin with them ends.

use super::{Key, KeyError, KeyRule, KeyWriter};

/// Leading parts of the key `K`: `K` itself, or a tuple of its first parts, as `(A,)` or `(A, B)` of `(A, B, C)`. The last
/// part given may itself be only begun: a [`TextPrefix`](crate::TextPrefix) or [`BytesPrefix`](crate::BytesPrefix).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not made of the first parts of the key `{K}`",
    note = "give the whole key, or a tuple of its first parts: of `(A, B, C)` these are `(A,)` and `(A, B)`",
    note = "for the beginning of a text or bytes part, give `TextPrefix` or `BytesPrefix` as the last part"
)]
pub trait PrefixOf<K: Key> {
    /// Whether it is the whole key.
    const WHOLE: bool;

    /// Returns the bytes with which every key of these leading parts begins.
    ///
    /// # Errors
    /// As [`Key::write`]; [`KeyError::NoPrefix`].
    fn encode_prefix(&self, rule: KeyRule) -> Result<Vec<u8>, KeyError>;
}

impl<K: Key> PrefixOf<K> for K {
    const WHOLE: bool = true;

    fn encode_prefix(&self, rule: KeyRule) -> Result<Vec<u8>, KeyError> {
        self.encode(rule)
    }
}

/// Writes leading parts, all of them whole.
fn leading<P: Key>(parts: &P, rule: KeyRule) -> Result<Vec<u8>, KeyError> {
    let mut out = KeyWriter::leading(rule);
    parts.write(&mut out)?;
    Ok(out.finish())
}

macro_rules! prefixes {
    ($head:ident $($tail:ident)*) => { prefixes!(@ ($head) ($($tail)*)); };
    (@ ($($head:ident)+) ()) => {};
    (@ ($($head:ident)+) ($next:ident $($tail:ident)*)) => {
        impl<$($head: Key,)+ $next: Key, $($tail: Key,)*> PrefixOf<($($head,)+ $next, $($tail,)*)> for ($($head,)+) {
            const WHOLE: bool = false;

            fn encode_prefix(&self, rule: KeyRule) -> Result<Vec<u8>, KeyError> {
                leading(self, rule)
            }
        }
        prefixes!(@ ($($head)+ $next) ($($tail)*));
    };
}

prefixes!(A B);
prefixes!(A B C);
prefixes!(A B C D);
prefixes!(A B C D E);
prefixes!(A B C D E F);
prefixes!(A B C D E F G);
prefixes!(A B C D E F G H);
prefixes!(A B C D E F G H I);
prefixes!(A B C D E F G H I J);
prefixes!(A B C D E F G H I J K);
prefixes!(A B C D E F G H I J K L);

/// Returns the least byte string above every one that begins with `prefix`; `None` if there is none (`ff ff…`, or the
/// empty prefix, which everything begins with).
#[must_use]
pub fn successor(prefix: &[u8]) -> Option<Vec<u8>> {
    // Truncating after the carry keeps the range as narrow as it is: [15 42 ff] ends at [15 43], not [15 43 00].
    let last = prefix.iter().rposition(|byte| *byte != 0xff)?;
    let mut end = prefix.get(..=last)?.to_vec();
    if let Some(byte) = end.last_mut() {
        *byte = byte.saturating_add(1);
    }
    Some(end)
}
