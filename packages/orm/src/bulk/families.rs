//! Bulk deletes of tables of column families: all families of a row go together.

use cosmwasm_std::{Binary, Storage};

use super::{Deleted, bounded, clear, delete_rows, delete_span, select};
use crate::{
    error::OrmError,
    iter::{Listed, Scan, span_of_prefix},
    key::PrefixOf,
    shelf::{Shelves, Values},
    table::{FamiliesScan, FamilyRow, FamilyTable, Member},
};

impl<R: FamilyRow> FamilyTable<R> {
    /// Deletes the first `limit` rows, all families of each, with their index entries; 1,000 at most, whatever the limit.
    /// Call it until there is no more to do.
    ///
    /// This also mends: a family that cannot be read goes too, and once no row is left, so does any entry of a kept index
    /// that no row accounted for.
    ///
    /// One scan a family, which together look at a row more than is deleted; one delete a family that a row has and one an
    /// index entry; in the last step one scan of each kept index, which finds it empty.
    ///
    /// # Errors
    /// [`OrmError::ZeroLimit`], and whatever an index of one's own says.
    pub fn clear(&self, storage: &mut dyn Storage, limit: u32) -> Result<Deleted, OrmError> {
        clear(&Shelves::of_families(self)?, storage, limit)
    }

    /// Deletes the first `limit` rows whose primary key begins with the given parts, all families of each, with their
    /// index entries; 1,000 at most, whatever the limit. Call it until there is no more to do.
    ///
    /// One scan a family, which together look at a row more than is deleted; one delete a family that a row has and one an
    /// index entry.
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// # use cosmwasm_std::testing::MockStorage;
    /// # use cw_orm::{Families, Family, OrmError, Table};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Clone, Debug, Family, Serialize, Deserialize)] struct Body { text: String }
    /// # #[derive(Clone, Debug, Family, Serialize, Deserialize)] struct Read { at: u64 }
    /// # #[derive(Clone, Debug, Table)]
    /// # #[table(name = "mails", ns = "m")]
    /// # #[index(id = 3, name = by_time, key(read.at))]
    /// # struct Mail { #[pk] to: String, #[pk] number: u32, #[family(id = 1)] body: Option<Body>, #[family(id = 2)] read: Option<Read> }
    /// # let mut store = MockStorage::new();
    /// # let body = Some(Body { text: "…".into() });
    /// # for number in 1..4 {
    /// #     let read = (number < 3).then_some(Read { at: 7 });
    /// #     Mail::TABLE.insert(&mut store, &Mail { to: "ann".into(), number, body: body.clone(), read })?;
    /// # }
    /// // Rows that were read, found by the index of one family: all of their families go.
    /// let read = Mail::TABLE.by::<Read, _>(Mail::BY_TIME)?.range(..10_u64)?;
    /// let deleted = Mail::TABLE.delete_where_member(&mut store, &read, None, 50)?;
    /// assert_eq!((deleted.rows, deleted.more), (2, false));
    /// assert_eq!(Mail::TABLE.delete_prefix(&mut store, &("ann".to_owned(),), 50)?.rows, 1);
    /// assert!(Mail::TABLE.all(Families::ALL).is_empty(&store)?);
    /// # }
    /// # Ok::<_, cw_orm::OrmError>(())
    /// ```
    ///
    /// # Errors
    /// [`OrmError::ZeroLimit`], [`OrmError::Key`] if the parts cannot be encoded; [`OrmError::Decode`] or
    /// [`OrmError::Key`] for a family that cannot be read, whose index entries are therefore not known.
    pub fn delete_prefix<P: PrefixOf<R::PrimaryKey>>(
        &self,
        storage: &mut dyn Storage,
        parts: &P,
        limit: u32,
    ) -> Result<Deleted, OrmError> {
        let span =
            span_of_prefix::<R::PrimaryKey, P>(parts, R::META.key_rule).map_err(|source| {
                OrmError::Key {
                    table: R::META.name,
                    source,
                }
            })?;
        delete_span(&Shelves::of_families(self)?, storage, &span, limit, false)
    }

    /// Deletes the first `limit` rows of a scan, all families of each, with all of their index entries; with
    /// [`FamiliesScan::filter`] only those that it keeps. Looks at no more rows than [`FamiliesScan::budget`] says, 1,000
    /// unless set. If there is more, the next step is given the `next_key` of this one, with the same scan.
    ///
    /// One scan a named family, which look at a row more than they pass; one read a deleted row and family that was not
    /// named; one delete a family that a row has and one an index entry.
    ///
    /// # Errors
    /// [`OrmError::ZeroLimit`], [`OrmError::MalformedCursor`], [`OrmError::ForeignCursor`] for a key of another scan;
    /// [`OrmError::Decode`] or [`OrmError::Key`] where the table is damaged.
    pub fn delete_where(
        &self,
        storage: &mut dyn Storage,
        scan: &FamiliesScan<R>,
        key: Option<&Binary>,
        limit: u32,
    ) -> Result<Deleted, OrmError> {
        let limit = bounded(R::META.name, limit)?;
        let (mut rows, deleted) = select::of_families(scan, storage, key, limit)?;
        for (id, values) in &mut rows {
            complete::<R>(storage, id, values, |position| {
                scan.families.contains(position)
            });
        }
        delete_rows(&Shelves::of_families(self)?, storage, &rows, false)?;
        Ok(deleted)
    }

    /// Deletes the first `limit` rows that a scan of one family finds, or of an index of one, all families of each; else as
    /// [`delete_where`](Self::delete_where).
    ///
    /// One scan that looks at an entry more than it passes; one read a row found by an index; one read a deleted row and
    /// other family; one delete a family that a row has and one an index entry.
    ///
    /// # Errors
    /// As [`delete_where`](Self::delete_where), and [`OrmError::DanglingEntry`], [`OrmError::MalformedEntry`].
    pub fn delete_where_member<F: Member<R>, L: Listed<F>>(
        &self,
        storage: &mut dyn Storage,
        scan: &Scan<F, L>,
        key: Option<&Binary>,
        limit: u32,
    ) -> Result<Deleted, OrmError> {
        let limit = bounded(R::META.name, limit)?;
        let (found, deleted) = select::of_scan(scan, storage, key, limit)?;
        let whole = |(id, value): (Vec<u8>, Vec<u8>)| {
            let mut values = vec![None; R::FAMILIES.len()];
            if let Some(place) = values.get_mut(F::POSITION) {
                *place = Some(value);
            }
            complete::<R>(storage, &id, &mut values, |position| {
                position == F::POSITION
            });
            (id, values)
        };
        let rows: Vec<Values> = found.into_iter().map(whole).collect();
        delete_rows(&Shelves::of_families(self)?, storage, &rows, false)?;
        Ok(deleted)
    }
}

/// Reads the families of a row that are not known yet.
fn complete<R: FamilyRow>(
    storage: &dyn Storage,
    id: &[u8],
    values: &mut [Option<Vec<u8>>],
    known: impl Fn(usize) -> bool,
) {
    for (position, (value, namespace)) in values.iter_mut().zip(R::FAMILIES).enumerate() {
        if !known(position) {
            *value = storage.get(&namespace.key(id));
        }
    }
}
