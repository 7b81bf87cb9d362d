//! Into a store, a page a call.
//!
//! State, at `00 01 00 | 'g' | namespace of the rows`: `version 01 | 00, or 01 after the last page | rows imported, 8 bytes |
//! digest of the last page, 8 bytes | key of the last row`.

use cosmwasm_std::{Order, Storage, Uint64};
use cw_schema::Schemaifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    GenesisError, GenesisPage, Imported,
    import::{Place, confirm_id, fault, import_page, require_empty},
};
use crate::{
    error::OrmError,
    namespace::{LIFE_CYCLE, Namespace},
    raw::{Source, Span},
    staged::{Staged, commit},
};

/// An import that takes its pages one call after the other. Made by `import_by_page` of a table.
///
/// The table can be read meanwhile, and written, as long as no row is put where a page brings one. Each page is imported
/// whole or, on an error, not at all.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// # use cosmwasm_std::testing::MockStorage;
/// # use cw_orm::{OrmError, Table};
/// # #[derive(Clone, Debug, Table)]
/// # #[table(name = "notes", ns = "n")]
/// # struct Note { #[pk(auto)] id: u64, text: String }
/// # let (mut old, mut new) = (MockStorage::new(), MockStorage::new());
/// # for text in ["a", "b", "c"] { Note::TABLE.insert(&mut old, &mut Note { id: 0, text: text.into() })?; }
/// let import = Note::TABLE.import_by_page()?;
/// let mut key = None;
/// loop {
///     let page = Note::TABLE.export(&old, key.as_ref(), 2)?;
///     import.put(&mut new, &page)?;
///     key = page.next_key;
///     if key.is_none() {
///         break;
///     }
/// }
/// assert_eq!(import.finish(&mut new)?, 3);
/// assert_eq!(Note::TABLE.insert(&mut new, &mut Note { id: 0, text: "d".into() })?, 4);
/// # }
/// # Ok::<_, cw_orm::OrmError>(())
/// ```
pub struct PagedImport {
    shelves: Imported,
    key: Vec<u8>,
}

impl core::fmt::Debug for PagedImport {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("PagedImport")
            .field("table", &self.shelves.table)
            .finish_non_exhaustive()
    }
}

/// How far an import has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct ImportState {
    /// How many rows are imported: the `first` of the page that comes next.
    pub rows: Uint64,
    /// Whether the last page is imported, so that only the finish is left.
    pub complete: bool,
}

const VERSION: u8 = 1;

impl PagedImport {
    pub(super) fn new(shelves: Imported) -> Self {
        let rows = shelves.shelves.first().map(|shelf| shelf.meta().namespace);
        let key = LIFE_CYCLE.key(&[&b"g"[..], rows.map_or(&[][..], Namespace::name)].concat());
        Self { shelves, key }
    }

    /// Imports the next page, and says how far the import has come. The last page given again changes nothing.
    ///
    /// The sequence of a table that gives ids becomes that of the page, unless it is higher already.
    ///
    /// One read; for the first page one probe each of rows and kept indexes, for later ones one a row and family; a probe
    /// a unique key; for a table that gives ids one read; one write a row (or family of it), one an index entry, one for
    /// the state and one if the sequence rises.
    ///
    /// # Errors
    /// [`OrmError::NotEmpty`] if the first page finds the table with rows or entries; [`OrmError::Genesis`] for a page
    /// that is not the next one, or is not as it was exported; [`OrmError::AlreadyExists`] if a row was put there
    /// meanwhile; [`OrmError::Key`], [`OrmError::Decode`], [`OrmError::Invalid`] or
    /// [`OrmError::UniqueViolation`] for a row that the table would not write.
    pub fn put(
        &self,
        storage: &mut dyn Storage,
        page: &GenesisPage,
    ) -> Result<ImportState, OrmError> {
        let stored = self.load(storage)?;
        let started = stored.is_some();
        let place = stored.unwrap_or_default();
        let repeats = started && page.end() == place.rows && page.digest.u64() == place.digest;
        if repeats {
            return Ok(state(&place));
        }
        if !started {
            require_empty(&self.shelves, storage)?;
        }
        let mut staged = Staged::new(storage);
        let next = import_page(&self.shelves, &mut staged, &place, page, started)?;
        staged.set(&self.key, &encode(&next));
        let writes = staged.into_writes();
        commit(storage, writes);
        Ok(state(&next))
    }

    /// Returns how far the import has come, if one is under way. One read.
    ///
    /// # Errors
    /// [`GenesisError::MalformedState`], as [`OrmError::Genesis`].
    pub fn state(&self, storage: &dyn Storage) -> Result<Option<ImportState>, OrmError> {
        Ok(self.load(storage)?.as_ref().map(state))
    }

    /// Ends the import after its last page, and returns how many rows it brought. One read, one delete; for a table that
    /// gives ids also one read and one probe.
    ///
    /// # Errors
    /// [`GenesisError::NotStarted`]; [`GenesisError::Unfinished`] before the last page;
    /// [`GenesisError::SequenceBehind`] if a row is above the sequence. As [`OrmError::Genesis`].
    pub fn finish(&self, storage: &mut dyn Storage) -> Result<u64, OrmError> {
        let Some(place) = self.load(storage)? else {
            return Err(fault(self.shelves.table, GenesisError::NotStarted));
        };
        if !place.complete {
            let rows = place.rows;
            return Err(fault(self.shelves.table, GenesisError::Unfinished { rows }));
        }
        if let Some(sequence) = &self.shelves.sequence {
            let current = sequence.stored(storage)?;
            let largest = self
                .shelves
                .source()
                .open(storage, &Span::default(), Order::Descending)
                .next();
            if let Some((id, _)) = largest {
                confirm_id(&id, current).map_err(|source| fault(self.shelves.table, source))?;
            }
        }
        storage.remove(&self.key);
        Ok(place.rows)
    }

    /// Gives an import up, once the table is cleared of the rows it brought. One probe each of rows and kept indexes, one
    /// delete.
    ///
    /// # Errors
    /// [`OrmError::NotEmpty`] while there is a row or an entry.
    pub fn cancel(&self, storage: &mut dyn Storage) -> Result<(), OrmError> {
        require_empty(&self.shelves, storage)?;
        storage.remove(&self.key);
        Ok(())
    }

    fn load(&self, storage: &dyn Storage) -> Result<Option<Place>, OrmError> {
        match storage.get(&self.key) {
            None => Ok(None),
            Some(bytes) => match decode(&bytes) {
                Some(place) => Ok(Some(place)),
                None => Err(fault(self.shelves.table, GenesisError::MalformedState)),
            },
        }
    }
}

fn state(place: &Place) -> ImportState {
    ImportState {
        rows: Uint64::new(place.rows),
        complete: place.complete,
    }
}

fn encode(place: &Place) -> Vec<u8> {
    let parts = [
        &[VERSION, u8::from(place.complete)][..],
        &place.rows.to_be_bytes(),
        &place.digest.to_be_bytes(),
        &place.last,
    ];
    parts.concat()
}

fn decode(bytes: &[u8]) -> Option<Place> {
    let ([VERSION, complete @ (0 | 1)], rest) = bytes.split_first_chunk()? else {
        return None;
    };
    let (rows, rest) = rest.split_first_chunk()?;
    let (digest, last) = rest.split_first_chunk()?;
    Some(Place {
        rows: u64::from_be_bytes(*rows),
        digest: u64::from_be_bytes(*digest),
        complete: *complete == 1,
        last: last.to_vec(),
    })
}
