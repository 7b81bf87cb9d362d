//! A running `vaactl serve`, and requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// A server, which is ended when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

/// What a server answered.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.content_type, "application/json");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Requires an answer that is well, and returns it.
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// Requires an error with all its fields, and returns status, code and message.
    pub(crate) fn error(&self) -> (u16, u64, String) {
        let body = self.json();
        assert!(body["details"].is_array(), "{body}");
        let message = body["message"].as_str().unwrap();
        (
            self.status,
            body["code"].as_u64().unwrap(),
            message.to_owned(),
        )
    }
}

impl Server {
    /// Serves the registry in a home directory.
    pub(crate) fn start(home: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(cargo_bin("vaactl"))
            .env_remove("VAACTL_HOME")
            .arg("--home")
            .arg(home)
            .args(["--json", "serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let line: Value = serde_json::from_str(&line).unwrap();
        let url = line["listening"].as_str().unwrap().to_owned();
        Self { child, url }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.url.trim_start_matches("http://").parse().unwrap()
    }

    /// A connection, whose reads end after a while.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).unwrap();
        let limit = Some(Duration::from_secs(30));
        stream.set_read_timeout(limit).unwrap();
        stream
    }

    /// Sends bytes as they are, and returns all that comes back until the server closes.
    pub(crate) fn raw(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may have closed before it has read all.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        answer(agent().get(format!("{}{path}", self.url)).call().unwrap())
    }

    pub(crate) fn post(&self, path: &str, content_type: &str, body: &[u8]) -> Answer {
        let request = agent()
            .post(format!("{}{path}", self.url))
            .header("content-type", content_type);
        answer(request.send(body).unwrap())
    }

    /// Tells the server to end, and requires that it ends well.
    pub(crate) fn end(mut self, signal: &str) {
        let told = Command::new("kill")
            .args([signal, &self.pid().to_string()])
            .status()
            .unwrap();
        assert!(told.success());
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(0));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(30)))
        .build()
        .new_agent()
}

fn answer(mut response: ureq::http::Response<ureq::Body>) -> Answer {
    let header = response.headers().get("content-type");
    Answer {
        status: response.status().as_u16(),
        content_type: header
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned(),
        body: response
            .body_mut()
            .with_config()
            .limit(64 << 20)
            .read_to_vec()
            .unwrap(),
    }
}
