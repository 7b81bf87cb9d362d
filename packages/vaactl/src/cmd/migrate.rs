use anyhow::{Result, bail};
use serde_json::json;
use vaa_registry::contract::CONTRACT_VERSION;
use vaa_registry::msg::MigrateMsg;

use super::{Exit, deploy};
use crate::backend::embedded::Embedded;
use crate::cli::{Global, Migrate};
use crate::output::Output;
use crate::registry;

pub(super) fn run(global: &Global, args: &Migrate, out: &mut Output) -> Result<Exit> {
    let msg = serde_json::to_vec(&MigrateMsg {})?;
    if global.node.url.is_none() {
        if args.code.code_id.is_some() || args.code.wasm.is_some() {
            bail!(
                "the embedded registry runs this program's own code: --wasm and --code-id are for --node"
            );
        }
        let time = registry::time_or_now(global.time);
        Embedded::migrate(&global.home, registry::codes(), time, &msg)?;
        if out.is_json() {
            out.json(&json!({"home": global.home, "version": CONTRACT_VERSION}))?;
        } else {
            let home = global.home.display();
            out.line(format_args!(
                "registry in `{home}` is at version {CONTRACT_VERSION}"
            ))?;
        }
        return Ok(Exit::Done);
    }
    let contract = registry::contract_of(global)?;
    let mut node = registry::node(global, Some(contract.clone()))?;
    let (code_id, stored) = deploy::code(&mut node, &args.code, out)?;
    let done = node.migrate(code_id, &msg)?;
    if out.is_json() {
        out.json(&json!({
            "chain_id": node.chain_id(),
            "contract": contract,
            "code_id": code_id,
            "store": stored.map(|stored| stored.report),
            "migrate": done.report,
        }))?;
    } else {
        let report = &done.report;
        out.line(format_args!(
            "registry {contract} moved to code {code_id} in {} for {} gas",
            report.hash, report.gas_used
        ))?;
    }
    Ok(Exit::Done)
}
