//! The test data, and keys to sign more.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use wormhole_vaa::{
    Address, Body, Digest, GuardianAddress, GuardianSet, SECP256K1_ORDER, SecretKey, Signature,
    Vaa, decode_hex,
};

#[derive(Deserialize)]
pub(crate) struct Row {
    pub name: String,
    pub network: String,
    pub kind: String,
    pub guardian_set_index: u32,
    pub n_signatures: usize,
    pub timestamp: u32,
    pub emitter_chain: u16,
    pub emitter_address: String,
    pub sequence: String,
    pub digest: String,
    pub set_ref: String,
    pub payload_len: usize,
    pub vaa_hex: String,
}

impl Row {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        decode_hex("vaa", &self.vaa_hex).unwrap()
    }
}

#[derive(Deserialize)]
struct SetEntry {
    index: u32,
    network: String,
    addresses: Vec<String>,
    quorum: usize,
    private_keys: Option<Vec<String>>,
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

pub(crate) fn json_lines<T: DeserializeOwned>(name: &str) -> Vec<T> {
    std::fs::read_to_string(path(name))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Every row of the three networks.
pub(crate) fn rows() -> Vec<Row> {
    let rows: Vec<Row> = ["mainnet.jsonl", "testnet.jsonl", "devnet.jsonl"]
        .into_iter()
        .flat_map(json_lines)
        .collect();
    assert_eq!(rows.len(), 128 + 179 + 167);
    rows
}

fn entries() -> Vec<SetEntry> {
    serde_json::from_str(&std::fs::read_to_string(path("guardian_sets.json")).unwrap()).unwrap()
}

/// Every guardian set by the name that rows use for it.
pub(crate) fn sets() -> BTreeMap<String, GuardianSet> {
    entries()
        .into_iter()
        .map(|entry| {
            let name = match entry.network.as_str() {
                "mainnet" => format!("mainnet:{}", entry.index),
                other => other.to_owned(),
            };
            let set = guardian_set(&entry.addresses);
            assert_eq!(set.quorum(), entry.quorum, "{name}");
            (name, set)
        })
        .collect()
}

pub(crate) fn guardian_set(addresses: &[String]) -> GuardianSet {
    GuardianSet::new(addresses.iter().map(|a| a.parse().unwrap()).collect()).unwrap()
}

/// The 19 public devnet keys, whose addresses stand in the data beside them.
pub(crate) fn devnet_keys() -> Vec<SecretKey> {
    let entry = entries()
        .into_iter()
        .find(|entry| entry.network == "devnet19")
        .unwrap();
    let keys: Vec<SecretKey> = entry
        .private_keys
        .unwrap()
        .iter()
        .map(|key| SecretKey::from_hex(key).unwrap())
        .collect();
    let addresses: Vec<GuardianAddress> = keys.iter().map(SecretKey::address).collect();
    assert_eq!(guardian_set(&entry.addresses).addresses(), addresses);
    keys
}

/// A set of the first `n` devnet guardians.
pub(crate) fn set_of(n: usize) -> GuardianSet {
    let keys = devnet_keys();
    GuardianSet::new(keys[..n].iter().map(SecretKey::address).collect()).unwrap()
}

/// Signatures over `digest` by the devnet guardians at `indexes`, in that order.
pub(crate) fn sign(digest: &Digest, indexes: &[u8]) -> Vec<Signature> {
    let keys = devnet_keys();
    indexes
        .iter()
        .map(|index| keys[usize::from(*index)].sign(digest, *index))
        .collect()
}

pub(crate) fn body(payload: &[u8]) -> Body {
    Body {
        timestamp: 1_700_000_000,
        nonce: 7,
        emitter_chain: 2,
        emitter_address: Address([0x11; 32]),
        sequence: 7,
        consistency_level: 32,
        payload: payload.to_vec(),
    }
}

pub(crate) fn signed(body: Body, indexes: &[u8]) -> Vaa {
    Vaa {
        guardian_set_index: 0,
        signatures: sign(&body.digest(), indexes),
        body,
    }
}

/// The other signature that the same key makes of the same digest: n - s, and the other v.
pub(crate) fn high_s_twin(signature: &Signature) -> Signature {
    let mut s = [0; 32];
    let mut borrow = 0_i16;
    for place in (0..32).rev() {
        let difference = i16::from(SECP256K1_ORDER[place]) - i16::from(signature.s[place]) - borrow;
        borrow = i16::from(difference < 0);
        s[place] = u8::try_from(difference + 256 * borrow).unwrap();
    }
    Signature {
        s,
        v: 1 - signature.v,
        ..*signature
    }
}
