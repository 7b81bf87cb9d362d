use std::collections::BTreeMap;

use anyhow::Result;
use cosmwasm_std::Binary;
use serde::Serialize;
use vaa_registry::Refusal;
use vaa_registry::msg::{GuardianSetInit, ItemError, QueryMsg, VerifyResponse};
use wormhole_vaa::{GuardianSet, K256Recover, VaaRef, examine_signatures};

use super::{Exit, open_inputs};
use crate::backend::Backend;
use crate::cli::{Global, Verify};
use crate::input::Item;
use crate::network::{guardian_set, sets_of_file};
use crate::output::Output;
use crate::registry;

pub(super) fn run(global: &Global, args: &Verify, out: &mut Output) -> Result<Exit> {
    let inputs = open_inputs(&args.inputs)?;
    let verifier = Verifier::new(global, args)?;
    let mut exit = Exit::Done;
    let mut seen = false;
    for item in inputs.into_iter().flatten() {
        let item = item?;
        seen = true;
        let verdict = verifier.verify(&item)?;
        if !verdict.valid {
            exit = Exit::Refused;
        }
        if out.is_json() {
            out.json(&verdict)?;
        } else {
            let id = verdict.id.as_deref().unwrap_or("no VAA");
            out.line(format_args!("{}: {id}: {}", item.place, verdict.words()))?;
        }
    }
    anyhow::ensure!(seen, super::NO_INPUT);
    Ok(exit)
}

/// Says whether a VAA is good, and every reason why not.
#[derive(Serialize)]
struct Verdict {
    id: Option<String>,
    digest: Option<String>,
    guardian_set_index: Option<u32>,
    valid: bool,
    errors: Vec<ItemError>,
}

impl Verdict {
    fn words(&self) -> String {
        match (self.valid, self.guardian_set_index) {
            (true, Some(set)) => format!("valid under guardian set {set}"),
            _ => {
                let reasons: Vec<_> = self.errors.iter().map(|e| e.message.as_str()).collect();
                format!("not valid: {}", reasons.join("; "))
            }
        }
    }

    fn unreadable(reason: &str) -> Self {
        let error = ItemError {
            code: "E101".into(),
            message: format!("{reason} [E101]"),
        };
        Self {
            id: None,
            digest: None,
            guardian_set_index: None,
            valid: false,
            errors: vec![error],
        }
    }
}

enum Verifier {
    /// Against known sets; expiry is a matter of a registry's time, so it plays no part.
    Offline(BTreeMap<u32, GuardianSet>),
    Registry(Box<dyn Backend>),
}

impl Verifier {
    fn new(global: &Global, args: &Verify) -> Result<Self> {
        let sets: Vec<GuardianSetInit> = match (args.network, &args.guardian_sets) {
            (Some(network), _) => network
                .sets()?
                .into_iter()
                .map(|set| set.into_init())
                .collect(),
            (None, Some(file)) => sets_of_file(file)?,
            (None, None) => {
                return Ok(Self::Registry(registry::connect(global)?));
            }
        };
        let sets = sets
            .iter()
            .map(|set| Ok((set.index, guardian_set(set)?)))
            .collect::<Result<_>>()?;
        Ok(Self::Offline(sets))
    }

    fn verify(&self, item: &Item) -> Result<Verdict> {
        let bytes = match &item.bytes {
            Ok(bytes) => bytes,
            Err(reason) => return Ok(Verdict::unreadable(reason)),
        };
        match self {
            Self::Offline(sets) => Ok(offline(sets, bytes)),
            Self::Registry(backend) => {
                let msg = QueryMsg::Verify {
                    vaa: Binary::from(bytes.as_slice()),
                };
                let answer: VerifyResponse = registry::query(backend.as_ref(), &msg)?;
                Ok(Verdict {
                    id: answer.id,
                    digest: answer.digest,
                    guardian_set_index: answer.guardian_set_index,
                    valid: answer.valid,
                    errors: answer.errors,
                })
            }
        }
    }
}

fn offline(sets: &BTreeMap<u32, GuardianSet>, bytes: &[u8]) -> Verdict {
    let vaa = match VaaRef::parse(bytes) {
        Ok(vaa) => vaa,
        Err(error) => {
            let errors = vec![ItemError::from(&Refusal::from(error))];
            return Verdict {
                id: None,
                digest: None,
                guardian_set_index: None,
                valid: false,
                errors,
            };
        }
    };
    let (index, digest) = (vaa.guardian_set_index, vaa.digest());
    let refusals: Vec<Refusal> = match sets.get(&index) {
        None => vec![Refusal::UnknownGuardianSet { index }],
        Some(set) => examine_signatures(&K256Recover, set, &digest, &vaa.signatures())
            .into_iter()
            .map(Refusal::from)
            .collect(),
    };
    Verdict {
        id: Some(vaa.id().to_string()),
        digest: Some(digest.to_hex()),
        guardian_set_index: Some(index),
        valid: refusals.is_empty(),
        errors: refusals.iter().map(ItemError::from).collect(),
    }
}
