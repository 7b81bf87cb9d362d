//! Guardian sets that are known without asking anybody.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use cosmwasm_std::Uint64;
use serde::Deserialize;
use vaa_registry::msg::GuardianSetInit;
use wormhole_vaa::{GuardianAddress, GuardianSet};

/// Names a Wormhole network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Network {
    /// The network that carries value.
    Mainnet,
    /// The public network for trials, with one guardian.
    Testnet,
    /// A developer's own network, with one guardian whose key is public.
    Devnet,
}

impl Network {
    /// Returns its name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mainnet => "mainnet",
            Self::Testnet => "testnet",
            Self::Devnet => "devnet",
        }
    }

    /// Returns its guardian sets, by rising index.
    ///
    /// # Errors
    /// None, as long as the table within this program is whole.
    pub fn sets(self) -> Result<Vec<KnownSet>> {
        let mut networks: BTreeMap<String, Vec<KnownSet>> =
            serde_json::from_str(include_str!("networks.json"))
                .context("the table of guardian sets within this program is damaged")?;
        Ok(networks.remove(self.name()).unwrap_or_default())
    }

    /// Returns its newest guardian set, or the one with an index.
    ///
    /// # Errors
    /// That no set with this index is known.
    pub fn set(self, index: Option<u32>) -> Result<KnownSet> {
        let mut sets = self.sets()?;
        let newest = sets.pop().context("the network has no guardian sets")?;
        let Some(index) = index.filter(|index| *index != newest.index) else {
            return Ok(newest);
        };
        match sets.into_iter().find(|set| set.index == index) {
            Some(set) => Ok(set),
            None => bail!(
                "guardian set {index} of {} is unknown; the newest known is {}",
                self.name(),
                newest.index
            ),
        }
    }
}

/// Describes a guardian set of a network.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownSet {
    /// Its index.
    pub index: u32,
    /// The time, in Unix seconds, in the body of the upgrade that introduced it; for the first
    /// set, in that of the first upgrade.
    pub live_from: Option<u64>,
    /// Its guardians' addresses in hex.
    pub addresses: Vec<String>,
}

impl KnownSet {
    /// Returns it as the current set that a registry begins with.
    #[must_use]
    pub fn into_init(self) -> GuardianSetInit {
        GuardianSetInit {
            index: self.index,
            addresses: self.addresses,
            expires_at: None,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSet {
    index: u32,
    addresses: Vec<String>,
    #[serde(default)]
    expires_at: Option<Seconds>,
}

/// Reads seconds as a number, or as the text that other answers of the registry use.
#[derive(Deserialize)]
#[serde(untagged)]
enum Seconds {
    Number(u64),
    Text(Uint64),
}

/// Reads a JSON list of `{"index", "addresses", "expires_at"}`, and sorts it by index.
///
/// # Errors
/// A file that can not be read, or is no such list.
pub fn sets_of_file(path: &Path) -> Result<Vec<GuardianSetInit>> {
    let json = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let sets: Vec<FileSet> = serde_json::from_slice(&json)
        .with_context(|| format!("`{}` is not a list of guardian sets", path.display()))?;
    let mut sets: Vec<_> = sets
        .into_iter()
        .map(
            |FileSet {
                 index,
                 addresses,
                 expires_at,
             }| GuardianSetInit {
                index,
                addresses,
                expires_at: expires_at.map(|seconds| match seconds {
                    Seconds::Number(seconds) => Uint64::new(seconds),
                    Seconds::Text(seconds) => seconds,
                }),
            },
        )
        .collect();
    sets.sort_by_key(|set| set.index);
    Ok(sets)
}

/// Returns the set that signatures can be held against.
///
/// # Errors
/// An address that is none, or addresses that make no set.
pub fn guardian_set(set: &GuardianSetInit) -> Result<GuardianSet> {
    let addresses = set
        .addresses
        .iter()
        .map(|text| text.parse::<GuardianAddress>())
        .collect::<Result<_, _>>()
        .with_context(|| format!("guardian set {}", set.index))?;
    GuardianSet::new(addresses).with_context(|| format!("guardian set {}", set.index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_set_is_a_set() {
        for network in Network::value_variants() {
            let sets = network.sets().unwrap();
            assert!(!sets.is_empty());
            for (index, set) in sets.into_iter().enumerate() {
                assert_eq!(set.index as usize, index);
                guardian_set(&set.into_init()).unwrap();
            }
        }
    }

    #[test]
    fn the_newest_set_is_the_default() {
        assert_eq!(Network::Mainnet.set(None).unwrap().index, 7);
        assert_eq!(Network::Mainnet.set(Some(7)).unwrap().index, 7);
        let first = Network::Mainnet.set(Some(0)).unwrap();
        assert_eq!((first.index, first.live_from), (0, Some(1_628_094_930)));
        let error = Network::Mainnet.set(Some(8)).unwrap_err().to_string();
        assert_eq!(
            error,
            "guardian set 8 of mainnet is unknown; the newest known is 7"
        );
    }
}
