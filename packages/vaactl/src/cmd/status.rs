use anyhow::Result;
use comfy_table::Table;
use vaa_registry::msg::{
    BatchStatusResponse, Guardian, MessageStatusResponse, MessageSummary, Phase, QueryMsg,
    SignersResponse,
};
use wormhole_vaa::encode_hex;

use super::Exit;
use crate::cli::{Global, Status};
use crate::output::{Output, table, utc};
use crate::registry;

pub(super) fn run(global: &Global, args: &Status, out: &mut Output) -> Result<Exit> {
    let backend = registry::connect(global)?;
    let ids: Vec<String> = args.ids.iter().map(ToString::to_string).collect();
    if let [id] = &ids[..] {
        let id = id.clone();
        if args.signers {
            let msg = QueryMsg::Signers {
                id,
                digest: None,
                guardian_set: args.guardian_set,
            };
            let found: SignersResponse = registry::query(backend.as_ref(), &msg)?;
            return signers(&found, out);
        }
        let msg = QueryMsg::MessageStatus { id };
        let found: MessageStatusResponse = registry::query(backend.as_ref(), &msg)?;
        return one(&found, out);
    }
    let mut table = table(["id", "phase", "digest", "set", "valid", "conflict"]);
    for ids in ids.chunks(registry::BATCH_STATUS) {
        let ids = ids.to_vec();
        let msg = QueryMsg::BatchStatus { ids };
        let found: BatchStatusResponse = registry::query(backend.as_ref(), &msg)?;
        for status in found.statuses {
            if out.is_json() {
                out.json(&status)?;
            } else {
                table.add_row(row(status));
            }
        }
    }
    if !out.is_json() {
        out.line(table)?;
    }
    Ok(Exit::Done)
}

fn row(status: MessageSummary) -> [String; 6] {
    let registered = status.phase == Phase::Quorum;
    let when = |is: bool, text: &str| if is { text.to_owned() } else { String::new() };
    let valid = if status.valid_now { "yes" } else { "no" };
    [
        status.id,
        phase(status.phase).into(),
        status.digest.unwrap_or_default(),
        status
            .guardian_set_index
            .map(|set| set.to_string())
            .unwrap_or_default(),
        when(registered, valid),
        when(status.conflict, "yes"),
    ]
}

const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Unknown => "unknown",
        Phase::Published => "published",
        Phase::Observed => "observed",
        Phase::Quorum => "quorum",
    }
}

fn one(status: &MessageStatusResponse, out: &mut Output) -> Result<Exit> {
    if out.is_json() {
        out.json(status)?;
        return Ok(Exit::Done);
    }
    let mut facts = table(["", ""]);
    facts.add_row(["id", &status.id]);
    facts.add_row(["phase", phase(status.phase)]);
    if let Some(digest) = &status.digest {
        facts.add_row(["digest", digest]);
        let valid = match (status.valid_now, status.valid_until) {
            (false, _) => "no".into(),
            (true, None) => "yes".into(),
            (true, Some(until)) => format!("yes, until {}", utc(until.u64())),
        };
        facts.add_row(["would verify now", &valid]);
    }
    for at in &status.verifications {
        let text = format!(
            "set {} at block {}, {}",
            at.guardian_set_index,
            at.height,
            utc(at.time.u64())
        );
        facts.add_row(["verified", &text]);
    }
    for conflict in &status.conflicts {
        let text = format!("{} of set {}", conflict.digest, conflict.guardian_set_index);
        facts.add_row(["conflicts", &text]);
    }
    for pending in &status.pending {
        for set in &pending.signatures {
            let text = format!(
                "{} signed by {} of {} of set {}",
                pending.digest,
                set.guardians.len(),
                set.quorum,
                set.guardian_set_index
            );
            facts.add_row(["pending", &text]);
        }
    }
    for publication in &status.publications {
        let text = format!("{} by {}", publication.digest, publication.publisher);
        facts.add_row(["published", &text]);
    }
    for claim in &status.tx_ids {
        let attested = if claim.attested { ", attested" } else { "" };
        let id = encode_hex(&claim.tx_id);
        let text = format!("{id} by {} of {}{attested}", claim.claims, claim.quorum);
        facts.add_row(["transaction", &text]);
    }
    out.line(facts)?;
    Ok(Exit::Done)
}

fn signers(found: &SignersResponse, out: &mut Output) -> Result<Exit> {
    if out.is_json() {
        out.json(found)?;
        return Ok(Exit::Done);
    }
    out.line(format_args!(
        "{} of guardian set {} signed, {} have to",
        found.signed.len(),
        found.guardian_set_index,
        found.quorum
    ))?;
    out.line(guardians(&found.signed))?;
    out.line("missing:")?;
    out.line(guardians(&found.missing))?;
    Ok(Exit::Done)
}

/// Lays guardians out.
pub(super) fn guardians(guardians: &[Guardian]) -> Table {
    let mut table = table(["index", "guardian"]);
    for guardian in guardians {
        table.add_row([guardian.index.to_string(), guardian.address.clone()]);
    }
    table
}
