//! `ingest --from`: registries that fetch from others.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};

use crate::common::{Home, testdata};
use crate::server::Server;

/// A registry at devnet's guardian set.
fn devnet() -> Home {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    home
}

fn filled() -> Home {
    let home = devnet();
    let file = testdata("devnet.jsonl").display().to_string();
    home.run(&["ingest", &file]);
    home
}

/// All that a registry holds, but for when it verified it.
fn content(home: &Home) -> Vec<Value> {
    home.run(&[
        "list",
        "--json",
        "--all",
        "--families",
        "publication,quorum",
    ])
    .done()
    .json()
}

/// Serves `answers`, one a connection, over and over the last, and counts them.
struct Script {
    address: SocketAddr,
    asked: Arc<AtomicU64>,
}

impl Script {
    fn start(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(AtomicU64::new(0));
        let count = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                read_head(&mut stream);
                let number = usize::try_from(count.fetch_add(1, Ordering::SeqCst)).unwrap();
                let answer = answers.get(number).or(answers.last()).unwrap();
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Self { address, asked }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn asked(&self) -> u64 {
        self.asked.load(Ordering::SeqCst)
    }
}

fn read_head(stream: &mut TcpStream) -> String {
    let mut head = String::new();
    let mut reader = BufReader::new(stream);
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            break;
        }
    }
    head
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Hands requests on to a server, but only so many.
struct Proxy {
    address: SocketAddr,
    left: Arc<AtomicU64>,
}

impl Proxy {
    fn start(to: SocketAddr, most: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let left = Arc::new(AtomicU64::new(most));
        let allowed = left.clone();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let mut client = client.unwrap();
                let head = read_head(&mut client);
                let less = |left: u64| left.checked_sub(1);
                if allowed
                    .fetch_update(Ordering::SeqCst, Ordering::SeqCst, less)
                    .is_err()
                {
                    continue;
                }
                let mut server = TcpStream::connect(to).unwrap();
                let head = head.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
                server.write_all(head.as_bytes()).unwrap();
                let mut answer = Vec::new();
                server.read_to_end(&mut answer).unwrap();
                let _ = client.write_all(&answer);
            }
        });
        Self { address, left }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

#[test]
fn two_registries_converge() {
    let source = filled();
    let target = devnet();
    let server = Server::start(&source.path(), &[]);
    let first = target
        .run(&["ingest", "--from", &server.url, "--page-size", "7"])
        .done();
    assert!(first.stdout.contains("0 refused"), "{}", first.stdout);
    let again = target
        .run(&["ingest", "--json", "--from", &format!("{}/", server.url)])
        .done();
    assert_eq!(again.count("already_registered"), again.json().len());
    drop(server);
    assert_eq!(content(&target), content(&source));
    assert!(content(&target).len() > 90);
}

#[test]
fn emitters_can_be_chosen() {
    let source = filled();
    let all = content(&source);
    let emitter = |row: &Value| {
        let chain = &row["emitter_chain"];
        format!("{chain}/{}", row["emitter_address"].as_str().unwrap())
    };
    let (first, other) = (emitter(&all[0]), emitter(all.last().unwrap()));
    assert_ne!(first, other);
    let server = Server::start(&source.path(), &[]);
    let target = devnet();
    let arguments = [
        "ingest",
        "--from",
        &server.url,
        "--emitter",
        &first,
        "--emitter",
        &other,
    ];
    target.run(&arguments).done();
    let wanted: Vec<_> = all
        .iter()
        .filter(|row| [&first, &other].contains(&&emitter(row)))
        .cloned()
        .collect();
    assert_eq!(content(&target), wanted);
    let nobody = [
        "ingest",
        "--from",
        &server.url,
        "--emitter",
        "60000/0x0000000000000000000000000000000000000001",
    ];
    target.run(&nobody).done();
}

/// A guardian has no lists: sequences are asked for one after the other.
#[test]
fn a_guardian_is_asked_by_sequence() {
    let home = crate::observe::registry(&[1]);
    let (home, keys) = home;
    let observe = |sequences: &[u64]| {
        let bodies: Vec<_> = sequences.iter().map(|s| crate::observe::body(*s)).collect();
        let file = home.file("bodies", bodies.join("\n"));
        home.run(&[
            "observe",
            "--bodies",
            "--tx-id",
            "01",
            "--key-file",
            &keys[0],
            &file,
        ])
        .done();
    };
    observe(&[1, 2, 4, 7]);
    let target = Home::new();
    let sets = home.dir.path().join("sets.json").display().to_string();
    target.run(&["init", "--guardian-sets", &sets]).done();
    let cursor = target.dir.path().join("cursor").display().to_string();
    let fetch = || {
        let server = Server::start(&home.path(), &[]);
        let emitter = format!("2/{}", "ee".repeat(32));
        // The server's address changes, but not what it is.
        let text = std::fs::read_to_string(&cursor).unwrap_or_default();
        if !text.is_empty() {
            let mut json: Value = serde_json::from_str(&text).unwrap();
            json["source"] = json!(server.url);
            std::fs::write(&cursor, json.to_string()).unwrap();
        }
        let arguments = [
            "ingest",
            "--json",
            "--from",
            &server.url,
            "--api",
            "guardian",
            "--emitter",
            &emitter,
            "--cursor",
            &cursor,
        ];
        target.run(&arguments).done().count("stored")
    };
    assert_eq!(fetch(), 4);
    // What comes late is found too.
    observe(&[3, 8, 0]);
    assert_eq!(fetch(), 3);
    assert_eq!(fetch(), 0);
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(&cursor).unwrap()).unwrap();
    let place = &kept["emitters"][format!("2/{}", "ee".repeat(32))];
    assert_eq!(*place, json!({ "next": "9", "missing": ["5", "6"] }));
    assert_eq!(content(&target), content(&home));
}

#[test]
fn an_interrupted_fetch_goes_on_from_its_cursor() {
    let source = filled();
    let server = Server::start(&source.path(), &[]);
    let proxy = Proxy::start(server.address(), 3);
    let target = devnet();
    let cursor = target.dir.path().join("cursor").display().to_string();
    let fetch = || {
        target.run(&[
            "ingest",
            "--json",
            "--from",
            &proxy.url(),
            "--page-size",
            "10",
            "--cursor",
            &cursor,
            "--retries",
            "1",
        ])
    };
    let first = fetch();
    assert!(
        first.failure().contains("does not answer after 2 tries"),
        "{}",
        first.stderr
    );
    assert_eq!(first.json().len(), 30);
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(&cursor).unwrap()).unwrap();
    assert_eq!(kept["lists"]["all"]["rows"], 30);
    proxy.left.store(1_000, Ordering::SeqCst);
    let second = fetch().done();
    assert_eq!(
        second.count("already_registered"),
        0,
        "nothing is fetched twice"
    );
    drop(server);
    assert_eq!(content(&target), content(&source));
    // Killed at any moment, too: what is stored is stored, and the cursor is whole.
    let other = target.run(&[
        "ingest",
        "--from",
        "http://127.0.0.1:1",
        "--cursor",
        &cursor,
    ]);
    assert!(
        other.failure().contains("is of http://127.0.0.1:"),
        "{}",
        other.stderr
    );
}

/// VAAs that come in before others that were fetched already are found.
#[test]
fn followers_find_what_comes_early_and_late() {
    let source = filled();
    let mut all = content(&source);
    all.sort_by_key(|row| row["message_publication"]["timestamp"].as_u64());
    let hex = |home: &Home, row: &Value| {
        home.run(&["vaa", row["id"].as_str().unwrap()])
            .done()
            .stdout
    };
    let vaas: Vec<String> = all.iter().map(|row| hex(&source, row)).collect();
    let growing = devnet();
    let add = |range: std::ops::Range<usize>| {
        let file = growing.file("vaas", vaas[range].concat());
        growing.run(&["ingest", &file]).done();
    };
    add(40..80);
    let target = devnet();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let serve = || {
        let child = Command::new(cargo_bin("vaactl"))
            .arg("--home")
            .arg(growing.path())
            .args(["serve", "--listen", &address])
            .stdout(Stdio::piped())
            .spawn();
        Ended(child.unwrap())
    };
    let mut follower = Ended(
        Command::new(cargo_bin("vaactl"))
            .arg("--home")
            .arg(target.path())
            .args([
                "ingest",
                "--from",
                &format!("http://{address}"),
                "--follow",
                "--interval",
                "1",
                "--page-size",
                "9",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    // The server comes later than its follower.
    std::thread::sleep(Duration::from_millis(300));
    let begin = Instant::now();
    let reached = |rows: usize| {
        loop {
            let list = target.run(&["list", "--json", "--all"]);
            if list.code == 0 && list.json().len() == rows {
                break;
            }
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "{rows}: {}",
                list.stderr
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    let server = serve();
    reached(40);
    drop(server);
    add(0..40);
    add(80..all.len());
    let server = serve();
    reached(all.len());
    drop(server);
    assert!(follower.0.try_wait().unwrap().is_none());
    drop(follower);
    assert_eq!(content(&target), content(&growing));
}

/// A process that is ended when dropped.
struct Ended(std::process::Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_servers_do_wrong_is_told() {
    let target = devnet();
    let fetch = |url: &str| {
        target.run(&[
            "ingest",
            "--from",
            url,
            "--retries",
            "1",
            "--page-size",
            "2",
        ])
    };
    let document = |id: &str, vaa: &str| {
        let body = json!({ "data": [{ "id": id, "vaa": vaa }] }).to_string();
        answer("200 OK", "", &body)
    };
    let source = filled();
    let server = Server::start(&source.path(), &[]);
    let real = &server.get("/api/v1/vaas?pageSize=1").ok()["data"][0];
    let (id, vaa) = (real["id"].as_str().unwrap(), real["vaa"].as_str().unwrap());
    let other = format!("9/{}/5", "ab".repeat(32));
    for (answers, words, asked) in [
        (
            vec![answer("500 Internal Server Error", "", "oops")],
            "still answers with status 500 after 2 tries: oops",
            2,
        ),
        (
            vec![answer(
                "429 Too Many Requests",
                "retry-after: 1\r\n",
                "slow down",
            )],
            "status 429 after 2 tries: slow down",
            2,
        ),
        (
            vec![answer("400 Bad Request", "", "{\"code\":3}")],
            "answers with status 400: {\"code\":3}",
            1,
        ),
        (
            vec![answer("501 Not Implemented", "", "no index")],
            "answers with status 501: no index",
            1,
        ),
        (
            vec![answer("404 Not Found", "", "{}")],
            "answers with status 404: no such list",
            1,
        ),
        (vec![answer("200 OK", "", "{")], "is not understood", 1),
        (vec![answer("200 OK", "", "<html>")], "is not understood", 1),
        (
            vec![answer("200 OK", "", "{\"data\":{}}")],
            "is not understood",
            1,
        ),
        (
            vec![document("1/2", vaa)],
            "is not understood: message id",
            1,
        ),
        (vec![document(id, "AQ==")], "gives no VAA for", 1),
        (vec![document(id, "A")], "not base64", 1),
        (vec![document(&other, vaa)], "gives the VAA of", 1),
        (
            vec!["HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".into()],
            "does not answer after 2 tries",
            2,
        ),
        (vec![String::new()], "does not answer after 2 tries", 2),
        (
            vec!["SSH-2.0\r\n".into()],
            "does not answer after 2 tries",
            2,
        ),
    ] {
        let script = Script::start(answers);
        let ran = fetch(&script.url());
        assert!(ran.failure().contains(words), "{words}: {}", ran.stderr);
        assert_eq!(script.asked(), asked, "{words}");
        assert!(content(&target).is_empty());
    }
    // One that is busy for a while.
    let script = Script::start(vec![
        answer("503 Service Unavailable", "retry-after: 1\r\n", ""),
        document(id, vaa),
    ]);
    let begin = Instant::now();
    fetch(&script.url()).done();
    assert!(
        begin.elapsed() >= Duration::from_secs(1),
        "the server's pause is kept"
    );
    assert_eq!(content(&target).len(), 1);
    for url in [
        "",
        "x",
        "ftp://a",
        "http://",
        "http://a?b=c",
        "127.0.0.1:80",
    ] {
        let ran = target.run(&["ingest", "--from", url]);
        assert!(
            ran.failure().contains("is no URL of a server"),
            "{}",
            ran.stderr
        );
    }
}
