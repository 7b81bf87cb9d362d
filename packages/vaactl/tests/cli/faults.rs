use std::fs;

use crate::common::{Home, rows};

#[test]
fn a_missing_home_is_told_and_not_made() {
    let home = Home::new();
    for command in [
        &["list"][..],
        &["guardians"],
        &["conflicts"],
        &[
            "get",
            "1/0000000000000000000000000000000000000000000000000000000000000004/1",
        ],
        &[
            "vaa",
            "1/0000000000000000000000000000000000000000000000000000000000000004/1",
        ],
        &["ingest", "-"],
        &["verify", "-"],
    ] {
        let ran = home.run(command);
        assert!(
            ran.failure().contains("does not exist"),
            "{command:?}: {}",
            ran.stderr
        );
        assert_eq!(ran.stdout, "");
        assert!(!home.path().exists());
    }
}

#[test]
fn a_home_without_a_registry_or_with_another_file_is_told() {
    let home = Home::new();
    fs::create_dir(home.path()).unwrap();
    assert!(home.run(&["list"]).failure().contains("holds no registry"));
    fs::write(home.path().join("registry.redb"), "something else").unwrap();
    assert!(home.run(&["list"]).failure().contains("registry.redb"));
    assert!(
        home.run(&["init", "--network", "devnet"])
            .failure()
            .contains("already holds")
    );
}

#[test]
fn a_second_process_is_told_the_home_is_in_use() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let lock = fs::File::options()
        .write(true)
        .open(home.path().join("lock"))
        .unwrap();
    lock.lock().unwrap();
    for command in [&["list"][..], &["ingest", "-"]] {
        let ran = home.run(command);
        let text = format!(
            "home `{}` is in use by another process",
            home.path().display()
        );
        assert!(ran.failure().contains(&text), "{}", ran.stderr);
    }
    drop(lock);
    home.run(&["list"]).done();
}

#[test]
fn unreadable_files_are_told_before_anything_is_stored() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let vaa = rows("devnet.jsonl")[0]["vaa_hex"]
        .as_str()
        .unwrap()
        .to_owned();
    let good = home.file("good", vaa);
    let missing = home.dir.path().join("missing").display().to_string();
    for bad in [&missing, &home.dir.path().display().to_string()] {
        let ran = home.run(&["ingest", &good, bad, "--json"]);
        assert!(
            ran.failure().contains(&format!("cannot open `{bad}`")),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.stdout, "");
    }
    assert_eq!(home.run(&["list", "--json"]).done().stdout, "");
}

#[test]
fn a_damaged_database_is_told_in_one_line() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let path = home.path().join("registry.redb");
    let whole = fs::read(&path).unwrap();
    let mut seen = 0;
    for at in (0..whole.len()).step_by(97).take_while(|at| *at < 6_000) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xa5;
        fs::write(&path, damaged).unwrap();
        let ran = home.run(&["list"]);
        if ran.code != 0 {
            ran.failure();
            assert_eq!(ran.stderr.lines().count(), 1, "byte {at}: {}", ran.stderr);
            seen += 1;
        }
    }
    assert!(seen > 0);
    fs::write(&path, whole).unwrap();
    home.run(&["list"]).done();
}

#[test]
fn usage_errors_exit_with_2() {
    let home = Home::new();
    for command in [
        &["init"][..],
        &["ingest"],
        &["get", "nothing"],
        &["ingest", "--replay"],
        &["x"],
    ] {
        let ran = home.run(command);
        assert_eq!(ran.code, 2, "{command:?}");
        assert_eq!(ran.stdout, "");
    }
    assert_eq!(home.run(&["--help"]).code, 0);
    assert_eq!(home.run(&["--version"]).code, 0);
}

#[test]
fn bad_guardian_sets_make_no_registry() {
    let home = Home::new();
    let address = "beFA429d57cD18b7F8A4d91A2da9AB4AF05d0FBe";
    for (content, text) in [
        ("[]".to_owned(), "[E302]"),
        ("{}".to_owned(), "is not a list of guardian sets"),
        ("[{".to_owned(), "is not a list of guardian sets"),
        (r#"[{"index":0,"addresses":[]}]"#.to_owned(), "[E303]"),
        (
            format!(r#"[{{"index":0,"addresses":["{address}","{address}"]}}]"#),
            "[E303]",
        ),
        (
            format!(r#"[{{"index":0,"addresses":["{address}"],"expires_at":5}}]"#),
            "[E305]",
        ),
        (
            format!(
                r#"[{{"index":0,"addresses":["{address}"]}},{{"index":1,"addresses":["{address}"]}}]"#
            ),
            "[E305]",
        ),
    ] {
        let file = home.file("sets.json", &content);
        let ran = home.run(&["init", "--guardian-sets", &file]);
        assert!(ran.failure().contains(text), "{content}: {}", ran.stderr);
        assert!(home.run(&["list"]).failure().contains("home"));
    }
    let sets = format!(
        r#"[{{"index":1,"addresses":["0x{address}"],"expires_at":null}},
            {{"index":0,"addresses":["{address}"],"expires_at":1000000100}}]"#
    );
    let file = home.file("sets.json", sets);
    home.run(&["init", "--guardian-sets", &file, "--time", "1000000000"])
        .done();
    assert_eq!(home.run(&["guardians", "--json"]).done().json().len(), 2);
}
