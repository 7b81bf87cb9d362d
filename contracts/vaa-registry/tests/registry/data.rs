//! The real VAAs and the verdicts, as files have them.

use std::{fs, path::PathBuf};

use serde::Deserialize;
use serde_json::Value;

#[derive(Clone, Deserialize)]
pub struct Row {
    pub name: String,
    pub vaa_hex: String,
    #[serde(default)]
    pub digest: String,
    #[serde(default)]
    pub guardian_set_index: u32,
    #[serde(default)]
    pub timestamp: u64,
    #[serde(default)]
    pub kind: String,
    #[serde(default)]
    pub set_ref: String,
}

impl Row {
    pub fn bytes(&self) -> Vec<u8> {
        hex::decode(&self.vaa_hex).unwrap()
    }
}

#[derive(Deserialize)]
pub struct Verdict {
    pub name: String,
    pub vaa_hex: String,
    pub start: Start,
    pub before: Vec<String>,
    pub outcome: String,
    pub codes: Vec<String>,
    pub governance: Option<Value>,
    pub digest: Option<String>,
    pub id: Option<String>,
}

#[derive(Deserialize)]
pub struct Start {
    pub guardian_sets: Value,
    pub current: u32,
    pub live: Vec<u32>,
    pub this_chain: u16,
}

#[derive(Deserialize)]
struct SetRow {
    index: u32,
    network: String,
    addresses: Vec<String>,
}

fn read(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../packages/vaa/testdata")
        .join(file);
    fs::read_to_string(path).unwrap()
}

fn lines<T: serde::de::DeserializeOwned>(file: &str) -> Vec<T> {
    read(file)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub fn rows(file: &str) -> Vec<Row> {
    lines(file)
}

pub fn verdicts() -> Vec<Verdict> {
    lines("verdicts.jsonl")
}

fn sets() -> Vec<SetRow> {
    serde_json::from_str(&read("guardian_sets.json")).unwrap()
}

/// The addresses of a set named as `mainnet:3`, or `devnet` for a network's only one.
pub fn set(name: &str) -> Vec<String> {
    let (network, index) = name.split_once(':').unwrap_or((name, "0"));
    let index: u32 = index.parse().unwrap();
    sets()
        .into_iter()
        .find(|set| set.network == network && set.index == index)
        .unwrap()
        .addresses
}

/// The mainnet rows as history had them, with the block time of each: by the set that they name, the upgrade that ends
/// the set's time last.
pub fn history() -> Vec<(Row, u64)> {
    let mut rows = rows("mainnet.jsonl");
    let is_upgrade = |row: &Row| row.kind == "governance/guardian-set-upgrade";
    let upgrades: Vec<u64> = (0..7)
        .map(|set| {
            rows.iter()
                .find(|row| is_upgrade(row) && row.guardian_set_index == set)
                .unwrap()
                .timestamp
        })
        .collect();
    rows.sort_by_key(|row| (row.guardian_set_index, is_upgrade(row)));
    rows.into_iter()
        .map(|row| {
            let set = row.guardian_set_index as usize;
            let time = upgrades[set.saturating_sub(1)];
            (row, time)
        })
        .collect()
}
