use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::Exit;
use super::init::beginning;
use crate::backend::node::{Included, Node};
use crate::cli::{Code, Deploy, Global};
use crate::output::Output;
use crate::registry;

pub(super) fn run(global: &Global, args: &Deploy, out: &mut Output) -> Result<Exit> {
    let sets = args.beginning.sets()?;
    let newest = sets.last().map_or(0, |set| set.index);
    let network = args.beginning.network;
    let (_, mut msg) = beginning(network, false, args.beginning.this_chain, sets);
    let mut node = registry::node(global, None)?;
    let sender = node.address()?.to_owned();
    if args.beginning.import {
        msg.import = true;
        msg.admin = Some(sender.clone());
    }
    let msg = serde_json::to_vec(&msg)?;
    let admin = match (args.no_admin, &args.admin) {
        (true, _) => None,
        (false, Some(admin)) => Some(admin.clone()),
        (false, None) => Some(sender.clone()),
    };
    let (code_id, stored) = code(&mut node, &args.code, out)?;
    let (address, made) = node
        .instantiate(code_id, &msg, &args.label, admin.clone())
        .with_context(|| format!("cannot instantiate code {code_id}"))?;
    if out.is_json() {
        out.json(&json!({
            "chain_id": node.chain_id(),
            "contract": address,
            "code_id": code_id,
            "admin": admin,
            "sender": sender,
            "current_guardian_set": newest,
            "store": stored.map(|stored| stored.report),
            "instantiate": made.report,
        }))?;
    } else {
        out.line(format_args!(
            "instantiated in {} for {} gas",
            made.report.hash, made.report.gas_used
        ))?;
        let admin = admin.as_deref().unwrap_or("none, it can never be migrated");
        out.line(format_args!("admin: {admin}"))?;
        out.line(format_args!(
            "registry {address} on {} at guardian set {newest}",
            node.chain_id()
        ))?;
    }
    Ok(Exit::Done)
}

/// Stores code, or takes what is stored.
pub(super) fn code(
    node: &mut Node,
    code: &Code,
    out: &mut Output,
) -> Result<(u64, Option<Included>)> {
    let file = match (code.code_id, &code.wasm) {
        (Some(id), _) => return Ok((id, None)),
        (None, Some(file)) => file.as_path(),
        (None, None) => Path::new("artifacts/vaa_registry.wasm"),
    };
    let wasm = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    ensure!(
        wasm.starts_with(b"\0asm"),
        "`{}` is no wasm file",
        file.display()
    );
    let (id, stored) = node
        .store_code(&wasm)
        .with_context(|| format!("cannot store `{}`", file.display()))?;
    if !out.is_json() {
        let report = &stored.report;
        out.line(format_args!(
            "code {id} stored in {} for {} gas",
            report.hash, report.gas_used
        ))?;
        out.flush()?;
    }
    Ok((id, Some(stored)))
}
