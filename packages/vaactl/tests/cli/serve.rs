//! Every path of `serve`, on registries of real VAAs.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use wormhole_vaa::{Vaa, decode_hex};

use crate::common::{Home, rows, testdata};
use crate::observe::{body, registry};
use crate::server::Server;

const GOVERNANCE: &str = "0000000000000000000000000000000000000000000000000000000000000004";

/// A registry of mainnet's VAAs, and what of them is the newest set's copy by id.
fn mainnet() -> (Home, BTreeMap<String, Vec<u8>>) {
    let home = Home::new();
    let file = testdata("mainnet.jsonl").display().to_string();
    home.run(&["ingest", "--replay", &file]).done();
    let mut newest: BTreeMap<String, (u32, Vec<u8>)> = BTreeMap::new();
    for row in rows("mainnet.jsonl") {
        let bytes = decode_hex("vaa", row["vaa_hex"].as_str().unwrap()).unwrap();
        let vaa = Vaa::parse(&bytes).unwrap();
        let known = newest.entry(vaa.id().to_string()).or_default();
        if known.1.is_empty() || vaa.guardian_set_index > known.0 {
            *known = (vaa.guardian_set_index, bytes);
        }
    }
    let newest = newest.into_iter().map(|(id, (_, vaa))| (id, vaa)).collect();
    (home, newest)
}

fn vaa_of(answer: &Value, field: &str) -> Vec<u8> {
    BASE64.decode(answer[field].as_str().unwrap()).unwrap()
}

/// The data of a list.
fn data(server: &Server, path: &str) -> Vec<Value> {
    let answer = server.get(path).ok();
    assert_eq!(answer["pagination"], json!({ "next": "" }), "{path}");
    answer["data"].as_array().unwrap().clone()
}

/// Asks by gRPC-web, and returns the message's content, if there is one, and the trailers.
fn grpc(server: &Server, method: &str, message: &[u8]) -> (Option<Vec<u8>>, String) {
    let mut request = vec![0];
    request.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    request.extend(message);
    let path = format!("/publicrpc.v1.PublicRPCService/{method}");
    let answer = server.post(&path, "application/grpc-web+proto", &request);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.content_type, "application/grpc-web+proto");
    let mut rest = answer.body.as_slice();
    let mut frames = BTreeMap::new();
    while let Some((head, tail)) = rest.split_first_chunk::<5>() {
        let length = u32::from_be_bytes(head[1..].try_into().unwrap()) as usize;
        frames.insert(head[0], tail[..length].to_vec());
        rest = &tail[length..];
    }
    let trailers = String::from_utf8(frames.remove(&0x80).unwrap()).unwrap();
    (frames.remove(&0), trailers)
}

/// The wire bytes of a request for a message.
fn grpc_id(chain: u16, emitter: &str, sequence: u64) -> Vec<u8> {
    fn varint(mut number: u64, out: &mut Vec<u8>) {
        while number > 0x7f {
            out.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
    }
    let mut id = vec![0x08];
    varint(chain.into(), &mut id);
    id.extend([0x12, u8::try_from(emitter.len()).unwrap()]);
    id.extend(emitter.as_bytes());
    id.push(0x18);
    varint(sequence, &mut id);
    let mut request = vec![0x0a];
    varint(id.len() as u64, &mut request);
    request.extend(id);
    request
}

/// Real VAAs come back bit for bit by every path, the newest set's copy where there are several.
#[test]
fn real_vaas_are_served_in_every_form() {
    let (home, newest) = mainnet();
    let server = Server::start(&home.path(), &[]);
    assert_eq!(newest.len(), 112);
    for (id, bytes) in &newest {
        let answer = server.get(&format!("/v1/signed_vaa/{id}")).ok();
        assert_eq!(&vaa_of(&answer, "vaaBytes"), bytes, "{id}");
        let document = &server.get(&format!("/api/v1/vaas/{id}")).ok()["data"];
        assert_eq!(&vaa_of(document, "vaa"), bytes, "{id}");
        let vaa = Vaa::parse(bytes).unwrap();
        // All digits of 64 bits, as a number.
        assert_eq!(document["sequence"].as_u64(), Some(vaa.body.sequence));
        assert_eq!(document["id"], **id);
        assert_eq!(document["digest"], vaa.digest().to_hex());
        assert_eq!(document["guardianSetIndex"], vaa.guardian_set_index);
        assert_eq!(document["emitterChain"], vaa.body.emitter_chain);
        assert_eq!(
            document["emitterAddr"],
            vaa.body.emitter_address.to_hex().as_str()
        );
        assert_eq!(document["isDuplicated"], false);
        assert!(document.get("txHash").is_none() && document.get("payload").is_none());
        let emitter = vaa.body.emitter_address.to_hex();
        let request = grpc_id(vaa.body.emitter_chain, &emitter, vaa.body.sequence);
        let (message, trailers) = grpc(&server, "GetSignedVAA", &request);
        let message = message.unwrap();
        assert!(message.ends_with(bytes) && message[0] == 0x0a, "{id}");
        assert!(trailers.starts_with("grpc-status:0\r\n"), "{trailers}");
    }
    // Every form of an emitter, and slashes too many.
    let wanted = server.get(&format!("/v1/signed_vaa/1/{GOVERNANCE}/1337"));
    for path in [
        format!("//v1/signed_vaa/1/{GOVERNANCE}/1337"),
        format!("/v1/signed_vaa/1/0x{GOVERNANCE}/1337/"),
        "/v1/signed_vaa/CHAIN_ID_SOLANA/04/1337".into(),
        "/v1/signed_vaa/solana/0X0004/1337".into(),
        "/v1/signed_vaa/1/11111111111111111111111111111115/1337?x=y".into(),
    ] {
        assert_eq!(server.get(&path).ok(), wanted.ok(), "{path}");
    }
    // PythNet is served as any other chain.
    assert!(newest.keys().any(|id| id.starts_with("26/")));
    server.end("-TERM");
}

#[test]
fn lists_have_pages_in_both_orders() {
    let (home, newest) = mainnet();
    let server = Server::start(&home.path(), &[]);
    let all = data(&server, "/api/v1/vaas?pageSize=1000");
    assert_eq!(all.len(), newest.len());
    assert_eq!(data(&server, "/api/v1/vaas/").len(), 50);
    let times: Vec<_> = all
        .iter()
        .map(|row| row["timestamp"].as_str().unwrap())
        .collect();
    assert!(times.is_sorted_by(|a, b| a >= b));
    for size in [1, 7, 30, 31, 112, 113] {
        let mut pages = Vec::new();
        for page in 0.. {
            let rows = data(
                &server,
                &format!("/api/v1/vaas?page={page}&pageSize={size}&sortOrder=asc"),
            );
            let last = rows.len() < size;
            pages.extend(rows);
            if last {
                break;
            }
        }
        pages.reverse();
        assert_eq!(pages, all, "{size}");
    }
    // A page that was not asked for in turn.
    let far = data(&server, "/api/v1/vaas?page=9&pageSize=11");
    assert_eq!(far, all[99..110]);
    let of = |chain: u64| -> Vec<Value> {
        let rows = all.iter().filter(|row| row["emitterChain"] == chain);
        rows.cloned().collect()
    };
    assert_eq!(data(&server, "/api/v1/vaas/26?pageSize=1000"), of(26));
    assert_eq!(data(&server, "/api/v1/vaas/1/05?pageSize=1000").len(), 0);
    let governance = data(
        &server,
        &format!("/api/v1/vaas/1/{GOVERNANCE}?page=0&pageSize=10"),
    );
    let of_governance: Vec<_> = of(1)
        .into_iter()
        .filter(|row| row["emitterAddr"] == GOVERNANCE)
        .collect();
    assert_eq!(governance, of_governance[..10]);
    assert!(data(&server, "/api/v1/vaas/60000").is_empty());
    // Counts.
    let counts = data(&server, "/api/v1/vaas/vaa-counts");
    for count in &counts {
        let chain = count["chainId"].as_u64().unwrap();
        assert_eq!(count["count"], of(chain).len());
    }
    let total: u64 = counts.iter().map(|c| c["count"].as_u64().unwrap()).sum();
    assert_eq!(total, 112);
    // Transfers, in parts, by where they go.
    let transfers: Vec<_> = data(&server, "/api/v1/vaas?pageSize=1000&parsedPayload=true")
        .into_iter()
        .filter(|row| row.get("payload").is_some())
        .collect();
    assert!(!transfers.is_empty());
    for row in &transfers {
        let (chain, emitter) = (&row["emitterChain"], row["emitterAddr"].as_str().unwrap());
        let to = &row["payload"]["toChain"];
        let found = data(
            &server,
            &format!("/api/v1/vaas/{chain}/{emitter}?toChain={to}"),
        );
        assert!(found.iter().any(|other| other["id"] == row["id"]));
        assert!(found.len() <= transfers.len());
        let body = json!({ "vaa": row["vaa"] }).to_string();
        let parsed = server
            .post("/api/v1/vaas/parse", "application/json", body.as_bytes())
            .ok();
        assert_eq!(parsed["parsedPayload"], row["payload"]);
        assert_eq!(parsed["standardizedProperties"]["toChain"], *to);
        let operations = server
            .get(&format!(
                "/api/v1/operations?address={}",
                row["payload"]["toAddress"].as_str().unwrap()
            ))
            .ok();
        let operations = operations["operations"].as_array().unwrap();
        assert!(operations.iter().any(|one| one["id"] == row["id"]
            && one["vaa"]["raw"] == row["vaa"]
            && one["sequence"].is_string()));
    }
    let transactions = server.get("/api/v1/transactions?pageSize=50&page=0").ok();
    assert_eq!(transactions["transactions"][0]["id"], all[0]["id"]);
    let one = all[0]["id"].as_str().unwrap();
    let one = server.get(&format!("/api/v1/transactions/{one}")).ok();
    assert_eq!(one, transactions["transactions"][0]);
}

#[test]
fn guardian_paths_answer_for_a_registry() {
    let (home, _) = mainnet();
    let server = Server::start(&home.path(), &[]);
    let set = &server.get("/v1/guardianset/current").ok()["guardianSet"];
    assert_eq!(set["index"], 7);
    let addresses = set["addresses"].as_array().unwrap();
    let known = home.run(&["guardians", "7", "--json"]).failure().to_owned();
    assert!(known.contains("in use"), "{known}");
    assert!(addresses.len() >= 13);
    // In the case that Ethereum's own tools write.
    assert!(addresses.contains(&json!("0x5893B5A76c3f739645648885bDCcC06cd70a3Cd3")));
    for path in [
        "/v1/heartbeats",
        "/v1/governor/available_notional_by_chain",
        "/v1/governor/enqueued_vaas",
        "/v1/governor/token_list",
    ] {
        assert_eq!(server.get(path).ok(), json!({ "entries": [] }), "{path}");
    }
    let enqueued = server.get("/v1/governor/is_vaa_enqueued/2/0xabcd/5").ok();
    assert_eq!(enqueued, json!({ "isEnqueued": false }));
    let openapi = server.get("/openapi.json").ok();
    assert_eq!(openapi["openapi"], "3.1.0");
    server.end("-INT");
    home.run(&["guardians", "7"]).done();
}

#[test]
fn what_is_wrong_is_told_in_json() {
    let (home, _) = mainnet();
    let server = Server::start(&home.path(), &[]);
    let not_found = |message: &str| (404, 5, message.to_owned());
    let invalid = |message: &str| (400, 3, message.to_owned());
    let absent = "ab".repeat(32);
    for (path, error) in [
        (
            format!("/v1/signed_vaa/2/{absent}/5"),
            not_found("requested VAA not found in store"),
        ),
        (format!("/api/v1/vaas/2/{absent}/5"), not_found("NOT FOUND")),
        (
            format!("/api/v1/vaas/1/{GOVERNANCE}/1337/duplicated"),
            not_found("NOT FOUND"),
        ),
        (
            format!("/api/v1/transactions/2/{absent}/5"),
            not_found("NOT FOUND"),
        ),
        (
            format!(
                "/api/v1/observations/2/{absent}/5/{}/{absent}",
                "ab".repeat(20)
            ),
            not_found("NOT FOUND"),
        ),
        ("/v1/relays?txHash=5".into(), not_found("Not Found")),
        ("/".into(), not_found("Not Found")),
        ("/api/v1/vaas/1/04/5/6".into(), not_found("Not Found")),
        (
            format!("/v1/signed_vaa/2/{absent}ab/5"),
            invalid("address must be 32 bytes"),
        ),
        ("/api/v1/vaas/65562".into(), invalid("WRONG CHAIN ID")),
        (
            "/api/v1/vaas/1/xyz".into(),
            invalid("MALFORMED EMITTER_ADDR"),
        ),
        (
            "/api/v1/vaas/1/0x4/5".into(),
            invalid("MALFORMED EMITTER_ADDR"),
        ),
        (
            "/api/v1/vaas/1/04/18446744073709551616".into(),
            invalid("MALFORMED SEQUENCE NUMBER"),
        ),
        (
            "/api/v1/vaas?txHash=0x1234".into(),
            invalid("MALFORMED TX HASH"),
        ),
        (
            "/api/v1/vaas?page=1&page=2".into(),
            invalid("malformed parameters"),
        ),
        (
            "/api/v1/vaas?page=%ff%fe".into(),
            invalid("page must be a number of 0 or more"),
        ),
        (
            "/api/v1/vaas?pageSize=1001".into(),
            invalid("pageSize must be a number from 1 to 1000"),
        ),
        (
            "/api/v1/operations?pageSize=101".into(),
            invalid("pageSize must be a number from 1 to 100"),
        ),
        (
            "/api/v1/vaas?sortOrder=sideways".into(),
            invalid("sortOrder must be ASC or DESC"),
        ),
        (
            "/api/v1/vaas?parsedPayload=maybe".into(),
            invalid("parsedPayload must be true or false"),
        ),
        (
            "/api/v1/transactions?address=xyz".into(),
            invalid("MALFORMED ADDRESS"),
        ),
        // Bytes that are no UTF-8, and a slash within a name.
        ("/v1/signed_vaa/%ff/04/5".into(), invalid("malformed path")),
    ] {
        assert_eq!(server.get(&path).error(), error, "{path}");
    }
    for path in [
        "/v1/signed_vaa/nowhere/04/5",
        "/v1/signed_vaa/1/xyz/5",
        "/v1/signed_vaa/1/04/-5",
        "/v1/signed_vaa/1/0%2f4/5",
        "/v1/signed_vaa/1/04/5%00",
        "/v1/governor/is_vaa_enqueued/1/xyz/5",
    ] {
        let (status, code, _) = server.get(path).error();
        assert_eq!((status, code), (400, 3), "{path}");
    }
    let emitter = server.get("/v1/signed_vaa/1/xyz/5").error().2;
    assert!(emitter.starts_with("failed to decode address"), "{emitter}");
    // Wrong methods.
    for (path, method) in [
        ("/api/v1/vaas", "DELETE"),
        ("/v1/heartbeats", "POST"),
        ("/api/v1/vaas/parse", "PUT"),
    ] {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let answer = server.raw(request.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 501 "), "{answer}");
        assert!(
            answer.contains("{\"code\":12,\"message\":\"Method Not Allowed\",\"details\":[]}"),
            "{answer}"
        );
    }
    // Bodies.
    let parse = |body: &[u8]| {
        server
            .post("/api/v1/vaas/parse", "application/json", body)
            .error()
    };
    for body in [
        &b""[..],
        b"{",
        b"[]",
        b"{\"vaa\":5}",
        b"{\"vaa\":\"AQ\"}",
        b"{\"vaa\":\"AQ==\"}",
        b"\xff\xfe",
    ] {
        let (status, code, _) = parse(body);
        assert_eq!((status, code), (400, 3), "{body:?}");
    }
    let governance = vaa_of(&server.get("/v1/signed_vaa/1/04/1337").ok(), "vaaBytes");
    let governance = json!({ "vaa": BASE64.encode(governance) }).to_string();
    assert_eq!(parse(governance.as_bytes()), not_found("NOT FOUND"));
    // gRPC-web tells in its trailers.
    let status = |method: &str, message: &[u8]| {
        let (message, trailers) = grpc(&server, method, message);
        assert_eq!(message.map(|m| m.len()).unwrap_or_default(), 0);
        trailers
    };
    let absent = grpc_id(2, &absent, 5);
    assert_eq!(
        status("GetSignedVAA", &absent),
        "grpc-status:5\r\ngrpc-message:requested VAA not found in store\r\n"
    );
    assert!(status("GetSignedVAA", b"").starts_with("grpc-status:3\r\n"));
    assert!(status("GetSignedVAA", b"\xff\xff").starts_with("grpc-status:3\r\n"));
    assert!(status("GetSignedVAA", &grpc_id(2, "xyz", 5)).starts_with("grpc-status:3\r\n"));
    assert!(status("GetLastHeartbeats", b"").starts_with("grpc-status:12\r\n"));
    assert!(status("GovernorIsVAAEnqueued", &absent).starts_with("grpc-status:0\r\n"));
}

#[test]
fn browsers_of_any_origin_may_ask() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let server = Server::start(&home.path(), &[]);
    let preflight = server.raw(
        b"OPTIONS /publicrpc.v1.PublicRPCService/GetSignedVAA HTTP/1.1\r\nhost: x\r\norigin: https://a.example\r\n\
          access-control-request-method: POST\r\naccess-control-request-headers: content-type,x-grpc-web,x-user-agent\r\n\
          connection: close\r\n\r\n",
    );
    assert!(preflight.starts_with("HTTP/1.1 200 "), "{preflight}");
    assert!(preflight.contains("access-control-allow-origin: https://a.example\r\n"));
    assert!(
        preflight
            .contains("access-control-allow-headers: content-type,x-grpc-web,x-user-agent\r\n")
    );
    for path in ["/v1/heartbeats", "/nothing"] {
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: x\r\norigin: null\r\nconnection: close\r\n\r\n");
        let answer = server.raw(request.as_bytes());
        assert!(
            answer.contains("access-control-allow-origin: null\r\n"),
            "{answer}"
        );
        assert!(
            answer.contains("access-control-expose-headers: grpc-status,grpc-message\r\n"),
            "{answer}"
        );
    }
}

#[test]
fn transactions_and_observations_are_those_of_guardians() {
    let (home, keys) = registry(&[1, 2, 3, 4]);
    let bodies = home.file("bodies", format!("{}\n{}\n", body(1), body(2)));
    let only = home.file("only", body(1));
    let tx_id = "cd".repeat(32);
    let observe = |key: &str, file: &str| {
        home.run(&[
            "observe",
            "--bodies",
            "--tx-id",
            &tx_id,
            "--key-file",
            key,
            file,
        ])
        .done()
    };
    observe(&keys[0], &bodies);
    observe(&keys[1], &bodies);
    observe(&keys[2], &only);
    let server = Server::start(&home.path(), &[]);
    let emitter = "ee".repeat(32);
    let decided = data(&server, &format!("/api/v1/vaas?txHash=0x{tx_id}"));
    assert_eq!(decided.len(), 1);
    assert_eq!(decided[0]["id"], format!("2/{emitter}/1"));
    assert_eq!(decided[0]["txHash"], *tx_id);
    assert!(data(&server, &format!("/api/v1/vaas?txHash={}", "ce".repeat(32))).is_empty());
    let operations = server
        .get(&format!("/api/v1/operations?txHash={tx_id}"))
        .ok();
    assert_eq!(
        operations["operations"][0]["sourceChain"]["transaction"]["txHash"],
        *tx_id
    );
    let one = server
        .get(&format!("/api/v1/transactions/2/0x{emitter}/1"))
        .ok();
    assert_eq!(one["txHash"], *tx_id);
    // The other message is pending.
    for path in [
        "",
        "/2",
        &format!("/2/{emitter}"),
        &format!("/2/{emitter}/2"),
    ] {
        let list = server.get(&format!("/api/v1/observations{path}")).ok();
        let list = list.as_array().unwrap();
        assert_eq!(list.len(), 2, "{path}");
        for row in list {
            let id = row["id"].as_str().unwrap();
            assert_eq!(server.get(&format!("/api/v1/observations/{id}")).ok(), *row);
            assert_eq!(
                BASE64
                    .decode(row["signature"].as_str().unwrap())
                    .unwrap()
                    .len(),
                65
            );
            assert_eq!(vaa_of(row, "txHash"), [0xcd; 32]);
        }
        let second = server
            .get(&format!("/api/v1/observations{path}?page=1&pageSize=1"))
            .ok();
        assert_eq!(second, json!([list[1]]));
    }
    for path in ["/3", &format!("/2/{emitter}/1")] {
        assert_eq!(
            server.get(&format!("/api/v1/observations{path}")).ok(),
            json!([])
        );
    }
}

/// F-12: two messages with quorum that claim one id are both there, and the first stands.
#[test]
fn f_12_conflicting_vaas_are_listed_as_duplicates() {
    let home = Home::new();
    home.run(&["init", "--network", "devnet"]).done();
    let file = testdata("devnet.jsonl").display().to_string();
    home.run(&["ingest", &file]);
    let conflicts = home.run(&["conflicts", "--json", "--all"]).done().json();
    let conflict = conflicts.first().expect("devnet has conflicts");
    let id = conflict["id"].as_str().unwrap();
    let server = Server::start(&home.path(), &[]);
    let document = server.get(&format!("/api/v1/vaas/{id}")).ok();
    assert_eq!(document["data"]["isDuplicated"], true);
    assert_eq!(document["data"]["digest"], conflict["standing_digest"]);
    let duplicated = data(&server, &format!("/api/v1/vaas/{id}/duplicated"));
    assert_eq!(duplicated[0]["digest"], conflict["standing_digest"]);
    assert!(
        duplicated[1..]
            .iter()
            .any(|row| row["digest"] == conflict["digest"]
                && row["vaa"] == conflict["vaa"]
                && row["sequence"].is_string())
    );
}
