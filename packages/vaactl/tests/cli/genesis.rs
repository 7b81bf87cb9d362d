//! A registry's state written, imported into another one, and checked.

use std::fs;

use serde_json::json;

use crate::common::{Home, testdata};

fn replayed() -> Home {
    let home = Home::new();
    let file = testdata("mainnet.jsonl").display().to_string();
    home.run(&["ingest", "--replay", &file]).done();
    home
}

/// A home that imports, and trusts what the other began with: mainnet's set 0.
fn importer() -> Home {
    let home = Home::new();
    let sets = json!([{"index": 0, "addresses": ["0x58CC3AE5C097b213cE3c81979e1B9f9570746AA5"]}]);
    let file = home.file("sets.json", sets.to_string());
    home.run(&["init", "--import", "--guardian-sets", &file])
        .done();
    home
}

#[test]
fn an_exported_registry_is_imported_whole() {
    let original = replayed();
    let file = original
        .dir
        .path()
        .join("export.jsonl")
        .display()
        .to_string();
    let told = original.run(&["export", "--out", &file]).done();
    assert!(told.stderr.contains("15 tables"), "{}", told.stderr);
    // On standard output it is the same, also in other pages.
    let lines = original.run(&["export"]).done().stdout;
    assert_eq!(lines, fs::read_to_string(&file).unwrap());

    let copy = importer();
    let vaa = original
        .run(&["list", "--limit", "1", "--json"])
        .done()
        .json()
        .remove(0);
    let vaa = original
        .run(&["vaa", vaa["id"].as_str().unwrap()])
        .done()
        .stdout;
    let early = copy.file("early.hex", &vaa);
    assert!(copy.run(&["ingest", &early]).failure().contains("[E408]"));

    // Interrupted after some pages, it goes on from there.
    let half: String = lines
        .lines()
        .take(8)
        .map(|line| format!("{line}\n"))
        .collect();
    let half = copy.file("half.jsonl", half);
    let first = copy.run(&["import", &half]).done().stdout;
    assert!(first.contains("comes next"), "{first}");
    assert!(
        copy.run(&["import", &half, "--seal"])
            .failure()
            .contains("[E311]")
    );
    let rest = copy
        .run(&["import", &file, "--seal", "--json"])
        .done()
        .json();
    assert_eq!(
        (&rest[0]["next"], &rest[0]["sealed"]),
        (&json!(null), &json!(true))
    );
    assert!(copy.run(&["import", &file]).failure().contains("[E409]"));

    for read in [
        &["list", "--all"][..],
        &["guardians"],
        &["totals", "emitter", "--all"],
        &["conflicts", "--all"],
    ] {
        let mut arguments = read.to_vec();
        arguments.push("--json");
        let strip = |home: &Home| {
            let mut lines = home.run(&arguments).done().json();
            // Whether a set counts depends on the clock: the copy's is today's.
            lines.iter_mut().for_each(|line| {
                if let Some(live) = line.get_mut("live") {
                    *live = json!(null);
                }
                if let Some(done) = line
                    .pointer_mut("/status/verifications")
                    .and_then(|done| done.as_array_mut())
                {
                    done.iter_mut()
                        .for_each(|done| done["valid_now"] = json!(null));
                }
            });
            lines
        };
        assert_eq!(strip(&original), strip(&copy), "{read:?}");
    }
    assert!(copy.run(&["check"]).done().stdout.contains("agree"));
    // What is not of an export is told by its line.
    let odd = importer();
    let wrong = odd.file("wrong.jsonl", "{}\n");
    assert!(odd.run(&["import", &wrong]).failure().contains("line 1"));
    let tail: String = lines
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    let tail = odd.file("tail.jsonl", tail);
    assert!(odd.run(&["import", &tail]).failure().contains("[E309]"));
    assert!(
        odd.run(&["import", "nowhere.jsonl"])
            .failure()
            .contains("nowhere.jsonl")
    );
}

#[test]
fn a_good_registry_passes_the_check() {
    let home = replayed();
    assert!(home.run(&["check"]).done().stdout.contains("agree"));
    assert_eq!(home.run(&["check", "--json"]).done().stdout, "");
    Home::new().run(&["check"]).failure();
}
