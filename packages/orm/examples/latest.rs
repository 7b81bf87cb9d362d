//! An index of a contract's own: the latest row of each key, found without a scan of the others.
//!
//! Entry: `namespace | key → row id` of the row with the greatest primary key. Such an entry looks as one of a unique index
//! does, so the index also implements [`Lookup`], and is scanned and paged like any other.
//!
//! It keeps itself right also when the latest row goes or takes another key: then the one before is looked up through a
//! multi-key index over the same key. All an index may do is read the store and plan writes in its own namespace.

use cosmwasm_std::{Order, Storage, testing::MockStorage};
use cw_orm::{
    IndexKind, Indexable, Key, KeyRule, Lookup, LookupFacts, MultiKeyIndex, Namespace, OrmError,
    Record, RowGetter, Subject, Table, WritePlan,
};

/// The latest row of each key of another index.
#[derive(Clone, Copy, Debug)]
pub struct Latest {
    id: u8,
    name: &'static str,
    namespace: Namespace,
    rows: MultiKeyIndex<Price, String>,
}

/// A price that was reported for a feed.
#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "prices", ns = "p")]
#[custom(id = 2, name = latest, with = latest, index_type = Latest)]
pub struct Price {
    /// Given by the table, so that a later report has a greater one.
    #[pk(auto)]
    pub id: u64,
    /// What it is the price of.
    #[index(id = 1)]
    pub feed: String,
    /// How much.
    pub amount: u64,
}

const fn latest(id: u8, name: &'static str, namespace: Namespace) -> Latest {
    Latest {
        id,
        name,
        namespace,
        rows: Price::BY_FEED,
    }
}

impl Latest {
    /// The store's key of the entry for `feed`.
    fn entry(&self, feed: &String) -> Result<Vec<u8>, OrmError> {
        let key = feed
            .encode(KeyRule::Delimited)
            .map_err(|source| OrmError::Index {
                table: Price::META.name,
                index: self.name,
                reason: source.to_string(),
            })?;
        Ok(self.namespace.key(&key))
    }

    /// Plans for a row that comes to `feed`: its entry, unless a later row has it.
    fn come(
        &self,
        storage: &dyn Storage,
        row_id: &[u8],
        feed: &String,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let entry = self.entry(feed)?;
        // The row ids of one table are as long as each other, so their bytes sort as the ids do.
        if storage.get(&entry).is_none_or(|held| held[..] < *row_id) {
            plan.set(entry, row_id.to_vec());
        }
        Ok(())
    }

    /// Plans for a row that goes from `feed`: if it was the latest, the one before takes its place.
    fn go(
        &self,
        storage: &dyn Storage,
        row_id: &[u8],
        id: u64,
        feed: &String,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        let entry = self.entry(feed)?;
        if storage.get(&entry).as_deref() != Some(row_id) {
            return Ok(());
        }
        // The store is still as before the change, so the row itself is among those found.
        let of_feed = Price::TABLE.by(self.rows)?.key(feed)?;
        for before in of_feed.ids(storage, Order::Descending) {
            let before = before?;
            if before != id {
                plan.set(entry, before.to_be_bytes().to_vec());
                return Ok(());
            }
        }
        plan.remove(entry);
        Ok(())
    }
}

impl Indexable<Price> for Latest {
    fn id(&self) -> u8 {
        self.id
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn namespace(&self) -> Namespace {
        self.namespace
    }

    fn kind(&self) -> IndexKind {
        IndexKind::Custom("latest")
    }

    fn on_create(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, Price>,
        new: &Price,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.come(storage, subject.row_id, &new.feed, plan)
    }

    fn on_update(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, Price>,
        old: &Price,
        new: &Price,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        if old.feed == new.feed {
            return Ok(());
        }
        self.go(storage, subject.row_id, *subject.key, &old.feed, plan)?;
        self.come(storage, subject.row_id, &new.feed, plan)
    }

    fn on_delete(
        &self,
        storage: &dyn Storage,
        subject: &Subject<'_, Price>,
        old: &Price,
        plan: &mut WritePlan,
    ) -> Result<(), OrmError> {
        self.go(storage, subject.row_id, *subject.key, &old.feed, plan)
    }
}

impl Lookup<Price> for Latest {
    type Key = String;

    fn facts(&self) -> LookupFacts {
        LookupFacts {
            id: self.id,
            name: self.name,
            namespace: self.namespace,
            rule: KeyRule::Delimited,
            row_in_value: true,
        }
    }
}

/// Returns the latest price of a feed: two reads, however many were reported.
///
/// # Errors
/// Those of the table.
pub fn latest_price(storage: &dyn Storage, feed: &String) -> Result<Option<Price>, OrmError> {
    let entry = Price::LATEST.entry(feed)?;
    storage
        .get(&entry)
        .map(|row_id| Price::TABLE.get_row(storage, &row_id))
        .transpose()
}

fn main() -> Result<(), OrmError> {
    let mut store = MockStorage::new();
    for (feed, amount) in [("btc", 100), ("eth", 10), ("btc", 101), ("btc", 99)] {
        let feed = feed.to_owned();
        Price::TABLE.insert(
            &mut store,
            &mut Price {
                id: 0,
                feed,
                amount,
            },
        )?;
    }
    let btc = "btc".to_owned();
    println!("latest: {:?}", latest_price(&store, &btc)?);
    Price::TABLE.delete(&mut store, 4)?;
    println!("the one before: {:?}", latest_price(&store, &btc)?);
    // The feeds, each with its latest price, as any index lists its rows.
    let feeds = Price::TABLE.by(Price::LATEST)?.all();
    for row in feeds.rows(&store, Order::Ascending) {
        println!("{:?}", row?);
    }
    Ok(())
}
