use anyhow::Result;
use cosmwasm_std::{Binary, Order, Storage};
use cw_orm::{CheckReport, Families, OrmError};
use serde_json::{Value, json};
use vaa_registry::state::{
    Admin, Config, Conflict, Emitter, FurtherDigest, GuardianSetEntry, Import, Layout, Message,
    Observation, Owed, PendingBody, PruneCursor, Publication, Publisher, Registered, Superseded,
    TxClaim, TxMessage, Undecided,
};

use super::Exit;
use crate::cli::{Check, Global};
use crate::output::Output;
use crate::registry;

/// How many rows and entries one step looks at.
const BUDGET: u32 = 1_000;

/// Tells every fault in a line.
pub(super) fn run(global: &Global, args: &Check, out: &mut Output) -> Result<Exit> {
    let chain = registry::open(&global.home, global.time)?;
    let faults = chain.with_storage(|storage| faults(storage, args.limit))??;
    for fault in &faults {
        if out.is_json() {
            out.json(fault)?;
        } else {
            out.line(fault["text"].as_str().unwrap_or_default())?;
        }
    }
    if faults.is_empty() {
        if !out.is_json() {
            out.line("rows, indexes, totals and digests agree")?;
        }
        return Ok(Exit::Done);
    }
    Ok(Exit::Refused)
}

fn faults(storage: &dyn Storage, limit: u64) -> Result<Vec<Value>> {
    let messages = Config::load(storage)?.messages();
    let mut found = Found {
        faults: Vec::new(),
        limit: usize::try_from(limit).unwrap_or(usize::MAX),
    };
    macro_rules! check {
        ($($table:expr),* $(,)?) => {
            $(found.table(&|key| $table.check(storage, key, BUDGET))?;)*
        };
    }
    check!(
        Admin::TABLE,
        Config::TABLE,
        Conflict::TABLE,
        Emitter::TABLE,
        FurtherDigest::TABLE,
        GuardianSetEntry::TABLE,
        Import::TABLE,
        Layout::TABLE,
        messages,
        Observation::TABLE,
        Owed::TABLE,
        PendingBody::TABLE,
        PruneCursor::TABLE,
        Publication::TABLE,
        Publisher::TABLE,
        Registered::TABLE,
        Superseded::TABLE,
        TxClaim::TABLE,
        TxMessage::TABLE,
        Undecided::TABLE,
    );
    found.digests(storage)?;
    Ok(found.faults)
}

struct Found {
    faults: Vec<Value>,
    limit: usize,
}

impl Found {
    /// Checks a table, step after step.
    fn table(
        &mut self,
        step: &dyn Fn(Option<&Binary>) -> Result<CheckReport, OrmError>,
    ) -> Result<()> {
        let mut key = None;
        while self.faults.len() < self.limit {
            let report = step(key.as_ref())?;
            let left = self.limit.saturating_sub(self.faults.len());
            for fault in report.faults.iter().take(left) {
                self.faults
                    .push(json!({"fault": fault, "text": fault.to_string()}));
            }
            key = report.next_key;
            if key.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Checks that each message is found by its digest, and each digest leads to its message. What cannot be read is told
    /// by the table's own check.
    fn digests(&mut self, storage: &dyn Storage) -> Result<()> {
        for row in Registered::TABLE.all().rows(storage, Order::Ascending) {
            if self.faults.len() >= self.limit {
                return Ok(());
            }
            let Ok(row) = row else { continue };
            let message = Message::TABLE.get(
                storage,
                &(
                    cw_orm::CompactUint64(row.emitter),
                    cw_orm::CompactUint64(row.sequence),
                ),
                Families::ALL,
            );
            let emitter = Emitter::of_number(storage, row.emitter);
            let found = match (message, emitter) {
                (Ok(Some(message)), Ok(emitter)) => message
                    .publication
                    .map(|publication| publication.digest(&emitter.id(row.sequence))),
                _ => None,
            };
            let digest = wormhole_vaa::Digest(row.digest);
            if found != Some(digest) {
                let text = format!("digest {digest} does not lead to a message with it");
                self.faults
                    .push(json!({"fault": {"digest": digest.to_string()}, "text": text}));
            }
        }
        for row in Message::TABLE
            .all(Message::PUBLICATION)
            .rows(storage, Order::Ascending)
        {
            if self.faults.len() >= self.limit {
                return Ok(());
            }
            let Ok(Message {
                emitter,
                sequence,
                publication: Some(publication),
                ..
            }) = row
            else {
                continue;
            };
            let Ok(of) = Emitter::of_number(storage, emitter.0) else {
                continue;
            };
            let id = of.id(sequence.0);
            let digest = publication.digest(&id);
            if Registered::find(storage, &digest).ok().flatten() != Some((emitter, sequence)) {
                let text = format!("message {id} is not found by its digest {digest}");
                self.faults
                    .push(json!({"fault": {"message": id.to_string()}, "text": text}));
            }
        }
        Ok(())
    }
}
