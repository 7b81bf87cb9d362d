//! Emitters, numbered: a message's key holds the number, not the 34 bytes that it stands for.

use cosmwasm_std::{Order, Storage};
use cw_orm::{CompactUint64, Key, KeyError, KeyReader, KeyWriter, Table};
use wormhole_vaa::{Address, MessageId};

use super::Config;
use crate::error::ContractError;

/// The number of the governance emitter; the others count from 1, in the order of their first messages.
pub const GOVERNANCE_NUMBER: u64 = 0;

/// An emitter.
#[derive(Table, Clone, Debug, PartialEq, Eq)]
#[table(name = "emitters", ns = "e", limits(default = 10, max = 30))]
#[unique(id = 1, name = by_number, with = number_key, key_type = CompactUint64)]
pub struct Emitter {
    /// Its Wormhole chain id.
    #[pk]
    pub chain: u16,
    /// Its address.
    #[pk]
    pub address: ShortAddress,
    /// Its number in the keys of messages. Never changes, and is never given twice.
    pub number: u64,
}

fn number_key(emitter: &Emitter) -> Vec<CompactUint64> {
    vec![CompactUint64(emitter.number)]
}

impl Emitter {
    /// Makes the row of an emitter.
    #[must_use]
    pub const fn new(chain: u16, address: Address, number: u64) -> Self {
        Self {
            chain,
            address: ShortAddress(address.0),
            number,
        }
    }

    /// Looks the number of an emitter up; none, if it has no messages. One scan of one entry, which costs less than half
    /// of a read.
    ///
    /// # Errors
    /// [`ContractError::Storage`].
    pub fn number_of(
        storage: &dyn Storage,
        chain: u16,
        address: Address,
    ) -> Result<Option<u64>, ContractError> {
        let found = Self::TABLE.prefix(&(chain, ShortAddress(address.0)))?;
        Ok(found.first(storage)?.map(|emitter| emitter.number))
    }

    /// Returns the number of an emitter, and gives it one if it has none: [`GOVERNANCE_NUMBER`] or the next. One scan of
    /// one entry; for a new one three, and two writes.
    ///
    /// # Errors
    /// [`ContractError::Storage`].
    pub fn number(
        storage: &mut dyn Storage,
        config: &Config,
        chain: u16,
        address: Address,
    ) -> Result<u64, ContractError> {
        if let Some(number) = Self::number_of(storage, chain, address)? {
            return Ok(number);
        }
        let number = if config.is_governance(chain, &address) {
            GOVERNANCE_NUMBER
        } else {
            Self::last_number(storage)?.saturating_add(1)
        };
        Self::TABLE.insert(storage, &Self::new(chain, address, number))?;
        Ok(number)
    }

    /// Whether an emitter has this number. One scan of one entry.
    ///
    /// # Errors
    /// [`ContractError::Storage`].
    #[cfg(feature = "import")]
    pub(crate) fn exists(storage: &dyn Storage, number: u64) -> Result<bool, ContractError> {
        let by_number = Self::TABLE.by(Self::BY_NUMBER)?;
        let found = by_number.row_key(storage, &CompactUint64(number))?;
        Ok(found.is_some())
    }

    /// The largest number given: what a sequence would hold, at no write.
    pub(crate) fn last_number(storage: &dyn Storage) -> Result<u64, ContractError> {
        let numbers = Self::TABLE.by(Self::BY_NUMBER)?.all();
        let last = numbers.ids(storage, Order::Descending).first()?;
        let Some((chain, address)) = last else {
            return Ok(GOVERNANCE_NUMBER);
        };
        Ok(Self::TABLE.get_one(storage, &(chain, address))?.number)
    }

    /// Finds the emitter that a number stands for. One scan of one entry.
    ///
    /// # Errors
    /// [`ContractError::Storage`]; [`ContractError::Damaged`] if no emitter has it.
    pub fn of_number(storage: &dyn Storage, number: u64) -> Result<Self, ContractError> {
        let found = Self::TABLE
            .by(Self::BY_NUMBER)?
            .row_key(storage, &CompactUint64(number))?;
        let (chain, address) = found.ok_or_else(|| ContractError::Damaged {
            what: format!("emitter {number}"),
        })?;
        Ok(Self {
            chain,
            address,
            number,
        })
    }

    /// Returns the id of a message of this emitter.
    #[must_use]
    pub const fn id(&self, sequence: u64) -> MessageId {
        MessageId {
            chain: self.chain,
            emitter: Address(self.address.0),
            sequence,
        }
    }
}

/// A Wormhole address as part of a key: without its leading zeros, behind the number of bytes that are left, 0 to 32.
/// Most addresses are of 20 bytes, so this mostly saves 11. Sorts as the 32 bytes do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShortAddress(pub [u8; 32]);

const MALFORMED: KeyError = KeyError::Malformed {
    expected: "address",
};

impl Key for ShortAddress {
    const ORDERED: bool = true;

    fn write(&self, out: &mut KeyWriter) -> Result<(), KeyError> {
        let zeros = self.0.iter().take_while(|byte| **byte == 0).count();
        let rest = self.0.get(zeros..).unwrap_or_default();
        out.fixed(&[u8::try_from(rest.len()).map_err(|_| MALFORMED)?]);
        out.fixed(rest);
        Ok(())
    }

    fn read(input: &mut KeyReader<'_>) -> Result<Self, KeyError> {
        let [len] = input.fixed()?;
        let mut address = [0; 32];
        let zeros = address
            .len()
            .checked_sub(usize::from(len))
            .ok_or(MALFORMED)?;
        let rest = address.get_mut(zeros..).ok_or(MALFORMED)?;
        for (place, byte) in rest.iter_mut().enumerate() {
            [*byte] = input.fixed()?;
            // One encoding an address.
            if place == 0 && *byte == 0 {
                return Err(MALFORMED);
            }
        }
        Ok(Self(address))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use cw_orm::{Key, KeyRule};
    use proptest::prelude::*;

    use super::ShortAddress;

    fn address() -> impl Strategy<Value = [u8; 32]> {
        (0..=32_usize, any::<[u8; 32]>()).prop_map(|(zeros, mut address)| {
            address[..zeros].fill(0);
            address
        })
    }

    #[test]
    fn a_short_address_has_no_leading_zeros() {
        let bytes = |address| ShortAddress(address).encode(KeyRule::Delimited).unwrap();
        let mut four = [0; 32];
        four[31] = 4;
        assert_eq!(bytes([0; 32]), [0]);
        assert_eq!(bytes(four), [1, 4]);
        assert_eq!(bytes([0xee; 32]), [&[32][..], &[0xee; 32]].concat());
        for wrong in [&[][..], &[1], &[1, 0], &[2, 0, 1], &[33], &[1, 4, 0]] {
            assert!(ShortAddress::decode(wrong, KeyRule::Delimited).is_err());
        }
    }

    proptest! {
        #[test]
        fn short_addresses_are_read_back_and_sort_as_addresses_do(a in address(), b in address()) {
            let bytes = |address| ShortAddress(address).encode(KeyRule::Delimited).unwrap();
            prop_assert_eq!(ShortAddress::decode(&bytes(a), KeyRule::Delimited).unwrap().0, a);
            prop_assert_eq!(bytes(a).cmp(&bytes(b)), a.cmp(&b));
        }

        #[test]
        fn bytes_are_a_short_address_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(address) = ShortAddress::decode(&bytes, KeyRule::Delimited) {
                prop_assert_eq!(address.encode(KeyRule::Delimited).unwrap(), bytes);
            }
        }
    }
}
