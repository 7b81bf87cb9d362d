//! Guardian sets and the number of signatures they need.

use thiserror::Error;

use crate::address::GuardianAddress;

/// The most guardians a set can have, since a place in it is one byte and so is their number.
pub const MAX_GUARDIANS: usize = 255;

/// Returns how many of `guardians` have to sign: ⌊2n/3⌋ + 1, which is never 0.
#[must_use]
pub const fn quorum(guardians: usize) -> usize {
    // Split so that no number of guardians overflows: n = 3q + r, 2n/3 = 2q + 2r/3.
    let thirds = (guardians / 3).saturating_mul(2);
    let rest = if guardians % 3 == 2 { 1 } else { 0 };
    thirds.saturating_add(rest).saturating_add(1)
}

/// A guardian set: 1 to 255 addresses, none zero, none twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GuardianSet {
    addresses: Vec<GuardianAddress>,
}

/// Addresses that are not a guardian set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GuardianSetError {
    /// There is no address.
    #[error("guardian set: no guardians")]
    Empty,
    /// There are more addresses than places.
    #[error("guardian set: {0} guardians, at most 255 fit")]
    TooMany(usize),
    /// An address is zero.
    #[error("guardian set: guardian {index} has the zero address")]
    ZeroGuardian {
        /// Its place in the set.
        index: usize,
    },
    /// An address stands in two places.
    #[error("guardian set: guardians {first} and {second} have the same address")]
    DuplicateGuardian {
        /// The place where it first stands.
        first: usize,
        /// The place where it stands again.
        second: usize,
    },
}

impl GuardianSet {
    /// Makes a set of `addresses`, whose order gives each guardian its index.
    ///
    /// # Errors
    ///
    /// [`GuardianSetError`], the first that holds in the order of its variants.
    pub fn new(addresses: Vec<GuardianAddress>) -> Result<Self, GuardianSetError> {
        if addresses.is_empty() {
            return Err(GuardianSetError::Empty);
        }
        if addresses.len() > MAX_GUARDIANS {
            return Err(GuardianSetError::TooMany(addresses.len()));
        }
        if let Some(index) = addresses.iter().position(GuardianAddress::is_zero) {
            return Err(GuardianSetError::ZeroGuardian { index });
        }
        if let Some((first, second)) = first_duplicate(&addresses) {
            return Err(GuardianSetError::DuplicateGuardian { first, second });
        }
        Ok(Self { addresses })
    }

    /// Returns the addresses in the order of their indexes.
    #[must_use]
    pub fn addresses(&self) -> &[GuardianAddress] {
        &self.addresses
    }

    /// Gives the addresses back.
    #[must_use]
    pub fn into_addresses(self) -> Vec<GuardianAddress> {
        self.addresses
    }

    /// Returns how many guardians there are, at least 1.
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "no set is empty, so the question has one answer"
    )]
    pub const fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Returns how many of them have to sign.
    #[must_use]
    pub const fn quorum(&self) -> usize {
        quorum(self.addresses.len())
    }

    /// Returns the guardian at `index`.
    #[must_use]
    pub fn get(&self, index: u8) -> Option<GuardianAddress> {
        self.addresses.get(usize::from(index)).copied()
    }

    /// Returns the index of the guardian with `address`.
    #[must_use]
    pub fn index_of(&self, address: &GuardianAddress) -> Option<u8> {
        let place = self.addresses.iter().position(|known| known == address)?;
        u8::try_from(place).ok()
    }
}

/// Returns the two places of the address that is the first to stand again.
///
/// Each address is held against those before it: for the guardians that a set has this takes no longer than sorting them,
/// whose code would be a tenth of a contract's.
fn first_duplicate(addresses: &[GuardianAddress]) -> Option<(usize, usize)> {
    addresses.iter().enumerate().find_map(|(second, address)| {
        let first = addresses
            .iter()
            .take(second)
            .position(|before| before == address)?;
        Some((first, second))
    })
}
