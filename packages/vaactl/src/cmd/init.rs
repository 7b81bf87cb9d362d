use anyhow::{Context, Result};
use serde_json::json;
use vaa_registry::msg::{GuardianSetInit, InstantiateMsg};
use wormhole_vaa::{GOVERNANCE_CHAIN, GOVERNANCE_EMITTER};

use super::Exit;
use crate::backend::embedded::{Embedded, StoreConfig};
use crate::cli::{Global, Init};
use crate::network::Network;
use crate::output::Output;
use crate::registry;

pub(super) fn run(global: &Global, args: Init, out: &mut Output) -> Result<Exit> {
    let args = args.beginning;
    let sets = args.sets()?;
    let newest = sets.last().map_or(0, |set| set.index);
    let (config, mut msg) = beginning(args.network, false, args.this_chain, sets);
    if args.import {
        msg.import = true;
        msg.admin = Some(Embedded::operator_address().into());
    }
    let time = registry::time_or_now(global.time);
    registry::create(&global.home, time, config, &msg)
        .with_context(|| format!("cannot create a registry in `{}`", global.home.display()))?;
    if out.is_json() {
        out.json(&json!({
            "home": global.home,
            "network": args.network.map(Network::name),
            "this_chain": args.this_chain,
            "current_guardian_set": newest,
        }))?;
    } else {
        let network = args
            .network
            .map(|n| format!("{} ", n.name()))
            .unwrap_or_default();
        let home = global.home.display();
        out.line(format_args!(
            "registry created in `{home}` at {network}guardian set {newest}"
        ))?;
    }
    Ok(Exit::Done)
}

/// Returns what is recorded about a new registry, and the message that makes it.
pub(super) fn beginning(
    network: Option<Network>,
    replay: bool,
    this_chain: u16,
    guardian_sets: Vec<GuardianSetInit>,
) -> (StoreConfig, InstantiateMsg) {
    let config = StoreConfig {
        network: network.map(|network| network.name().to_owned()),
        replay,
        this_chain,
        governance_chain: GOVERNANCE_CHAIN,
        governance_emitter: GOVERNANCE_EMITTER.to_hex(),
    };
    let msg = InstantiateMsg {
        this_chain,
        guardian_sets,
        governance: None,
        indexes: None,
        admin: None,
        limits: None,
        import: false,
    };
    (config, msg)
}
