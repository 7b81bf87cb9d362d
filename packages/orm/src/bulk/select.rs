//! Finding the rows that a `delete_where` step deletes.

use std::collections::BTreeSet;

use cosmwasm_std::{Binary, Order, Storage};

use super::Deleted;
use crate::{
    cursor::{Cursor, Scope},
    error::OrmError,
    iter::{Listed, Scan, Walk},
    raw::{Entry, Source, Span},
    row::Record,
    shelf::Values,
    table::{FamiliesScan, FamilyRow, Table, assemble},
};

/// Is shown an entry, and says whether it is one to delete.
type Visit<'v, V> = dyn FnMut(&[u8], V) -> Result<bool, OrmError> + 'v;

/// The list that is searched.
struct Search<'a, S: Source> {
    source: &'a S,
    scope: Scope,
    span: &'a Span,
    budget: u32,
}

impl<S: Source> Search<'_, S> {
    /// Shows entries to `take`, which says of each whether it is one to delete, until there are `limit` such ones or as
    /// many were shown as may be.
    fn run(
        &self,
        storage: &dyn Storage,
        key: Option<&Binary>,
        limit: u32,
        take: &mut Visit<'_, S::Value>,
    ) -> Result<Deleted, OrmError> {
        let order = Order::Ascending;
        let span = match key.filter(|key| !key.is_empty()) {
            Some(key) => {
                let last = Cursor::open(key, self.scope, order, &|at| self.span.contains(at))?;
                self.span.clone().after(last, order)
            }
            None => self.span.clone(),
        };
        let mut deleted = Deleted::default();
        let mut last = None;
        for (key, value) in self.source.open(storage, &span, order) {
            if deleted.rows == limit || deleted.passed == self.budget {
                deleted.more = true;
                break;
            }
            deleted.passed = deleted.passed.saturating_add(1);
            if take(&key, value)? {
                deleted.rows = deleted.rows.saturating_add(1);
            }
            last = Some(key);
        }
        deleted.next_key = last
            .filter(|_| deleted.more)
            .map(|last| Cursor::seal(self.scope, order, &last));
        Ok(deleted)
    }
}

/// Returns the ids and stored values of the rows of a scan that are to go.
pub(super) fn of_scan<R: Record, L: Listed<R>>(
    scan: &Scan<R, L>,
    storage: &dyn Storage,
    key: Option<&Binary>,
    limit: u32,
) -> Result<(Vec<Entry>, Deleted), OrmError> {
    let (stretch, meta) = (&scan.run.stretch, &R::META);
    let list = stretch.list;
    list.ready(storage, meta.name)?;
    let search = Search {
        source: &list.namespace,
        scope: stretch.scope(),
        span: &stretch.span,
        budget: stretch.budget,
    };
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let deleted = search.run(storage, key, limit, &mut |key, value| {
        let id = list.row_id(meta.name, key, &value)?.to_vec();
        // Rows can have many entries in an index.
        if seen.contains(&id) {
            return Ok(false);
        }
        let bytes = list.row_value(storage, meta, &id, &value)?.into_owned();
        if let Some(keep) = &scan.run.keep {
            let primary = Table::<R>::key_of(&id)?;
            if !keep(
                &primary,
                &crate::row::from_value::<R>(&id, &primary, &bytes)?,
            ) {
                return Ok(false);
            }
        }
        seen.insert(id.clone());
        found.push((id, bytes));
        Ok(true)
    })?;
    Ok((found, deleted))
}

/// Returns the ids and stored values, of the families named by the scan, of the rows that are to go.
pub(super) fn of_families<R: FamilyRow>(
    scan: &FamiliesScan<R>,
    storage: &dyn Storage,
    key: Option<&Binary>,
    limit: u32,
) -> Result<(Vec<Values>, Deleted), OrmError> {
    let source = scan.source();
    let search = Search {
        scope: Scope(Walk::scope(scan)),
        source: &source,
        span: &scan.span,
        budget: scan.budget,
    };
    let mut found = Vec::new();
    let deleted = search.run(storage, key, limit, &mut |id, values| {
        if let Some((_, keep)) = &scan.filter
            && !keep(&assemble::<R>(id, &values)?)
        {
            return Ok(false);
        }
        found.push((id.to_vec(), values));
        Ok(true)
    })?;
    Ok((found, deleted))
}
