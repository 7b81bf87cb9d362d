use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use cosmwasm_std::Timestamp;
use cw_orm::PageRequest;
use vaa_registry::msg::{
    FamilySelection, Governance, MessageResponse, MessagesResponse, QueryMsg, VaaOutcome,
};
use wormhole_vaa::{GuardianSetUpgrade, VaaRef, is_governance};

use super::ingest::{Batch, Run, report};
use super::init::beginning;
use super::{Exit, NO_INPUT};
use crate::backend::embedded::{Embedded, StoreConfig, StoreError};
use crate::cli::{Global, Ingest};
use crate::input::{Inputs, Item};
use crate::network::Network;
use crate::output::Output;
use crate::progress::{Measure, Progress};
use crate::registry;

/// Wormhole chain id of the chain that a replayed registry stands for.
const THIS_CHAIN: u16 = 3104;

/// Replays history: the rows of each guardian set at the time when it was live.
pub(super) fn run(global: &Global, args: &Ingest, out: &mut Output) -> Result<Exit> {
    // Nothing is made or stored before the whole input is known to be readable.
    let rows = read(&args.files)?;
    let mut backend = open_or_create(global)?;
    let mut replay = Replay::new(&backend)?;
    let mut run = Run::start(&backend, Measure::Vaas(rows.len() as u64))?;
    let mut outcomes: Vec<Option<VaaOutcome>> = rows.iter().map(|_| None).collect();
    let result = replay.all(&mut backend, rows, &mut run, &mut outcomes);
    // The answers stand in the order of the input, also those before a failure.
    let reported = report(&outcomes.into_iter().flatten().collect::<Vec<_>>(), out);
    run.end(result.and(reported), args, out)
}

/// Holds a VAA, and where it belongs in history.
struct Row {
    /// Its number in the input.
    number: usize,
    item: Item,
    /// The guardian set that it names; none if it is no VAA.
    set: Option<u32>,
    /// Its body timestamp, if it is laid out as the upgrade to the next set.
    upgrade: Option<u32>,
}

impl Row {
    fn new(number: usize, item: Item) -> Self {
        let vaa = item
            .bytes
            .as_deref()
            .ok()
            .and_then(|bytes| VaaRef::parse(bytes).ok());
        let set = vaa.map(|vaa| vaa.guardian_set_index);
        let upgrade = vaa.and_then(upgrade_of);
        Self {
            number,
            item,
            set,
            upgrade,
        }
    }
}

/// Returns the body timestamp of a VAA that is the upgrade to the set after the one that signed it.
fn upgrade_of(vaa: VaaRef<'_>) -> Option<u32> {
    if !is_governance(&vaa.id()) {
        return None;
    }
    let new_index = GuardianSetUpgrade::parse(vaa.body.payload).ok()?.new_index;
    (vaa.guardian_set_index.checked_add(1) == Some(new_index)).then_some(vaa.body.timestamp)
}

/// Reads all VAAs, and sorts them by guardian set, the upgrade to the next set last.
fn read(files: &[String]) -> Result<Vec<Row>> {
    let mut inputs = Inputs::open(files)?;
    let measure = inputs
        .total_bytes()
        .map_or(Measure::Unknown, Measure::Bytes);
    let mut progress = Progress::start(measure);
    let mut rows = Vec::new();
    while let Some(item) = inputs.next() {
        rows.push(Row::new(rows.len(), item?));
        progress.advance(1, inputs.read_bytes());
    }
    progress.finish();
    ensure!(!rows.is_empty(), NO_INPUT);
    rows.sort_by_key(|row| (row.set, row.upgrade.is_some()));
    Ok(rows)
}

fn open_or_create(global: &Global) -> Result<Embedded> {
    let home = &global.home;
    match registry::open(home, Some(0)) {
        Ok(backend) => {
            let StoreConfig { replay, .. } = backend.config();
            if !replay {
                bail!(
                    "the registry in `{}` does not follow history: --replay needs one of its own",
                    home.display()
                );
            }
            Ok(backend)
        }
        Err(StoreError::NoHome { .. } | StoreError::NoRegistry { .. }) => {
            let first = Network::Mainnet.set(Some(0))?;
            let time = first_time()?;
            let sets = vec![first.into_init()];
            let (config, msg) = beginning(Some(Network::Mainnet), true, THIS_CHAIN, sets);
            registry::create(home, time, config, &msg)
                .with_context(|| format!("cannot create a registry in `{}`", home.display()))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the time of set 0, that of the first upgrade. Known beforehand: a row of the input proves nothing before it
/// is verified, and time never goes back.
fn first_time() -> Result<Timestamp> {
    let first = Network::Mainnet.set(Some(0))?;
    Ok(Timestamp::from_seconds(first.live_from.unwrap_or_default()))
}

/// Leads the time of a registry through history.
struct Replay {
    /// The body timestamp of the upgrade that introduced each guardian set.
    introduced: BTreeMap<u32, Timestamp>,
}

impl Replay {
    /// Learns from the registry when its sets were introduced.
    fn new(backend: &Embedded) -> Result<Self> {
        let mut introduced = BTreeMap::from([(0, first_time()?)]);
        let config = backend.config();
        let families = FamilySelection {
            message_publication: true,
            quorum_state: false,
            status: true,
        };
        registry::pages(
            backend,
            PageRequest::default(),
            None,
            |page| QueryMsg::MessagesByEmitter {
                chain: config.governance_chain,
                emitter: config.governance_emitter.clone(),
                page: Some(page),
                families: Some(families),
                filter: None,
            },
            |answer: MessagesResponse| (answer.messages, answer.page),
            |message: MessageResponse| {
                let decision = message.status.and_then(|status| status.governance);
                if let (Some(Governance::Applied(index)), Some(publication)) =
                    (decision, message.message_publication)
                {
                    let seconds = u64::from(publication.timestamp);
                    introduced.insert(index, Timestamp::from_seconds(seconds));
                }
                Ok(())
            },
        )?;
        Ok(Self { introduced })
    }

    fn all(
        &mut self,
        backend: &mut Embedded,
        rows: Vec<Row>,
        run: &mut Run,
        outcomes: &mut [Option<VaaOutcome>],
    ) -> Result<()> {
        let mut rows = rows.into_iter().peekable();
        while let Some(set) = rows.peek().map(|row| row.set) {
            if let Some(time) = set.and_then(|set| self.introduced.get(&set)) {
                backend.set_time(*time);
            }
            let (mut batch, mut numbers, mut upgrades) = (Batch::default(), Vec::new(), Vec::new());
            while !batch.is_full(run) {
                let Some(row) = rows.next_if(|row| row.set == set) else {
                    break;
                };
                numbers.push(row.number);
                upgrades.push(row.upgrade);
                batch.push(row.item);
            }
            let answers = run.submit(backend, &batch.items, 0)?;
            for ((number, upgrade), outcome) in numbers.into_iter().zip(upgrades).zip(answers) {
                if let (Some(Governance::Applied(index)), Some(timestamp)) =
                    (&outcome.governance, upgrade)
                {
                    let seconds = u64::from(timestamp);
                    self.introduced
                        .insert(*index, Timestamp::from_seconds(seconds));
                }
                if let Some(slot) = outcomes.get_mut(number) {
                    *slot = Some(outcome);
                }
            }
        }
        Ok(())
    }
}
