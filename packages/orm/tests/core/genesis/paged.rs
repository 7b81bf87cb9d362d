//! An import of one page a call.

use cosmwasm_std::{Storage, Uint64};
use cw_orm::{GenesisError, ImportState, Namespace, OrmError};

use super::{genesis, pages, trade_pages, trades};
use crate::fixture::{BY_PX, Dump, ORDERS, Store, TRADES, Trade, faults, order, raw_key, trade};

const STATE: Namespace = Namespace::new(b"gs");

fn state(rows: u64, complete: bool) -> ImportState {
    let rows = Uint64::new(rows);
    ImportState { rows, complete }
}

#[test]
fn page_by_page_then_finish() {
    let old = trades(5);
    let exported = trade_pages(&old, 2);
    let import = TRADES.import_by_page(STATE).unwrap();
    let mut new = Store::default();
    assert_eq!(import.state(&new), Ok(None));
    assert_eq!(
        import.finish(&mut new),
        Err(genesis(GenesisError::NotStarted))
    );
    for (page, rows) in exported.iter().zip([2, 4, 5]) {
        if rows > 2 {
            let unfinished = GenesisError::Unfinished {
                rows: page.first.u64(),
            };
            assert_eq!(import.finish(&mut new), Err(genesis(unfinished)));
        }
        let now = state(rows, rows == 5);
        assert_eq!(import.put(&mut new, page), Ok(now.clone()));
        assert_eq!(import.state(&new), Ok(Some(now)));
    }
    assert_eq!(import.finish(&mut new), Ok(5));
    assert_eq!(new.dump(), old.dump());
    assert_eq!(
        import.finish(&mut new),
        Err(genesis(GenesisError::NotStarted))
    );
    let refused = OrmError::NotEmpty {
        table: "trades",
        what: "rows",
    };
    assert_eq!(import.put(&mut new, &exported[0]), Err(refused));
}

#[test]
fn a_page_again_is_harmless_or_refused_by_name() {
    let exported = trade_pages(&trades(7), 2);
    let import = TRADES.import_by_page(STATE).unwrap();
    let mut store = Store::default();
    for at in 0..4 {
        for (other, page) in exported
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
        {
            let before = store.dump();
            let (first, expected) = (page.first.u64(), exported[at].first.u64());
            let answer = import.put(&mut store, page);
            match other {
                _ if other + 1 == at => {
                    assert_eq!(answer, Ok(state(expected, false)), "the last one again");
                }
                _ if other < at => {
                    let repeated = GenesisError::Repeated { first, expected };
                    assert_eq!(answer, Err(genesis(repeated)));
                }
                _ => {
                    let early = GenesisError::OutOfOrder { first, expected };
                    assert_eq!(answer, Err(genesis(early)));
                }
            }
            assert_eq!(store.dump(), before);
        }
        import.put(&mut store, &exported[at]).unwrap();
    }
    assert_eq!(import.put(&mut store, &exported[3]), Ok(state(7, true)));
    let mut after = exported[3].clone();
    after.first = Uint64::new(7);
    assert_eq!(
        import.put(&mut store, &after),
        Err(genesis(GenesisError::AfterLast))
    );
    // The last page's place, with other rows.
    let mut other = exported[3].clone();
    other.digest = Uint64::one();
    let repeated = GenesisError::Repeated {
        first: 6,
        expected: 7,
    };
    assert_eq!(import.put(&mut store, &other), Err(genesis(repeated)));
    assert_eq!(import.finish(&mut store), Ok(7));
    assert_eq!(store.dump(), trades(7).dump());
}

#[test]
fn the_table_is_in_use_meanwhile() {
    let exported = trade_pages(&trades(5), 2);
    let import = TRADES.import_by_page(STATE).unwrap();
    let mut store = Store::default();
    import.put(&mut store, &exported[0]).unwrap();
    let id = TRADES.insert(
        &mut store,
        &mut Trade {
            code: Some("mine".into()),
            ..trade(7)
        },
    );
    assert_eq!(id, Ok(6), "above all that the pages bring");
    TRADES.delete(&mut store, 1).unwrap();
    let by_px = TRADES.by(BY_PX).unwrap().key(&7).unwrap();
    assert_eq!(by_px.first(&store).unwrap().unwrap().id, 6);
    for page in &exported[1..] {
        import.put(&mut store, page).unwrap();
        assert_eq!(faults(|key| TRADES.check(&store, key, 9)), []);
    }
    assert_eq!(import.finish(&mut store), Ok(5));
    let ids: Vec<u64> = TRADES
        .all()
        .ids(&store, cosmwasm_std::Order::Ascending)
        .read_all()
        .unwrap();
    assert_eq!(ids, [2, 3, 4, 5, 6]);
    assert_eq!(TRADES.insert(&mut store, &mut trade(1)), Ok(7));
}

#[test]
fn a_row_in_the_way_is_refused_with_the_whole_page() {
    let mut old = Store::default();
    for seq in 0..4 {
        ORDERS.insert(&mut old, &order("a", seq, "m")).unwrap();
    }
    let exported = pages(|key| ORDERS.export(&old, key, 2));
    let import = ORDERS.import_by_page(STATE).unwrap();
    let mut store = Store::default();
    import.put(&mut store, &exported[0]).unwrap();
    ORDERS.insert(&mut store, &order("a", 3, "mine")).unwrap();
    let before = store.dump();
    let key = hex::encode(b"a\0\0\0\0\x03");
    let exists = OrmError::AlreadyExists {
        table: "orders",
        key,
    };
    assert_eq!(import.put(&mut store, &exported[1]), Err(exists));
    assert_eq!(store.dump(), before);
    ORDERS.delete(&mut store, &("a".into(), 3)).unwrap();
    assert!(import.put(&mut store, &exported[1]).unwrap().complete);
    import.finish(&mut store).unwrap();
    assert_eq!(store.dump(), old.dump());
}

#[test]
fn a_unique_key_in_the_way_is_refused_with_the_whole_page() {
    let exported = trade_pages(&trades(5), 2);
    let import = TRADES.import_by_page(STATE).unwrap();
    let mut store = Store::default();
    import.put(&mut store, &exported[0]).unwrap();
    let mut thief = Trade {
        code: Some("c4".into()),
        ..trade(7)
    };
    TRADES.insert(&mut store, &mut thief).unwrap();
    let before = store.dump();
    let taken = OrmError::UniqueViolation {
        table: "trades",
        index: "by_code",
        key: hex::encode(b"c4\0"),
    };
    assert_eq!(import.put(&mut store, &exported[1]), Err(taken));
    assert_eq!(store.dump(), before);
}

#[test]
fn the_finish_refuses_a_sequence_below_an_id() {
    let exported = trade_pages(&trades(5), 9);
    let import = TRADES.import_by_page(STATE).unwrap();
    let mut store = Store::default();
    import.put(&mut store, &exported[0]).unwrap();
    store.set(&raw_key("ts", &[]), &4_u64.to_be_bytes());
    let behind = GenesisError::SequenceBehind { sequence: 4, id: 5 };
    assert_eq!(import.finish(&mut store), Err(genesis(behind)));
    assert!(import.state(&store).unwrap().unwrap().complete);
}

#[test]
fn an_import_can_be_given_up_and_begun_anew() {
    let exported = trade_pages(&trades(5), 2);
    let import = TRADES.import_by_page(STATE).unwrap();
    let mut store = Store::default();
    import.put(&mut store, &exported[0]).unwrap();
    let refused = OrmError::NotEmpty {
        table: "trades",
        what: "rows",
    };
    assert_eq!(import.cancel(&mut store), Err(refused));
    TRADES.clear(&mut store, 9).unwrap();
    import.cancel(&mut store).unwrap();
    TRADES.reset_sequence(&mut store).unwrap();
    assert_eq!(store.dump(), Dump::new());
    for page in &exported {
        import.put(&mut store, page).unwrap();
    }
    assert_eq!(import.finish(&mut store), Ok(5));
    assert_eq!(store.dump(), trades(5).dump());
}

#[test]
fn imports_of_several_tables_keep_apart_in_one_namespace() {
    let mut old = trades(3);
    for seq in 0..3 {
        ORDERS.insert(&mut old, &order("a", seq, "m")).unwrap();
    }
    let (trade_pages, order_pages) = (
        trade_pages(&old, 2),
        pages(|key| ORDERS.export(&old, key, 2)),
    );
    let (trades, orders) = (
        TRADES.import_by_page(STATE).unwrap(),
        ORDERS.import_by_page(STATE).unwrap(),
    );
    let mut new = Store::default();
    for (trade_page, order_page) in trade_pages.iter().zip(&order_pages) {
        trades.put(&mut new, trade_page).unwrap();
        orders.put(&mut new, order_page).unwrap();
    }
    assert_eq!(
        (trades.finish(&mut new), orders.finish(&mut new)),
        (Ok(3), Ok(3))
    );
    assert_eq!(new.dump(), old.dump());
}

#[test]
fn malformed_state_is_refused() {
    let exported = trade_pages(&trades(5), 2);
    let import = TRADES.import_by_page(STATE).unwrap();
    let mut store = Store::default();
    import.put(&mut store, &exported[0]).unwrap();
    let key = raw_key("gs", &[b"t"]);
    let good = store.get(&key).unwrap();
    for bad in [
        &[1][..],
        &good[..17],
        &[&[2], &good[1..]].concat(),
        &[&[1, 2], &good[2..]].concat(),
    ] {
        store.set(&key, bad);
        let before = store.dump();
        let malformed = genesis(GenesisError::MalformedState);
        assert_eq!(import.put(&mut store, &exported[1]), Err(malformed.clone()));
        assert_eq!(import.state(&store), Err(malformed.clone()));
        assert_eq!(import.finish(&mut store), Err(malformed));
        assert_eq!(store.dump(), before);
    }
}
