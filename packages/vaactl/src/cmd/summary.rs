use std::collections::BTreeMap;
use std::fmt;

use vaa_registry::msg::{Governance, OutcomeKind, VaaOutcome};
use wormhole_vaa::{VaaRef, chain_name};

use crate::input::{Item, Place};
use crate::output::table;

/// How many refusals and conflicts are told one by one.
const MOST_NOTES: u64 = 20;

/// Counts what became of VAAs, by chain and by guardian set.
#[derive(Debug, Default)]
pub(super) struct Summary {
    total: Counts,
    by_chain: BTreeMap<Option<u16>, Counts>,
    by_set: BTreeMap<Option<u32>, Counts>,
    refusals: BTreeMap<String, Refusals>,
    applied: Vec<u32>,
    notes: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    stored: u64,
    resigned: u64,
    already_registered: u64,
    conflict: u64,
    refused: u64,
}

impl Counts {
    fn add(&mut self, kind: OutcomeKind) {
        let count = match kind {
            OutcomeKind::Stored => &mut self.stored,
            OutcomeKind::Resigned => &mut self.resigned,
            OutcomeKind::AlreadyRegistered => &mut self.already_registered,
            OutcomeKind::Conflict => &mut self.conflict,
            OutcomeKind::Refused => &mut self.refused,
        };
        *count = count.saturating_add(1);
    }

    fn row(&self) -> [u64; 5] {
        [
            self.stored,
            self.resigned,
            self.already_registered,
            self.conflict,
            self.refused,
        ]
    }
}

#[derive(Debug)]
struct Refusals {
    count: u64,
    example: String,
    place: Place,
}

impl Summary {
    /// Counts an outcome, and returns a line about it if it deserves one.
    pub(super) fn count(&mut self, item: &Item, outcome: &VaaOutcome) -> Option<String> {
        let vaa = item
            .bytes
            .as_deref()
            .ok()
            .and_then(|bytes| VaaRef::parse(bytes).ok());
        let kind = outcome.outcome;
        self.total.add(kind);
        self.by_chain
            .entry(vaa.map(|vaa| vaa.body.emitter_chain))
            .or_default()
            .add(kind);
        self.by_set
            .entry(vaa.map(|vaa| vaa.guardian_set_index))
            .or_default()
            .add(kind);
        if let Some(Governance::Applied(index)) = outcome.governance {
            self.applied.push(index);
        }
        if let Some(error) = &outcome.error {
            let refusals = self
                .refusals
                .entry(error.code.clone())
                .or_insert_with(|| Refusals {
                    count: 0,
                    example: error.message.clone(),
                    place: item.place.clone(),
                });
            refusals.count = refusals.count.saturating_add(1);
        }
        let note = match (kind, &outcome.error, &outcome.id) {
            (_, Some(error), _) => format!("{}: refused: {}", item.place, error.message),
            (OutcomeKind::Conflict, _, Some(id)) => {
                format!(
                    "{}: warning: conflict: another message has the id {id}",
                    item.place
                )
            }
            _ => return None,
        };
        self.notes = self.notes.saturating_add(1);
        match self.notes.saturating_sub(MOST_NOTES) {
            0 => Some(note),
            1 => Some("further refusals and conflicts are counted, not told".into()),
            _ => None,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.total.row().iter().all(|count| *count == 0)
    }

    pub(super) fn refused(&self) -> u64 {
        self.total.refused
    }

    pub(super) fn conflicts(&self) -> u64 {
        self.total.conflict
    }
}

const KINDS: [&str; 5] = [
    "stored",
    "re-signed",
    "already registered",
    "conflict",
    "refused",
];

fn row(name: String, counts: &Counts) -> Vec<String> {
    std::iter::once(name)
        .chain(counts.row().iter().map(u64::to_string))
        .collect()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [stored, resigned, registered, conflict, refused] = KINDS;
        let mut chains = table(["chain", stored, resigned, registered, conflict, refused]);
        for (chain, counts) in &self.by_chain {
            let name = match chain {
                Some(chain) => chain_label(*chain),
                None => "not a VAA".into(),
            };
            chains.add_row(row(name, counts));
        }
        chains.add_row(row("all".into(), &self.total));
        writeln!(f, "{chains}")?;

        let mut sets = table([
            "guardian set",
            stored,
            resigned,
            registered,
            conflict,
            refused,
        ]);
        for (set, counts) in &self.by_set {
            let name = set.map_or_else(|| "not a VAA".into(), |set| set.to_string());
            sets.add_row(row(name, counts));
        }
        writeln!(f, "{sets}")?;

        if !self.refusals.is_empty() {
            let mut refusals = table(["code", "refused", "first", "because"]);
            for (
                code,
                Refusals {
                    count,
                    example,
                    place,
                },
            ) in &self.refusals
            {
                refusals.add_row([code, &count.to_string(), &place.to_string(), example]);
            }
            writeln!(f, "{refusals}")?;
        }
        if !self.applied.is_empty() {
            let sets: Vec<_> = self.applied.iter().map(u32::to_string).collect();
            writeln!(f, "guardian sets applied: {}", sets.join(", "))?;
        }
        let counts = self.total.row();
        let parts: Vec<_> = KINDS
            .iter()
            .zip(counts)
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        write!(f, "{}", parts.join(", "))
    }
}

/// Returns a chain's number, with its name where it has one.
pub(super) fn chain_label(chain: u16) -> String {
    match chain_name(chain) {
        Some(name) => format!("{chain} {name}"),
        None => chain.to_string(),
    }
}
