//! What a scan walks over: rows, or the entries of an index that lead to rows.

use std::borrow::Cow;

use cosmwasm_std::Storage;

use crate::{
    error::{OrmError, hex},
    index::{CountedList, Lookup},
    key::{Key, KeyError, KeyReader, KeyRule},
    namespace::Namespace,
    row::{Record, TableMeta, primary_key},
    state::tracked_ready,
};

/// What a scan walks over: [`Rows`] or the [`Entries`] of an index. Not to be implemented elsewhere; for an index of your
/// own there is [`Lookup`].
pub trait Listed<R: Record>: Copy {
    /// Returns how it is laid out.
    #[doc(hidden)]
    fn facts(&self) -> ListFacts;
}

/// How a list is laid out: all that a scan must know of it, the same for every type of row and of key.
#[derive(Clone, Copy, Debug)]
pub struct ListFacts {
    /// Where it is.
    pub(crate) namespace: Namespace,
    /// Which list it is, to indexes that count it.
    pub(crate) list: CountedList,
    /// The index's name in errors.
    index: &'static str,
    /// Whether the index's state is in the store.
    tracked: bool,
    id: IdPlace,
}

/// Where in an entry the row id stands.
#[derive(Clone, Copy, Debug)]
enum IdPlace {
    /// The key is it, and the value is the row.
    Key,
    /// The value is it.
    Value,
    /// It follows the index key, which `pass` reads.
    Behind {
        rule: KeyRule,
        pass: fn(&mut KeyReader<'_>) -> Result<(), KeyError>,
    },
}

/// The rows themselves, in primary-key order.
#[derive(Clone, Copy, Debug)]
pub struct Rows;

impl<R: Record> Listed<R> for Rows {
    fn facts(&self) -> ListFacts {
        ListFacts {
            namespace: R::META.namespace,
            list: CountedList::Rows,
            index: "",
            tracked: false,
            id: IdPlace::Key,
        }
    }
}

/// The entries of an index, in the order of index key, then primary key.
#[derive(Clone, Copy, Debug)]
pub struct Entries<I>(pub(crate) I);

impl<R: Record, I: Lookup<R>> Listed<R> for Entries<I> {
    fn facts(&self) -> ListFacts {
        let facts = self.0.facts();
        ListFacts {
            namespace: facts.namespace,
            list: CountedList::Index(facts.id),
            index: facts.name,
            tracked: self.0.is_tracked(),
            id: match facts.row_in_value {
                true => IdPlace::Value,
                false => IdPlace::Behind {
                    rule: facts.rule,
                    pass: pass::<I::Key>,
                },
            },
        }
    }
}

/// Passes a key of the type `K`.
fn pass<K: Key>(reader: &mut KeyReader<'_>) -> Result<(), KeyError> {
    K::read(reader).map(drop)
}

impl ListFacts {
    /// Refuses to be listed while not all rows are in it.
    pub(crate) fn ready(&self, storage: &dyn Storage, table: &'static str) -> Result<(), OrmError> {
        match self.tracked {
            true => tracked_ready(storage, self.namespace, table, self.index),
            false => Ok(()),
        }
    }

    /// Returns the row id that an entry stands for.
    pub(crate) fn row_id<'e>(
        &self,
        table: &'static str,
        key: &'e [u8],
        value: &'e [u8],
    ) -> Result<&'e [u8], OrmError> {
        let (rule, pass) = match self.id {
            IdPlace::Key => return Ok(key),
            IdPlace::Value => return Ok(value),
            IdPlace::Behind { rule, pass } => (rule, pass),
        };
        let mut reader = KeyReader::leading(key, rule);
        match pass(&mut reader) {
            Ok(()) => Ok(reader.rest()),
            Err(_) => Err(self.malformed(table, key)),
        }
    }

    pub(crate) fn malformed(&self, table: &'static str, key: &[u8]) -> OrmError {
        OrmError::MalformedEntry {
            table,
            index: self.index,
            entry: hex(key),
        }
    }

    /// Returns the stored row that an entry stands for. One read, unless the list is of the rows.
    pub(crate) fn row_value<'e>(
        &self,
        storage: &dyn Storage,
        meta: &TableMeta,
        id: &[u8],
        value: &'e [u8],
    ) -> Result<Cow<'e, [u8]>, OrmError> {
        if let IdPlace::Key = self.id {
            return Ok(Cow::Borrowed(value));
        }
        match storage.get(&meta.namespace.key(id)) {
            Some(value) => Ok(Cow::Owned(value)),
            None => Err(OrmError::DanglingEntry {
                table: meta.name,
                index: self.index,
                key: hex(id),
            }),
        }
    }
}

/// Returns the primary key that an entry stands for.
pub(crate) fn read_id<R: Record>(
    facts: &ListFacts,
    key: &[u8],
    value: &[u8],
) -> Result<R::PrimaryKey, OrmError> {
    primary_key::<R>(facts.row_id(R::META.name, key, value)?)
}
