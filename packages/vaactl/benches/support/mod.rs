//! Makes VAAs signed by the developers' guardians.

use serde_json::Value;
use wormhole_vaa::{Address, Body, SecretKey, Vaa};

/// The developers' guardians, whose keys are public.
pub(crate) fn keys() -> Vec<SecretKey> {
    let text = include_str!("../../../vaa/testdata/guardian_sets.json");
    let sets: Vec<Value> = serde_json::from_str(text).unwrap();
    let set = sets
        .iter()
        .find(|set| set["network"] == "devnet19")
        .unwrap();
    let keys = set["private_keys"].as_array().unwrap();
    keys.iter()
        .map(|key| SecretKey::from_hex(key.as_str().unwrap()).unwrap())
        .collect()
}

/// Message `n` of many emitters on a few chains, with a payload of common size.
pub(crate) fn vaa(keys: &[SecretKey], n: u64) -> Vec<u8> {
    let mut emitter = [0; 32];
    emitter[24..].copy_from_slice(&(n % 97).to_be_bytes());
    let body = Body {
        timestamp: 1_700_000_000 + (n / 3) as u32,
        nonce: n as u32,
        emitter_chain: 1 + (n % 7) as u16,
        emitter_address: Address(emitter),
        sequence: n,
        consistency_level: 1,
        payload: (0..133).map(|i| (i * 31 + n as usize) as u8).collect(),
    };
    let digest = body.digest();
    let signatures = keys
        .iter()
        .zip(0..)
        .map(|(key, index)| key.sign(&digest, index))
        .collect();
    Vaa {
        guardian_set_index: 0,
        signatures,
        body,
    }
    .serialize()
    .unwrap()
}
