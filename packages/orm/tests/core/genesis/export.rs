//! What an export gives and refuses, and rows on their way.

use cosmwasm_std::{Binary, Storage};
use cw_orm::{GenesisError, GenesisPage, GenesisRow, OrmError};

use super::{genesis, trades};
use crate::fixture::{
    Body, LEGACY, Legacy, MESSAGES, Message, ORDERS, Order, Phase, Store, TRADES, Trade, order,
    raw_key, trade,
};

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
