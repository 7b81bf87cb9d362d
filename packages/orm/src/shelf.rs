//! A table's namespaces without its types: what bulk deletes, genesis and the integrity check work on, so that their code
//! is there once, not once a table.
//!
//! A table of whole rows is one shelf, a table of families one a family; a row is its id and a value on some of them.

use cosmwasm_std::Storage;

use crate::{
    check::Fault,
    cursor::Scope,
    error::{OrmError, hex},
    index::{IndexKind, Indexable, Subject},
    key::{Key, KeyError},
    merge::Merged,
    namespace::Namespace,
    raw::{Probe, WritePlan},
    row::{AutoKeyed, PrimaryKeyed, Record, TableMeta, from_value, primary_key, row_id},
    sequence::Sequence,
    table::{FamilyRow, FamilyTable, Member, MemberVisitor, Table},
};

/// A row's id and its value on each shelf.
pub(crate) type Values = (Vec<u8>, Vec<Option<Vec<u8>>>);

/// One namespace of rows, with the indexes kept over it.
pub(crate) trait Shelf {
    /// Returns the fixed facts of the table, or family.
    fn meta(&self) -> TableMeta;

    /// Returns the kept indexes' facts. Below, an index is named by its position here.
    fn indexes(&self) -> Vec<IndexFacts>;

    /// Refuses bytes that are no row of this table, or none that it would write.
    fn confirm(&self, id: &[u8], value: &[u8]) -> Result<(), OrmError>;

    /// Plans for a stored value that goes. What is damaged, the value or an index, is an error, or, if `broken_too`, left
    /// out, so that entries may be left behind.
    fn plan_remove(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        value: &[u8],
        broken_too: bool,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError>;

    /// Plans for a value to be stored as it is, under an id without one.
    fn plan_restore(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        value: &[u8],
        plan: &mut WritePlan,
    ) -> Result<(), OrmError>;

    /// Tells what is wrong with a stored value and its index entries.
    fn check_row(&self, storage: &dyn Storage, id: &[u8], value: &[u8], faults: &mut Vec<Fault>);

    /// Tells what is wrong with an entry of an index, as seen from the entry.
    fn check_entry(
        &self,
        index: usize,
        storage: &dyn Storage,
        key: &[u8],
        value: &[u8],
        faults: &mut Vec<Fault>,
    );

    /// Returns the sum that an entry of an index holds, if it holds one.
    fn sum(&self, index: usize, key: &[u8], value: &[u8]) -> Option<u64>;

    /// Returns what a stored value adds to sums; nothing if it cannot be read.
    fn sums_of(
        &self,
        storage: &dyn Storage,
        index: usize,
        id: &[u8],
        value: &[u8],
    ) -> Vec<(Vec<u8>, u64)>;
}

/// The fixed facts of an index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexFacts {
    pub(crate) name: &'static str,
    pub(crate) namespace: Namespace,
    /// Whether its entries sum up over rows.
    pub(crate) sums: bool,
}

/// The shelf of the records `R`.
pub(crate) struct RecordShelf<R: Record> {
    pub(crate) table: Table<R>,
    /// How a row tells its own key, if it does.
    pub(crate) own_key: Option<fn(&R) -> R::PrimaryKey>,
}

impl<R: Record> RecordShelf<R> {
    pub(crate) fn key(id: &[u8]) -> Result<R::PrimaryKey, OrmError> {
        let key = primary_key::<R>(id)?;
        if key.is_empty() {
            return Err(OrmError::Key {
                table: R::META.name,
                source: KeyError::Empty,
            });
        }
        Ok(key)
    }

    pub(crate) fn read(id: &[u8], value: &[u8]) -> Result<(R::PrimaryKey, R), OrmError> {
        let key = Self::key(id)?;
        let row = from_value::<R>(id, &key, value)?;
        Ok((key, row))
    }

    /// Returns the id that the row carries, if it is another one.
    pub(crate) fn other_id(&self, id: &[u8], row: &R) -> Option<Vec<u8>> {
        let carried = row_id::<R>(&self.own_key?(row)).unwrap_or_default();
        (carried != id).then_some(carried)
    }

    pub(crate) fn index(&self, position: usize) -> Option<&'static dyn Indexable<R>> {
        self.table.kept().nth(position)
    }

    pub(crate) fn subject<'a>(&self, id: &'a [u8], key: &'a R::PrimaryKey) -> Subject<'a, R> {
        Subject {
            row_id: id,
            key,
            probe: self.table.options.probe,
        }
    }

    fn confirmed(&self, id: &[u8], value: &[u8]) -> Result<(R::PrimaryKey, R), OrmError> {
        let table = R::META.name;
        let (key, row) = Self::read(id, value)?;
        if let Some(carried) = self.other_id(id, &row) {
            return Err(OrmError::PrimaryKeyChanged {
                table,
                from: hex(id),
                to: hex(&carried),
            });
        }
        row.validate()
            .map_err(|reason| OrmError::Invalid { table, reason })?;
        Ok((key, row))
    }
}

impl<R: Record> Shelf for RecordShelf<R> {
    fn meta(&self) -> TableMeta {
        R::META
    }

    fn indexes(&self) -> Vec<IndexFacts> {
        let facts = |index: &'static dyn Indexable<R>| IndexFacts {
            name: index.name(),
            namespace: index.namespace(),
            sums: index.sums(),
        };
        self.table.kept().map(facts).collect()
    }

    fn confirm(&self, id: &[u8], value: &[u8]) -> Result<(), OrmError> {
        self.confirmed(id, value).map(drop)
    }

    fn plan_remove(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        value: &[u8],
        broken_too: bool,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let read = Self::read(id, value);
        if !broken_too {
            let (key, row) = read?;
            return self
                .table
                .plan_change(storage, &key, id, Some((&row, value)), None, plan);
        }
        plan.remove(R::META.namespace.key(id));
        let Ok((key, row)) = read else { return Ok(()) };
        for index in self.table.indexes(storage, id)? {
            let mut own = WritePlan::default();
            match index.on_delete(storage, &self.subject(id, &key), &row, &mut own) {
                Ok(()) => plan.append(own),
                // Only a contract's own index can have another reason than that it is damaged.
                Err(error) if matches!(index.kind(), IndexKind::Custom(_)) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn plan_restore(
        &self,
        storage: &dyn Storage,
        id: &[u8],
        value: &[u8],
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let (key, row) = self.confirmed(id, value)?;
        self.table
            .plan_create(storage, &key, id, &row, value.to_vec(), plan)
    }

    fn check_row(&self, storage: &dyn Storage, id: &[u8], value: &[u8], faults: &mut Vec<Fault>) {
        crate::check::row(self, storage, id, value, faults);
    }

    fn check_entry(
        &self,
        index: usize,
        storage: &dyn Storage,
        key: &[u8],
        value: &[u8],
        faults: &mut Vec<Fault>,
    ) {
        crate::check::entry(self, index, storage, key, value, faults);
    }

    fn sum(&self, index: usize, key: &[u8], value: &[u8]) -> Option<u64> {
        crate::check::sum(self.index(index)?, key, value)
    }

    fn sums_of(
        &self,
        storage: &dyn Storage,
        index: usize,
        id: &[u8],
        value: &[u8],
    ) -> Vec<(Vec<u8>, u64)> {
        crate::check::sums_of(self, storage, index, id, value).unwrap_or_default()
    }
}

/// A whole table without its types.
pub(crate) struct Shelves {
    /// Its name in errors.
    pub(crate) table: &'static str,
    pub(crate) shelves: Vec<Box<dyn Shelf>>,
    /// The sequence that gives the ids, if the table has one.
    pub(crate) sequence: Option<Sequence>,
    pub(crate) probe: Probe,
}

impl Shelves {
    pub(crate) fn of_table<R: Record>(table: Table<R>) -> Self {
        Self::of_one(table, None, None)
    }

    pub(crate) fn of_keyed<R: PrimaryKeyed>(table: Table<R>) -> Self {
        Self::of_one(table, Some(R::primary_key_fields), None)
    }

    pub(crate) fn of_auto<R: AutoKeyed>(table: Table<R>) -> Self {
        let sequence = Sequence::new(R::META.name, R::SEQUENCE);
        Self::of_one(table, Some(R::primary_key_fields), Some(sequence))
    }

    fn of_one<R: Record>(
        table: Table<R>,
        own_key: Option<fn(&R) -> R::PrimaryKey>,
        sequence: Option<Sequence>,
    ) -> Self {
        Self {
            table: R::META.name,
            shelves: vec![Box::new(RecordShelf { table, own_key })],
            sequence,
            probe: table.options.probe,
        }
    }

    /// Refuses a row type that does not show all of its families, since those left out would be left behind.
    pub(crate) fn of_families<R: FamilyRow>(table: &FamilyTable<R>) -> Result<Self, OrmError> {
        let mut shown = Shown {
            table: *table,
            shelves: Vec::new(),
        };
        R::members(&mut shown);
        let mut shelves = shown.shelves;
        shelves.sort_by_key(|(position, _)| *position);
        let places = shelves.iter().map(|(position, _)| *position);
        if !places.eq(0..R::FAMILIES.len()) {
            return Err(OrmError::Invalid {
                table: R::META.name,
                reason: "`members` does not show each family once".into(),
            });
        }
        Ok(Self {
            table: R::META.name,
            shelves: shelves.into_iter().map(|(_, shelf)| shelf).collect(),
            sequence: None,
            probe: table.options.probe,
        })
    }

    /// Returns the rows, as one source.
    pub(crate) fn source(&self) -> Merged {
        let space = |shelf: &dyn Shelf| shelf.meta().namespace;
        let spaces = self.shelves.iter().map(|shelf| space(shelf.as_ref()));
        Merged {
            spaces: spaces.enumerate().collect(),
            width: self.shelves.len(),
        }
    }

    /// Returns what tells cursors over this table, for one use, from others.
    pub(crate) fn scope(&self, purpose: &[u8]) -> Scope {
        let mut spaces = Vec::new();
        for shelf in &self.shelves {
            spaces.extend(shelf.meta().namespace.prefix());
            for index in shelf.indexes() {
                spaces.extend(index.namespace.prefix());
            }
        }
        Scope::of(&[&spaces, purpose])
    }

    /// Returns the indexes of all shelves.
    pub(crate) fn indexes(&self) -> impl Iterator<Item = IndexFacts> {
        self.shelves.iter().flat_map(|shelf| shelf.indexes())
    }
}

/// The families shown so far.
struct Shown<R: FamilyRow> {
    table: FamilyTable<R>,
    shelves: Vec<(usize, Box<dyn Shelf>)>,
}

impl<R: FamilyRow> MemberVisitor<R> for Shown<R> {
    fn visit<F: Member<R>>(&mut self) {
        let shelf = RecordShelf::<F> {
            table: Table::with(self.table.options),
            own_key: None,
        };
        self.shelves.push((F::POSITION, Box::new(shelf)));
    }
}
