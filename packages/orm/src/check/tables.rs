//! What each kind of table offers.

use cosmwasm_std::{Binary, Storage};

use super::{CheckReport, walk};
use crate::{
    error::OrmError,
    row::{AutoKeyed, PrimaryKeyed, Record},
    shelf::Shelves,
    table::{AutoUInt64Table, FamilyRow, FamilyTable, PrimaryKeyTable, Table},
};

/// Writes the check of a kind of table.
macro_rules! check {
    ($what:literal, $shelves:expr) => {
        #[doc = concat!("Checks ", $what, ".")]
        ///
        /// Looks at no more than `budget` rows and entries. The next step is given the `next_key` of this one, until it is
        /// absent; the table can be in use meanwhile, but for one whose indexes keep sums, which would seem wrong.
        /// Indexes that this handle does not keep are not looked at.
        ///
        /// One scan each of rows and of every kept index, with a step more in each than there is in it; one read a row and
        /// index entry it should have, and one an entry, of its row. For 64 sums one scan more of the rows, and a read each.
        ///
        /// ```
        /// # #[cfg(feature = "derive")] {
        /// # use cosmwasm_std::{Storage, testing::MockStorage};
        /// # use cw_orm::{Fault, OrmError, Table};
        /// # #[derive(Clone, Debug, Table)]
        /// # #[table(name = "names", ns = "n")]
        /// # struct Name { #[pk] name: String, #[index(id = 1)] of: u32 }
        /// # let mut store = MockStorage::new();
        /// # Name::TABLE.insert(&mut store, &Name { name: "a".into(), of: 1 })?;
        /// store.remove(b"\x00\x01na\0"); // the row, behind the table's back
        ///
        /// let (mut faults, mut key) = (Vec::new(), None);
        /// loop {
        ///     let mut step = Name::TABLE.check(&store, key.as_ref(), 100)?;
        ///     faults.append(&mut step.faults);
        ///     key = step.next_key;
        ///     if key.is_none() {
        ///         break;
        ///     }
        /// }
        /// assert!(matches!(&faults[..], [Fault::StrayEntry { index, key, .. }] if index == "by_of" && key == "6100"));
        /// # }
        /// # Ok::<_, cw_orm::OrmError>(())
        /// ```
        ///
        /// # Errors
        /// [`OrmError::ZeroLimit`] for a budget of 0; [`OrmError::MalformedCursor`], [`OrmError::ForeignCursor`] for a
        /// key of something else. What is wrong with the table is no error, but in the report.
        pub fn check(
            &self,
            storage: &dyn Storage,
            key: Option<&Binary>,
            budget: u32,
        ) -> Result<CheckReport, OrmError> {
            let of: fn(&Self) -> Result<Shelves, OrmError> = $shelves;
            walk::check(&of(self)?, storage, key, budget)
        }
    };
}

impl<R: Record> Table<R> {
    check!(
        "that rows can be read and are valid, and that they and the entries of the kept indexes agree",
        |table| Ok(Shelves::of_table(*table))
    );
}

impl<R: PrimaryKeyed> PrimaryKeyTable<R> {
    check!(
        "that rows can be read, are valid and under their own keys, and that they and the entries of the kept indexes agree",
        |table| Ok(Shelves::of_keyed(**table))
    );
}

impl<R: AutoKeyed> AutoUInt64Table<R> {
    check!(
        "that rows can be read, are valid and under their own ids, that they and the entries of the kept indexes agree, and that the sequence is not below an id",
        |table| Ok(Shelves::of_auto(**table))
    );
}

impl<R: FamilyRow> FamilyTable<R> {
    check!(
        "that all families can be read and are valid, and that they and the entries of their kept indexes agree",
        |table| Shelves::of_families(table)
    );
}
