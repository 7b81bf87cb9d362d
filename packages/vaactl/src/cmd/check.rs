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

#[cfg(test)]
mod tests {
    use cosmwasm_std::testing::{message_info, mock_dependencies, mock_env};
    use vaa_registry::contract::{execute, instantiate};
    use vaa_registry::msg::{ExecuteMsg, GuardianSetInit};
    use wormhole_vaa::{Address, Body, SecretKey, Vaa};

    use super::*;
    use crate::cmd::init::beginning;

    /// Every key of a message, taken away on its own, is missed.
    #[test]
    fn whatever_is_missing_is_told() {
        let mut deps = mock_dependencies();
        let info = message_info(&deps.api.addr_make("anybody"), &[]);
        let key = SecretKey::from_bytes(&[1; 32]).unwrap();
        let sets = vec![GuardianSetInit {
            index: 0,
            addresses: vec![key.address().to_hex()],
            expires_at: None,
        }];
        let (_, msg) = beginning(None, false, 3104, sets);
        instantiate(deps.as_mut(), mock_env(), info.clone(), msg).unwrap();
        let keys = |storage: &dyn Storage| -> Vec<Vec<u8>> {
            let all = storage.range(None, None, Order::Ascending);
            all.map(|(key, _)| key).collect()
        };
        let before = keys(&deps.storage);
        let body = Body {
            timestamp: 1_700_000_000,
            nonce: 1,
            emitter_chain: 2,
            emitter_address: Address([7; 32]),
            sequence: 9,
            consistency_level: 1,
            payload: vec![1],
        };
        let vaa = Vaa {
            guardian_set_index: 0,
            signatures: vec![key.sign(&body.digest(), 0)],
            body,
        };
        let submit = ExecuteMsg::SubmitVaas {
            vaas: vec![vaa.serialize().unwrap().into()],
            on_invalid: None,
        };
        execute(deps.as_mut(), mock_env(), info, submit).unwrap();
        assert_eq!(faults(&deps.storage, 9).unwrap(), [] as [Value; 0]);
        let written: Vec<_> = keys(&deps.storage)
            .into_iter()
            .filter(|key| !before.contains(key))
            .collect();
        assert!(written.len() > 9);
        for key in written {
            let value = deps.storage.get(&key).unwrap();
            deps.storage.remove(&key);
            assert!(!faults(&deps.storage, 9).unwrap().is_empty(), "{key:?}");
            assert_eq!(faults(&deps.storage, 1).unwrap().len(), 1);
            deps.storage.set(&key, &value);
        }
    }
}
