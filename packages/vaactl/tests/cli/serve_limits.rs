//! What `serve` does about clients that are slow, many, or send too much.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::Home;
use crate::server::Server;

const HEARTBEATS: &[u8] = b"GET /v1/heartbeats HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

fn empty() -> Home {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    home
}

/// The bytes of memory that a process holds.
fn memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib << 10
}

fn open_files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count()
}

#[test]
fn what_is_too_large_is_refused() {
    let home = empty();
    let server = Server::start(&home.path(), &[]);
    let before = memory(server.pid());
    let request = |head: &str| format!("{head}\r\nhost: x\r\nconnection: close\r\n");
    // A body that is announced too large is not waited for.
    let head =
        request("POST /api/v1/vaas/parse HTTP/1.1") + "content-length: 1000000000000\r\n\r\n";
    let answer = server.raw(head.as_bytes());
    assert!(
        answer.starts_with("HTTP/1.1 413 ") && answer.contains("\"code\":11"),
        "{answer}"
    );
    // One that is not announced is read up to the limit only.
    let mut chunked = (request("POST /api/v1/vaas/parse HTTP/1.1")
        + "transfer-encoding: chunked\r\n\r\n")
        .into_bytes();
    for _ in 0..64 {
        chunked.extend(b"10000\r\n");
        chunked.extend([b'a'; 0x10000]);
        chunked.extend(b"\r\n");
    }
    let answer = server.raw(&chunked);
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 413 "),
        "{answer}"
    );
    // Paths and heads.
    let long = request(&format!("GET /v1/{} HTTP/1.1", "a".repeat(5_000))) + "\r\n";
    let answer = server.raw(long.as_bytes());
    assert!(
        answer.starts_with("HTTP/1.1 414 ") && answer.contains("\"code\":3"),
        "{answer}"
    );
    for head in [
        request(&format!("GET /v1/{} HTTP/1.1", "a".repeat(70_000))) + "\r\n",
        request("GET / HTTP/1.1") + &format!("x: {}\r\n\r\n", "a".repeat(70_000)),
        request("GET / HTTP/1.1") + &"x: y\r\n".repeat(100) + "\r\n",
        "\0\x01\x02\r\n\r\n".into(),
        "GET /\u{e4}\u{f6} HTTP/9.9\r\n\r\n".into(),
        "GET http://[::1 HTTP/1.1\r\n\r\n".into(),
    ] {
        let answer = server.raw(head.as_bytes());
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{answer}"
        );
    }
    // Bytes that are no UTF-8.
    let answer = server.raw(b"GET /v1/\xff\xfe HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    assert!(memory(server.pid()) < before + (16 << 20));
    assert_eq!(server.get("/v1/heartbeats").status, 200);
}

/// Clients that send a byte now and then do not hold the server up, nor keep their connections.
#[test]
fn slow_clients_are_cut_off() {
    let home = empty();
    let server = Server::start(
        &home.path(),
        &["--client-timeout", "2", "--request-timeout", "3"],
    );
    let begin = Instant::now();
    let mut slow: Vec<TcpStream> = (0..50).map(|_| server.connect()).collect();
    let mut silent = server.connect();
    let mut half = server.connect();
    half.write_all(b"POST /api/v1/vaas/parse HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{")
        .unwrap();
    for byte in b"GET / HTTP/1.1\r\nx: y" {
        for stream in &mut slow {
            let _ = stream.write_all(&[*byte]);
        }
        assert_eq!(server.get("/v1/heartbeats").status, 200);
        std::thread::sleep(Duration::from_millis(100));
    }
    for stream in slow.iter_mut().chain([&mut silent]) {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"));
    }
    let heads = begin.elapsed();
    assert!(heads < Duration::from_secs(10), "{heads:?}");
    let mut answer = [0; 12];
    half.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 504");
    let all = begin.elapsed();
    assert!(all < Duration::from_secs(20), "{all:?}");
}

/// Ten thousand connections, or as many as this process may open: those over the limit are told so, and memory is
/// given back.
#[test]
fn connections_are_limited() {
    const MANY: usize = 10_000;
    const PLACES: usize = 200;
    let home = empty();
    let server = Server::start(
        &home.path(),
        &["--max-connections", "200", "--client-timeout", "600"],
    );
    assert!(server.raw(HEARTBEATS).starts_with("HTTP/1.1 200 "));
    let before = memory(server.pid());
    let mut open = Vec::new();
    let (mut most, mut refused) = (0, 0);
    for _ in 0..MANY {
        let Ok(stream) = TcpStream::connect(server.address()) else {
            break;
        };
        open.push(stream);
        if open.len() % 1_000 == 0 {
            most = most.max(memory(server.pid()));
        }
    }
    assert!(open.len() >= 900, "{} connections", open.len());
    // Those over the limit have been told and closed.
    for stream in &mut open[PLACES..] {
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 503 "), "{answer:?}");
        refused += 1;
    }
    println!(
        "{} connections, {refused} told so, {before} to {most} bytes",
        open.len()
    );
    assert!(open_files(server.pid()) < 260);
    assert!(most < before + (16 << 20), "{before} to {most} bytes");
    // A place that is given up is there for the next.
    drop(open);
    let begin = Instant::now();
    while server.raw(HEARTBEATS).starts_with("HTTP/1.1 503") {
        assert!(begin.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(50));
    }
    server.end("-TERM");
}

/// A client that asks but never reads holds only a bounded part of its answers, and not for ever.
#[test]
fn answers_that_nobody_reads_are_dropped() {
    let home = empty();
    let server = Server::start(&home.path(), &["--client-timeout", "4"]);
    let request = b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n";
    let answer = server.get("/openapi.json").body.len();
    // More than the system holds for the two ends of a connection.
    let requests = (24 << 20) / answer;
    let before = memory(server.pid());
    let mut deaf: Vec<TcpStream> = (0..50).map(|_| server.connect()).collect();
    for stream in &mut deaf {
        stream.write_all(&request.repeat(requests)).unwrap();
    }
    let begin = Instant::now();
    let mut most = memory(server.pid());
    // At first they may not even be accepted.
    while begin.elapsed() < Duration::from_secs(6) || open_files(server.pid()) > 40 {
        most = most.max(memory(server.pid()));
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("{before} to {most} bytes, {:?}", begin.elapsed());
    assert!(most < before + (32 << 20), "{before} to {most} bytes");
    // Cut off amid the answers.
    let mut taken = Vec::new();
    let _ = deaf[0].read_to_end(&mut taken);
    assert!(taken.len() < requests * answer, "{} bytes", taken.len());
    assert_eq!(server.get("/v1/heartbeats").status, 200);
}
