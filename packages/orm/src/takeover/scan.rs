//! Listing rows of two layouts: their scans, merged by the new key, so that a row keeps its place when it moves.

use core::{cmp::Ordering, fmt, iter::Peekable, marker::PhantomData};

use cosmwasm_std::{Order, Storage};

use super::moving::convert;
use crate::{
    cursor::Scope,
    error::OrmError,
    iter::{Iter, Steps},
    key::{Key, sorts_by_value},
    page::{DEFAULT_SCAN_BUDGET, Page, PageRequest},
    paginate::{Listing, Terms, page_of_source},
    raw::{Entry, Source, Span},
    row::{PrimaryKeyed, from_value, row_id},
    table::Table,
};

/// A run of rows of a [`MovingTable`](super::MovingTable), in primary-key order, not yet read. One scan a layout; a row
/// that has not moved is converted as it is read.
///
/// A page's cursor is that of the new layout: it is good while rows move, and for the new table once they have.
pub struct MovingScan<Old, New> {
    source: Moving<Old, New>,
    budget: u32,
}

impl<Old, New> fmt::Debug for MovingScan<Old, New> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("MovingScan")
            .field("span", &self.source.new)
            .finish_non_exhaustive()
    }
}

/// A stored row.
enum Found {
    New(Vec<u8>),
    Old {
        id: Vec<u8>,
        value: Vec<u8>,
    },
    /// A key that is none.
    Broken(OrmError),
}

impl<Old, New> MovingScan<Old, New>
where
    Old: PrimaryKeyed,
    New: PrimaryKeyed<PrimaryKey = Old::PrimaryKey> + TryFrom<Old>,
    New::Error: fmt::Display,
{
    pub(super) fn new((old, new): (Span, Span)) -> Result<Self, OrmError> {
        let (from, to) = (Old::META.key_rule, New::META.key_rule);
        let alike =
            sorts_by_value::<Old::PrimaryKey>(from) && sorts_by_value::<New::PrimaryKey>(to);
        if from != to && !alike {
            return Err(OrmError::OrderDiffers {
                table: New::META.name,
            });
        }
        Ok(Self {
            source: Moving {
                old,
                new,
                rows: PhantomData,
            },
            budget: DEFAULT_SCAN_BUDGET,
        })
    }

    /// Sets how many rows a page may pass to skip or count them; [`DEFAULT_SCAN_BUDGET`] unless set.
    #[must_use]
    pub fn budget(mut self, rows: u32) -> Self {
        self.budget = rows.max(1);
        self
    }

    /// Iterates over the primary keys.
    pub fn ids<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, New::PrimaryKey>
    where
        Old: 's,
        New: 's,
    {
        let found = self.source.open(storage, &self.source.new, order);
        Iter::new(found.map(|(id, found)| match found {
            Found::Broken(error) => Err(error),
            _ => Table::<New>::key_of(&id),
        }))
    }

    /// Iterates over rows.
    pub fn rows<'s>(self, storage: &'s dyn Storage, order: Order) -> Iter<'s, New>
    where
        Old: 's,
        New: 's,
    {
        let found = self.source.open(storage, &self.source.new, order);
        Iter::new(found.map(|(id, found)| row::<Old, New>(&id, found)))
    }

    /// Returns the first row.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn first(self, storage: &dyn Storage) -> Result<Option<New>, OrmError> {
        self.rows(storage, Order::Ascending).first()
    }

    /// Returns the last row.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn last(self, storage: &dyn Storage) -> Result<Option<New>, OrmError> {
        self.rows(storage, Order::Descending).first()
    }

    /// Returns a page of rows.
    ///
    /// # Errors
    /// As [`Scan::page`](crate::Scan::page), and [`OrmError::Upgrade`] if a row cannot be converted.
    pub fn page(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
    ) -> Result<Page<New>, OrmError> {
        let mut items = Vec::new();
        let listing = Listing {
            source: &self.source,
            span: &self.source.new,
            terms: Terms {
                scope: Scope::of_list(New::META.namespace.name(), &self.source.new, &[]),
                limits: New::META.limits,
                budget: self.budget,
                filtered: false,
                total: None,
            },
        };
        let page = page_of_source(storage, &listing, request, &mut |id, found, wanted| {
            if wanted {
                items.push(row::<Old, New>(id, found)?);
            }
            Ok(true)
        })?;
        Ok(Page { items, page })
    }
}

fn row<Old, New>(id: &[u8], found: Found) -> Result<New, OrmError>
where
    Old: PrimaryKeyed,
    New: PrimaryKeyed<PrimaryKey = Old::PrimaryKey> + TryFrom<Old>,
    New::Error: fmt::Display,
{
    match found {
        Found::New(value) => from_value::<New>(id, &Table::<New>::key_of(id)?, &value),
        Found::Old { id, value } => {
            let key = Table::<Old>::key_of(&id)?;
            convert(&key, from_value::<Old>(&id, &key, &value)?)
        }
        Found::Broken(error) => Err(error),
    }
}

/// Both layouts, as one source with the keys of the new.
struct Moving<Old, New> {
    old: Span,
    new: Span,
    rows: PhantomData<fn() -> (Old, New)>,
}

impl<Old, New> Moving<Old, New>
where
    Old: PrimaryKeyed,
    New: PrimaryKeyed<PrimaryKey = Old::PrimaryKey>,
{
    /// Returns the span of the old layout that `span` of the new stands for: the whole one, or what a cursor leaves of it.
    fn old_span(&self, span: &Span) -> Result<Span, OrmError> {
        let old_id = |id: &[u8]| row_id::<Old>(&Table::<New>::key_of(id)?);
        let mut old = self.old.clone();
        if span.from != self.new.from
            && let Some((_, last)) = span.from.as_deref().and_then(<[u8]>::split_last)
        {
            old = old.after(old_id(last)?, Order::Ascending);
        }
        if span.until != self.new.until
            && let Some(last) = span.until.as_deref()
        {
            old = old.after(old_id(last)?, Order::Descending);
        }
        Ok(old)
    }
}

impl<Old, New> Source for Moving<Old, New>
where
    Old: PrimaryKeyed,
    New: PrimaryKeyed<PrimaryKey = Old::PrimaryKey>,
{
    type Value = Found;

    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        span: &Span,
        order: Order,
    ) -> Steps<'s, (Vec<u8>, Found)> {
        let old = match self.old_span(span) {
            Ok(old) => old,
            Err(_) => {
                let broken = Found::Broken(OrmError::MalformedCursor);
                return Steps::new(core::iter::once((Vec::new(), broken)));
            }
        };
        let old = Old::META.namespace.open(storage, &old, order);
        Steps::new(Merge {
            new: New::META.namespace.open(storage, span, order).peekable(),
            old: Steps::new(old.map(with_new_id::<Old, New>)).peekable(),
            order,
        })
    }
}

fn with_new_id<Old, New>((id, value): Entry) -> (Vec<u8>, Found)
where
    Old: PrimaryKeyed,
    New: PrimaryKeyed<PrimaryKey = Old::PrimaryKey>,
{
    let new_id = Table::<Old>::key_of(&id).and_then(|key| {
        let table = New::META.name;
        key.encode(New::META.key_rule)
            .map_err(|source| OrmError::Key { table, source })
    });
    match new_id {
        Ok(new_id) => (new_id, Found::Old { id, value }),
        Err(error) => (id, Found::Broken(error)),
    }
}

struct Merge<'s> {
    new: Peekable<Steps<'s, Entry>>,
    old: Peekable<Steps<'s, (Vec<u8>, Found)>>,
    order: Order,
}

impl Iterator for Merge<'_> {
    type Item = (Vec<u8>, Found);

    fn next(&mut self) -> Option<Self::Item> {
        let from_new = match (self.new.peek(), self.old.peek()) {
            (None, None) => return None,
            (Some(_), None) => true,
            (_, Some((_, Found::Broken(_)))) | (None, Some(_)) => false,
            (Some((new, _)), Some((old, _))) => match (new.cmp(old), self.order) {
                (Ordering::Equal, _) => {
                    // Something else wrote it to the old layout: the new one counts.
                    self.old.next();
                    true
                }
                (Ordering::Less, Order::Ascending) | (Ordering::Greater, Order::Descending) => true,
                _ => false,
            },
        };
        if from_new {
            let (id, value) = self.new.next()?;
            return Some((id, Found::New(value)));
        }
        self.old.next()
    }
}
