//! Bulk deletes of tables of whole rows, and of one family alone.

use cosmwasm_std::{Binary, Order, Storage};

use super::{Deleted, bounded, clear, delete_rows, delete_span, select};
use crate::{
    error::OrmError,
    iter::{Listed, Scan, span_of_prefix},
    key::PrefixOf,
    raw::{Source, Span},
    row::{AutoKeyed, PrimaryKeyed, Record},
    shelf::Shelves,
    table::{AutoUInt64Table, FamilyRow, FamilyView, Member, PrimaryKeyTable, Table},
};

fn clear_table<R: Record>(
    table: &Table<R>,
    storage: &mut dyn Storage,
    limit: u32,
) -> Result<Deleted, OrmError> {
    clear(&Shelves::of_table(*table), storage, limit)
}

fn delete_prefix<R: Record, P: PrefixOf<R::PrimaryKey>>(
    table: &Table<R>,
    storage: &mut dyn Storage,
    parts: &P,
    limit: u32,
) -> Result<Deleted, OrmError> {
    let span = span_of_prefix::<R::PrimaryKey, P>(parts, R::META.key_rule).map_err(|source| {
        OrmError::Key {
            table: R::META.name,
            source,
        }
    })?;
    delete_span(&Shelves::of_table(*table), storage, &span, limit, false)
}

fn delete_where<R: Record, L: Listed<R>>(
    table: &Table<R>,
    storage: &mut dyn Storage,
    scan: &Scan<R, L>,
    key: Option<&Binary>,
    limit: u32,
) -> Result<Deleted, OrmError> {
    let limit = bounded(R::META.name, limit)?;
    let (found, deleted) = select::of_scan(scan, storage, key, limit)?;
    let rows: Vec<_> = found
        .into_iter()
        .map(|(id, value)| (id, vec![Some(value)]))
        .collect();
    delete_rows(&Shelves::of_table(*table), storage, &rows, false)?;
    Ok(deleted)
}

/// Writes the three bulk deletes of a kind of table.
macro_rules! bulk_deletes {
    ($row:ident, $what:literal $(, $more:literal)?) => {
        #[doc = concat!("Deletes the first `limit` ", $what, " with their index entries; 1,000 at most, whatever the")]
        /// limit. Call it until there is no more to do.
        $(#[doc = $more])?
        ///
        /// This also mends: a row that cannot be read goes too, and once no row is left, so does any entry of a kept
        /// index that no row accounted for.
        ///
        /// One scan that looks at a row more than it deletes; one delete a row and one an index entry; in the last step
        /// one scan of each kept index, which finds it empty.
        ///
        /// ```
        /// # #[cfg(feature = "derive")] {
        /// # use cosmwasm_std::testing::MockStorage;
        /// # use cw_orm::{OrmError, Table};
        /// # #[derive(Clone, Debug, Table)]
        /// # #[table(name = "names", ns = "n")]
        /// # struct Name { #[pk] name: String, #[index(id = 1)] of: u32 }
        /// # let mut store = MockStorage::new();
        /// for name in ["a", "b", "c"] {
        ///     Name::TABLE.insert(&mut store, &Name { name: name.into(), of: 1 })?;
        /// }
        /// assert!(Name::TABLE.clear(&mut store, 2)?.more);
        /// assert!(!Name::TABLE.clear(&mut store, 2)?.more);
        /// assert!(Name::TABLE.by(Name::BY_OF)?.all().is_empty(&store)?);
        /// # }
        /// # Ok::<_, cw_orm::OrmError>(())
        /// ```
        ///
        /// # Errors
        /// [`OrmError::ZeroLimit`], and whatever an index of one's own says.
        pub fn clear(&self, storage: &mut dyn Storage, limit: u32) -> Result<Deleted, OrmError> {
            clear_table(self, storage, limit)
        }

        /// Deletes the first `limit` rows whose primary key begins with the given parts, with their index entries; 1,000
        /// at most, whatever the limit. Call it until there is no more to do.
        ///
        /// One scan that looks at a row more than it deletes; one delete a row and one an index entry.
        ///
        /// ```
        /// # #[cfg(feature = "derive")] {
        /// # use cosmwasm_std::testing::MockStorage;
        /// # use cw_orm::{OrmError, Table};
        /// # #[derive(Clone, Debug, Table)]
        /// # #[table(name = "votes", ns = "v")]
        /// # struct Vote { #[pk] proposal: u64, #[pk] voter: String, yes: bool }
        /// # let mut store = MockStorage::new();
        /// for (proposal, voter) in [(1, "ann"), (1, "bob"), (2, "ann")] {
        ///     Vote::TABLE.insert(&mut store, &Vote { proposal, voter: voter.into(), yes: true })?;
        /// }
        /// let deleted = Vote::TABLE.delete_prefix(&mut store, &(1,), 10)?;
        /// assert_eq!((deleted.rows, deleted.more), (2, false));
        /// assert!(Vote::TABLE.has(&store, &(2, "ann".into()))?);
        /// # }
        /// # Ok::<_, cw_orm::OrmError>(())
        /// ```
        ///
        /// # Errors
        /// [`OrmError::ZeroLimit`], [`OrmError::Key`] if the parts cannot be encoded; [`OrmError::Decode`] or
        /// [`OrmError::Key`] for a row that cannot be read, whose index entries are therefore not known.
        pub fn delete_prefix<P: PrefixOf<$row::PrimaryKey>>(
            &self,
            storage: &mut dyn Storage,
            parts: &P,
            limit: u32,
        ) -> Result<Deleted, OrmError> {
            delete_prefix(self, storage, parts, limit)
        }

        /// Deletes the first `limit` rows of a scan, with all of their index entries: of a range or prefix of the primary
        /// key, or of an index's key, prefix or range; with [`Scan::filter`] only those that it keeps. Looks at no more
        /// rows or entries than [`Scan::budget`] says, 1,000 unless set.
        ///
        /// If there is more, the next step is given the `next_key` of this one, with the same scan, and goes on behind
        /// the last entry that was looked at. What is written before that place meanwhile is not looked at again;
        /// without a filter nothing is left standing there, and the key can as well be left out.
        ///
        /// One scan that looks at an entry more than it passes; one read a row found by an index; one delete a row and
        /// one an index entry.
        ///
        /// ```
        /// # #[cfg(feature = "derive")] {
        /// # use cosmwasm_std::testing::MockStorage;
        /// # use cw_orm::{OrmError, Table};
        /// # #[derive(Clone, Debug, Table)]
        /// # #[table(name = "bids", ns = "b")]
        /// # struct Bid { #[pk] bidder: String, #[index(id = 1)] expires: u64, kept: bool }
        /// # let mut store = MockStorage::new();
        /// # for (bidder, expires, kept) in [("ann", 5, false), ("bob", 6, true), ("cid", 7, false), ("dan", 9, false)] {
        /// #     Bid::TABLE.insert(&mut store, &Bid { bidder: bidder.into(), expires, kept })?;
        /// # }
        /// // What has expired and is not to be kept, at most 50 rows and 200 looked at in a step.
        /// let expired = Bid::TABLE.by(Bid::BY_EXPIRES)?.range(..8_u64)?;
        /// let expired = expired.filter("not kept", |_, bid: &Bid| !bid.kept).budget(200);
        /// let mut key = None;
        /// loop {
        ///     let step = Bid::TABLE.delete_where(&mut store, &expired, key.as_ref(), 50)?;
        ///     if !step.more {
        ///         break;
        ///     }
        ///     key = step.next_key;
        /// }
        /// assert!(Bid::TABLE.has(&store, &"bob".into())? && !Bid::TABLE.has(&store, &"cid".into())?);
        /// # }
        /// # Ok::<_, cw_orm::OrmError>(())
        /// ```
        ///
        /// # Errors
        /// [`OrmError::ZeroLimit`], [`OrmError::MalformedCursor`], [`OrmError::ForeignCursor`] for a key of another
        /// scan; [`OrmError::DanglingEntry`], [`OrmError::MalformedEntry`], [`OrmError::Decode`] or [`OrmError::Key`]
        /// where the table is damaged.
        pub fn delete_where<L: Listed<$row>>(
            &self,
            storage: &mut dyn Storage,
            scan: &Scan<$row, L>,
            key: Option<&Binary>,
            limit: u32,
        ) -> Result<Deleted, OrmError> {
            delete_where(self, storage, scan, key, limit)
        }
    };
}

impl<R: PrimaryKeyed> PrimaryKeyTable<R> {
    bulk_deletes!(R, "rows");
}

impl<R: AutoKeyed> AutoUInt64Table<R> {
    bulk_deletes!(
        R,
        "rows",
        "\n\nThe sequence stays, so that no id is given twice; [`reset_sequence`](Self::reset_sequence) starts it anew."
    );

    /// Starts the ids of an empty table anew, from 1. One probe, one delete.
    ///
    /// # Errors
    /// [`OrmError::NotEmpty`] while there is a row.
    pub fn reset_sequence(&self, storage: &mut dyn Storage) -> Result<(), OrmError> {
        let mut rows = R::META
            .namespace
            .open(storage, &Span::default(), Order::Ascending);
        if rows.next().is_some() {
            return Err(OrmError::NotEmpty {
                table: R::META.name,
                what: "rows",
            });
        }
        drop(rows);
        storage.remove(&self.sequence().key());
        Ok(())
    }
}

impl<R: FamilyRow, F: Member<R>> FamilyView<R, F> {
    bulk_deletes!(
        F,
        "values of this family",
        "\n\nThe other families of a row stay: it exists as long as it has one."
    );
}
