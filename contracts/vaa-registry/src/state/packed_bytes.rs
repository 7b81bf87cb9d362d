//! Payloads as they are stored: with runs of zeros as their lengths.
//!
//! Wormhole's payloads pad numbers and addresses to 32 bytes, so that more than half of a token transfer is zeros, and a
//! byte costs as much to store as ten to read. Stored are pieces, one after the other:
//!
//! | first byte | the piece |
//! | --- | --- |
//! | `n` of 0 to 127 | the `n + 1` bytes that follow |
//! | `n` of 128 to 255 | `n - 125` zeros: 3 to 130 of them; nothing follows |
//!
//! Bytes without zeros grow by one in 128; the 133 of a transfer become about 75.
//!
//! A module for `#[serde(with = "…")]`: rows hold the bytes as they are.

use serde::{Deserializer, Serializer, de::Error};

/// The shortest run of zeros that is worth a piece of its own: around two, a piece more would cost as much as it saves.
const MIN_RUN: usize = 3;
/// The longest run of zeros in one piece.
const MAX_RUN: usize = 130;
/// The most bytes of a piece of others.
const MAX_LITERAL: usize = 128;
/// The first byte of a piece of [`MIN_RUN`] zeros.
const RUN: u8 = 128;

pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serde_bytes::serialize(&pack(bytes), serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let packed: Vec<u8> = serde_bytes::deserialize(deserializer)?;
    unpack(&packed).ok_or_else(|| D::Error::custom("packed bytes end inside a piece"))
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len());
    let (mut literal, mut rest) = (bytes, bytes);
    // `literal` begins where the last run ended, `rest` at what has not been looked at.
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        if zeros >= MIN_RUN {
            let before = literal.len().saturating_sub(rest.len());
            put_literal(&mut packed, literal.get(..before).unwrap_or_default());
            let run = zeros.min(MAX_RUN);
            let over = u8::try_from(run.saturating_sub(MIN_RUN)).unwrap_or_default();
            packed.push(RUN.saturating_add(over));
            rest = rest.get(run..).unwrap_or_default();
            literal = rest;
        } else {
            rest = rest.get(zeros.max(1)..).unwrap_or_default();
        }
    }
    put_literal(&mut packed, literal);
    packed
}

fn put_literal(packed: &mut Vec<u8>, bytes: &[u8]) {
    for piece in bytes.chunks(MAX_LITERAL) {
        packed.push(u8::try_from(piece.len().saturating_sub(1)).unwrap_or_default());
        packed.extend_from_slice(piece);
    }
}

fn unpack(mut packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(packed.len());
    while let Some((first, rest)) = packed.split_first() {
        packed = match first.checked_sub(RUN) {
            Some(over) => {
                let zeros = usize::from(over).saturating_add(MIN_RUN);
                bytes.resize(bytes.len().saturating_add(zeros), 0);
                rest
            }
            None => {
                let (piece, rest) = rest.split_at_checked(usize::from(*first).saturating_add(1))?;
                bytes.extend_from_slice(piece);
                rest
            }
        };
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::arithmetic_side_effects)]

    use proptest::prelude::*;

    use super::{pack, unpack};

    #[test]
    fn bytes_are_packed_as_documented() {
        for (bytes, packed) in [
            (vec![], vec![]),
            (vec![7], vec![0, 7]),
            (vec![0, 0], vec![1, 0, 0]),
            (vec![0, 0, 0], vec![128]),
            (vec![0; 130], vec![255]),
            (vec![0; 131], vec![255, 0, 0]),
            (vec![0; 133], vec![255, 128]),
            (
                vec![7, 0, 0, 7, 0, 0, 0, 0, 7],
                vec![3, 7, 0, 0, 7, 129, 0, 7],
            ),
            (vec![7; 129], [&[127][..], &[7; 128], &[0, 7]].concat()),
        ] {
            assert_eq!(pack(&bytes), packed);
            assert_eq!(unpack(&packed).unwrap(), bytes);
        }
        for cut in [&[0][..], &[1, 7], &[128, 127, 7]] {
            assert_eq!(unpack(cut), None);
        }
    }

    proptest! {
        #[test]
        fn bytes_are_read_back_exactly_and_hardly_grow(
            runs in prop::collection::vec((any::<u8>(), 0..300_usize, any::<bool>()), 0..12),
        ) {
            let run = |(byte, len, zeros)| vec![if zeros { 0 } else { byte }; len];
            let bytes: Vec<u8> = runs.into_iter().flat_map(run).collect();
            let packed = pack(&bytes);
            prop_assert_eq!(unpack(&packed).unwrap(), &bytes[..]);
            prop_assert!(packed.len() <= bytes.len() + bytes.len().div_ceil(128));
        }

        #[test]
        fn any_bytes_are_read_back_exactly(
            bytes in prop::collection::vec(prop_oneof![Just(0), Just(1), any::<u8>()], 0..400),
        ) {
            prop_assert_eq!(unpack(&pack(&bytes)).unwrap(), bytes);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            unpack(&bytes);
        }
    }
}
