//! The state that comes out is the state that went in, byte for byte.

use cosmwasm_std::{from_json, to_json_vec};
use cw_orm::{GenesisPage, Namespace};
use proptest::prelude::*;

use super::pages;
use crate::{
    fixture::{
        Body, DOCS, Doc, Head, ITEMS, Item, LEGACY, Legacy, MESSAGES, Message, NOTES, Note, ORDERS,
        Order, Phase, Quorum, Store, TRADES, Text, Trade, faults,
    },
    model::cases,
};

const STATE: Namespace = Namespace::new(b"gs");

/// Sends pages through JSON, as a message does.
fn sent(page: &GenesisPage) -> GenesisPage {
    from_json(to_json_vec(page).unwrap()).unwrap()
}

/// Exports a table in pages, and imports them at once into one store and one by one into another.
macro_rules! round_trip {
    ($store:expr, $table:expr, $limit:expr) => {{
        let (store, limit) = (&$store, $limit);
        let exported: Vec<GenesisPage> = pages(|key| $table.export(store, key, limit));
        let exported: Vec<_> = exported.iter().map(sent).collect();
        let rows: usize = exported.iter().map(|page| page.rows.len()).sum();
        prop_assert!(
            exported
                .iter()
                .all(|page| page.rows.len() <= limit as usize)
        );
        prop_assert_eq!(exported.len(), rows.div_ceil(limit as usize).max(1));

        let mut at_once = Store::default();
        prop_assert_eq!($table.import(&mut at_once, &exported), Ok(rows as u64));
        prop_assert_eq!(at_once.dump(), store.dump());
        prop_assert_eq!(faults(|key| $table.check(&at_once, key, 5)), []);

        let mut by_page = Store::default();
        let import = $table.import_by_page(STATE).unwrap();
        for page in &exported {
            import.put(&mut by_page, page).unwrap();
            prop_assert_eq!(faults(|key| $table.check(&by_page, key, 1_000)), []);
        }
        prop_assert_eq!(import.finish(&mut by_page), Ok(rows as u64));
        prop_assert_eq!(by_page.dump(), store.dump());
    }};
}

fn columns() -> impl Strategy<Value = (String, u32, Vec<String>, Option<String>, Vec<u8>)> {
    let tags = proptest::collection::vec("x|y|xy", 0..3);
    let bytes = proptest::collection::vec(any::<u8>(), 0..4);
    (
        "a|b|ab",
        0_u32..9,
        tags,
        proptest::option::of("[a-f]"),
        bytes,
    )
}

fn rows<R: core::fmt::Debug>(row: impl Strategy<Value = R>) -> impl Strategy<Value = Vec<R>> {
    proptest::collection::vec(row, 0..16)
}

fn message() -> impl Strategy<Value = Message> {
    use proptest::option::of;
    let body = (0_u32..3, proptest::collection::vec(any::<u8>(), 0..3));
    let body = body.prop_map(|(nonce, payload)| Body { nonce, payload });
    let quorum = "[a-f]".prop_map(|digest| Quorum { digest });
    let phase = proptest::collection::vec(0_u8..4, 0..3).prop_map(|phases| Phase { phases });
    (1_u16..3, 0_u64..9, of(body), of(quorum), of(phase)).prop_map(
        |(chain, sequence, body, quorum, phase)| Message {
            chain,
            sequence,
            body,
            quorum,
            phase,
        },
    )
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn of_a_table(rows in rows(columns()), limit in 1_u32..7) {
        let mut store = Store::default();
        for (owner, seq, tags, client, memo) in rows {
            let market = tags.concat();
            // Refused where a client is taken.
            let _ = ORDERS.upsert(&mut store, Order { owner, seq, market, tags, client, memo, amount: u64::from(seq) });
        }
        round_trip!(store, ORDERS, limit);
    }

    #[test]
    fn of_a_table_with_counts_and_columns_in_its_indexes(rows in rows(columns()), limit in 1_u32..7) {
        let mut store = Store::default();
        for (shop, number, tags, kind, _) in rows {
            let kind = kind.unwrap_or_default();
            ITEMS.upsert(&mut store, Item { shop, number, kind, tags, price: 7, text: String::new() }).unwrap();
        }
        round_trip!(store, ITEMS, limit);
    }

    #[test]
    fn of_a_table_that_gives_ids(rows in rows(columns()), gone in 0_u64..16, limit in 1_u32..7) {
        let mut store = Store::default();
        for (note, seq, _, code, _) in &rows {
            let px = u64::from(*seq);
            let _ = TRADES.insert(&mut store, &mut Trade { id: 0, px, code: code.clone(), note: note.clone() });
        }
        let _ = TRADES.delete(&mut store, gone);
        round_trip!(store, TRADES, limit);
        let mut store = Store::default();
        for (title, seq, ..) in rows {
            let topic = u8::try_from(seq).unwrap();
            NOTES.insert(&mut store, &mut Note { id: 0, topic, title, text: String::new() }).unwrap();
        }
        let _ = NOTES.delete(&mut store, gone);
        round_trip!(store, NOTES, limit);
    }

    #[test]
    fn of_a_table_of_families(rows in rows(message()), limit in 1_u32..7) {
        let mut store = Store::default();
        for row in rows {
            let _ = MESSAGES.upsert(&mut store, &row);
        }
        round_trip!(store, MESSAGES, limit);
    }

    #[test]
    fn of_a_table_of_counted_families(rows in rows(columns()), limit in 1_u32..7) {
        let mut store = Store::default();
        for (author, number, _, text, _) in rows {
            let head = Head { author: author.clone(), title: author };
            let text = text.map(|text| Text { text });
            let head = Some(head).filter(|_| number % 3 != 0 || text.is_none());
            DOCS.upsert(&mut store, &Doc { shelf: 1, number: number.into(), head, text }).unwrap();
        }
        round_trip!(store, DOCS, limit);
    }

    /// Its keys are not prefix-free, and its values are JSON.
    #[test]
    fn of_a_table_written_by_others(rows in rows(columns()), limit in 1_u32..7) {
        let mut store = Store::default();
        for (name, points, _, more, _) in rows {
            let name = name + &more.unwrap_or_default();
            LEGACY.upsert(&mut store, Legacy { name, points }).unwrap();
        }
        round_trip!(store, LEGACY, limit);
    }
}
