use anyhow::Result;
use serde_json::{Value, json};
use wormhole_vaa::{
    Amount, GovernanceHeader, GuardianSetUpgrade, TransferPayload, TransferRecipient, VaaRef,
    chain_name, encode_hex, is_governance,
};

use super::summary::chain_label;
use super::{Exit, open_inputs};
use crate::cli::Parse;
use crate::output::{Output, table, utc};

pub(super) fn run(args: &Parse, out: &mut Output) -> Result<Exit> {
    let mut exit = Exit::Done;
    let mut seen = false;
    for item in open_inputs(&args.inputs)?.into_iter().flatten() {
        let item = item?;
        seen = true;
        let parsed = match &item.bytes {
            Ok(bytes) => VaaRef::parse(bytes).map_err(|error| error.to_string()),
            Err(reason) => Err(reason.clone()),
        };
        match parsed {
            Ok(vaa) if out.is_json() => out.json(&describe(&vaa))?,
            Ok(vaa) => print(&vaa, out)?,
            Err(reason) => {
                exit = Exit::Refused;
                if out.is_json() {
                    out.json(&json!({ "error": reason }))?;
                } else {
                    out.flush()?;
                    eprintln!("{}: {reason}", item.place);
                }
            }
        }
    }
    anyhow::ensure!(seen, super::NO_INPUT);
    Ok(exit)
}

fn describe(vaa: &VaaRef<'_>) -> Value {
    let body = &vaa.body;
    let signatures: Vec<_> = vaa
        .signatures()
        .iter()
        .map(|signature| {
            let rs = signature.rs();
            let (r, s) = rs.split_at(32);
            json!({
                "index": signature.index,
                "r": encode_hex(r),
                "s": encode_hex(s),
                "v": signature.v,
            })
        })
        .collect();
    json!({
        "id": vaa.id().to_string(),
        "digest": vaa.digest().to_hex(),
        "version": wormhole_vaa::VERSION,
        "guardian_set_index": vaa.guardian_set_index,
        "signatures": signatures,
        "timestamp": body.timestamp,
        "nonce": body.nonce,
        "emitter_chain": body.emitter_chain,
        "emitter_chain_name": chain_name(body.emitter_chain),
        "emitter_address": body.emitter_address.to_hex(),
        "sequence": body.sequence.to_string(),
        "consistency_level": body.consistency_level,
        "payload": encode_hex(body.payload),
        "governance": governance(vaa),
        "transfer": transfer(body.payload),
    })
}

/// Describes the payload of a message from the governance emitter.
fn governance(vaa: &VaaRef<'_>) -> Option<Value> {
    if !is_governance(&vaa.id()) {
        return None;
    }
    let (header, _) = GovernanceHeader::parse(vaa.body.payload).ok()?;
    let upgrade = GuardianSetUpgrade::parse(vaa.body.payload)
        .ok()
        .map(|upgrade| {
            let guardians: Vec<_> = upgrade
                .guardian_set
                .addresses()
                .iter()
                .map(|address| address.to_hex())
                .collect();
            json!({ "new_index": upgrade.new_index, "guardians": guardians })
        });
    Some(json!({
        "module": header.module_text(),
        "action": header.action,
        "action_name": header.action_name(),
        "chain": header.chain,
        "guardian_set_upgrade": upgrade,
    }))
}

/// Describes a payload that is laid out as a token transfer.
fn transfer(payload: &[u8]) -> Option<Value> {
    let amount = |amount: Amount| encode_hex(&amount.0);
    let recipient =
        |to: TransferRecipient| json!({ "chain": to.chain, "address": to.address.to_hex() });
    Some(match TransferPayload::parse(payload).ok()? {
        TransferPayload::Transfer(transfer) => json!({
            "payload_type": 1,
            "amount": amount(transfer.amount),
            "token_chain": transfer.token_chain,
            "token_address": transfer.token_address.to_hex(),
            "recipient": recipient(transfer.recipient),
            "fee": amount(transfer.fee),
        }),
        TransferPayload::WithPayload(transfer) => json!({
            "payload_type": 3,
            "amount": amount(transfer.amount),
            "token_chain": transfer.token_chain,
            "token_address": transfer.token_address.to_hex(),
            "recipient": recipient(transfer.recipient),
            "from_address": transfer.from_address.to_hex(),
            "payload": encode_hex(transfer.payload),
        }),
    })
}

fn print(vaa: &VaaRef<'_>, out: &mut Output) -> Result<()> {
    let body = &vaa.body;
    let mut table = table(["VAA", &vaa.id().to_string()]);
    let mut row = |name: &str, value: String| {
        table.add_row([name, &value]);
    };
    row("digest", vaa.digest().to_hex());
    row("version", wormhole_vaa::VERSION.to_string());
    row("guardian set", vaa.guardian_set_index.to_string());
    let signers: Vec<_> = vaa
        .signatures()
        .iter()
        .map(|s| s.index.to_string())
        .collect();
    row(
        "signatures",
        format!("{} by guardians {}", signers.len(), signers.join(" ")),
    );
    let time = u64::from(body.timestamp);
    row("timestamp", format!("{time} ({})", utc(time)));
    row("nonce", body.nonce.to_string());
    row("chain", chain_label(body.emitter_chain));
    row("emitter", body.emitter_address.to_hex());
    row("sequence", body.sequence.to_string());
    row("consistency level", body.consistency_level.to_string());
    row("payload", format!("{} bytes", body.payload.len()));
    for line in encode_hex(body.payload).as_bytes().chunks(64) {
        row("", String::from_utf8_lossy(line).into_owned());
    }
    if is_governance(&vaa.id())
        && let Ok((header, _)) = GovernanceHeader::parse(body.payload)
    {
        row("governance", header.to_string());
        if let Ok(upgrade) = GuardianSetUpgrade::parse(body.payload) {
            let guardians = upgrade.guardian_set.len();
            row(
                "upgrade",
                format!("to set {} of {guardians} guardians", upgrade.new_index),
            );
        }
    }
    if let Some(to) = TransferRecipient::of(body.payload) {
        row(
            "transfer",
            format!("to {} on chain {}", to.address, chain_label(to.chain)),
        );
    }
    out.line(table)?;
    Ok(())
}
