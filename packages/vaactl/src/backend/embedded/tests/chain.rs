use cosmwasm_std::Timestamp;
use serde_json::{Value, json};

use super::*;

#[test]
fn what_was_executed_is_there_after_reopening() {
    let home = tempfile::tempdir().unwrap();
    let mut chain = create(home.path());
    assert_eq!(chain.state().height, 1);
    set(&mut chain, "a", "1").unwrap();
    let before = chain.state().clone();
    drop(chain);

    let mut chain = open(home.path());
    assert_eq!(*chain.state(), before);
    assert_eq!(*chain.config(), config());
    assert_eq!(get(&chain, "made").unwrap(), json!("yes"));
    assert_eq!(get(&chain, "a").unwrap(), json!("1"));
    set(&mut chain, "a", "2").unwrap();
    assert_eq!(chain.state().height, 3);
    drop(chain);
    assert_eq!(get(&open(home.path()), "a").unwrap(), json!("2"));
}

#[test]
fn a_refusal_changes_nothing_and_keeps_its_words_and_code() {
    let home = tempfile::tempdir().unwrap();
    let mut chain = create(home.path());
    let before = dump(&chain);
    let state = chain.state().clone();
    for msg in [
        json!({"set_and_fail": {"key": "x"}}),
        json!({"set_and_call": {"key": "x"}}),
    ] {
        let error = chain.execute_msg(&msg).unwrap_err();
        let BackendError::Contract { message, code } = error else {
            panic!("{error}")
        };
        assert_eq!(message, "failed on purpose [E42]");
        assert_eq!(code.as_deref(), Some("E42"));
        assert_eq!(dump(&chain), before);
        assert_eq!(*chain.state(), state);
    }
    let error = chain
        .query_msg::<_, Value>(&json!({"refuse": {}}))
        .unwrap_err();
    assert_eq!(error.to_string(), "nothing to see [E404]");
    let error = chain.execute_msg(&json!({"no_such": {}})).unwrap_err();
    assert!(error.to_string().contains("no_such"), "{error}");
    set(&mut chain, "x", "kept").unwrap();
    assert_eq!(get(&chain, "x").unwrap(), json!("kept"));
}

#[test]
fn the_response_data_comes_without_its_envelope() {
    let home = tempfile::tempdir().unwrap();
    let mut chain = create(home.path());
    let done = chain.execute_msg(&json!({"echo": {}})).unwrap();
    let seen: (u64, Timestamp, String) = serde_json::from_slice(&done.data.unwrap()).unwrap();
    assert_eq!(seen.0, 2);
    assert_eq!(done.height, 2);
    assert_eq!(seen.2, chain.operator().to_string());
    let done = chain.execute_msg(&json!({"silent": {}})).unwrap();
    assert_eq!(done.data, None);
    assert!(done.events.iter().any(|event| event.ty == "wasm"));
}

#[test]
fn time_is_the_later_of_stored_and_given() {
    let seconds = Timestamp::from_seconds;
    let home = tempfile::tempdir().unwrap();
    let mut chain = create(home.path());
    chain.set_time(seconds(90));
    set(&mut chain, "a", "1").unwrap();
    assert_eq!(chain.state().time, seconds(100));
    chain.set_time(seconds(200));
    assert_eq!(chain.block().unwrap().time, seconds(200));
    let seen: (u64, Timestamp, String) = chain.query_msg(&json!({"block": {}})).unwrap();
    assert_eq!(seen, (2, seconds(200), "test-1".to_owned()));
    assert_eq!(chain.state().time, seconds(100), "a query moves no time");
    set(&mut chain, "a", "2").unwrap();
    drop(chain);
    assert_eq!(open(home.path()).block().unwrap().time, seconds(200));
}

#[test]
fn a_refused_genesis_leaves_no_registry() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("deep/home");
    let genesis = Genesis {
        msg: br#"{"refuse":true}"#,
        ..genesis(1)
    };
    let error = Embedded::create(&path, vec![contract::code("1.0.0")], genesis)
        .err()
        .unwrap();
    assert_eq!(error.to_string(), "no guardian set [E7]");
    let error = Embedded::open(&path, vec![], Timestamp::default())
        .err()
        .unwrap();
    assert!(matches!(error, StoreError::NoRegistry { .. }), "{error}");
    create(&path);
    assert_eq!(get(&open(&path), "made").unwrap(), json!("yes"));
}

#[test]
fn an_interrupted_genesis_is_made_again() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("registry.redb.new"), b"half").unwrap();
    create(home.path());
    assert!(!home.path().join("registry.redb.new").exists());
}

#[test]
fn other_codes_are_refused_by_name_and_version() {
    let home = tempfile::tempdir().unwrap();
    create(home.path());
    let now = Timestamp::default();
    for (codes, text) in [
        (
            vec![contract::code("2.0.0")],
            "the store runs code 1 as `counter 1.0.0`, this program has `counter 2.0.0`",
        ),
        (
            vec![],
            "the store runs code 1 as `counter 1.0.0`, this program has none",
        ),
        (
            vec![contract::code("1.0.0"), contract::code("1.0.0")],
            "the store runs code 2 as none, this program has `counter 1.0.0`",
        ),
    ] {
        let error = Embedded::open(home.path(), codes, now).err().unwrap();
        assert_eq!(error.to_string(), text);
    }
    open(home.path());
}

#[test]
fn raw_storage_is_the_contract_s() {
    let home = tempfile::tempdir().unwrap();
    let chain = create(home.path());
    assert_eq!(
        chain.with_storage(|s| s.get(b"made")).unwrap(),
        Some(b"yes".to_vec())
    );
}

#[test]
fn the_contract_s_keys_are_stored_without_what_is_always_the_same() {
    let home = tempfile::tempdir().unwrap();
    drop(create(home.path()));
    let database = redb::Database::open(home.path().join(DATABASE)).unwrap();
    let transaction = redb::ReadableDatabase::begin_read(&database).unwrap();
    let keys = |table: &str| -> Vec<Vec<u8>> {
        let definition: redb::TableDefinition<'_, &[u8], &[u8]> = redb::TableDefinition::new(table);
        let table = transaction.open_table(definition).unwrap();
        let rows = table.range::<&[u8]>(..).unwrap();
        rows.map(|row| row.unwrap().0.value().to_vec()).collect()
    };
    assert_eq!(keys("contract"), [b"made".to_vec()]);
    assert_eq!(
        keys("chain").len(),
        1,
        "what cw-multi-test knows of the contract"
    );
}

pub(super) fn dump(chain: &Embedded) -> Vec<cosmwasm_std::Record> {
    chain
        .app
        .storage()
        .range(None, None, cosmwasm_std::Order::Ascending)
        .collect()
}
