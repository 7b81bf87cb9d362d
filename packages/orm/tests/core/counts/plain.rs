//! Tables of whole rows, their indexes, pages and iterators.

use cosmwasm_std::Order::Ascending;
use cw_orm::{OrmError, Probe};

use super::{GET, NONE, PROBE, check, full, orders, refused};
use crate::fixture::{
    BY_CLIENT, BY_CODE, BY_MARKET, Counts, ORDERS, Order, Store, TRADES, Trade, counted, first,
    order,
};

#[test]
fn insert() {
    let mut store = Store::default();
    let probes = Counts {
        open: 2,
        next: 2,
        ..NONE
    };
    check(&mut store, Counts { set: 6, ..probes }, |store| {
        ORDERS.insert(store, &full(1))
    });
    let plain = order("a", 2, "m");
    check(&mut store, Counts { set: 3, ..PROBE }, |store| {
        ORDERS.insert(store, &plain)
    });
    refused(&mut store, PROBE, |store| ORDERS.insert(store, &plain));
    let taken = Order {
        client: Some("c1".into()),
        ..full(3)
    };
    refused(&mut store, probes, |store| ORDERS.insert(store, &taken));
    refused(&mut store, NONE, |store| {
        ORDERS.insert(
            store,
            &Order {
                amount: 13,
                ..full(4)
            },
        )
    });
}

#[test]
fn repeated_index_keys_are_written_and_removed_once() {
    let mut store = Store::default();
    let tags = vec!["x".into(), "x".into(), "x".into()];
    let row = Order {
        tags,
        ..order("a", 1, "m")
    };
    check(&mut store, Counts { set: 4, ..PROBE }, |store| {
        ORDERS.insert(store, &row)
    });
    check(&mut store, Counts { remove: 4, ..GET }, |store| {
        ORDERS.delete(store, &("a".into(), 1))
    });
}

#[test]
fn insert_by_plain_reads() {
    let mut store = Store::default();
    let orders = ORDERS.with_probe(Probe::Get);
    check(
        &mut store,
        Counts {
            get: 2,
            set: 6,
            ..NONE
        },
        |store| orders.insert(store, &full(1)),
    );
    refused(&mut store, GET, |store| orders.insert(store, &full(1)));
}

#[test]
fn update_of_nothing() {
    let mut store = orders(1);
    check(&mut store, GET, |store| ORDERS.update(store, full(0)));
    check(&mut store, GET, |store| ORDERS.upsert(store, full(0)));
    check(&mut store, GET, |store| {
        ORDERS.modify(store, &("a".into(), 0), Ok::<_, OrmError>)
    });
}

#[test]
fn update_of_a_plain_column() {
    let mut store = orders(1);
    let one = Counts { set: 1, ..GET };
    check(&mut store, one, |store| {
        ORDERS.update(
            store,
            Order {
                amount: 2,
                ..full(0)
            },
        )
    });
    check(&mut store, one, |store| {
        ORDERS.upsert(
            store,
            Order {
                amount: 3,
                ..full(0)
            },
        )
    });
    let change = |row: Order| Ok::<_, OrmError>(Order { amount: 4, ..row });
    check(&mut store, one, |store| {
        ORDERS.modify(store, &("a".into(), 0), change)
    });
}

#[test]
fn update_of_an_indexed_column() {
    let mut store = orders(1);
    let moved = Counts {
        set: 2,
        remove: 1,
        ..GET
    };
    check(&mut store, moved, |store| {
        ORDERS.update(
            store,
            Order {
                market: "n".into(),
                ..full(0)
            },
        )
    });
    let one_tag = Order {
        market: "n".into(),
        tags: vec!["z".into(), "y".into()],
        ..full(0)
    };
    check(&mut store, moved, |store| ORDERS.update(store, one_tag));
    let fewer = Order {
        market: "n".into(),
        tags: vec!["y".into()],
        ..full(0)
    };
    check(
        &mut store,
        Counts {
            set: 1,
            remove: 1,
            ..GET
        },
        |store| ORDERS.update(store, fewer),
    );
}

#[test]
fn update_of_a_unique_column() {
    let mut store = orders(2);
    let probed = Counts { get: 1, ..PROBE };
    let renamed = Order {
        client: Some("new".into()),
        ..full(0)
    };
    check(
        &mut store,
        Counts {
            set: 2,
            remove: 1,
            ..probed
        },
        |store| ORDERS.update(store, renamed),
    );
    let freed = Order {
        client: None,
        ..full(0)
    };
    check(
        &mut store,
        Counts {
            set: 1,
            remove: 1,
            ..GET
        },
        |store| ORDERS.update(store, freed),
    );
    let taken = Order {
        client: Some("c1".into()),
        ..full(0)
    };
    refused(&mut store, probed, |store| ORDERS.update(store, taken));
}

#[test]
fn update_of_a_missing_row() {
    let mut store = orders(0);
    refused(&mut store, GET, |store| ORDERS.update(store, full(0)));
    refused(&mut store, GET, |store| {
        ORDERS.delete(store, &("a".into(), 0))
    });
}

#[test]
fn upsert_of_a_new_row() {
    let mut store = orders(0);
    check(
        &mut store,
        Counts {
            get: 1,
            set: 6,
            ..PROBE
        },
        |store| ORDERS.upsert(store, full(0)),
    );
}

#[test]
fn delete() {
    let mut store = orders(1);
    check(&mut store, Counts { remove: 6, ..GET }, |store| {
        ORDERS.delete(store, &("a".into(), 0))
    });
}

#[test]
fn point_reads() {
    let mut store = orders(1);
    let keys = [("a".to_owned(), 0), ("a".to_owned(), 9)];
    for key in keys {
        check(&mut store, GET, |store| ORDERS.get(store, &key));
        check(&mut store, PROBE, |store| ORDERS.has(store, &key));
        check(&mut store, GET, |store| {
            ORDERS.with_probe(Probe::Get).has(store, &key)
        });
    }
    check(&mut store, PROBE, |store| ORDERS.contains(store, &full(0)));
}

#[test]
fn index_look_ups() {
    let mut store = orders(1);
    let (held, free) = ("c0".to_owned(), "c9".to_owned());
    check(&mut store, Counts { get: 1, ..PROBE }, |store| {
        ORDERS.by(BY_CLIENT)?.get(store, &held)
    });
    check(&mut store, PROBE, |store| {
        ORDERS.by(BY_CLIENT)?.get(store, &free)
    });
    check(&mut store, PROBE, |store| {
        ORDERS.by(BY_CLIENT)?.row_key(store, &held)
    });
    check(&mut store, PROBE, |store| {
        ORDERS.by(BY_CLIENT)?.has(store, &held)
    });
    check(&mut store, PROBE, |store| {
        ORDERS.by(BY_MARKET)?.has(store, &"m".into())
    });
    let plain = ORDERS.with_probe(Probe::Get);
    check(&mut store, Counts { get: 2, ..NONE }, |store| {
        plain.by(BY_CLIENT)?.get(store, &held)
    });
}

#[test]
fn pages() {
    let mut store = orders(9);
    // Three items and the look at a fourth, which says that there is more.
    let page = Counts {
        open: 1,
        next: 4,
        ..NONE
    };
    check(&mut store, page, |store| {
        ORDERS.all().page_ids(store, &first(3))
    });
    check(&mut store, page, |store| {
        ORDERS.all().page(store, &first(3))
    });
    let market = ORDERS.by(BY_MARKET).unwrap().key(&"m".into()).unwrap();
    check(&mut store, page, |store| market.page_ids(store, &first(3)));
    check(&mut store, Counts { get: 3, ..page }, |store| {
        market.page(store, &first(3))
    });
    let counting = Counts {
        open: 1,
        next: 10,
        ..NONE
    };
    check(&mut store, counting, |store| {
        ORDERS.all().page(store, &counted(0, 3))
    });
    check(&mut store, Counts { get: 3, ..counting }, |store| {
        market.page(store, &counted(2, 3))
    });
    let skipping = cw_orm::PageRequest {
        count_total: false,
        ..counted(2, 3)
    };
    check(
        &mut store,
        Counts {
            get: 3,
            next: 6,
            ..page
        },
        |store| market.page(store, &skipping),
    );
    // Rows 1, 3 and 5 match; row 7 says that there is more.
    let odd = market.filter("odd", |key, _| key.1 % 2 == 1);
    check(
        &mut store,
        Counts {
            get: 8,
            open: 1,
            next: 8,
            ..NONE
        },
        |store| odd.page(store, &first(3)),
    );
}

#[test]
fn iterators() {
    let mut store = orders(9);
    check(&mut store, PROBE, |store| ORDERS.all().first(store));
    check(&mut store, PROBE, |store| ORDERS.all().last(store));
    check(&mut store, PROBE, |store| ORDERS.all().is_empty(store));
    let three = Counts {
        open: 1,
        next: 3,
        ..NONE
    };
    check(&mut store, three, |store| {
        ORDERS.all().rows(store, Ascending).limit(3).read_all()
    });
    let market = ORDERS.by(BY_MARKET).unwrap().all();
    check(&mut store, Counts { get: 3, ..three }, |store| {
        market.rows(store, Ascending).limit(3).read_all()
    });
}

#[test]
fn auto_uint64_table() {
    let mut store = Store::default();
    let new = || Trade {
        code: Some("c".into()),
        ..crate::fixture::trade(1)
    };
    let probed = Counts {
        get: 1,
        open: 2,
        next: 2,
        ..NONE
    };
    check(&mut store, Counts { set: 4, ..probed }, |store| {
        TRADES.insert(store, &mut new())
    });
    refused(&mut store, probed, |store| TRADES.insert(store, &mut new()));
    refused(&mut store, NONE, |store| {
        TRADES.insert(store, &mut Trade { id: 1, ..new() })
    });
    check(&mut store, GET, |store| {
        TRADES.update(store, Trade { id: 1, ..new() })
    });
    check(
        &mut store,
        Counts {
            set: 2,
            remove: 1,
            ..GET
        },
        |store| {
            TRADES.update(
                store,
                Trade {
                    id: 1,
                    px: 2,
                    ..new()
                },
            )
        },
    );
    check(&mut store, Counts { get: 1, ..PROBE }, |store| {
        TRADES.by(BY_CODE)?.get(store, &"c".into())
    });
    check(&mut store, Counts { remove: 3, ..GET }, |store| {
        TRADES.delete(store, 1)
    });
    check(&mut store, GET, |store| TRADES.sequence().current(store));
    check(&mut store, Counts { set: 1, ..GET }, |store| {
        TRADES.sequence().next(store)
    });
}
