//! The walk over all that a table stores, and the place where it can be taken up again.

use cosmwasm_std::{Binary, Order, Storage, Uint64};
use serde::{Deserialize, Serialize};

use super::{CheckReport, Fault, wrong_sum};
use crate::{
    codec::{Codec, Postcard},
    cursor::Cursor,
    error::{OrmError, hex},
    namespace::Namespace,
    raw::{Source, Span},
    sequence::Sequence,
    shelf::{IndexFacts, Shelf, Shelves},
};

const PURPOSE: &[u8] = b"check";

/// A step ends when it has found so many faults.
const MAX_FAULTS: usize = 100;

/// How many sums are added up in one walk over the rows.
const SUMS: usize = 64;

/// A part of what a table stores.
enum Part<'a> {
    Rows(&'a dyn Shelf),
    Entries(&'a dyn Shelf, usize, IndexFacts),
    Sums(&'a dyn Shelf, usize, IndexFacts),
    Sequence(&'a Sequence, Namespace),
}

/// Is shown a key and its value, and reports.
type Look<'l> = dyn FnMut(&[u8], &[u8], &mut CheckReport) + 'l;

/// Where a check is; travels in the key of the next step.
#[derive(Default, Serialize, Deserialize)]
struct Place {
    /// The part.
    part: u32,
    /// The last key of it that was looked at.
    last: Option<Vec<u8>>,
    /// The sums that are being added up, and how far they have come.
    sums: Vec<(Vec<u8>, u64)>,
    /// Whether they are, rather than being gathered.
    adding: bool,
    /// The last row that was added.
    row: Option<Vec<u8>>,
}

struct Walk<'a> {
    table: &'static str,
    storage: &'a dyn Storage,
    left: u32,
    report: CheckReport,
}

/// Looks at the next `budget` rows and entries.
pub(super) fn check(
    shelves: &Shelves,
    storage: &dyn Storage,
    key: Option<&Binary>,
    budget: u32,
) -> Result<CheckReport, OrmError> {
    let table = shelves.table;
    if budget == 0 {
        return Err(OrmError::ZeroLimit { table });
    }
    let (order, scope) = (Order::Ascending, shelves.scope(PURPOSE));
    let mut place = match key.filter(|key| !key.is_empty()) {
        Some(key) => {
            let place = Cursor::open(key, scope, order, &|_| true)?;
            Postcard::decode(&place).map_err(|_| OrmError::MalformedCursor)?
        }
        None => Place::default(),
    };
    let mut walk = Walk {
        table,
        storage,
        left: budget,
        report: CheckReport::default(),
    };
    let parts = parts(shelves);
    let mut at = usize::try_from(place.part).unwrap_or(usize::MAX);
    while let Some(part) = parts.get(at) {
        if !walk.part(part, &mut place) {
            let bytes = Postcard::encode(&place).map_err(|_| OrmError::MalformedCursor)?;
            walk.report.next_key = Some(Cursor::seal(scope, order, &bytes));
            break;
        }
        at = at.saturating_add(1);
        place = Place {
            part: place.part.saturating_add(1),
            ..Place::default()
        };
    }
    Ok(walk.report)
}

fn parts(shelves: &Shelves) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for shelf in &shelves.shelves {
        let shelf = shelf.as_ref();
        parts.push(Part::Rows(shelf));
        for (position, index) in shelf.indexes().into_iter().enumerate() {
            parts.push(if index.sums {
                Part::Sums(shelf, position, index)
            } else {
                Part::Entries(shelf, position, index)
            });
        }
        if let Some(sequence) = &shelves.sequence {
            parts.push(Part::Sequence(sequence, shelf.meta().namespace));
        }
    }
    parts
}

impl<'a> Walk<'a> {
    /// Looks at a part, and says whether it has come to its end.
    fn part(&mut self, part: &Part<'_>, place: &mut Place) -> bool {
        match part {
            Part::Rows(shelf) => {
                let (storage, rows) = (self.storage, shelf.meta().namespace);
                self.each(rows, &mut place.last, &mut |key, value, report| {
                    shelf.check_row(storage, key, value, &mut report.faults);
                })
            }
            Part::Entries(shelf, position, index) => {
                let storage = self.storage;
                let look = &mut |key: &[u8], value: &[u8], report: &mut CheckReport| {
                    shelf.check_entry(*position, storage, key, value, &mut report.faults);
                };
                self.each(index.namespace, &mut place.last, look)
            }
            Part::Sums(shelf, position, index) => self.sums(*shelf, *position, index, place),
            Part::Sequence(sequence, rows) => self.sequence(sequence, *rows, &mut place.last),
        }
    }

    /// Shows `look` what is in a namespace, as far as the budget goes.
    fn each(
        &mut self,
        namespace: Namespace,
        last: &mut Option<Vec<u8>>,
        look: &mut Look<'_>,
    ) -> bool {
        let storage = self.storage;
        for (key, value) in namespace.open(storage, &rest(last.as_ref()), Order::Ascending) {
            if self.full() {
                return false;
            }
            self.pass();
            look(&key, &value, &mut self.report);
            *last = Some(key);
        }
        true
    }

    /// Gathers sums, adds up what rows add to them, compares; and so on, until there are no more.
    fn sums(
        &mut self,
        shelf: &dyn Shelf,
        position: usize,
        index: &IndexFacts,
        place: &mut Place,
    ) -> bool {
        let (table, storage) = (shelf.meta().name, self.storage);
        loop {
            if !place.adding {
                if !self.gather(shelf, position, index, place) {
                    return false;
                }
                if place.sums.is_empty() {
                    return true;
                }
                place.adding = true;
            }
            let Place { sums, row, .. } = place;
            let ended = self.each(shelf.meta().namespace, row, &mut |id, value, _| {
                for (key, added) in shelf.sums_of(storage, position, id, value) {
                    if let Some((_, sum)) = sums.iter_mut().find(|(sum, _)| *sum == key) {
                        *sum = sum.saturating_add(added);
                    }
                }
            });
            if !ended {
                return false;
            }
            for (key, rows) in place.sums.drain(..) {
                let stored = storage.get(&index.namespace.key(&key));
                let stored = stored.and_then(|value| shelf.sum(position, &key, &value));
                let fault = wrong_sum(table, index.name, &key, stored, rows);
                self.report.faults.extend(fault);
            }
            (place.adding, place.row) = (false, None);
        }
    }

    /// Takes up to [`SUMS`] sums of an index to be added up.
    fn gather(
        &mut self,
        shelf: &dyn Shelf,
        position: usize,
        index: &IndexFacts,
        place: &mut Place,
    ) -> bool {
        let (storage, span) = (self.storage, rest(place.last.as_ref()));
        for (key, value) in index.namespace.open(storage, &span, Order::Ascending) {
            if place.sums.len() >= SUMS {
                break;
            }
            if self.full() {
                return false;
            }
            self.pass();
            match shelf.sum(position, &key, &value) {
                Some(_) => place.sums.push((key.clone(), 0)),
                None => self.report.faults.push(Fault::MalformedEntry {
                    table: shelf.meta().name.to_owned(),
                    index: index.name.to_owned(),
                    entry: hex(&key),
                }),
            }
            place.last = Some(key);
        }
        true
    }

    /// Compares the sequence with the largest id. Keys that are no ids are told of among the rows.
    fn sequence(
        &mut self,
        sequence: &Sequence,
        rows: Namespace,
        last: &mut Option<Vec<u8>>,
    ) -> bool {
        let table = self.table.to_owned();
        let Ok(current) = sequence.current(self.storage) else {
            self.report.faults.push(Fault::MalformedSequence { table });
            return true;
        };
        let (storage, order) = (self.storage, Order::Descending);
        let span = match last {
            Some(last) => Span::default().after(last.clone(), order),
            None => Span::default(),
        };
        for (key, _) in rows.open(storage, &span, order) {
            if self.full() {
                return false;
            }
            self.pass();
            if let Ok(id) = <[u8; 8]>::try_from(&key[..]).map(u64::from_be_bytes) {
                if id > current {
                    let (sequence, id) = (Uint64::new(current), Uint64::new(id));
                    self.report.faults.push(Fault::SequenceBehind {
                        table,
                        sequence,
                        id,
                    });
                }
                return true;
            }
            *last = Some(key);
        }
        true
    }

    fn full(&self) -> bool {
        self.left == 0 || self.report.faults.len() >= MAX_FAULTS
    }

    fn pass(&mut self) {
        self.left = self.left.saturating_sub(1);
        self.report.passed = self.report.passed.saturating_add(1);
    }
}

fn rest(last: Option<&Vec<u8>>) -> Span {
    match last {
        Some(last) => Span::default().after(last.clone(), Order::Ascending),
        None => Span::default(),
    }
}
