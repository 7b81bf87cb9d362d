//! Addresses, transactions and times in the forms of their own chains.

use wormhole_vaa::{Address, encode_hex, keccak256};

use crate::output::utc;

const SOLANA: u16 = 1;

/// The chains whose addresses are those of Ethereum.
const EVM: [u16; 57] = [
    2, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 16, 17, 23, 24, 25, 30, 33, 34, 35, 36, 37, 38, 39, 40,
    42, 43, 44, 45, 46, 47, 48, 50, 52, 53, 54, 55, 57, 58, 59, 63, 64, 67, 68, 71, 72, 10_002,
    10_003, 10_004, 10_005, 10_006, 10_007, 10_008, 10_009, 10_010, 10_011, 10_012,
];

/// Returns an address as its chain writes it, where that is known.
pub(super) fn address(chain: u16, address: &Address) -> Option<String> {
    if chain == SOLANA {
        return Some(bs58::encode(address.0).into_string());
    }
    let short = EVM.contains(&chain).then(|| address.to_short()).flatten()?;
    Some(format!("0x{}", encode_hex(&short)))
}

/// Returns a transaction id as Wormholescan writes it: hex without `0x`, on Solana base58.
pub(super) fn tx_hash(chain: u16, tx_id: &[u8]) -> String {
    if chain == SOLANA {
        bs58::encode(tx_id).into_string()
    } else {
        encode_hex(tx_id)
    }
}

/// Returns a guardian's address with `0x` and the check of its letters' case that Ethereum has.
pub(super) fn guardian(hex: &str) -> String {
    let lower = hex.trim_start_matches("0x").to_ascii_lowercase();
    let hash = keccak256(lower.as_bytes());
    let nibbles = hash.iter().flat_map(|byte| [byte >> 4, byte & 0x0f]);
    let cased = lower.chars().zip(nibbles).map(|(letter, nibble)| {
        if nibble >= 8 {
            letter.to_ascii_uppercase()
        } else {
            letter
        }
    });
    format!("0x{}", cased.collect::<String>())
}

/// Returns a time in Unix seconds as RFC 3339 has it, in UTC.
pub(super) fn time(seconds: u64) -> String {
    utc(seconds).replace(' ', "T")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guardians_are_written_as_ethereum_does() {
        for known in [
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        ] {
            assert_eq!(guardian(&known[2..].to_lowercase()), known);
        }
    }

    #[test]
    fn addresses_are_those_of_their_chains() {
        let evm = Address::from_short([0xab; 20]);
        assert_eq!(address(2, &evm), Some(format!("0x{}", "ab".repeat(20))));
        assert_eq!(address(2, &Address([1; 32])), None);
        assert_eq!(address(21, &evm), None);
        assert_eq!(address(1, &Address([0; 32])), Some("1".repeat(32)));
        assert_eq!(tx_hash(2, &[1, 2]), "0102");
        assert_eq!(tx_hash(1, &[0]), "1");
        assert_eq!(time(1_628_094_930), "2021-08-04T16:35:30Z");
    }
}
