use anyhow::{Result, ensure};
use cosmwasm_std::Binary;
use vaa_registry::msg::{ConfigResponse, ItemError, OutcomeKind, QueryMsg, VaaOutcome};

use super::summary::Summary;
use super::{Exit, NO_INPUT};
use crate::backend::{Backend, TxReport};
use crate::cli::{Global, Ingest};
use crate::input::{Inputs, Item};
use crate::output::Output;
use crate::progress::{Measure, Progress};
use crate::registry;

/// The code of bytes that are no VAA, for text that has no bytes at all.
const NO_VAA: &str = "E101";

pub(super) fn run(global: &Global, args: &Ingest, out: &mut Output) -> Result<Exit> {
    let mut inputs = Inputs::open(&args.files)?;
    let mut backend = registry::connect_to_write(global)?;
    let measure = inputs
        .total_bytes()
        .map_or(Measure::Unknown, Measure::Bytes);
    let mut run = Run::start(backend.as_ref(), measure)?;
    let result = stream(backend.as_mut(), &mut inputs, &mut run, out);
    run.end(result, args, out)
}

fn stream(
    backend: &mut dyn Backend,
    inputs: &mut Inputs,
    run: &mut Run,
    out: &mut Output,
) -> Result<()> {
    let mut batch = Batch::default();
    let failure = loop {
        let next = match inputs.next() {
            Some(Ok(item)) => Some(item),
            Some(Err(error)) => break Some(error),
            None => None,
        };
        let last = next.is_none();
        if let Some(item) = next {
            batch.push(item);
        }
        if batch.is_full(run) || (last && !batch.items.is_empty()) {
            let items = std::mem::take(&mut batch).items;
            let outcomes = run.submit(backend, &items, inputs.read_bytes())?;
            report(&outcomes, out)?;
        }
        if last {
            break None;
        }
    };
    match failure {
        // What stands before a bad line is good; a second run after mending it goes on from there.
        Some(error) => {
            let outcomes = run.submit(backend, &batch.items, inputs.read_bytes())?;
            report(&outcomes, out)?;
            Err(error.into())
        }
        None => Ok(()),
    }
}

/// Writes a line of JSON for each outcome, if programs read them.
pub(super) fn report(outcomes: &[VaaOutcome], out: &mut Output) -> Result<()> {
    if out.is_json() {
        outcomes.iter().try_for_each(|outcome| out.json(outcome))?;
        out.flush()?;
    }
    Ok(())
}

/// Gathers the VAAs of one call.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) items: Vec<Item>,
    bytes: usize,
}

impl Batch {
    pub(super) fn push(&mut self, item: Item) {
        let len = item.bytes.as_ref().map_or(0, Vec::len);
        self.bytes = self.bytes.saturating_add(len);
        self.items.push(item);
    }

    pub(super) fn is_full(&self, run: &Run) -> bool {
        self.items.len() >= run.batch || self.bytes >= run.bytes
    }
}

/// Accompanies an ingestion: submits, counts, shows progress, sums up.
pub(super) struct Run {
    /// How many VAAs go into one call.
    batch: usize,
    /// How many of their bytes.
    bytes: usize,
    /// Whether calls are paid for.
    paid: bool,
    progress: Progress,
    summary: Summary,
}

impl Run {
    pub(super) fn start(backend: &dyn Backend, measure: Measure) -> Result<Self> {
        let config: ConfigResponse = registry::query(backend, &QueryMsg::Config {})?;
        Ok(Self {
            batch: usize::try_from(config.limits.batch)
                .unwrap_or(usize::MAX)
                .max(1),
            bytes: backend.limits().bytes,
            paid: backend.limits().paid,
            progress: Progress::start(measure),
            summary: Summary::default(),
        })
    }

    /// Submits items in one call, and returns what became of each.
    pub(super) fn submit(
        &mut self,
        backend: &mut dyn Backend,
        items: &[Item],
        read_bytes: u64,
    ) -> Result<Vec<VaaOutcome>> {
        let vaas: Vec<Binary> = items
            .iter()
            .filter_map(|item| item.bytes.as_deref().ok().map(Binary::from))
            .collect();
        let answers = self.answers(backend, vaas)?;
        let mut answers = answers.into_iter();
        let outcomes: Vec<VaaOutcome> = items
            .iter()
            .filter_map(|item| match &item.bytes {
                Ok(_) => answers.next(),
                Err(reason) => Some(no_bytes(reason)),
            })
            .collect();
        for (item, outcome) in items.iter().zip(&outcomes) {
            if let Some(note) = self.summary.count(item, outcome) {
                self.progress.note(&note);
            }
        }
        self.progress.advance(outcomes.len() as u64, read_bytes);
        Ok(outcomes)
    }

    /// Submits VAAs, but for those that are known where calls are paid for.
    fn answers(&self, backend: &mut dyn Backend, vaas: Vec<Binary>) -> Result<Vec<VaaOutcome>> {
        let known = if self.paid {
            registry::known(backend, &vaas)?
        } else {
            vec![None; vaas.len()]
        };
        let new: Vec<Binary> = vaas
            .into_iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none())
            .map(|(vaa, _)| vaa)
            .collect();
        let submitted = if new.is_empty() {
            Vec::new()
        } else {
            registry::submit(backend, new, &mut |tx| {
                let TxReport { hash, gas_used, .. } = tx;
                self.progress
                    .note(&format!("transaction {hash}: {gas_used} gas"));
            })?
        };
        let mut submitted = submitted.into_iter();
        let answers = known
            .into_iter()
            .map(|known| known.or_else(|| submitted.next()));
        Ok(answers.flatten().collect())
    }

    /// Sums up, also what was done before a failure.
    pub(super) fn end(self, result: Result<()>, args: &Ingest, out: &mut Output) -> Result<Exit> {
        self.progress.finish();
        if !self.summary.is_empty() {
            let text = self.summary.to_string();
            if out.is_json() {
                eprintln!("{text}");
            } else {
                out.line(text)?;
                out.flush()?;
            }
        }
        result?;
        // A server may have nothing new.
        ensure!(
            !self.summary.is_empty() || args.from.url.is_some(),
            NO_INPUT
        );
        Ok(if self.summary.refused() > 0 {
            Exit::Refused
        } else if args.strict && self.summary.conflicts() > 0 {
            Exit::Conflict
        } else {
            Exit::Done
        })
    }
}

fn no_bytes(reason: &str) -> VaaOutcome {
    VaaOutcome {
        id: None,
        digest: None,
        outcome: OutcomeKind::Refused,
        governance: None,
        error: Some(ItemError {
            code: NO_VAA.into(),
            message: format!("{reason} [{NO_VAA}]"),
        }),
    }
}
