//! What steps do to the store: states of indexes, and what is cleared.

use cosmwasm_std::{Order::Ascending, Storage};
use cw_orm::{IndexState, OrmError, Progress, Schema, SchemaChange, SchemaStep};

use super::{SCHEMA, index, record, refused, schema, table};
use crate::{
    backfill::{BY_GROUP, BY_TAG, ITEMS, Item, PLAIN, entries, item},
    fixture::{BY_MARKET, ORDERS, Store, TRADES, order, raw_key, trade},
};

const STEPS: [SchemaStep; 4] = [
    SchemaStep::AddIndex {
        table: "items",
        index: "by_group",
    },
    SchemaStep::AddIndex {
        table: "items",
        index: "by_tag",
    },
    SchemaStep::AddIndex {
        table: "items",
        index: "by_code",
    },
    SchemaStep::AddIndex {
        table: "items",
        index: "group_size",
    },
];

fn state(store: &Store) -> IndexState {
    ITEMS.index_state(store, &BY_GROUP).unwrap()
}

#[test]
fn tracked_indexes_of_a_new_store_are_ready_at_once() {
    let mut store = Store::default();
    SCHEMA.init(&mut store, &schema()).unwrap();
    // The schema, and one state a tracked index.
    assert_eq!(store.dump().len(), 1 + 4);
    assert_eq!(state(&store), IndexState::Ready);
    ITEMS.insert(&mut store, &item("a", 1)).unwrap();
    let found = ITEMS.by(BY_GROUP).unwrap().key(&1).unwrap();
    assert_eq!(found.ids(&store, Ascending).read_all().unwrap(), ["a"]);
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    assert!(
        ORDERS
            .by(BY_MARKET)
            .unwrap()
            .has(&store, &"m".into())
            .unwrap()
    );
}

#[test]
fn f_10_an_index_added_at_migrate_begins_to_be_built() {
    let mut store = Store::default();
    SCHEMA
        .init(&mut store, &Schema::new().with(&PLAIN))
        .unwrap();
    for name in ["a", "b", "c", "d", "e"] {
        PLAIN.insert(&mut store, &item(name, 1)).unwrap();
    }
    let code = Schema::new().with(&ITEMS);
    let made = SCHEMA.migrate(&mut store, &code, &STEPS).unwrap();
    assert_eq!(made.len(), 4);
    assert_eq!(state(&store), IndexState::Building);
    let found = ITEMS.by(BY_GROUP).unwrap().key(&1).unwrap();
    assert!(matches!(
        found.ids(&store, Ascending).read_all(),
        Err(OrmError::IndexNotReady { .. })
    ));
    while !ITEMS.backfill(&mut store, &BY_GROUP, 2).unwrap().done {}
    let found = ITEMS.by(BY_GROUP).unwrap().key(&1).unwrap();
    assert_eq!(found.ids(&store, Ascending).read_all().unwrap().len(), 5);
    // The other one was not built, and still does not answer.
    let found = ITEMS.by(BY_TAG).unwrap().key(&1).unwrap();
    assert!(found.is_empty(&store).is_err());
}

#[test]
fn an_index_added_to_an_empty_table_is_ready_unless_entries_are_there() {
    let mut store = Store::default();
    SCHEMA
        .init(&mut store, &Schema::new().with(&PLAIN))
        .unwrap();
    store.set(&raw_key("it", &[b"left"]), &[1]);
    let code = Schema::new().with(&ITEMS);
    SCHEMA.migrate(&mut store, &code, &STEPS).unwrap();
    assert_eq!(state(&store), IndexState::Ready);
    assert_eq!(ITEMS.index_state(&store, &BY_TAG), Ok(IndexState::Off));
    while !ITEMS.backfill(&mut store, &BY_TAG, 1).unwrap().done {}
    assert_eq!(entries(&store, b"it"), 0);
}

#[test]
fn an_index_that_is_not_tracked_cannot_be_added_to_rows() {
    let not_filled = |index: &str| {
        let index = index.to_owned();
        refused("orders", SchemaChange::IndexNotFilled { index })
    };
    let step = SchemaStep::AddIndex {
        table: "orders",
        index: "by_client",
    };
    let (mut before, code) = (schema(), schema());
    record(&mut before, "orders").indexes.remove(2);
    let mut store = Store::default();
    SCHEMA.init(&mut store, &before).unwrap();
    // Without rows there is nothing that it could lack.
    let mut empty = Store::default();
    SCHEMA.init(&mut empty, &before).unwrap();
    SCHEMA.migrate(&mut empty, &code, &[step]).unwrap();
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    let dump = store.dump();
    assert_eq!(
        SCHEMA.migrate(&mut store, &code, &[step]),
        Err(not_filled("by_client"))
    );
    assert_eq!(store.dump(), dump);
}

/// A table of rows that something else wrote has no entries in indexes of ours.
#[test]
fn a_store_with_rows_gets_a_schema_only_if_its_indexes_have_entries() {
    let mut store = Store::default();
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    let (mut all, mut kept) = (Schema::new().with(&ORDERS), Schema::new().with(&ORDERS));
    let dump = store.dump();
    let index_of = |index: &str| SchemaChange::IndexNotFilled {
        index: index.into(),
    };
    assert_eq!(
        SCHEMA.init(&mut store, &all),
        Err(refused("orders", index_of("by_tag")))
    );
    assert_eq!(store.dump(), dump);
    // Those that have some were kept.
    kept.tables[0].records[0]
        .indexes
        .retain(|index| index.id == 1 || index.id == 4);
    for index in &mut all.tables[0].records[0].indexes {
        index.tracked = index.id == 2 || index.id == 3;
    }
    for schema in [&kept, &all] {
        let mut store = Store::default();
        ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
        SCHEMA.init(&mut store, schema).unwrap();
    }
    let add = SchemaStep::AddTable { table: "orders" };
    let mut store = Store::default();
    SCHEMA.init(&mut store, &Schema::new()).unwrap();
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    let code = Schema::new().with(&ORDERS);
    assert_eq!(
        SCHEMA.migrate(&mut store, &code, &[add]),
        Err(refused("orders", index_of("by_tag")))
    );
}

#[test]
fn an_index_can_become_tracked_and_be_tracked_no_more() {
    let (mut plain, tracked) = (Schema::new().with(&ITEMS), Schema::new().with(&ITEMS));
    index(&mut plain, "items", "by_group").tracked = false;
    let mut store = Store::default();
    SCHEMA.init(&mut store, &plain).unwrap();
    assert_eq!(state(&store), IndexState::Off);
    let made = SCHEMA.migrate(&mut store, &tracked, &[]).unwrap();
    assert_eq!(
        made[0].to_string(),
        "table `items`: index `by_group` is tracked now"
    );
    // It was kept in every write so far.
    assert_eq!(state(&store), IndexState::Ready);

    let _ = ITEMS.drop_index(&mut store, &BY_GROUP, 9).unwrap();
    let unfinished = SchemaChange::IndexUnfinished {
        index: "by_group".into(),
    };
    let dump = store.dump();
    assert_eq!(
        SCHEMA.migrate(&mut store, &plain, &[]),
        Err(refused("items", unfinished))
    );
    assert_eq!(store.dump(), dump);
    assert!(ITEMS.backfill(&mut store, &BY_GROUP, 9).unwrap().done);
    SCHEMA.migrate(&mut store, &plain, &[]).unwrap();
    assert!(store.get(&raw_key("\0", &[b"i", b"ig"])).is_none());
}

#[test]
fn a_dropped_index_is_cleared_in_steps_and_its_namespace_is_taken_until_then() {
    let mut store = Store::default();
    SCHEMA.init(&mut store, &schema()).unwrap();
    for number in 0..5 {
        let row = Item {
            tags: vec![number],
            ..item(&format!("{number}"), 1)
        };
        ITEMS.insert(&mut store, &row).unwrap();
    }
    let mut code = schema();
    record(&mut code, "items").indexes.remove(0);
    let step = SchemaStep::DropIndex {
        table: "items",
        index: "by_group",
    };
    SCHEMA.migrate(&mut store, &code, &[step]).unwrap();
    assert_eq!(state(&store), IndexState::Off);
    let shared = OrmError::NamespaceShared {
        namespace: "6967".into(),
        first: "index `by_group`, which is to be cleared".into(),
        second: "index `by_group` of `items`".into(),
    };
    let back = [STEPS[0]];
    assert_eq!(
        SCHEMA.migrate(&mut store, &schema(), &back),
        Err(shared.clone())
    );
    let step = |steps, done| Ok(Progress { steps, done });
    assert_eq!(SCHEMA.clear_dropped(&mut store, 3), step(3, false));
    assert_eq!(SCHEMA.migrate(&mut store, &schema(), &back), Err(shared));
    assert_eq!(SCHEMA.clear_dropped(&mut store, 3), step(2, true));
    let dump = store.dump();
    assert_eq!(SCHEMA.clear_dropped(&mut store, 3), step(0, true));
    assert_eq!(store.dump(), dump);
    assert_eq!((entries(&store, b"ig"), entries(&store, b"it")), (0, 5));
    SCHEMA.migrate(&mut store, &schema(), &back).unwrap();
    assert_eq!(state(&store), IndexState::Building);
}

#[test]
fn a_dropped_table_leaves_nothing() {
    let mut store = Store::default();
    let mut code = schema();
    code.tables.retain(|table| table.name == "orders");
    let mut kept = Store::default();
    SCHEMA.init(&mut kept, &code).unwrap();
    SCHEMA.init(&mut store, &schema()).unwrap();
    for number in 1..4 {
        TRADES.insert(&mut store, &mut trade(number)).unwrap();
        ITEMS
            .insert(&mut store, &item(&number.to_string(), 1))
            .unwrap();
        for store in [&mut store, &mut kept] {
            let row = order("a", u32::try_from(number).unwrap(), "m");
            ORDERS.insert(store, &row).unwrap();
        }
    }
    let _ = ITEMS.upgrade_rows(&mut store, 1).unwrap();
    let steps = ["items", "trades", "messages"].map(|table| SchemaStep::DropTable { table });
    SCHEMA.migrate(&mut store, &code, &steps).unwrap();
    let mut calls = 0;
    while !SCHEMA.clear_dropped(&mut store, 2).unwrap().done {
        calls += 1;
        assert!(calls < 50, "it does not end");
    }
    assert_eq!(store.dump(), kept.dump());
}

#[test]
fn a_dropped_family_leaves_the_others() {
    let mut store = Store::default();
    SCHEMA.init(&mut store, &schema()).unwrap();
    for namespace in ["mb", "mp", "mq", "mn", "mh", "md"] {
        store.set(&raw_key(namespace, &[b"some"]), &[1]);
    }
    let mut code = schema();
    // The second by namespace: the phases.
    table(&mut code, "messages").records.remove(1);
    let step = SchemaStep::DropFamily { family: "messages" };
    SCHEMA.migrate(&mut store, &code, &[step]).unwrap();
    assert!(SCHEMA.clear_dropped(&mut store, 9).unwrap().done);
    let left = [b"mb", b"mp", b"mq", b"mn", b"mh", b"md"].map(|name| entries(&store, name));
    assert_eq!(left, [1, 0, 1, 1, 0, 1]);
}
