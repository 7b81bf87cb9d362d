//! The real VAAs, and a registry to submit them to.

use std::path::Path;
use std::sync::OnceLock;

use cosmwasm_std::Response;
use serde_json::{Value, json};
use vm_tests::{Chain, Contract, Failure};

/// A set counts for this long after its successor was applied.
pub(crate) const GRACE_SECONDS: u64 = 86_400;

/// Returns the contract under test, compiled once for all tests.
pub(crate) fn contract() -> &'static Contract {
    static CONTRACT: OnceLock<Contract> = OnceLock::new();
    CONTRACT.get_or_init(|| Contract::load().unwrap_or_else(|error| panic!("{error}")))
}

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../vaa/testdata")
        .join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the rows of a JSON Lines file of `packages/vaa/testdata`.
pub(crate) fn rows(file: &str) -> Vec<Value> {
    read(file)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns the guardians' addresses of a mainnet set.
pub(crate) fn mainnet_set(index: u64) -> Value {
    json!(set(&format!("mainnet:{index}")))
}

/// Returns the guardians' addresses of a set named as `mainnet:3`, or `devnet` for a network's only one.
pub(crate) fn set(name: &str) -> Vec<String> {
    static SETS: OnceLock<Value> = OnceLock::new();
    let sets = SETS.get_or_init(|| serde_json::from_str(&read("guardian_sets.json")).unwrap());
    let (network, index) = name.split_once(':').unwrap_or((name, "0"));
    let index: u64 = index.parse().unwrap();
    let found = sets
        .as_array()
        .unwrap()
        .iter()
        .find(|set| set["network"] == network && set["index"] == index);
    let found = found.unwrap_or_else(|| panic!("no guardian set {name}"));
    serde_json::from_value(found["addresses"].clone()).unwrap()
}

/// Returns a row's VAA as messages carry it.
pub(crate) fn vaa(row: &Value) -> Value {
    let hex = row["vaa_hex"].as_str().unwrap();
    json!(cosmwasm_std::Binary::from_hex(hex).unwrap().to_base64())
}

/// Submits VAAs, by whoever likes to.
pub(crate) fn submit(
    chain: &mut Chain,
    vaas: &[Value],
    on_invalid: &str,
) -> Result<Response, Failure> {
    let message = json!({"submit_vaas": {"vaas": vaas, "on_invalid": on_invalid}});
    chain.execute(&Chain::address("anybody"), &message)
}

/// Returns what became of each VAA, from the response's data.
pub(crate) fn outcomes(response: &Response) -> Vec<Value> {
    let data = response.data.as_ref().expect("a response without data");
    let answer: Value = serde_json::from_slice(data).unwrap();
    answer["outcomes"].as_array().unwrap().clone()
}
