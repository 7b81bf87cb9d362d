//! What a key is made of, as schema descriptors say it.

use core::fmt;

use cw_schema::Schemaifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Key, KeyRule};

/// The layout of a key: its parts, and how they end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct KeyLayout {
    /// The names of the parts, as [`Key::describe`] gives them: `text,u32`.
    pub parts: String,
    /// How variable-length parts are delimited; absent where it is not known.
    pub rule: Option<KeyRule>,
}

impl KeyLayout {
    /// Returns the layout of `K` under a rule.
    #[must_use]
    pub fn of<K: Key>(rule: KeyRule) -> Self {
        Self {
            parts: K::describe(),
            rule: Some(rule),
        }
    }

    /// Returns a layout in which no change is seen.
    #[must_use]
    pub fn opaque() -> Self {
        Self {
            parts: "opaque".to_owned(),
            rule: None,
        }
    }
}

impl fmt::Display for KeyLayout {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.rule {
            Some(KeyRule::Delimited) => "delimited",
            Some(KeyRule::Ordered) => "ordered",
            Some(KeyRule::RawLast) => "raw_last",
            Some(KeyRule::StoragePlus) => "storage_plus",
            None => "opaque",
        };
        write!(out, "{} ({rule})", self.parts)
    }
}

/// Whether keys of this type are known to sort as their values do, so that two rules of which both say so sort alike.
pub(crate) fn sorts_by_value<K: Key>(rule: KeyRule) -> bool {
    match rule {
        KeyRule::Ordered => true,
        KeyRule::Delimited | KeyRule::RawLast => K::ORDERED,
        KeyRule::StoragePlus => {
            let parts = K::describe();
            let mut parts = parts.split(',').rev();
            let last = parts.next().unwrap_or_default();
            (is_fixed(last) || last == "text" || last == "bytes") && parts.all(is_fixed)
        }
    }
}

/// Whether a part always has the same length.
fn is_fixed(part: &str) -> bool {
    let sized = |head: &str| {
        part.strip_prefix(head)
            .is_some_and(|size| !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()))
    };
    matches!(part, "bool" | "enum") || sized("u") || sized("i") || sized("bytes")
}

#[cfg(test)]
mod tests {
    use super::{KeyRule, sorts_by_value};

    #[test]
    fn storage_plus_sorts_by_value_where_only_the_last_part_has_no_fixed_length() {
        let rule = KeyRule::StoragePlus;
        assert!(sorts_by_value::<String>(rule) && sorts_by_value::<Vec<u8>>(rule));
        assert!(sorts_by_value::<(u64, [u8; 4], i8, bool, String)>(rule));
        assert!(!sorts_by_value::<(String, u64)>(rule));
        assert!(!sorts_by_value::<(Vec<u8>, u64)>(rule));
        assert!(!sorts_by_value::<(Option<u8>, u64)>(rule));
        assert!(!sorts_by_value::<Option<(u8, u64)>>(rule));
    }
}
