use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use anyhow::{Context, Result, anyhow, bail, ensure};
use cosmwasm_std::Binary;
use vaa_registry::msg::{
    ConfigResponse, ExecuteMsg, GuardianSetResponse, Observation, ObservationDomainResponse,
    ObservationOutcome, ObservationOutcomeKind, QueryMsg, SubmitObservationsResponse,
};
use vaa_registry::observations_digest;
use wormhole_vaa::{BodyRef, Digest, SecretKey, VaaRef};

use super::{Exit, NO_INPUT};
use crate::backend::{Backend, BackendError, BackendExt};
use crate::cli::{Global, Observe};
use crate::input::Inputs;
use crate::output::{Output, table};
use crate::registry;

/// The environment variable that holds a guardian's secret key.
const KEY_VARIABLE: &str = "VAACTL_GUARDIAN_KEY";
/// The secret key of the one guardian of Wormhole's development network, which everybody knows.
const DEVNET_KEY: &str = "cfb12303a19cde580bb4dd771639b0d26bc68353645571a8cff516ab2ee113a0";

pub(super) fn run(global: &Global, args: &Observe, out: &mut Output) -> Result<Exit> {
    let mut backend = registry::open(&global.home, global.time)?;
    let batches = if args.signed {
        read_signed(&args.files)?
    } else {
        sign(&backend, args)?
    };
    if let Some(file) = &args.out {
        write_signed(file, &batches, out)?;
        return Ok(Exit::Done);
    }
    let mut outcomes = Vec::new();
    for batch in &batches {
        let data = backend.execute_msg(batch)?.data.unwrap_or_default();
        let answer: SubmitObservationsResponse =
            serde_json::from_slice(&data).map_err(|source| BackendError::Decode { source })?;
        outcomes.extend(answer.outcomes);
    }
    report(&outcomes, out)
}

/// Signs the bodies of the files as a guardian, in as many batches as it takes.
fn sign(backend: &dyn Backend, args: &Observe) -> Result<Vec<ExecuteMsg>> {
    let key = guardian_key(args)?;
    let tx_id = args.tx_id.as_ref().map(|tx_id| tx_id.0.clone());
    let tx_id = tx_id.context("--tx-id names no transaction")?;
    let bodies = read_bodies(args)?;
    let set: GuardianSetResponse = registry::query(
        backend,
        &QueryMsg::GuardianSet {
            index: args.guardian_set,
        },
    )?;
    let address = key.address().to_hex();
    let place = set.addresses.iter().position(|known| *known == address);
    let guardian_index = place
        .and_then(|place| u8::try_from(place).ok())
        .with_context(|| {
            format!(
                "{address}, whose key this is, is not in guardian set {}",
                set.index
            )
        })?;
    let domain: ObservationDomainResponse =
        registry::query(backend, &QueryMsg::ObservationDomain {})?;
    let config: ConfigResponse = registry::query(backend, &QueryMsg::Config {})?;
    let batch = usize::try_from(config.limits.batch)
        .unwrap_or(usize::MAX)
        .max(1);
    let observe = |body: &Vec<u8>| Observation {
        body: Binary::new(body.clone()),
        tx_id: Binary::new(tx_id.clone()),
        signature: signature(&key, &wormhole_vaa::digest(body)),
    };
    bodies
        .chunks(batch)
        .map(|bodies| {
            let list: Vec<Observation> = bodies.iter().map(observe).collect();
            let observations = serde_json::to_vec(&list)?;
            let digest = observations_digest(
                &domain.chain_id,
                &domain.contract,
                set.index,
                guardian_index,
                &observations,
            );
            let digest = digest.context("the chain id or the contract's address is too long")?;
            Ok(ExecuteMsg::SubmitObservations {
                guardian_set_index: set.index,
                guardian_index,
                observations: Binary::new(observations),
                signature: signature(&key, &digest),
                on_invalid: None,
            })
        })
        .collect()
}

/// Signs as observations carry it: without the guardian's index.
fn signature(key: &SecretKey, digest: &Digest) -> Binary {
    let [_, bytes @ ..] = key.sign(digest, 0).to_bytes();
    Binary::new(bytes.to_vec())
}

/// Returns the guardian's key; an error never tells what it read.
fn guardian_key(args: &Observe) -> Result<SecretKey> {
    let (text, from) = if args.devnet_key {
        (
            DEVNET_KEY.to_owned(),
            "the development network's key".to_owned(),
        )
    } else if let Some(file) = &args.key_file {
        let name = format!("`{}`", file.display());
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        (text, name)
    } else {
        match std::env::var(KEY_VARIABLE) {
            Ok(text) => (text, KEY_VARIABLE.to_owned()),
            Err(_) => {
                bail!("there is no key: give --key-file or --devnet-key, or set {KEY_VARIABLE}")
            }
        }
    };
    SecretKey::from_hex(text.trim())
        .map_err(|_| anyhow!("{from} is no secret key, which is 64 hex digits"))
}

/// Reads the bodies of the files, and refuses what is none before anything is signed.
fn read_bodies(args: &Observe) -> Result<Vec<Vec<u8>>> {
    let mut bodies = Vec::new();
    for item in Inputs::open(&args.files)? {
        let item = item?;
        let bytes = item
            .bytes
            .map_err(|reason| anyhow!("{}: {reason}", item.place))?;
        let body = if args.bodies {
            BodyRef::parse(&bytes).map(|body| body.raw().to_vec())
        } else {
            VaaRef::parse(&bytes).map(|vaa| vaa.body.raw().to_vec())
        };
        bodies.push(body.with_context(|| item.place.to_string())?);
    }
    ensure!(!bodies.is_empty(), NO_INPUT);
    Ok(bodies)
}

/// Reads batches that were signed before, a message a line.
fn read_signed(files: &[String]) -> Result<Vec<ExecuteMsg>> {
    let mut batches = Vec::new();
    for file in files {
        let reader: Box<dyn BufRead> = if file == "-" {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let handle = File::open(file).with_context(|| format!("cannot open `{file}`"))?;
            Box::new(BufReader::new(handle))
        };
        for (number, line) in (1_u64..).zip(reader.lines()) {
            let place = || format!("`{file}` line {number}");
            let line = line.with_context(place)?;
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str(&line).with_context(place)? {
                batch @ ExecuteMsg::SubmitObservations { .. } => batches.push(batch),
                _ => bail!("{}: not a signed batch of observations", place()),
            }
        }
    }
    ensure!(!batches.is_empty(), "there is no signed batch in the input");
    Ok(batches)
}

/// Writes signed batches, a message a line.
fn write_signed(file: &std::path::Path, batches: &[ExecuteMsg], out: &mut Output) -> Result<()> {
    if file.as_os_str() == "-" {
        batches.iter().try_for_each(|batch| out.json(batch))?;
        return Ok(out.flush()?);
    }
    let mut text = Vec::new();
    for batch in batches {
        serde_json::to_writer(&mut text, batch)?;
        text.push(b'\n');
    }
    let name = file.display();
    let mut handle = File::create(file).with_context(|| format!("cannot create `{name}`"))?;
    handle
        .write_all(&text)
        .with_context(|| format!("cannot write `{name}`"))
}

fn report(outcomes: &[ObservationOutcome], out: &mut Output) -> Result<Exit> {
    let mut table = table(["id", "outcome", "signatures"]);
    for outcome in outcomes {
        if out.is_json() {
            out.json(outcome)?;
            continue;
        }
        let progress = outcome.signatures.zip(outcome.quorum);
        let what = match &outcome.error {
            Some(error) => format!("refused: {}", error.message),
            None => outcome.outcome.as_str().to_owned(),
        };
        table.add_row([
            outcome.id.clone().unwrap_or_default(),
            what,
            progress.map_or(String::new(), |(now, all)| format!("{now}/{all}")),
        ]);
    }
    if !out.is_json() {
        out.line(table)?;
    }
    out.flush()?;
    let refused = |outcome: &ObservationOutcome| outcome.outcome == ObservationOutcomeKind::Refused;
    Ok(if outcomes.iter().any(refused) {
        Exit::Refused
    } else {
        Exit::Done
    })
}
