//! What an import at once takes and what it refuses.

use cosmwasm_std::{Binary, Storage, Uint64};
use cw_orm::{GenesisError, GenesisPage, GenesisRow, IndexSet, KeyError, OrmError};

use super::{assert_untouched, genesis, pages, reseal, trade_pages, trades};
use crate::fixture::{
    BY_CLIENT, BY_CODE, Body, LEGACY, Legacy, MESSAGES, Message, ORDERS, Order, Phase, Store,
    TRADES, Trade, order, raw_key, trade,
};

#[test]
fn f05_ids_go_on_after_an_import() {
    let mut old = trades(3);
    TRADES.delete(&mut old, 3).unwrap();
    let exported = trade_pages(&old, 10);
    assert_eq!(exported[0].sequence, Some(Uint64::new(3)));
    let mut new = Store::default();
    assert_eq!(TRADES.import(&mut new, &exported), Ok(2));
    assert_eq!(TRADES.insert(&mut new, &mut trade(7)), Ok(4));
}

#[test]
fn f05_a_sequence_below_an_id_is_refused() {
    for (at, sequence, id) in [(0, 2, 3), (0, 0, 1), (1, 4, 5)] {
        let mut exported = trade_pages(&trades(5), 3);
        exported[at].sequence = Some(Uint64::new(sequence));
        let mut store = Store::default();
        // Changed by accident, and on purpose.
        let first = exported[at].first.u64();
        let refused = TRADES.import(&mut store, &exported);
        assert_eq!(refused, Err(genesis(GenesisError::Digest { first })));
        reseal(&mut exported);
        let behind = GenesisError::SequenceBehind { sequence, id };
        assert_eq!(TRADES.import(&mut store, &exported), Err(genesis(behind)));
        assert_untouched(&store);
    }
}

#[test]
fn f05_rows_without_a_sequence_are_refused() {
    let mut exported = trade_pages(&trades(5), 3);
    exported[1].sequence = None;
    reseal(&mut exported);
    let mut store = Store::default();
    let missing = Err(genesis(GenesisError::NoSequence));
    assert_eq!(TRADES.import(&mut store, &exported), missing);
    assert_untouched(&store);
    // Without rows there may be none, or one: of a table whose rows are all gone.
    let never_used = trade_pages(&store, 3);
    assert_eq!(
        (never_used[0].sequence, never_used[0].total),
        (None, Some(Uint64::zero()))
    );
    assert_eq!(TRADES.import(&mut store, &never_used), Ok(0));
    assert_untouched(&store);
    let mut emptied = trades(3);
    TRADES.clear(&mut emptied, 9).unwrap();
    assert_eq!(TRADES.import(&mut store, &trade_pages(&emptied, 3)), Ok(0));
    assert_eq!(TRADES.insert(&mut store, &mut trade(1)), Ok(4));
}

#[test]
fn a_sequence_for_a_table_without_one_is_refused() {
    let mut store = Store::default();
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    let mut exported = pages(|key| ORDERS.export(&store, key, 3));
    exported[0].sequence = Some(Uint64::one());
    reseal(&mut exported);
    let refused = OrmError::Genesis {
        table: "orders",
        source: GenesisError::UnexpectedSequence,
    };
    assert_eq!(
        ORDERS.import(&mut Store::default(), &exported),
        Err(refused)
    );
}

#[test]
fn a_table_that_gave_ids_does_not_give_them_again() {
    let mut store = trades(9);
    TRADES.clear(&mut store, 99).unwrap();
    assert_eq!(
        TRADES.import(&mut store, &trade_pages(&trades(3), 2)),
        Ok(3)
    );
    assert_eq!(TRADES.insert(&mut store, &mut trade(1)), Ok(10));
    TRADES.clear(&mut store, 99).unwrap();
    TRADES.reset_sequence(&mut store).unwrap();
    TRADES
        .import(&mut store, &trade_pages(&trades(3), 2))
        .unwrap();
    assert_eq!(store.dump(), trades(3).dump());
}

#[test]
fn a_table_with_anything_in_it_is_refused() {
    let exported = trade_pages(&trades(3), 2);
    let mut store = trades(1);
    let before = store.dump();
    let not_empty = |what| OrmError::NotEmpty {
        table: "trades",
        what,
    };
    assert_eq!(TRADES.import(&mut store, &exported), Err(not_empty("rows")));
    assert_eq!(store.dump(), before);
    // A left over entry would make an import's own collide with it, or be taken for one of its.
    let mut store = Store::default();
    store.set(&raw_key("tc", &[b"c2\0"]), &7_u64.to_be_bytes());
    assert_eq!(
        TRADES.import(&mut store, &exported),
        Err(not_empty("by_code"))
    );
    let bare = TRADES.with_indexes(IndexSet::ALL.without(BY_CODE.id()));
    assert_eq!(bare.import(&mut store, &exported), Ok(3));
    assert_eq!(
        store.dump().len(),
        8,
        "3 rows, 3 prices, the sequence, and what was there"
    );
    let mut store = Store::default();
    MESSAGES
        .family::<Phase>()
        .insert(&mut store, &(1, 1), &Phase { phases: vec![] })
        .unwrap();
    let refused = OrmError::NotEmpty {
        table: "messages",
        what: "rows",
    };
    assert_eq!(MESSAGES.import(&mut store, &[]), Err(refused));
}

#[test]
fn pages_that_do_not_follow_each_other_are_refused() {
    let exported = trade_pages(&trades(7), 2);
    let [a, b, c, d] = &exported[..] else {
        panic!("four pages")
    };
    let take = |pages: &[&GenesisPage]| -> Result<u64, OrmError> {
        let pages: Vec<_> = pages.iter().map(|page| (*page).clone()).collect();
        let mut store = Store::default();
        let answer = TRADES.import(&mut store, &pages);
        if answer.is_err() {
            assert_untouched(&store);
        }
        answer
    };
    let refused = |source| Err(genesis(source));
    let repeated = |first, expected| refused(GenesisError::Repeated { first, expected });
    let early = |first, expected| refused(GenesisError::OutOfOrder { first, expected });
    assert_eq!(take(&[a, b, c, d]), Ok(7));
    assert_eq!(take(&[a, a, b, c, d]), repeated(0, 2));
    assert_eq!(take(&[a, b, a]), repeated(0, 4));
    assert_eq!(take(&[b, c, d]), early(2, 0));
    assert_eq!(take(&[a, c, d]), early(4, 2));
    assert_eq!(take(&[a, b, d, c]), early(6, 4));
    assert_eq!(take(&[]), refused(GenesisError::Unfinished { rows: 0 }));
    assert_eq!(take(&[a, b]), refused(GenesisError::Unfinished { rows: 4 }));
    assert_eq!(take(&[a, b, c, d, d]), repeated(6, 7));
    let mut after = d.clone();
    after.first = Uint64::new(7);
    assert_eq!(
        take(&[a, b, c, d, &after]),
        refused(GenesisError::AfterLast)
    );
    // A page of another export, with the right place.
    let mut other = trades(9);
    TRADES.delete(&mut other, 1).unwrap();
    let other = trade_pages(&other, 2);
    assert_eq!(
        take(&[a, &other[1], c, d]),
        refused(GenesisError::Digest { first: 2 })
    );
    let mut foreign = exported.clone();
    foreign[1].table = "orders".into();
    reseal(&mut foreign);
    let found = "orders".into();
    assert_eq!(
        TRADES.import(&mut Store::default(), &foreign),
        refused(GenesisError::OtherTable { found })
    );
    let mut total = exported.clone();
    total[3].total = Some(Uint64::new(8));
    reseal(&mut total);
    assert_eq!(
        TRADES.import(&mut Store::default(), &total),
        refused(GenesisError::Total { total: 8, rows: 7 })
    );
}

/// What is refused of pages that were changed on purpose.
fn changed(change: impl FnOnce(&mut Vec<GenesisRow>)) -> OrmError {
    let mut exported = trade_pages(&trades(4), 9);
    change(&mut exported[0].rows);
    exported[0].total = Some(Uint64::new(exported[0].rows.len() as u64));
    reseal(&mut exported);
    let mut store = Store::default();
    let error = TRADES.import(&mut store, &exported).unwrap_err();
    assert_untouched(&store);
    error
}

fn id(id: u64) -> String {
    hex::encode(id.to_be_bytes())
}

#[test]
fn rows_twice_or_out_of_order_are_refused() {
    let order = |key, before| {
        let (key, before) = (id(key), id(before));
        genesis(GenesisError::RowOrder { key, before })
    };
    assert_eq!(changed(|rows| rows.insert(2, rows[1].clone())), order(2, 2));
    assert_eq!(changed(|rows| rows.swap(1, 2)), order(2, 3));
    // Also across pages.
    let mut exported = trade_pages(&trades(4), 2);
    exported[1].rows[0] = exported[0].rows[1].clone();
    reseal(&mut exported);
    let refused = TRADES.import(&mut Store::default(), &exported);
    assert_eq!(refused, Err(order(2, 2)));
}

#[test]
fn rows_that_the_table_would_not_write_are_refused() {
    let values = |found, expected| GenesisError::Values {
        key: id(2),
        found,
        expected,
    };
    assert_eq!(
        changed(|rows| rows[1].values.clear()),
        genesis(values(0, 1))
    );
    assert_eq!(
        changed(|rows| rows[1].values.push(None)),
        genesis(values(2, 1))
    );
    let none = GenesisError::NoValue { key: id(2) };
    assert_eq!(changed(|rows| rows[1].values[0] = None), genesis(none));
    let set = |value: &[u8]| {
        let value = Binary::from(value);
        changed(|rows| rows[1].values[0] = Some(value))
    };
    for bytes in [&[][..], &[2], &[1, 0, 0, 0], &[2, 0, 0, 0, 0]] {
        let error = set(bytes);
        assert!(
            matches!(&error, OrmError::Decode { table: "trades", key, .. } if *key == id(2)),
            "{error}"
        );
    }
    let taken = OrmError::UniqueViolation {
        table: "trades",
        index: "by_code",
        key: hex::encode(b"c1\0"),
    };
    assert_eq!(set(b"\x02\x02\x01\x02c1\0"), taken);
    let invalid = OrmError::Invalid {
        table: "trades",
        reason: "a bad note".into(),
    };
    assert_eq!(set(b"\x02\x02\0\x03bad"), invalid);
    let error = changed(|rows| rows[3].key = Binary::from(b"\0\0\0\0\0\0\0\x04\0"));
    let source = KeyError::Trailing { len: 1 };
    assert_eq!(
        error,
        OrmError::Key {
            table: "trades",
            source
        }
    );
}

#[test]
fn an_empty_key_and_a_row_with_another_key_are_refused() {
    let row = |key: &[u8], value: &[u8]| GenesisRow {
        key: key.into(),
        values: vec![Some(value.into())],
    };
    let import = |row| {
        let mut store = Store::default();
        let error = LEGACY
            .import(&mut store, &[GenesisPage::whole("legacy", vec![row], None)])
            .unwrap_err();
        assert_untouched(&store);
        error
    };
    let json = br#"{"name":"ab","points":1}"#;
    let other = OrmError::PrimaryKeyChanged {
        table: "legacy",
        from: hex::encode("a"),
        to: hex::encode("ab"),
    };
    assert_eq!(import(row(b"a", json)), other);
    let empty = import(row(b"", br#"{"name":"","points":1}"#));
    let source = KeyError::Empty;
    assert_eq!(
        empty,
        OrmError::Key {
            table: "legacy",
            source
        }
    );
    // Bytes that another writer wrote otherwise are kept as they are.
    let spaced = br#"{ "points": 1, "name": "ab" }"#;
    let page = GenesisPage::whole("legacy", vec![row(b"ab", spaced)], None);
    let mut store = Store::default();
    assert_eq!(LEGACY.import(&mut store, &[page]), Ok(1));
    assert_eq!(store.get(&raw_key("legacy", &[b"ab"])).unwrap(), spaced);
}

#[test]
fn an_export_refuses_what_no_import_would_take() {
    let mut store = trades(3);
    store.set(&raw_key("ts", &[]), &2_u64.to_be_bytes());
    let behind = GenesisError::SequenceBehind { sequence: 2, id: 3 };
    assert_eq!(TRADES.export(&store, None, 9), Err(genesis(behind)));
    assert!(
        TRADES.export(&store, None, 2).is_ok(),
        "row 3 is not on this page"
    );
    store.set(&raw_key("ts", &[]), &[1]);
    let malformed = OrmError::MalformedSequence { table: "trades" };
    assert_eq!(TRADES.export(&store, None, 9), Err(malformed));
    store.set(&raw_key("ts", &[]), &3_u64.to_be_bytes());
    store.set(&raw_key("t", &[&2_u64.to_be_bytes()]), &[2, 0xff]);
    let error = TRADES.export(&store, None, 9).unwrap_err();
    assert!(matches!(error, OrmError::Decode { .. }), "{error}");
}

#[test]
fn an_export_refuses_keys_that_are_not_of_it() {
    let mut store = trades(3);
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    let zero = OrmError::ZeroLimit { table: "trades" };
    assert_eq!(TRADES.export(&store, None, 0), Err(zero));
    let key = TRADES.export(&store, None, 2).unwrap().next_key.unwrap();
    assert_eq!(
        ORDERS.export(&store, Some(&key), 2),
        Err(OrmError::ForeignCursor)
    );
    let page = TRADES
        .get_paginated(&store, &crate::fixture::first(2))
        .unwrap();
    let listed = page.page.next_key.unwrap();
    assert_eq!(
        TRADES.export(&store, Some(&listed), 2),
        Err(OrmError::ForeignCursor)
    );
    for junk in [&b"x"[..], &key[..key.len() - 9]] {
        let junk = Binary::from(junk);
        assert_eq!(
            TRADES.export(&store, Some(&junk), 2),
            Err(OrmError::MalformedCursor)
        );
    }
    let all = TRADES.export(&store, None, u32::MAX).unwrap();
    assert_eq!((all.rows.len(), all.next_key), (3, None));
}

#[test]
fn a_genesis_can_be_written_by_hand() {
    let rows = [order("b", 1, "m"), order("a", 2, "m"), order("a", 1, "n")];
    let travel: Vec<_> = rows
        .iter()
        .map(|row| ORDERS.genesis_row(row).unwrap())
        .collect();
    for (row, sent) in rows.iter().zip(&travel) {
        assert_eq!(ORDERS.read_genesis_row(sent).as_ref(), Ok(row));
    }
    let page = GenesisPage::whole("orders", travel, None);
    let (mut by_hand, mut inserted) = (Store::default(), Store::default());
    assert_eq!(ORDERS.import(&mut by_hand, &[page]), Ok(3));
    rows.iter()
        .for_each(|row| ORDERS.insert(&mut inserted, row).unwrap());
    assert_eq!(by_hand.dump(), inserted.dump());

    let trade = Trade { id: 9, ..trade(5) };
    let row = TRADES.genesis_row(&trade).unwrap();
    assert_eq!(TRADES.read_genesis_row(&row), Ok(trade));
    let mut store = Store::default();
    TRADES
        .import(
            &mut store,
            &[GenesisPage::whole("trades", vec![row], Some(12))],
        )
        .unwrap();
    assert_eq!(TRADES.sequence().current(&store), Ok(12));

    let message = Message {
        chain: 1,
        sequence: 2,
        body: Some(Body {
            nonce: 3,
            payload: vec![4],
        }),
        quorum: None,
        phase: Some(Phase { phases: vec![5] }),
    };
    let row = MESSAGES.genesis_row(&message).unwrap();
    assert_eq!(MESSAGES.read_genesis_row(&row), Ok(message.clone()));
    let (mut by_hand, mut inserted) = (Store::default(), Store::default());
    MESSAGES
        .import(
            &mut by_hand,
            &[GenesisPage::whole("messages", vec![row.clone()], None)],
        )
        .unwrap();
    MESSAGES.insert(&mut inserted, &message).unwrap();
    assert_eq!(by_hand.dump(), inserted.dump());
    assert!(!store.dump().is_empty());

    let refused = Order {
        amount: 13,
        ..order("a", 1, "m")
    };
    assert!(matches!(
        ORDERS.genesis_row(&refused),
        Err(OrmError::Invalid { .. })
    ));
    let short = GenesisRow {
        values: vec![None],
        ..row
    };
    let error = MESSAGES.read_genesis_row(&short).unwrap_err();
    assert!(
        matches!(
            error,
            OrmError::Genesis {
                source: GenesisError::Values {
                    found: 1,
                    expected: 3,
                    ..
                },
                ..
            }
        ),
        "{error}"
    );
    let none = GenesisRow {
        values: vec![None; 3],
        ..short
    };
    let error = MESSAGES.read_genesis_row(&none).unwrap_err();
    assert!(
        matches!(
            error,
            OrmError::Genesis {
                source: GenesisError::NoValue { .. },
                ..
            }
        ),
        "{error}"
    );
    let error = ORDERS.read_genesis_row(&none).unwrap_err();
    assert!(
        matches!(
            error,
            OrmError::Genesis {
                source: GenesisError::Values { .. },
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn only_kept_indexes_are_made_anew() {
    let mut store = Store::default();
    let row = Order {
        client: Some("c".into()),
        ..order("a", 1, "m")
    };
    ORDERS.insert(&mut store, &row).unwrap();
    let exported = pages(|key| ORDERS.export(&store, key, 3));
    let orders = ORDERS.with_indexes(IndexSet::NONE.with(BY_CLIENT.id()));
    let mut new = Store::default();
    orders.import(&mut new, &exported).unwrap();
    assert_eq!(new.dump().len(), 2);
}

#[test]
fn pages_embed_in_messages() {
    let page = TRADES.export(&trades(1), None, 1).unwrap();
    let json = cosmwasm_std::to_json_string(&page).unwrap();
    let row = r#"{"key":"AAAAAAAAAAE=","values":["AgEBAmMxAA=="]}"#;
    let digest = page.digest;
    let want = format!(
        r#"{{"table":"trades","first":"0","rows":[{row}],"sequence":"1","total":"1","digest":"{digest}","next_key":null}}"#
    );
    assert_eq!(json, want);
    let missing: GenesisPage =
        cosmwasm_std::from_json(r#"{"table":"t","first":"0","rows":[],"digest":"0"}"#).unwrap();
    assert_eq!(
        (missing.sequence, missing.total, missing.next_key),
        (None, None, None)
    );
    let _ = (
        schema::<GenesisPage>(),
        schema::<cw_orm::Deleted>(),
        schema::<cw_orm::CheckReport>(),
    );
    let _ = schema::<cw_orm::ImportState>();
    let row = Legacy {
        name: "a".into(),
        points: 1,
    };
    assert!(LEGACY.genesis_row(&row).is_ok());
}

/// Whatever is asked or answered by a contract has a schema of both kinds.
fn schema<T: cw_schema::Schemaifier + schemars::JsonSchema>() -> cw_schema::Schema {
    cw_schema::schema_of::<T>()
}
