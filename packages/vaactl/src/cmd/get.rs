use anyhow::{Result, bail};
use vaa_registry::msg::{Governance, MessageQueryResponse, MessageResponse, QueryMsg};

use super::Exit;
use super::summary::chain_label;
use crate::cli::{Get, Global, Reference};
use crate::output::{Output, table, utc};
use crate::registry;

pub(super) fn run(global: &Global, args: &Get, out: &mut Output) -> Result<Exit> {
    let backend = registry::connect(global)?;
    let msg = match args.message {
        Reference::Id(id) => QueryMsg::Message {
            id: id.to_string(),
            families: None,
        },
        Reference::Digest(digest) => QueryMsg::MessageByDigest {
            digest: digest.to_hex(),
            families: None,
        },
    };
    let answer: MessageQueryResponse = registry::query(backend.as_ref(), &msg)?;
    let Some(message) = answer.message else {
        match args.message {
            Reference::Id(id) => bail!("message {id} is not registered"),
            Reference::Digest(digest) => bail!("no message with digest {digest} is registered"),
        }
    };
    if out.is_json() {
        out.json(&message)?;
    } else {
        print(&message, out)?;
    }
    Ok(Exit::Done)
}

/// Returns a decision in words.
pub(super) fn decision(governance: &Governance) -> String {
    match governance {
        Governance::Applied(index) => format!("applied: guardian set {index}"),
        Governance::NotApplied(reason) => format!("not applied: {reason}"),
    }
}

fn print(message: &MessageResponse, out: &mut Output) -> Result<()> {
    let mut table = table(["message", message.id.as_str()]);
    let mut row = |name: &str, value: String| {
        table.add_row([name, &value]);
    };
    row("chain", chain_label(message.emitter_chain));
    row("emitter", message.emitter_address.clone());
    row("sequence", message.sequence.to_string());
    if let Some(publication) = &message.message_publication {
        row("digest", publication.digest.clone());
        let time = u64::from(publication.timestamp);
        row("timestamp", format!("{time} ({})", utc(time)));
        row("nonce", publication.nonce.to_string());
        row(
            "consistency level",
            publication.consistency_level.to_string(),
        );
        row(
            "first guardian set",
            publication.guardian_set_index.to_string(),
        );
        let payload = wormhole_vaa::encode_hex(&publication.payload);
        row("payload", format!("{} bytes", publication.payload.len()));
        for line in payload.as_bytes().chunks(64) {
            row("", String::from_utf8_lossy(line).into_owned());
        }
    }
    if let Some(quorum) = &message.quorum_state {
        row("signed by set", quorum.guardian_set_index.to_string());
        let signers: Vec<_> = quorum.signers.iter().map(u8::to_string).collect();
        row("guardians", signers.join(" "));
    }
    if let Some(status) = &message.status {
        for verification in &status.verifications {
            let time = utc(verification.time.u64());
            let now = if verification.valid_now {
                "valid now"
            } else {
                "expired since"
            };
            row(
                "verified",
                format!(
                    "under set {} at height {}, {time}, {now}",
                    verification.guardian_set_index, verification.height
                ),
            );
        }
        row(
            "conflict",
            if status.conflict { "yes" } else { "no" }.into(),
        );
        if let Some(governance) = &status.governance {
            row("governance", decision(governance));
        }
    }
    out.line(table)?;
    Ok(())
}
