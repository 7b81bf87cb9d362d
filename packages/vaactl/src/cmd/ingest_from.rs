use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::Result;
use vaa_registry::msg::OutcomeKind;

use super::Exit;
use super::ingest::{Batch, Run, report};
use crate::backend::Backend;
use crate::cli::{Api, FromArgs, Global, Ingest};
use crate::input::{Item, Place};
use crate::output::Output;
use crate::progress::Measure;
use crate::registry;
use crate::remote::{Client, Cursor, Emitter, Fetched, Guardian, Patience, Scan};

pub(super) fn run(global: &Global, args: &Ingest, url: &str, out: &mut Output) -> Result<Exit> {
    let from = &args.from;
    let patience = if from.follow {
        Patience::Endless
    } else {
        Patience::Retries(from.retries)
    };
    let client = Client::new(url, patience)?;
    let mut cursor = Cursor::open(from.cursor.as_deref(), client.url())?;
    let sources = sources(from);
    let mut backend = registry::connect_to_write(global)?;
    let mut run = Run::start(backend.as_ref(), Measure::Unknown)?;
    let result = loop {
        let round = sources.iter().try_fold(0_u64, |new, source| {
            let found = source.round(&client, &mut cursor, &mut |fetched| {
                submit(backend.as_mut(), &mut run, fetched, out)
            })?;
            anyhow::Ok(new.saturating_add(found))
        });
        match round {
            Err(error) => break Err(error),
            // Another round, since what came in meanwhile may have moved what was read.
            Ok(1..) => {}
            Ok(0) if !from.follow => break Ok(()),
            Ok(0) => {
                let pause = Duration::from_secs(from.interval);
                match rest(global, backend, pause) {
                    Ok(next) => backend = next,
                    Err(error) => break Err(error),
                }
            }
        }
    };
    run.end(result, args, out)
}

/// Lets go of an embedded registry for a while, so that other commands can use it, and so that its time goes on.
fn rest(global: &Global, backend: Box<dyn Backend>, pause: Duration) -> Result<Box<dyn Backend>> {
    if global.node.url.is_some() {
        std::thread::sleep(pause);
        return Ok(backend);
    }
    drop(backend);
    std::thread::sleep(pause);
    registry::connect_when_free(global)
}

enum Source {
    Scan(Scan),
    Guardian(Guardian),
}

/// How many VAAs of a guardian are handed on together.
const GUARDIAN_BATCH: usize = 50;

fn sources(from: &FromArgs) -> Vec<Source> {
    let emitters: BTreeSet<Emitter> = from.emitters.iter().copied().collect();
    match from.api {
        Api::Guardian => emitters
            .into_iter()
            .map(|emitter| Source::Guardian(Guardian::new(emitter, GUARDIAN_BATCH)))
            .collect(),
        Api::Scan if emitters.is_empty() => vec![Source::Scan(Scan::new(None, from.page_size))],
        Api::Scan => emitters
            .into_iter()
            .map(|emitter| Source::Scan(Scan::new(Some(emitter), from.page_size)))
            .collect(),
    }
}

impl Source {
    /// Hands on what is new, keeps how far it came, and returns how much was new to the registry.
    fn round(
        &self,
        client: &Client,
        cursor: &mut Cursor,
        submit: &mut dyn FnMut(Vec<Fetched>) -> Result<u64>,
    ) -> Result<u64> {
        let mut new = 0_u64;
        match self {
            Self::Scan(scan) => {
                let name = scan.name();
                scan.round(client, cursor.list(&name), |fetched, place| {
                    new = new.saturating_add(submit(fetched)?);
                    anyhow::Ok(cursor.set_list(&name, place.clone())?)
                })?;
            }
            Self::Guardian(guardian) => {
                let name = guardian.name();
                guardian.round(client, cursor.emitter(&name), |fetched, place| {
                    new = new.saturating_add(submit(fetched)?);
                    anyhow::Ok(cursor.set_emitter(&name, place.clone())?)
                })?;
            }
        }
        Ok(new)
    }
}

/// Submits what was fetched, and returns how much was new to the registry.
fn submit(
    backend: &mut dyn Backend,
    run: &mut Run,
    fetched: Vec<Fetched>,
    out: &mut Output,
) -> Result<u64> {
    let mut new = 0_u64;
    let mut batch = Batch::default();
    let mut fetched = fetched.into_iter().peekable();
    while let Some(Fetched { id, vaa }) = fetched.next() {
        batch.push(Item {
            place: Place {
                file: id.to_string().into(),
                line: None,
            },
            bytes: Ok(vaa),
        });
        if batch.is_full(run) || fetched.peek().is_none() {
            let items = std::mem::take(&mut batch).items;
            let outcomes = run.submit(backend, &items, 0)?;
            report(&outcomes, out)?;
            let of_new = outcomes.iter().filter(|outcome| {
                matches!(outcome.outcome, OutcomeKind::Stored | OutcomeKind::Resigned)
            });
            new = new.saturating_add(of_new.count() as u64);
        }
    }
    Ok(new)
}
