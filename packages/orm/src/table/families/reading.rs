//! What a table with families can be asked besides scans, under the names of the group module.

use core::ops::RangeBounds;

use cosmwasm_std::{Order, Storage};

use super::{Families, FamilyRow, FamilyTable, Member};
use crate::{
    error::OrmError,
    index::{CountIndex, CountView},
    iter::Iter,
    key::{Key, PrefixOf},
    page::{Page, PageRequest},
};

impl<R: FamilyRow> FamilyTable<R> {
    /// Answers from counters, which count rows that have the one family that they belong to.
    ///
    /// # Errors
    /// [`OrmError::IndexUnavailable`] if this handle does not keep them.
    pub fn counts<F: Member<R>, K: Key>(
        &self,
        index: CountIndex<F, K>,
    ) -> Result<CountView<F, K>, OrmError> {
        self.family::<F>().counts(index)
    }

    /// Scans forward, as the group module's `PrefixScan`: the same as [`range`](Self::range), opened.
    ///
    /// # Errors
    /// As [`range`](Self::range).
    pub fn prefix_scan<'s, P: PrefixOf<R::PrimaryKey>>(
        &self,
        storage: &'s dyn Storage,
        bounds: impl RangeBounds<P>,
        families: Families,
    ) -> Result<Iter<'s, R>, OrmError> {
        let scan = self.range(bounds, families)?;
        Ok(scan.rows(storage, Order::Ascending))
    }

    /// Scans backward, as the group module's `ReversePrefixScan`.
    ///
    /// # Errors
    /// As [`range`](Self::range).
    pub fn reverse_prefix_scan<'s, P: PrefixOf<R::PrimaryKey>>(
        &self,
        storage: &'s dyn Storage,
        bounds: impl RangeBounds<P>,
        families: Families,
    ) -> Result<Iter<'s, R>, OrmError> {
        let scan = self.range(bounds, families)?;
        Ok(scan.rows(storage, Order::Descending))
    }

    /// Returns a page of the rows that have any of the named families; the same as `all(families).page(…)`.
    ///
    /// # Errors
    /// As [`Scan::page`](crate::Scan::page).
    pub fn get_paginated(
        &self,
        storage: &dyn Storage,
        request: &PageRequest,
        families: Families,
    ) -> Result<Page<R>, OrmError> {
        self.all(families).page(storage, request)
    }
}
