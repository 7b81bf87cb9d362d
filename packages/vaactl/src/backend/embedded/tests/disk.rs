use std::fs;

use redb::{Database, TableDefinition};

use super::*;

fn open_error(home: &Path) -> String {
    Embedded::open(home, vec![contract::code("1.0.0")], Timestamp::default())
        .err()
        .unwrap()
        .to_string()
}

#[test]
fn a_missing_home_and_an_empty_one_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("none");
    assert!(open_error(&missing).contains("none` does not exist"));
    assert!(!missing.exists());
    assert!(open_error(dir.path()).contains("holds no registry"));
    assert_eq!(
        fs::read_dir(dir.path()).unwrap().count(),
        0,
        "nothing is left behind"
    );
    let file = dir.path().join("file");
    fs::write(&file, b"x").unwrap();
    assert!(open_error(&file).contains("file` does not exist"));
    let error = Embedded::create(&file, vec![contract::code("1.0.0")], genesis(1))
        .err()
        .unwrap();
    assert!(error.to_string().contains("cannot create"), "{error}");
}

#[test]
fn a_second_handle_is_refused_by_name_of_the_home() {
    let dir = tempfile::tempdir().unwrap();
    let chain = create(dir.path());
    let error = open_error(dir.path());
    let pid = std::process::id();
    let text = format!(
        "home `{}` is in use by another process (pid {pid})",
        dir.path().display()
    );
    assert_eq!(error, text);
    let again = Embedded::create(dir.path(), vec![contract::code("1.0.0")], genesis(1));
    assert!(matches!(
        again.err().unwrap(),
        BackendError::Store(StoreError::InUse { .. })
    ));
    drop(chain);
    open(dir.path());
}

#[test]
fn a_second_registry_in_a_home_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    set(&mut create(dir.path()), "a", "1").unwrap();
    let again = Embedded::create(dir.path(), vec![contract::code("1.0.0")], genesis(1));
    assert!(
        again
            .err()
            .unwrap()
            .to_string()
            .contains("already holds a registry")
    );
    assert_eq!(get(&open(dir.path()), "a").unwrap(), "1");
}

#[test]
fn files_that_are_no_database_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let database = dir.path().join(DATABASE);
    for content in [
        &b""[..],
        b"x",
        &[0; 4096],
        &[0x55; 100_000],
        b"SQLite format 3\0 and more",
    ] {
        fs::write(&database, content).unwrap();
        let error = open_error(dir.path());
        assert!(error.contains("registry.redb"), "{error}");
        assert!(!error.contains('\n'), "{error}");
        assert_eq!(
            fs::read(&database).unwrap(),
            content,
            "the file is left as it was"
        );
    }
}

#[test]
fn another_database_or_layout_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(DATABASE);
    let write = |table: &str, value: &[u8]| {
        let database = Database::create(&path).unwrap();
        let transaction = database.begin_write().unwrap();
        let definition: TableDefinition<'_, &str, &[u8]> = TableDefinition::new(table);
        transaction
            .open_table(definition)
            .unwrap()
            .insert("layout", value)
            .unwrap();
        transaction.commit().unwrap();
    };
    write("other", b"1");
    assert!(open_error(dir.path()).contains("is not a registry database"));
    write("meta", br#""vaactl-embedded/99""#);
    let error = open_error(dir.path());
    assert!(error.contains("layout `vaactl-embedded/99`"), "{error}");
    write("meta", b"{");
    assert!(open_error(dir.path()).contains("entry `layout` of its table `meta`"));
}

#[test]
fn a_damaged_file_is_an_error_or_keeps_its_state() {
    let dir = tempfile::tempdir().unwrap();
    let mut chain = create(dir.path());
    chain
        .execute_msg(&json!({"fill": {"from": 0, "count": 2000}}))
        .unwrap();
    drop(chain);
    let path = dir.path().join(DATABASE);
    let whole = fs::read(&path).unwrap();
    for keep in [100, 4096, whole.len() / 2, whole.len() - 4096] {
        fs::write(&path, &whole[..keep]).unwrap();
        let error = open_error(dir.path());
        assert!(error.contains("registry.redb"), "{error}");
    }
    fs::write(&path, &whole).unwrap();
    let count: u64 = open(dir.path()).query_msg(&json!({"count": {}})).unwrap();
    assert_eq!(count, 2001);
}
