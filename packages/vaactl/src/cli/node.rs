//! The options that lead to a registry on a chain.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::backend::node::{GasPrice, NodeOptions};
use crate::keys::DEFAULT_PATH;

/// Takes the options of every command for a registry on a chain.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Registry on a chain")]
pub struct NodeArgs {
    /// RPC of a node, as http://127.0.0.1:26657: work on the registry of its chain instead of the
    /// embedded one.
    #[arg(
        long = "node",
        global = true,
        env = "VAACTL_NODE",
        value_name = "URL",
        conflicts_with = "time"
    )]
    pub url: Option<String>,
    /// Address of the registry's contract.
    #[arg(
        long,
        global = true,
        env = "VAACTL_CONTRACT",
        value_name = "ADDRESS",
        requires = "url"
    )]
    pub contract: Option<String>,
    /// Refuse a node of any other chain.
    #[arg(
        long,
        global = true,
        env = "VAACTL_CHAIN_ID",
        value_name = "ID",
        requires = "url"
    )]
    pub chain_id: Option<String>,
    /// Sign with this key of the keyring.
    #[arg(
        long,
        global = true,
        env = "VAACTL_KEY",
        value_name = "NAME",
        conflicts_with = "mnemonic_file"
    )]
    pub key: Option<String>,
    /// The keyring; `keyring.age` in the home directory if absent. Its passphrase is asked for, or
    /// read from VAACTL_PASSPHRASE.
    #[arg(long, global = true, env = "VAACTL_KEYRING", value_name = "FILE")]
    pub keyring: Option<PathBuf>,
    /// Sign with the mnemonic in this file; without it and --key, with that of VAACTL_MNEMONIC.
    #[arg(long, global = true, value_name = "FILE")]
    pub mnemonic_file: Option<PathBuf>,
    /// How the key is derived from the mnemonic.
    #[arg(long, global = true, value_name = "PATH", default_value = DEFAULT_PATH)]
    pub hd_path: String,
    /// Price of a unit of gas.
    #[arg(
        long,
        global = true,
        env = "VAACTL_GAS_PRICES",
        value_name = "PRICE",
        default_value = "0.025ustake"
    )]
    pub gas_prices: GasPrice,
    /// How much more gas is paid for than simulated.
    #[arg(long, global = true, value_name = "FACTOR", default_value = "1.4", value_parser = parse_adjustment)]
    pub gas_adjustment: f64,
    /// Most gas of a transaction, beside the chain's own limit; larger batches are split.
    #[arg(long, global = true, value_name = "GAS")]
    pub max_gas: Option<u64>,
    /// Seconds for which a node may be down, or a transaction out of a block.
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
}

fn parse_adjustment(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if (1.0..=10.0).contains(&factor) => Ok(factor),
        _ => Err("a factor of 1 to 10".into()),
    }
}

impl NodeArgs {
    /// Returns where the keyring is.
    #[must_use]
    pub fn keyring_path(&self, home: &Path) -> PathBuf {
        self.keyring
            .clone()
            .unwrap_or_else(|| home.join("keyring.age"))
    }

    /// Returns what the backend needs to know; none if no node is named.
    #[must_use]
    pub fn options(&self, home: &Path) -> Option<NodeOptions> {
        Some(NodeOptions {
            url: self.url.clone()?,
            contract: self.contract.clone(),
            chain_id: self.chain_id.clone(),
            gas_price: self.gas_prices.clone(),
            gas_adjustment: self.gas_adjustment,
            max_gas: self.max_gas,
            timeout: Duration::from_secs(self.timeout),
            journal: home.join("node"),
        })
    }
}
