use std::cmp::Ordering;
use std::iter::Peekable;

use cosmwasm_std::{Order, Record};

type Range = redb::Range<'static, &'static [u8], &'static [u8]>;

/// Holds a range of one table, and what goes before its keys.
pub(super) struct PartRange<'a> {
    pub(super) range: Range,
    pub(super) prefix: &'a [u8],
}

/// Walks the rows of the database, page by page as redb reads them.
pub(super) struct Rows<'a> {
    /// The ranges still to walk, the next one last.
    parts: Vec<PartRange<'a>>,
    order: Order,
    failed: Box<dyn Fn(redb::StorageError) + 'a>,
}

impl<'a> Rows<'a> {
    /// Wraps ranges in ascending order; `failed` is told of the error that ends them early.
    pub(super) fn new(
        mut parts: Vec<PartRange<'a>>,
        order: Order,
        failed: impl Fn(redb::StorageError) + 'a,
    ) -> Self {
        if order == Order::Ascending {
            parts.reverse();
        }
        Self {
            parts,
            order,
            failed: Box::new(failed),
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        while let Some(part) = self.parts.last_mut() {
            let row = match self.order {
                Order::Ascending => part.range.next(),
                Order::Descending => part.range.next_back(),
            };
            match row {
                Some(Ok((key, value))) => {
                    let key = [part.prefix, key.value()].concat();
                    return Some((key, value.value().to_vec()));
                }
                Some(Err(error)) => {
                    (self.failed)(error);
                    self.parts.clear();
                }
                None => drop(self.parts.pop()),
            }
        }
        None
    }
}

/// Lays buffered changes over the rows of the database; both walk in the same order.
pub(super) struct Merged<C: Iterator, R: Iterator> {
    changes: Peekable<C>,
    rows: Peekable<R>,
    order: Order,
}

impl<C: Iterator, R: Iterator> Merged<C, R> {
    pub(super) fn new(changes: C, rows: R, order: Order) -> Self {
        Self {
            changes: changes.peekable(),
            rows: rows.peekable(),
            order,
        }
    }
}

impl<'a, C, R> Iterator for Merged<C, R>
where
    C: Iterator<Item = (&'a Vec<u8>, &'a Option<Vec<u8>>)>,
    R: Iterator<Item = Record>,
{
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        loop {
            let side = match (self.changes.peek(), self.rows.peek()) {
                (None, _) => return self.rows.next(),
                (Some(_), None) => Ordering::Less,
                (Some((change, _)), Some((row, _))) => match self.order {
                    Order::Ascending => change.as_slice().cmp(row),
                    Order::Descending => row.as_slice().cmp(change),
                },
            };
            if side == Ordering::Greater {
                return self.rows.next();
            }
            if side == Ordering::Equal {
                self.rows.next();
            }
            // A removed key yields nothing; the loop goes on to what follows it.
            if let Some((key, Some(value))) = self.changes.next() {
                return Some((key.clone(), value.clone()));
            }
        }
    }
}
