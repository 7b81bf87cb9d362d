//! The one entry, and namespaces.

use cosmwasm_std::Storage;
use cw_orm::{Namespace, OrmError, Schema, SchemaStore};

use super::{SCHEMA, record, schema};
use crate::fixture::{ORDERS, Store, raw_key};

#[test]
fn a_store_has_one_schema_and_needs_one() {
    let mut store = Store::default();
    assert_eq!(SCHEMA.load(&store), Ok(None));
    assert_eq!(
        SCHEMA.check(&store, &schema()),
        Err(OrmError::SchemaMissing)
    );
    assert_eq!(
        SCHEMA.migrate(&mut store, &schema(), &[]),
        Err(OrmError::SchemaMissing)
    );
    SCHEMA.init(&mut store, &schema()).unwrap();
    assert_eq!(SCHEMA.load(&store), Ok(Some(schema())));
    let before = store.dump();
    assert_eq!(
        SCHEMA.init(&mut store, &schema()),
        Err(OrmError::SchemaExists)
    );
    assert_eq!(store.dump(), before);
}

#[test]
fn the_entry_is_json_at_its_namespace() {
    let mut store = Store::default();
    let mut one = Schema::new().with(&ORDERS);
    one.tables[0].records[0].indexes.truncate(1);
    SCHEMA.init(&mut store, &one).unwrap();
    let json = concat!(
        r#"{"tables":[{"name":"orders","key":{"parts":"text,u32","rule":"delimited"},"#,
        r#""sequence":null,"records":[{"name":"orders","namespace":"6f","codec":"postcard","#,
        r#""version":1,"indexes":[{"id":1,"name":"by_market","kind":"multi_key","#,
        r#""namespace":"6f6d","key":{"parts":"text","rule":"delimited"},"tracked":false}]}]}]}"#
    );
    let stored = store.get(&raw_key("~", &[])).unwrap();
    assert_eq!(String::from_utf8(stored).unwrap(), json);
}

#[test]
fn an_entry_that_is_no_schema_is_a_typed_error() {
    let mut store = Store::default();
    for broken in [
        &b"no json"[..],
        br#"{"tables":1}"#,
        br#"{"tables":[],"more":[]}"#,
    ] {
        store.set(&raw_key("~", &[]), broken);
        for error in [
            SCHEMA.load(&store).unwrap_err(),
            SCHEMA.check(&store, &schema()).unwrap_err(),
            SCHEMA.migrate(&mut store, &schema(), &[]).unwrap_err(),
        ] {
            assert!(matches!(error, OrmError::MalformedSchema { .. }), "{error}");
        }
    }
    for namespace in ["", "0", "zz", "é", &"00".repeat(256)] {
        let mut forged = schema();
        record(&mut forged, "orders").namespace = namespace.into();
        let bytes = cosmwasm_std::to_json_vec(&forged).unwrap();
        store.set(&raw_key("~", &[]), &bytes);
        let error = SCHEMA.load(&store).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("schema: the stored one is malformed: no namespace of `orders`: {namespace}")
        );
    }
    store.set(&raw_key("\0", &[b"d"]), b"nothing");
    let error = SCHEMA.clear_dropped(&mut store, 1).unwrap_err();
    assert!(matches!(error, OrmError::MalformedSchema { .. }), "{error}");
}

#[test]
fn f_15_a_namespace_of_two_things_is_refused() {
    let shared = |namespace: &str, first: &str, second: &str| OrmError::NamespaceShared {
        namespace: namespace.into(),
        first: first.into(),
        second: second.into(),
    };
    let mut store = Store::default();
    let mut code = schema();
    record(&mut code, "trades").namespace = "6f".into();
    assert_eq!(
        SCHEMA.init(&mut store, &code),
        Err(shared("6f", "`orders`", "`trades`"))
    );
    let mut code = schema();
    record(&mut code, "trades").indexes[0].namespace = "6f6d".into();
    assert_eq!(
        SCHEMA.init(&mut store, &code),
        Err(shared(
            "6f6d",
            "index `by_market` of `orders`",
            "index `by_px` of `trades`"
        ))
    );
    let own = SchemaStore::new(Namespace::new(b"ts"));
    assert_eq!(
        own.init(&mut store, &schema()),
        Err(shared("7473", "the schema", "the sequence of `trades`"))
    );
    assert!(store.dump().is_empty());
}
