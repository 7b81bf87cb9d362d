//! The iterator that all scans give, with the adapters of the reference ORM.

use super::Steps;
use crate::error::OrmError;

/// An iterator over rows, ids or entries. Reads as it goes; an error ends it.
pub struct Iter<'s, T> {
    items: Steps<'s, Result<T, OrmError>>,
    failed: bool,
}

impl<T> core::fmt::Debug for Iter<'_, T> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Iter")
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

impl<'s, T: 's> Iter<'s, T> {
    /// Wraps any iterator of results, so that an index or table of one's own gives the same adapters.
    pub fn new(items: impl Iterator<Item = Result<T, OrmError>> + 's) -> Self {
        Self {
            items: Steps::new(items),
            failed: false,
        }
    }

    /// Returns the first item, if there is one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn first(mut self) -> Result<Option<T>, OrmError> {
        self.next().transpose()
    }

    /// Ends after `count` items; `limit(0)` gives none.
    #[must_use]
    pub fn limit(self, count: usize) -> Self {
        Self::new(self.take(count))
    }

    /// Returns all items.
    ///
    /// # Errors
    /// The first item's that cannot be read.
    pub fn read_all(self) -> Result<Vec<T>, OrmError> {
        let mut items = Vec::new();
        for item in self {
            items.push(item?);
        }
        Ok(items)
    }
}

impl<T> Iterator for Iter<'_, T> {
    type Item = Result<T, OrmError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let item = self.items.next();
        self.failed = matches!(item, Some(Err(_)));
        item
    }
}
