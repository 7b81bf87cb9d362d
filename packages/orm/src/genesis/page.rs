//! The form in which a table's state travels.

use cosmwasm_std::{Binary, Uint64};
use cw_schema::Schemaifier;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cursor::Scope;

/// A row as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct GenesisRow {
    /// The encoded primary key.
    pub key: Binary,
    /// The stored value: one; or of a table with column families one a family, absent where the row lacks it.
    pub values: Vec<Option<Binary>>,
}

/// A run of a table's rows in key order, with what an import checks it by. Made by `export`, embeds in messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Schemaifier)]
#[schemaifier(mute_warnings)]
#[serde(deny_unknown_fields)]
pub struct GenesisPage {
    /// The table's name.
    pub table: String,
    /// How many rows stand before this page.
    pub first: Uint64,
    /// The rows.
    pub rows: Vec<GenesisRow>,
    /// The last id that the table's sequence gave, where it has one and has given any.
    #[serde(default)]
    pub sequence: Option<Uint64>,
    /// How many rows there are in all; on the last page only.
    #[serde(default)]
    pub total: Option<Uint64>,
    /// A digest of this page and those before it.
    pub digest: Uint64,
    /// What `export` is given for the next page; absent on the last.
    #[serde(default)]
    pub next_key: Option<Binary>,
}

impl GenesisPage {
    /// Makes the one page of a table out of rows, which it sorts by key: for a genesis that was not exported.
    ///
    /// A table that gives ids needs the sequence, at least as high as the highest of them.
    ///
    /// ```
    /// # #[cfg(feature = "derive")] {
    /// # use cosmwasm_std::testing::MockStorage;
    /// # use cw_orm::{GenesisPage, OrmError, Table};
    /// # #[derive(Clone, Debug, Table)]
    /// # #[table(name = "names", ns = "n")]
    /// # struct Name { #[pk] name: String, #[index(id = 1)] of: u32 }
    /// # let mut store = MockStorage::new();
    /// let mut rows = Vec::new();
    /// for (name, of) in [("bob", 2), ("ann", 1)] {
    ///     rows.push(Name::TABLE.genesis_row(&Name { name: name.into(), of })?);
    /// }
    /// let page = GenesisPage::whole("names", rows, None);
    /// assert_eq!(Name::TABLE.read_genesis_row(&page.rows[0])?.name, "ann");
    /// assert_eq!(Name::TABLE.import(&mut store, &[page])?, 2);
    /// # }
    /// # Ok::<_, cw_orm::OrmError>(())
    /// ```
    #[must_use]
    pub fn whole(
        table: impl Into<String>,
        mut rows: Vec<GenesisRow>,
        sequence: Option<u64>,
    ) -> Self {
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        let mut page = Self {
            table: table.into(),
            first: Uint64::zero(),
            total: Some(Uint64::new(count(&rows))),
            rows,
            sequence: sequence.map(Uint64::new),
            digest: Uint64::zero(),
            next_key: None,
        };
        page.digest = page.digest_after(Uint64::zero());
        page
    }

    /// Returns the digest that this page has after one with the digest `before`, which is 0 for the first: for who
    /// changes pages on purpose. Of what is in it, all but `next_key`.
    #[must_use]
    pub fn digest_after(&self, before: Uint64) -> Uint64 {
        let number = |n: u64| n.to_be_bytes().to_vec();
        let optional = |n: Option<Uint64>| n.map_or_else(Vec::new, |n| number(n.u64()));
        let mut parts = vec![
            number(before.u64()),
            self.table.as_bytes().to_vec(),
            number(self.first.u64()),
            optional(self.sequence),
            optional(self.total),
        ];
        for row in &self.rows {
            parts.push(row.key.to_vec());
            parts.push(number(u64::try_from(row.values.len()).unwrap_or(u64::MAX)));
            for value in &row.values {
                parts.push(match value {
                    Some(value) => [&[1], value.as_slice()].concat(),
                    None => Vec::new(),
                });
            }
        }
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        Uint64::new(Scope::of(&parts).0)
    }

    /// How many rows this page and those before it have.
    pub(super) fn end(&self) -> u64 {
        self.first.u64().saturating_add(count(&self.rows))
    }
}

fn count(rows: &[GenesisRow]) -> u64 {
    u64::try_from(rows.len()).unwrap_or(u64::MAX)
}
