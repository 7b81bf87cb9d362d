//! A set of guardians, a bit each.

use serde::{Deserialize, Serialize};

/// Guardians of one set. Guardian `i` is bit `i mod 8`, counted from the lowest, of byte `i / 8`; the last byte is never
/// zero, so that equal sets are equal bytes: 3 bytes for 19 guardians, 32 at most.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GuardianBits(#[serde(with = "serde_bytes")] Vec<u8>);

impl GuardianBits {
    /// Returns the set of one guardian.
    #[must_use]
    pub fn of(guardian: u8) -> Self {
        let mut bits = Self::default();
        bits.insert(guardian);
        bits
    }

    /// Whether the guardian is in it.
    #[must_use]
    pub fn has(&self, guardian: u8) -> bool {
        self.0
            .get(usize::from(guardian >> 3))
            .is_some_and(|byte| byte & bit(guardian) != 0)
    }

    /// Adds a guardian.
    pub fn insert(&mut self, guardian: u8) {
        let place = usize::from(guardian >> 3);
        if self.0.len() <= place {
            self.0.resize(place.saturating_add(1), 0);
        }
        if let Some(byte) = self.0.get_mut(place) {
            *byte |= bit(guardian);
        }
    }

    /// Adds the guardians of another set.
    pub fn extend(&mut self, other: &Self) {
        other.iter().for_each(|guardian| self.insert(guardian));
    }

    /// Returns those that are not in another set.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut rest = Self::default();
        self.iter()
            .filter(|guardian| !other.has(*guardian))
            .for_each(|guardian| rest.insert(guardian));
        rest
    }

    /// Returns how many guardians are in it.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0
            .iter()
            .map(|byte| usize::try_from(byte.count_ones()).unwrap_or_default())
            .sum()
    }

    /// Whether no guardian is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|byte| *byte == 0)
    }

    /// Yields the guardians by rising index.
    pub fn iter(&self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(|guardian| self.has(*guardian))
    }
}

const fn bit(guardian: u8) -> u8 {
    1 << (guardian & 7)
}
