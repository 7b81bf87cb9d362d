//! Signatures as they are stored: without what can be told from the rest.
//!
//! Guardian indexes rise strictly and recovery ids are 0 or 1, or no VAA is verified. So who signed is a bit a guardian,
//! the recovery ids are a bit a signature, and both are read back exactly:
//!
//! | bytes | what |
//! | --- | --- |
//! | 64 a signature | r and s, by rising guardian index |
//! | 1 a 8 signatures | recovery ids: bit `n % 8` of byte `n / 8` is that of signature `n`; the bits left are 0 |
//! | 1 a 8 guardians, up to the last who signed | signers: bit `i % 8` of byte `i / 8` is set if guardian `i` signed |
//!
//! The two bit lists are 2 to 64 bytes together, so the length of the whole tells the number of signatures, and that the
//! length of each part. Thirteen signatures of a set of nineteen are 837 bytes at most, against the 858 of the VAA.

use serde::{Deserialize, Serialize};
use wormhole_vaa::{Signature, VerifyError};

/// The bytes of r and s.
const RS_LEN: usize = 64;

/// Signatures of rising guardians, at least one, in the stored form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedSignatures(#[serde(with = "serde_bytes")] Vec<u8>);

impl PackedSignatures {
    /// Packs signatures.
    ///
    /// # Errors
    /// For signatures that a verified VAA cannot have: none ([`VerifyError::NoQuorum`]), indexes that do not rise
    /// ([`VerifyError::SignaturesNotAscending`]), a recovery id over 1 ([`VerifyError::InvalidRecoveryId`]).
    pub fn pack(signatures: &[Signature]) -> Result<Self, VerifyError> {
        let mut bytes =
            Vec::with_capacity(signatures.len().saturating_mul(RS_LEN.saturating_add(1)));
        let (mut signers, mut recovery_ids) = (Bits::default(), Bits::default());
        let mut previous = None;
        for (position, signature) in signatures.iter().enumerate() {
            let (index, v) = (signature.index, signature.v);
            if let Some(previous) = previous.filter(|previous| *previous >= index) {
                return Err(VerifyError::SignaturesNotAscending {
                    position,
                    previous,
                    index,
                });
            }
            if v > 1 {
                return Err(VerifyError::InvalidRecoveryId { index, v });
            }
            previous = Some(index);
            bytes.extend_from_slice(&signature.rs());
            signers.set(usize::from(index), true);
            recovery_ids.set(position, v == 1);
        }
        if signatures.is_empty() {
            return Err(VerifyError::NoQuorum {
                signatures: 0,
                quorum: 1,
                guardians: 0,
            });
        }
        bytes.extend(recovery_ids.0);
        bytes.extend(signers.0);
        Ok(Self(bytes))
    }

    /// Returns the signatures, exactly those packed; `None` if the bytes are no packed signatures.
    #[must_use]
    pub fn unpack(&self) -> Option<Vec<Signature>> {
        let count = self.0.len().checked_sub(1)?.checked_div(RS_LEN)?;
        let (rs, bits) = self.0.split_at_checked(count.checked_mul(RS_LEN)?)?;
        let (recovery_ids, signers) = bits.split_at_checked(count.div_ceil(8))?;
        if signers.last().is_none_or(|last| *last == 0) {
            return None;
        }
        let (mut recovery_ids, mut rs) = (Bits::iter(recovery_ids), rs.as_chunks().0.iter());
        let mut signatures = Vec::with_capacity(count);
        for (index, signed) in Bits::iter(signers).enumerate() {
            if signed {
                let (r, s) = halves(rs.next()?);
                signatures.push(Signature {
                    index: u8::try_from(index).ok()?,
                    r,
                    s,
                    v: u8::from(recovery_ids.next()?),
                });
            }
        }
        let nothing_left = rs.next().is_none() && !recovery_ids.any(|bit| bit);
        nothing_left.then_some(signatures)
    }
}

fn halves(rs: &[u8; RS_LEN]) -> ([u8; 32], [u8; 32]) {
    let (r, s) = rs.split_at(32);
    let copy = |half: &[u8]| {
        let mut copy = [0; 32];
        copy.copy_from_slice(half);
        copy
    };
    (copy(r), copy(s))
}

/// A list of bits, as many bytes as its last one needs, lowest bit first.
#[derive(Default)]
struct Bits(Vec<u8>);

impl Bits {
    fn set(&mut self, place: usize, bit: bool) {
        let byte = place.wrapping_div(8);
        if self.0.len() <= byte {
            self.0.resize(byte.saturating_add(1), 0);
        }
        if let Some(byte) = self.0.get_mut(byte) {
            *byte |= u8::from(bit).wrapping_shl(place as u32 % 8);
        }
    }

    fn iter(bytes: &[u8]) -> impl Iterator<Item = bool> {
        bytes
            .iter()
            .flat_map(|byte| (0..8_u32).map(move |bit| byte.wrapping_shr(bit) & 1 == 1))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::arithmetic_side_effects)]

    use proptest::prelude::*;
    use wormhole_vaa::{Signature, VerifyError};

    use super::PackedSignatures;

    fn signature(index: u8, byte: u8, v: u8) -> Signature {
        let (r, s) = ([byte; 32], [byte.wrapping_add(1); 32]);
        Signature { index, r, s, v }
    }

    /// Rising signatures of some guardians of a set of 1 to 255.
    fn signatures() -> impl Strategy<Value = Vec<Signature>> {
        let one = (any::<bool>(), any::<[u8; 32]>(), any::<[u8; 32]>(), 0..2_u8);
        prop::collection::vec(one, 1..=255).prop_map(|set| {
            let signed = |(index, (signed, r, s, v))| {
                let index = index as u8;
                (signed || index == 0).then_some(Signature { index, r, s, v })
            };
            set.into_iter().enumerate().filter_map(signed).collect()
        })
    }

    #[test]
    fn packed_signatures_are_laid_out_as_documented() {
        let packed = |signatures: &[Signature]| PackedSignatures::pack(signatures).unwrap().0;
        let rs = |byte| [[byte; 32], [byte + 1; 32]].concat();
        assert_eq!(packed(&[signature(0, 5, 1)]), [rs(5), vec![1, 1]].concat());
        let three = [signature(1, 5, 0), signature(7, 7, 1), signature(18, 9, 1)];
        let bits = vec![0b110, 0b1000_0010, 0, 0b100];
        assert_eq!(packed(&three), [rs(5), rs(7), rs(9), bits].concat());
        let quorum: Vec<_> = (0..13).map(|index| signature(index, index, 0)).collect();
        assert_eq!(packed(&quorum).len(), 836);
        let all: Vec<_> = (0..=254).map(|index| signature(index, index, 1)).collect();
        assert_eq!(packed(&all).len(), 255 * 64 + 32 + 32);
    }

    #[test]
    fn what_no_verified_vaa_has_is_not_packed() {
        let [a, b] = [signature(3, 1, 0), signature(4, 1, 2)];
        let packed = PackedSignatures::pack;
        assert!(matches!(packed(&[]), Err(VerifyError::NoQuorum { .. })));
        assert_eq!(
            packed(&[a, a]),
            Err(VerifyError::SignaturesNotAscending {
                position: 1,
                previous: 3,
                index: 3
            })
        );
        assert_eq!(
            packed(&[a, b]),
            Err(VerifyError::InvalidRecoveryId { index: 4, v: 2 })
        );
    }

    proptest! {
        #[test]
        fn signatures_are_read_back_exactly(signatures in signatures()) {
            let packed = PackedSignatures::pack(&signatures).unwrap();
            prop_assert_eq!(packed.unpack().unwrap(), signatures);
        }

        #[test]
        fn bytes_are_packed_signatures_or_refused(
            count in 0..6_usize,
            bits in prop::collection::vec(any::<u8>(), 0..4),
        ) {
            let packed = PackedSignatures([vec![7; count * 64], bits].concat());
            if let Some(signatures) = packed.unpack() {
                prop_assert_eq!(PackedSignatures::pack(&signatures).unwrap(), packed);
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let packed = PackedSignatures(bytes);
            if let Some(signatures) = packed.unpack() {
                prop_assert_eq!(PackedSignatures::pack(&signatures).unwrap(), packed);
            }
        }
    }
}
