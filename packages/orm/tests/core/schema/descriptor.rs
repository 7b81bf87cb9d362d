//! What handles say of themselves.

use cosmwasm_std::{from_json, to_json_vec};
use cw_orm::{CompactUint64, IndexSet, Key, KeyLayout, KeyReader, KeyRule, KeyWriter, Schema};

use super::schema;
use crate::{
    backfill::{ITEMS, PLAIN},
    fixture::{LEGACY, MESSAGES, ORDERS, TRADES},
};

#[test]
fn every_kind_of_table_is_described() {
    let schema = schema();
    let names: Vec<_> = schema.tables.iter().map(|table| &table.name[..]).collect();
    assert_eq!(names, ["items", "messages", "orders", "trades"]);
    let [items, messages, orders, trades] = &schema.tables[..] else {
        panic!("four tables")
    };
    assert_eq!(
        orders.key,
        KeyLayout::of::<(String, u32)>(KeyRule::Delimited)
    );
    assert_eq!(orders.key.parts, "text,u32");
    assert_eq!(
        (&orders.sequence, &trades.sequence),
        (&None, &Some("7473".into()))
    );
    assert_eq!(trades.records[0].version, 2);
    let kinds: Vec<_> = orders.records[0]
        .indexes
        .iter()
        .map(|index| {
            (
                index.id,
                &index.name[..],
                &index.kind[..],
                index.key.to_string(),
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [
            (1, "by_market", "multi_key", "text (delimited)".into()),
            (2, "by_tag", "multi_key", "text (delimited)".into()),
            (3, "by_client", "unique", "text (delimited)".into()),
            (4, "by_memo", "multi_key", "bytes,u32 (ordered)".into()),
        ]
    );
    let custom = &items.records[0].indexes[3];
    assert_eq!(
        (&custom.kind[..], &custom.key),
        ("size", &KeyLayout::opaque())
    );
    assert!(items.records[0].indexes.iter().all(|index| index.tracked));
    let families: Vec<_> = messages
        .records
        .iter()
        .map(|family| (&family.namespace[..], &family.indexes[0].name[..]))
        .collect();
    assert_eq!(
        families,
        [
            ("6d62", "by_nonce"),
            ("6d70", "by_phase"),
            ("6d71", "by_digest")
        ]
    );
}

#[test]
fn only_indexes_that_the_handle_keeps_are_described() {
    let kept = |schema: Schema| schema.tables[0].records[0].indexes.len();
    assert_eq!(kept(Schema::new().with(&PLAIN)), 0);
    assert_eq!(kept(Schema::new().with(&ITEMS)), 4);
    let one = MESSAGES.with_indexes(IndexSet::NONE.with(3));
    let described = Schema::new().with(&one);
    let kept: Vec<_> = described.tables[0]
        .records
        .iter()
        .map(|family| family.indexes.len())
        .collect();
    assert_eq!(kept, [0, 1, 0]);
}

#[test]
fn a_codec_without_versions_has_version_0() {
    let legacy = Schema::new().with(&LEGACY);
    let record = &legacy.tables[0].records[0];
    assert_eq!((&record.codec[..], record.version), ("json", 0));
    assert_eq!(legacy.tables[0].key.to_string(), "text (raw_last)");
}

#[test]
fn serde_reads_what_it_writes_and_nothing_more() {
    let schema = schema();
    let json = to_json_vec(&schema).unwrap();
    assert_eq!(from_json::<Schema>(&json).unwrap(), schema);
    assert!(from_json::<Schema>(br#"{"tables":[],"more":1}"#).is_err());
}

#[test]
fn the_order_of_tables_says_nothing() {
    let one = Schema::new().with(&ORDERS).with(&TRADES);
    assert_eq!(one, Schema::new().with(&TRADES).with(&ORDERS));
}

#[test]
fn types_are_named_by_their_bytes() {
    macro_rules! named {
        ($($type:ty => $name:literal,)+) => {
            $(assert_eq!(<$type as Key>::describe(), $name);)+
        };
    }
    named! {
        u8 => "u8",
        u128 => "u128",
        i64 => "i64",
        bool => "bool",
        [u8; 32] => "bytes32",
        Vec<u8> => "bytes",
        cosmwasm_std::Binary => "bytes",
        String => "text",
        cosmwasm_std::Addr => "text",
        cosmwasm_std::Timestamp => "u64",
        cosmwasm_std::Uint128 => "u128",
        CompactUint64 => "compact_u64",
        Option<(u8, String)> => "option(u8,text)",
        (u8,) => "u8",
        ((u8, String), i8) => "u8,text,i8",
    }
}

#[test]
fn a_key_of_ones_own_is_opaque_unless_it_says() {
    struct Own;
    impl Key for Own {
        const ORDERED: bool = true;

        fn write(&self, _: &mut KeyWriter) -> Result<(), cw_orm::KeyError> {
            Ok(())
        }

        fn read(_: &mut KeyReader<'_>) -> Result<Self, cw_orm::KeyError> {
            Ok(Self)
        }
    }
    assert_eq!(<(Own, u8)>::describe(), "opaque,u8");
}
