//! Comparing the stored layout with that of the code.

use super::{IndexSchema, RecordSchema, Schema, SchemaChange, TableChange, TableSchema};

/// A thing that is in one layout, the other, or both.
type Pair<'s, T> = (Option<&'s T>, Option<&'s T>);

/// What the two layouts have in common, or not, beside the changes that follow from it.
#[derive(Default)]
pub(super) struct Difference<'s> {
    pub(super) changes: Vec<TableChange>,
    pub(super) tables_added: Vec<&'s TableSchema>,
    pub(super) tables_removed: Vec<&'s TableSchema>,
    pub(super) records_added: Vec<(&'s str, &'s RecordSchema)>,
    pub(super) records_removed: Vec<&'s RecordSchema>,
    pub(super) indexes_added: Vec<(&'s str, &'s RecordSchema, &'s IndexSchema)>,
    pub(super) indexes_removed: Vec<&'s IndexSchema>,
    /// Indexes whose tracking changed, as they are in the code.
    pub(super) tracking: Vec<(&'s str, &'s IndexSchema)>,
}

impl<'s> Difference<'s> {
    pub(super) fn of(stored: &'s Schema, code: &'s Schema) -> Self {
        let mut found = Self::default();
        for pair in code.tables.windows(2) {
            if let [one, other] = pair
                && one.name == other.name
            {
                found.add(&one.name, SchemaChange::DeclaredTwice);
            }
        }
        let pairs = pairs(
            &stored.tables,
            &code.tables,
            |a, b| a.name == b.name,
            same_place,
        );
        for pair in pairs {
            match pair {
                (Some(old), Some(new)) => found.table(old, new),
                (None, Some(new)) => {
                    found.add(&new.name, SchemaChange::TableAdded);
                    found.tables_added.push(new);
                }
                (Some(old), None) => {
                    found.add(&old.name, SchemaChange::TableRemoved);
                    found.tables_removed.push(old);
                }
                (None, None) => {}
            }
        }
        found
    }

    fn add(&mut self, table: &str, change: SchemaChange) {
        let table = table.to_owned();
        self.changes.push(TableChange { table, change });
    }

    fn renamed(&mut self, table: &str, from: &str, to: &str) {
        if from != to {
            let (from, to) = (from.to_owned(), to.to_owned());
            self.add(table, SchemaChange::Renamed { from, to });
        }
    }

    fn table(&mut self, old: &'s TableSchema, new: &'s TableSchema) {
        let table = &new.name[..];
        self.renamed(table, &old.name, table);
        if old.key != new.key {
            let (from, to) = (old.key.clone(), new.key.clone());
            self.add(table, SchemaChange::Key { from, to });
        }
        if old.sequence != new.sequence {
            let (from, to) = (old.sequence.clone(), new.sequence.clone());
            self.add(table, SchemaChange::Sequence { from, to });
        }
        // The rows of a table without families are the same ones, wherever they are.
        let whole = old.records.len() == 1 && new.records.len() == 1;
        let found = pairs(
            &old.records,
            &new.records,
            |a, b| a.namespace == b.namespace,
            |a, b| whole || a.name == b.name,
        );
        for pair in found {
            match pair {
                (Some(old), Some(new)) => self.record(table, old, new),
                (None, Some(new)) => {
                    let family = new.name.clone();
                    self.add(table, SchemaChange::FamilyAdded { family });
                    self.records_added.push((table, new));
                }
                (Some(old), None) => {
                    let family = old.name.clone();
                    self.add(table, SchemaChange::FamilyRemoved { family });
                    self.records_removed.push(old);
                }
                (None, None) => {}
            }
        }
    }

    fn record(&mut self, table: &'s str, old: &'s RecordSchema, new: &'s RecordSchema) {
        let record = new.name.clone();
        if new.name != table {
            self.renamed(table, &old.name, &new.name);
        }
        if old.namespace != new.namespace {
            let (from, to) = (old.namespace.clone(), new.namespace.clone());
            let record = record.clone();
            self.add(table, SchemaChange::NamespaceMoved { record, from, to });
        }
        if old.codec != new.codec {
            let (from, to) = (old.codec.clone(), new.codec.clone());
            let record = record.clone();
            self.add(table, SchemaChange::Codec { record, from, to });
        }
        let (from, to) = (old.version, new.version);
        if from < to {
            self.add(table, SchemaChange::VersionRaised { record, from, to });
        } else if from > to {
            self.add(table, SchemaChange::VersionLowered { record, from, to });
        }
        let found = pairs(
            &old.indexes,
            &new.indexes,
            |a, b| a.id == b.id,
            |_, _| false,
        );
        for pair in found {
            match pair {
                (Some(old), Some(new)) => self.index(table, old, new),
                (None, Some(index)) => {
                    let name = index.name.clone();
                    self.add(table, SchemaChange::IndexAdded { index: name });
                    self.indexes_added.push((table, new, index));
                }
                (Some(index), None) => {
                    let name = index.name.clone();
                    self.add(table, SchemaChange::IndexRemoved { index: name });
                    self.indexes_removed.push(index);
                }
                (None, None) => {}
            }
        }
    }

    fn index(&mut self, table: &'s str, old: &'s IndexSchema, new: &'s IndexSchema) {
        let index = || new.name.clone();
        self.renamed(table, &old.name, &new.name);
        if old.namespace != new.namespace {
            let change = SchemaChange::IndexMoved {
                index: index(),
                from: old.namespace.clone(),
                to: new.namespace.clone(),
            };
            self.add(table, change);
        }
        if old.kind != new.kind {
            let change = SchemaChange::IndexKind {
                index: index(),
                from: old.kind.clone(),
                to: new.kind.clone(),
            };
            self.add(table, change);
        }
        if old.key != new.key {
            let change = SchemaChange::IndexKey {
                index: index(),
                from: old.key.clone(),
                to: new.key.clone(),
            };
            self.add(table, change);
        }
        if old.tracked != new.tracked {
            let change = SchemaChange::IndexTracking {
                index: index(),
                tracked: new.tracked,
            };
            self.add(table, change);
            self.tracking.push((table, new));
        }
    }
}

fn same_place(old: &TableSchema, new: &TableSchema) -> bool {
    let shared = |record: &RecordSchema| {
        old.records
            .iter()
            .any(|other| other.namespace == record.namespace)
    };
    new.records.iter().any(shared)
}

/// Says whether two are the same.
type Same<'f, T> = &'f dyn Fn(&T, &T) -> bool;

/// Pairs what is the same in two lists: surely, or else probably; each in one pair.
fn pairs<'s, T>(
    old: &'s [T],
    new: &'s [T],
    surely: impl Fn(&T, &T) -> bool,
    probably: impl Fn(&T, &T) -> bool,
) -> Vec<Pair<'s, T>> {
    let mut left: Vec<&T> = old.iter().collect();
    let mut found: Vec<Pair<'s, T>> = new.iter().map(|new| (None, Some(new))).collect();
    let rules: [Same<'_, T>; 2] = [&surely, &probably];
    for same in rules {
        for (before, after) in &mut found {
            let place = match (&before, &after) {
                (None, Some(new)) => left.iter().position(|old| same(old, new)),
                _ => None,
            };
            if let Some(place) = place {
                *before = Some(left.remove(place));
            }
        }
    }
    found.extend(left.into_iter().map(|old| (Some(old), None)));
    found
}
