//! What differs, said by table and thing: refused unless it is named, or cannot be allowed.

use cw_orm::{KeyLayout, KeyRule, Schema, SchemaChange, SchemaStep};

use super::{SCHEMA, index, record, refused, schema, table};
use crate::fixture::Store;

/// Every step there is, for everything that could be meant.
fn all_steps() -> Vec<SchemaStep> {
    let mut steps = Vec::new();
    for table in ["orders", "trades", "messages", "items", "other"] {
        steps.push(SchemaStep::AddTable { table });
        steps.push(SchemaStep::DropTable { table });
        steps.push(SchemaStep::AddFamily { family: table });
        steps.push(SchemaStep::DropFamily { family: table });
        steps.push(SchemaStep::RaiseVersion { record: table });
        for index in ["by_market", "by_client", "by_group"] {
            steps.push(SchemaStep::AddIndex { table, index });
            steps.push(SchemaStep::DropIndex { table, index });
        }
    }
    steps
}

fn stored() -> Store {
    let mut store = Store::default();
    SCHEMA.init(&mut store, &schema()).unwrap();
    store
}

/// Refused, whether or not any step is named; and nothing is written.
#[track_caller]
fn never(of: &str, change: SchemaChange, make: impl Fn(&mut Schema)) {
    let mut store = stored();
    let mut code = schema();
    make(&mut code);
    let before = store.dump();
    let want = refused(of, change);
    assert_eq!(SCHEMA.check(&store, &code), Err(want.clone()));
    assert_eq!(SCHEMA.migrate(&mut store, &code, &[]), Err(want.clone()));
    assert_eq!(SCHEMA.migrate(&mut store, &code, &all_steps()), Err(want));
    assert_eq!(store.dump(), before);
}

/// Refused without its step and with every other one, done with it.
#[track_caller]
fn only(of: &str, change: SchemaChange, step: SchemaStep, make: impl Fn(&mut Schema)) {
    let mut store = stored();
    let mut code = schema();
    make(&mut code);
    let before = store.dump();
    let want = refused(of, change.clone());
    let others: Vec<_> = all_steps()
        .into_iter()
        .filter(|other| *other != step)
        .collect();
    assert_eq!(SCHEMA.migrate(&mut store, &code, &others), Err(want));
    assert_eq!(store.dump(), before);
    let made = SCHEMA.migrate(&mut store, &code, &[step]).unwrap();
    assert_eq!(made.len(), 1);
    assert_eq!((&made[0].table[..], &made[0].change), (of, &change));
    assert_eq!(SCHEMA.load(&store), Ok(Some(code.clone())));
    assert_eq!(SCHEMA.migrate(&mut store, &code, &[step]), Ok(Vec::new()));
}

#[test]
fn the_same_is_one_read() {
    let mut store = stored();
    let (made, counts) = store.count(|store| SCHEMA.migrate(store, &schema(), &all_steps()));
    assert_eq!(made, Ok(Vec::new()));
    let read = crate::fixture::Counts {
        get: 1,
        ..Default::default()
    };
    assert_eq!(counts, read);
    assert_eq!(SCHEMA.check(&store, &schema()), Ok(()));
}

#[test]
fn a_moved_namespace() {
    let moved = SchemaChange::NamespaceMoved {
        record: "orders".into(),
        from: "6f".into(),
        to: "aa".into(),
    };
    assert_eq!(
        refused("orders", moved.clone()).to_string(),
        "schema: table `orders`: `orders` was in namespace 6f, and is in aa"
    );
    never("orders", moved, |code| {
        record(code, "orders").namespace = "aa".into();
    });
}

#[test]
fn another_primary_key() {
    let from = KeyLayout::of::<(String, u32)>(KeyRule::Delimited);
    for to in [
        KeyLayout::of::<(String, u64)>(KeyRule::Delimited),
        KeyLayout::of::<(String, u32)>(KeyRule::Ordered),
    ] {
        let change = SchemaChange::Key {
            from: from.clone(),
            to: to.clone(),
        };
        never("orders", change, |code| {
            table(code, "orders").key = to.clone();
        });
    }
}

#[test]
fn another_sequence() {
    let from = Some("7473".to_owned());
    for to in [None, Some("aa".to_owned())] {
        let change = SchemaChange::Sequence {
            from: from.clone(),
            to: to.clone(),
        };
        never("trades", change, |code| {
            table(code, "trades").sequence = to.clone();
        });
    }
}

#[test]
fn another_codec() {
    let change = SchemaChange::Codec {
        record: "orders".into(),
        from: "postcard".into(),
        to: "json".into(),
    };
    never("orders", change, |code| {
        record(code, "orders").codec = "json".into();
    });
}

#[test]
fn versions() {
    let lowered = SchemaChange::VersionLowered {
        record: "trades".into(),
        from: 2,
        to: 1,
    };
    never("trades", lowered, |code| record(code, "trades").version = 1);
    let raised = SchemaChange::VersionRaised {
        record: "trades".into(),
        from: 2,
        to: 4,
    };
    let step = SchemaStep::RaiseVersion { record: "trades" };
    only("trades", raised, step, |code| {
        record(code, "trades").version = 4;
    });
}

#[test]
fn tables_that_come_and_go() {
    let mut other = schema().tables[2].clone();
    other.name = "other".into();
    other.records[0].namespace = "aa".into();
    other.records[0].indexes.clear();
    let step = SchemaStep::AddTable { table: "other" };
    only("other", SchemaChange::TableAdded, step, |code| {
        code.tables.push(other.clone());
    });
    let step = SchemaStep::DropTable { table: "orders" };
    only("orders", SchemaChange::TableRemoved, step, |code| {
        code.tables.retain(|table| table.name != "orders");
    });
    never("orders", SchemaChange::DeclaredTwice, |code| {
        code.tables.insert(2, code.tables[2].clone());
    });
}

#[test]
fn families_that_come_and_go() {
    let added = SchemaChange::FamilyAdded {
        family: "other".into(),
    };
    let step = SchemaStep::AddFamily { family: "other" };
    only("messages", added, step, |code| {
        let mut family = table(code, "messages").records[0].clone();
        family.name = "other".into();
        family.namespace = "aa".into();
        family.indexes.clear();
        table(code, "messages").records.push(family);
    });
    let removed = SchemaChange::FamilyRemoved {
        family: "messages".into(),
    };
    let step = SchemaStep::DropFamily { family: "messages" };
    only("messages", removed, step, |code| {
        table(code, "messages").records.remove(1);
    });
}

#[test]
fn indexes_that_come_and_go() {
    let removed = SchemaChange::IndexRemoved {
        index: "by_client".into(),
    };
    let step = SchemaStep::DropIndex {
        table: "orders",
        index: "by_client",
    };
    only("orders", removed, step, |code| {
        record(code, "orders").indexes.remove(2);
    });
    let added = SchemaChange::IndexAdded {
        index: "by_group".into(),
    };
    let step = SchemaStep::AddIndex {
        table: "orders",
        index: "by_group",
    };
    only("orders", added, step, |code| {
        let mut new = index(code, "items", "by_group").clone();
        (new.id, new.namespace) = (9, "aa".into());
        record(code, "orders").indexes.push(new);
    });
}

#[test]
fn an_index_of_the_same_id_that_is_another() {
    let kind = SchemaChange::IndexKind {
        index: "by_client".into(),
        from: "unique".into(),
        to: "multi_key".into(),
    };
    never("orders", kind, |code| {
        index(code, "orders", "by_client").kind = "multi_key".into();
    });
    let key = SchemaChange::IndexKey {
        index: "by_client".into(),
        from: KeyLayout::of::<String>(KeyRule::Delimited),
        to: KeyLayout::of::<u8>(KeyRule::Delimited),
    };
    assert_eq!(
        refused("orders", key.clone()).to_string(),
        "schema: table `orders`: the key of index `by_client` was text (delimited), and is u8 (delimited)"
    );
    never("orders", key, |code| {
        index(code, "orders", "by_client").key = KeyLayout::of::<u8>(KeyRule::Delimited);
    });
    let rule = SchemaChange::IndexKey {
        index: "by_memo".into(),
        from: KeyLayout::of::<(Vec<u8>, u32)>(KeyRule::Ordered),
        to: KeyLayout::of::<(Vec<u8>, u32)>(KeyRule::Delimited),
    };
    never("orders", rule, |code| {
        index(code, "orders", "by_memo").key.rule = Some(KeyRule::Delimited);
    });
    let moved = SchemaChange::IndexMoved {
        index: "by_client".into(),
        from: "6f63".into(),
        to: "aa".into(),
    };
    never("orders", moved, |code| {
        index(code, "orders", "by_client").namespace = "aa".into();
    });
}

/// Names are never stored with rows: another name changes nothing there.
#[test]
fn a_new_name_is_harmless() {
    let mut store = stored();
    let mut code = schema();
    index(&mut code, "orders", "by_client").name = "by_customer".into();
    record(&mut code, "orders").name = "purchases".into();
    table(&mut code, "orders").name = "purchases".into();
    let made = SCHEMA.migrate(&mut store, &code, &[]).unwrap();
    let texts: Vec<_> = made.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "table `purchases`: `orders` is called `purchases` now",
            "table `purchases`: `by_client` is called `by_customer` now"
        ]
    );
    assert_eq!(SCHEMA.check(&store, &code), Ok(()));
}
