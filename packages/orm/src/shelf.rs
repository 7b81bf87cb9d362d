//! A table's namespaces without its types: what bulk deletes, genesis and the integrity check work on, so that their code
//! is there once, not once a table.
//!
//! A table of whole rows is one shelf, a table of families one a family; a row is its id and a value on some of them.

use crate::{
    cursor::Scope,
    error::OrmError,
    index::{Indexable, Subject},
    key::{Key, KeyError},
    merge::Merged,
    namespace::Namespace,
    raw::Probe,
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

    /// Returns the kept indexes' facts. Elsewhere an index is named by its position here.
    fn indexes(&self) -> Vec<IndexFacts>;
}

/// What shelves are used for: a contract that only deletes carries no code that checks.
pub(crate) trait Use {
    /// A shelf that can do that.
    type Shelf: Shelf + ?Sized;

    /// Forgets the type of the rows.
    fn shelf<R: Record>(shelf: RecordShelf<R>) -> Box<Self::Shelf>;
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
}

/// A whole table without its types.
pub(crate) struct Shelves<U: Use> {
    /// Its name in errors.
    pub(crate) table: &'static str,
    pub(crate) shelves: Vec<Box<U::Shelf>>,
    /// The sequence that gives the ids, if the table has one.
    pub(crate) sequence: Option<Sequence>,
    pub(crate) probe: Probe,
}

impl<U: Use> Shelves<U> {
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
            shelves: vec![U::shelf(RecordShelf { table, own_key })],
            sequence,
            probe: table.options.probe,
        }
    }

    /// Refuses a row type that does not show all of its families, since those left out would be left behind.
    pub(crate) fn of_families<R: FamilyRow>(table: &FamilyTable<R>) -> Result<Self, OrmError> {
        let mut shown = Shown::<R, U> {
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
        let spaces = self.shelves.iter().map(|shelf| shelf.meta().namespace);
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
struct Shown<R: FamilyRow, U: Use> {
    table: FamilyTable<R>,
    shelves: Vec<(usize, Box<U::Shelf>)>,
}

impl<R: FamilyRow, U: Use> MemberVisitor<R> for Shown<R, U> {
    fn visit<F: Member<R>>(&mut self) {
        let shelf = RecordShelf::<F> {
            table: Table::with(self.table.options),
            own_key: None,
        };
        self.shelves.push((F::POSITION, U::shelf(shelf)));
    }
}
