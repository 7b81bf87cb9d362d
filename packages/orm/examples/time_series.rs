//! A time series: ranges over a composite key, counts in one probe, and old rows deleted in bounded steps.

use cosmwasm_std::{Order, Uint64, testing::MockStorage};
use cw_orm::{OrmError, PageRequest, Table};

/// A price at a time.
#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "prices", ns = "p")]
#[count(id = 1, name = per_asset, key(asset))]
struct Price {
    #[pk]
    asset: String,
    #[pk]
    time: u32,
    price: u64,
}

fn main() -> Result<(), OrmError> {
    let mut store = MockStorage::new();
    for time in 0..10 {
        for (asset, price) in [("atom", 4), ("eth", 2_000)] {
            let asset = asset.into();
            Price::TABLE.insert(&mut store, &Price { asset, time, price })?;
        }
    }

    let atom = |time| ("atom".to_owned(), time);
    let hour = Price::TABLE.range(atom(3)..atom(6))?;
    println!(
        "from 3 to 6: {:?}",
        hour.ids(&store, Order::Ascending).read_all()?
    );

    let series = Price::TABLE.prefix(&("atom".to_owned(),))?;
    println!("latest: {:?}", series.last(&store)?);

    // The total comes from the counter, however long the series is.
    let request = PageRequest {
        count_total: true,
        ..PageRequest::first(2)
    };
    let series = Price::TABLE.prefix(&("atom".to_owned(),))?;
    assert_eq!(
        series.page(&store, &request)?.page.total,
        Some(Uint64::new(10))
    );

    // A call a step: each deletes at most three rows, with what indexes have of them.
    loop {
        let old = Price::TABLE.range(atom(0)..atom(8))?;
        let step = Price::TABLE.delete_where(&mut store, &old, None, 3)?;
        println!("deleted {}", step.rows);
        if !step.more {
            break;
        }
    }
    let left = Price::TABLE.counts(Price::PER_ASSET)?;
    assert_eq!(left.count(&store, &"atom".into())?, 2);
    Ok(())
}
