//! A scan as a list: counted, chained.

use cosmwasm_std::{Order, Storage};

use super::{
    Chained, Listed, Scan,
    list::{Found, List, Start, Walk},
};
use crate::{
    error::OrmError,
    page::PageRequest,
    paginate::Visit,
    row::{PageLimits, Record},
};

impl<R: Record, L: Listed<R>> Scan<R, L> {
    /// Lists, for each row of this scan in its order, the items of another list that it leads to; see [`Chained`]. Reads
    /// a row of an index scan; where the key is enough, chain [`only_ids`](Self::only_ids) or
    /// [`index_keys`](Scan::index_keys). `name` tells this chain from others, for cursors.
    #[must_use]
    pub fn then<B: Walk>(
        self,
        name: impl Into<Vec<u8>>,
        inner: impl Fn(&(R::PrimaryKey, R)) -> Result<B, OrmError> + 'static,
    ) -> List<Chained<List<Self>, B>>
    where
        L: 'static,
        R: Clone,
    {
        let budget = self.run.stretch.budget;
        List::new(self).budget(budget).then(name, inner)
    }

    /// Returns how many rows there are: from an index that counts them, by one probe, else by passing them.
    ///
    /// # Errors
    /// [`OrmError::ScanBudget`] if no index counts them and they are more than the budget; if a filtered row cannot be
    /// read, or what an index has stored is no count.
    pub fn count(&self, storage: &dyn Storage) -> Result<u64, OrmError> {
        if let Some(total) = self.run.known_total(storage)? {
            return Ok(total);
        }
        let request = PageRequest {
            count_total: true,
            ..PageRequest::first(1)
        };
        let visit: &mut Visit<'_, Vec<u8>> = &mut |_, _, _| Ok(true);
        let page = match self.run.keep {
            None => self.run.paginate(storage, &request, visit)?,
            Some(_) => self.run.visit_rows(storage, &request, &mut |_, _| {})?,
        };
        Ok(page.total.unwrap_or_default().u64())
    }
}

impl<R: Record, L: Listed<R> + 'static> Walk for Scan<R, L> {
    type Value = Vec<u8>;
    type Item = (R::PrimaryKey, R);

    fn scope(&self) -> u64 {
        self.run.stretch.scope().0
    }

    fn limits(&self) -> PageLimits {
        R::META.limits
    }

    fn contains(&self, position: &[u8]) -> bool {
        self.run.stretch.span.contains(position)
    }

    fn has_gaps(&self) -> bool {
        self.run.keep.is_some()
    }

    fn total(&self, storage: &dyn Storage) -> Result<Option<u64>, OrmError> {
        self.run.known_total(storage)
    }

    fn open<'s>(
        &self,
        storage: &'s dyn Storage,
        start: Start<'_>,
        order: Order,
    ) -> Found<'s, Vec<u8>> {
        self.run.stretch.open(storage, start, order)
    }

    fn item(
        &self,
        storage: &dyn Storage,
        position: &[u8],
        value: Vec<u8>,
    ) -> Result<Option<Self::Item>, OrmError> {
        let mut kept = None;
        let take = &mut |key, row| kept = Some((key, row));
        self.run.read(storage, position, &value, take)?;
        Ok(kept)
    }
}
