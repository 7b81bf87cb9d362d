//! What each kind of table offers.

use cosmwasm_std::{Binary, Storage};

use super::{
    Exported, GenesisError, GenesisPage, GenesisRow, PagedImport,
    export::export,
    import::{fault, import},
    restore::Confirm,
};
use crate::{
    error::{OrmError, hex},
    row::{AutoKeyed, PrimaryKeyed, row_id, to_value},
    shelf::{RecordShelf, Shelves, Use},
    table::{AutoUInt64Table, FamilyRow, FamilyTable, PrimaryKeyTable, assemble},
};

/// Writes export and import of a kind of table.
macro_rules! genesis {
    ($shelves:expr) => {
        /// Returns a page of the table's state: at most `limit` rows, 1,000 whatever the limit, as they are stored. `key`
        /// is the `next_key` of the page before; `None` for the first.
        ///
        /// Exports what an import takes: a row that cannot be read is an error. Pages hang together as one state if
        /// nothing is written between them.
        ///
        /// One scan (of a table with families one each) that looks at a row more than it returns; for a table that gives
        /// ids one read.
        ///
        /// # Errors
        /// [`OrmError::ZeroLimit`]; [`OrmError::MalformedCursor`], [`OrmError::ForeignCursor`] for a key that is not of
        /// an export of this table; [`OrmError::Key`], [`OrmError::Decode`], [`OrmError::Invalid`] or
        /// [`GenesisError::OtherKey`] for a row, and [`GenesisError::SequenceBehind`] for an id, that no import would
        /// take.
        pub fn export(
            &self,
            storage: &dyn Storage,
            key: Option<&Binary>,
            limit: u32,
        ) -> Result<GenesisPage, OrmError> {
            export(&self.shelves()?, storage, key, limit)
        }

        /// Imports all pages of a table that has no row, and returns how many rows they brought. Rows are stored as the
        /// bytes they were exported as; entries of the kept indexes are made anew. All is checked before the first write:
        /// after an error nothing has changed.
        ///
        /// The sequence of a table that gives ids comes with the pages: it is refused if it is missing while there are
        /// rows, or below an id; and it never goes back, where the table gave ids before it was emptied.
        ///
        /// One probe each of rows and kept indexes; a probe a unique key; for a table that gives ids one read a page; one
        /// write a row (or family of it), one an index entry and one for the sequence.
        ///
        /// ```
        /// # #[cfg(feature = "derive")] {
        /// # use cosmwasm_std::testing::MockStorage;
        /// # use cw_orm::{OrmError, Table};
        /// # #[derive(Clone, Debug, PartialEq, Table)]
        /// # #[table(name = "notes", ns = "n")]
        /// # struct Note { #[pk(auto)] id: u64, #[unique(id = 1)] text: String }
        /// # let (mut old, mut new) = (MockStorage::new(), MockStorage::new());
        /// # for text in ["a", "b", "c"] { Note::TABLE.insert(&mut old, &mut Note { id: 0, text: text.into() })?; }
        /// let mut pages = vec![Note::TABLE.export(&old, None, 2)?];
        /// while let Some(key) = pages.last().and_then(|page| page.next_key.clone()) {
        ///     pages.push(Note::TABLE.export(&old, Some(&key), 2)?);
        /// }
        /// assert_eq!(Note::TABLE.import(&mut new, &pages)?, 3);
        /// assert_eq!(Note::TABLE.by(Note::BY_TEXT)?.row_key(&new, &"b".into())?, Some(2));
        /// assert!(matches!(Note::TABLE.import(&mut new, &pages), Err(OrmError::NotEmpty { .. })));
        /// # }
        /// # Ok::<_, cw_orm::OrmError>(())
        /// ```
        ///
        /// # Errors
        /// [`OrmError::NotEmpty`] if there is a row, or an entry in a kept index; [`OrmError::Genesis`] for a page that
        /// does not follow the one before it, or is not as it was exported, and if the last is missing;
        /// [`OrmError::Key`], [`OrmError::Decode`], [`OrmError::Invalid`] or [`OrmError::UniqueViolation`] for a row
        /// that the table would not write.
        pub fn import(
            &self,
            storage: &mut dyn Storage,
            pages: &[GenesisPage],
        ) -> Result<u64, OrmError> {
            import(&self.shelves()?, storage, pages)
        }

        /// Returns an import that takes one page a call, for tables too large for one.
        ///
        /// # Errors
        /// None for rows that `#[derive(Table)]` describes.
        pub fn import_by_page(&self) -> Result<PagedImport, OrmError> {
            Ok(PagedImport::new(self.shelves()?))
        }

        fn shelves<U: Use>(&self) -> Result<Shelves<U>, OrmError> {
            let of: fn(&Self) -> Result<Shelves<U>, OrmError> = $shelves;
            of(self)
        }
    };
}

/// Writes the conversion of whole rows.
macro_rules! genesis_rows {
    () => {
        /// Returns a row in the form in which it travels, for a genesis that is not exported: [`GenesisPage::whole`].
        ///
        /// # Errors
        /// [`OrmError::Key`], [`OrmError::Invalid`], [`OrmError::Encode`].
        pub fn genesis_row(&self, row: &R) -> Result<GenesisRow, OrmError> {
            let key = row_id::<R>(&row.primary_key_fields())?.into();
            let values = vec![Some(to_value(row)?.into())];
            Ok(GenesisRow { key, values })
        }

        /// Returns the row that an exported one is, to look at before it is imported.
        ///
        /// # Errors
        /// [`OrmError::Genesis`] if there is not one value, or the row says it has another key; [`OrmError::Key`],
        /// [`OrmError::Decode`], [`OrmError::Invalid`].
        pub fn read_genesis_row(&self, row: &GenesisRow) -> Result<R, OrmError> {
            let shelves = self.shelves()?;
            let [Some(value)] = &row.values[..] else {
                return Err(wrong_values(&shelves, row));
            };
            let own_key = Some(R::primary_key_fields as fn(&R) -> R::PrimaryKey);
            let shelf = RecordShelf {
                table: **self,
                own_key,
            };
            shelf.confirm(&row.key, value)?;
            Ok(RecordShelf::<R>::read(&row.key, value)?.1)
        }
    };
}

impl<R: PrimaryKeyed> PrimaryKeyTable<R> {
    genesis!(|table| Ok(Shelves::of_keyed(**table)));
    genesis_rows!();
}

impl<R: AutoKeyed> AutoUInt64Table<R> {
    genesis!(|table| Ok(Shelves::of_auto(**table)));
    genesis_rows!();
}

impl<R: FamilyRow> FamilyTable<R> {
    genesis!(|table| Shelves::of_families(table));

    /// Returns a row in the form in which it travels, for a genesis that is not exported: [`GenesisPage::whole`].
    ///
    /// # Errors
    /// [`OrmError::Key`], [`OrmError::Invalid`], [`OrmError::Encode`].
    pub fn genesis_row(&self, row: &R) -> Result<GenesisRow, OrmError> {
        let (key, values) = self.stored_values(row)?;
        let values = values.into_iter().map(|value| value.map(Into::into));
        Ok(GenesisRow {
            key: key.into(),
            values: values.collect(),
        })
    }

    /// Returns the row that an exported one is, to look at before it is imported.
    ///
    /// # Errors
    /// [`OrmError::Genesis`] if there is not one value, or none, a family; [`OrmError::Key`], [`OrmError::Decode`],
    /// [`OrmError::Invalid`].
    pub fn read_genesis_row(&self, row: &GenesisRow) -> Result<R, OrmError> {
        let shelves = self.shelves()?;
        let mut values = Vec::new();
        if row.values.len() != shelves.shelves.len() || row.values.iter().all(Option::is_none) {
            return Err(wrong_values(&shelves, row));
        }
        for (shelf, value) in shelves.shelves.iter().zip(&row.values) {
            if let Some(value) = value {
                shelf.confirm(&row.key, value)?;
            }
            values.push(value.as_ref().map(|value| value.to_vec()));
        }
        assemble::<R>(&row.key, &values)
    }
}

fn wrong_values(shelves: &Exported, row: &GenesisRow) -> OrmError {
    let key = hex(&row.key);
    let expected = shelves.shelves.len();
    let source = match row.values.len() {
        found if found == expected => GenesisError::NoValue { key },
        found => GenesisError::Values {
            key,
            found,
            expected,
        },
    };
    fault(shelves.table, source)
}
