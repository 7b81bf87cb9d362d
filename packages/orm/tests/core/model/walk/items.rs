//! Walks over whole rows: their table, its prefixes and ranges, and every kind of index over them.

use cosmwasm_std::Storage;
use cw_orm::{Scan, TextPrefix};

use super::*;
use crate::fixture::{BY_KIND, BY_MEMO, ITEMS, Item, LISTED, ORDERS, Order, PER_KIND, item, order};

/// An item, and one that no walk is to show: of another shop, kind and tag.
fn write_item(store: &mut dyn Storage, n: u8, come: bool) {
    for (shop, number) in [("shop", u32::from(n)), ("shopper", u32::from(n) + 1)] {
        if !come {
            ITEMS.delete(store, &(shop.into(), number)).unwrap();
            continue;
        }
        let own = shop == "shop";
        let row = Item {
            // As many kinds as numbers, whose counters come and go with the rows.
            kind: if own {
                format!("{:02}", 99 - n)
            } else {
                "~".into()
            },
            tags: if own {
                vec!["t".into(), format!("tag {}", n % 4)]
            } else {
                vec!["s".into(), "u".into()]
            },
            price: u64::from(n),
            ..item(shop, number, "")
        };
        ITEMS.insert(store, &row).unwrap();
    }
}

fn item_numbers<L: cw_orm::Listed<Item>>(
    walk: &Walk,
    scan: Scan<Item, L>,
    store: &dyn Storage,
    request: &PageRequest,
) -> Result<Page<u8>, OrmError> {
    let scan = match walk.budget {
        None => scan,
        Some(budget) => scan
            .filter("kept", |_, row| kept(row.price as u8))
            .budget(budget),
    };
    scan.page(store, request)?
        .try_map(|row| Ok(row.price as u8))
}

/// An order whose memo sorts as its number does only where bytes are escaped.
fn write_order(store: &mut dyn Storage, n: u8, come: bool) {
    let (owner, seq) = (if n.is_multiple_of(2) { "a" } else { "ab" }, u32::from(n));
    if come {
        let memo = match n % 3 {
            0 => vec![],
            1 => vec![0; usize::from(n)],
            _ => vec![n],
        };
        let row = Order {
            memo,
            ..order(owner, seq, "m")
        };
        ORDERS.insert(store, &row).unwrap();
    } else {
        ORDERS.delete(store, &(owner.into(), seq)).unwrap();
    }
}

/// The rank of an order by memo and number.
fn memo(n: u8) -> (Vec<u8>, u8) {
    match n % 3 {
        0 => (vec![], n),
        1 => (vec![0; usize::from(n)], n),
        _ => (vec![n], n),
    }
}

fn order_numbers<L: cw_orm::Listed<Order>>(
    walk: &Walk,
    scan: Scan<Order, L>,
    store: &dyn Storage,
    request: &PageRequest,
) -> Result<Page<u8>, OrmError> {
    let scan = match walk.budget {
        None => scan,
        Some(budget) => scan
            .filter("kept", |key, _| kept(key.1 as u8))
            .budget(budget),
    };
    scan.page(store, request)?.try_map(|row| Ok(row.seq as u8))
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn over_composite_keys(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| order_numbers(&walk, ORDERS.all(), store, request);
        take(&walk, write_order, page, |n| (n % 2, n))?;
    }

    #[test]
    fn over_an_ordered_index(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            order_numbers(&walk, ORDERS.by(BY_MEMO)?.all(), store, request)
        };
        take(&walk, write_order, page, memo)?;
    }

    #[test]
    fn over_a_prefix(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            item_numbers(&walk, ITEMS.prefix(&("shop".to_owned(),))?, store, request)
        };
        take(&walk, write_item, page, |n| n)?;
    }

    #[test]
    fn over_a_range(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            let bounds = ("shop".to_owned(), 0)..=("shop".to_owned(), u32::MAX);
            item_numbers(&walk, ITEMS.range(bounds)?, store, request)
        };
        take(&walk, write_item, page, |n| n)?;
    }

    #[test]
    fn over_one_key_of_a_covering_index(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            item_numbers(&walk, ITEMS.by(LISTED)?.key(&"t".into())?, store, request)
        };
        take(&walk, write_item, page, |n| n)?;
    }

    #[test]
    fn over_what_begins_with_a_text(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            item_numbers(&walk, ITEMS.by(LISTED)?.prefix(&TextPrefix("tag "))?, store, request)
        };
        take(&walk, write_item, page, |n| (n % 4, n))?;
    }

    #[test]
    fn over_covered_columns(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            let list = ITEMS.by(LISTED)?.prefix(&TextPrefix("tag"))?.columns();
            let list = match walk.budget {
                None => list,
                Some(budget) => list.filter("kept", |(_, _, (price, _))| kept(*price as u8)).budget(budget),
            };
            list.page(store, request)?.try_map(|(_, _, (price, _))| Ok(price as u8))
        };
        take(&walk, write_item, page, |n| (n % 4, n))?;
    }

    #[test]
    fn over_index_keys(walk in walks()) {
        let page = |store: &dyn Storage, request: &PageRequest| {
            let list = ITEMS.by(BY_KIND)?.range(.."~".to_owned())?.index_keys();
            let list = match walk.budget {
                None => list,
                Some(budget) => list.filter("kept", |(_, key)| kept(key.1 as u8)).budget(budget),
            };
            list.page(store, request)?.try_map(|(_, (_, number))| Ok(number as u8))
        };
        take(&walk, write_item, page, |n| 99 - n)?;
    }

    #[test]
    fn over_counters(walk in walks()) {
        let number = |kind: &str| 99 - kind.parse::<u8>().unwrap();
        let page = |store: &dyn Storage, request: &PageRequest| {
            let list = ITEMS.counts(PER_KIND)?.range(.."~".to_owned())?.list();
            let list = match walk.budget {
                None => list,
                Some(budget) => list.filter("kept", move |(kind, _)| kept(number(kind))).budget(budget),
            };
            list.page(store, request)?.try_map(|(kind, count)| {
                assert_eq!(count, 1);
                Ok(number(&kind))
            })
        };
        take(&walk, write_item, page, |n| 99 - n)?;
    }
}
