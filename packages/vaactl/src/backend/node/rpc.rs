//! Speaks JSON-RPC to a CometBFT node.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use cosmrs::proto::traits::Message;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::NodeError;

/// The most bytes of an answer that are read.
const MAX_ANSWER: u64 = 64 << 20;
/// How long one call may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// The first pause before a call is tried again; doubled each time, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Pauses ever longer, until an end.
pub(super) struct Patience {
    end: Instant,
    pause: Duration,
}

impl Patience {
    pub(super) fn new(length: Duration) -> Self {
        let now = Instant::now();
        Self {
            end: now.checked_add(length).unwrap_or(now),
            pause: FIRST_PAUSE,
        }
    }

    /// Pauses, and tells whether there is time for another try.
    pub(super) fn wait(&mut self) -> bool {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(self.pause.min(left));
        self.pause = self.pause.saturating_mul(2).min(LONGEST_PAUSE);
        true
    }
}

/// Calls a node.
pub(super) struct Rpc {
    agent: ureq::Agent,
    url: String,
    patience: Duration,
}

/// Tells what the chain knows of a transaction.
#[derive(Debug, Deserialize)]
pub(super) struct TxAnswer {
    #[serde(deserialize_with = "number")]
    pub(super) height: u64,
    pub(super) tx_result: TxResult,
}

/// Tells how a transaction ended.
#[derive(Debug, Deserialize)]
pub(super) struct TxResult {
    #[serde(default)]
    pub(super) code: u32,
    #[serde(default)]
    pub(super) data: Option<String>,
    #[serde(default)]
    pub(super) log: String,
    #[serde(default, deserialize_with = "number")]
    pub(super) gas_wanted: u64,
    #[serde(default, deserialize_with = "number")]
    pub(super) gas_used: u64,
    #[serde(default)]
    pub(super) events: Vec<TxEvent>,
    #[serde(default)]
    pub(super) codespace: String,
}

/// An event of a transaction.
#[derive(Debug, Deserialize)]
pub(super) struct TxEvent {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) attributes: Vec<TxAttribute>,
}

/// An attribute of an event.
#[derive(Debug, Deserialize)]
pub(super) struct TxAttribute {
    pub(super) key: String,
    #[serde(default)]
    pub(super) value: Option<String>,
}

/// Tells what the node made of a transaction at its door.
#[derive(Debug, Deserialize)]
pub(super) struct Broadcast {
    #[serde(default)]
    pub(super) code: u32,
    #[serde(default)]
    pub(super) log: String,
    #[serde(default)]
    pub(super) codespace: String,
}

/// Tells where the node stands.
#[derive(Debug)]
pub(super) struct Status {
    pub(super) chain_id: String,
    pub(super) height: u64,
    pub(super) time: String,
    pub(super) catching_up: bool,
}

/// A refusal of the application, in answer to a query.
#[derive(Debug)]
pub(super) struct QueryRefusal {
    pub(super) code: u32,
    pub(super) codespace: String,
    pub(super) log: String,
}

/// A refusal by the node itself.
#[derive(Debug, Deserialize)]
struct RpcError {
    #[serde(default)]
    message: String,
    #[serde(default)]
    data: Option<Value>,
}

impl RpcError {
    fn words(&self) -> String {
        match &self.data {
            Some(Value::String(data)) => format!("{}: {data}", self.message),
            Some(data) => format!("{}: {data}", self.message),
            None => self.message.clone(),
        }
    }
}

impl Rpc {
    /// Takes the URL of a node, which may also begin with tcp.
    pub(super) fn new(url: &str, patience: Duration) -> Result<Self, NodeError> {
        let bad = || NodeError::Url {
            url: url.to_owned(),
        };
        let text = match url.split_once("://") {
            Some(("http" | "https", _)) => url.to_owned(),
            Some(("tcp", rest)) => format!("http://{rest}"),
            Some(_) => return Err(bad()),
            None => format!("http://{url}"),
        };
        let uri: ureq::http::Uri = text.parse().map_err(|_| bad())?;
        if uri.host().is_none_or(str::is_empty) {
            return Err(bad());
        }
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(CALL_TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .build()
            .new_agent();
        Ok(Self {
            agent,
            url: text,
            patience,
        })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn patience(&self) -> Duration {
        self.patience
    }

    /// Calls a method; tries again while the node is down. The inner error is the node's refusal, in its words.
    fn call<R: DeserializeOwned>(
        &self,
        method: &'static str,
        params: &Value,
    ) -> Result<Result<R, String>, NodeError> {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut patience = Patience::new(self.patience);
        let body = loop {
            match self.post(&request) {
                Ok(body) => break body,
                Err(error) if is_down(&error) && patience.wait() => {}
                Err(error) => {
                    return Err(NodeError::Unreachable {
                        url: self.url.clone(),
                        reason: error.to_string(),
                    });
                }
            }
        };
        #[derive(Deserialize)]
        struct Envelope {
            #[serde(default)]
            result: Option<Value>,
            #[serde(default)]
            error: Option<RpcError>,
        }
        let wrong = |reason: String| NodeError::Answer {
            url: self.url.clone(),
            method,
            reason,
        };
        let envelope: Envelope =
            serde_json::from_slice(&body).map_err(|error| wrong(error.to_string()))?;
        match envelope {
            Envelope {
                error: Some(error), ..
            } => Ok(Err(error.words())),
            Envelope {
                result: Some(result),
                ..
            } => serde_json::from_value(result)
                .map(Ok)
                .map_err(|error| wrong(error.to_string())),
            Envelope { .. } => Err(wrong("neither a result nor an error".into())),
        }
    }

    fn post(&self, request: &Value) -> Result<Vec<u8>, ureq::Error> {
        self.agent
            .post(&self.url)
            .send_json(request)?
            .body_mut()
            .with_config()
            .limit(MAX_ANSWER)
            .read_to_vec()
    }

    pub(super) fn status(&self) -> Result<Status, NodeError> {
        #[derive(Deserialize)]
        struct Answer {
            node_info: Info,
            sync_info: Sync,
        }
        #[derive(Deserialize)]
        struct Info {
            network: String,
        }
        #[derive(Deserialize)]
        struct Sync {
            #[serde(deserialize_with = "number")]
            latest_block_height: u64,
            latest_block_time: String,
            catching_up: bool,
        }
        let answer: Answer = self
            .call("status", &json!({}))?
            .map_err(|reason| refused("status", reason))?;
        Ok(Status {
            chain_id: answer.node_info.network,
            height: answer.sync_info.latest_block_height,
            time: answer.sync_info.latest_block_time,
            catching_up: answer.sync_info.catching_up,
        })
    }

    /// Returns the most gas of a block; none if the chain sets no bound.
    pub(super) fn block_gas(&self) -> Result<Option<u64>, NodeError> {
        #[derive(Deserialize)]
        struct Answer {
            consensus_params: Params,
        }
        #[derive(Deserialize)]
        struct Params {
            block: BlockParams,
        }
        #[derive(Deserialize)]
        struct BlockParams {
            max_gas: String,
        }
        // While a block is committed, a node has its height, but not yet its parameters.
        let mut patience = Patience::new(self.patience.min(Duration::from_secs(5)));
        loop {
            let answer: Result<Answer, String> = self.call("consensus_params", &json!({}))?;
            match answer {
                Ok(answer) => return Ok(answer.consensus_params.block.max_gas.parse().ok()),
                Err(_) if patience.wait() => {}
                Err(reason) => return Err(refused("consensus_params", reason)),
            }
        }
    }

    /// Queries the application. The inner error is the application's refusal.
    pub(super) fn query<Q: Message, R: Message + Default>(
        &self,
        path: &'static str,
        request: &Q,
    ) -> Result<Result<R, QueryRefusal>, NodeError> {
        #[derive(Deserialize)]
        struct Answer {
            response: Response,
        }
        #[derive(Deserialize)]
        struct Response {
            #[serde(default)]
            code: u32,
            #[serde(default)]
            log: String,
            #[serde(default)]
            value: Option<String>,
            #[serde(default)]
            codespace: String,
        }
        let data = wormhole_vaa::encode_hex(&request.encode_to_vec());
        let params = json!({"path": path, "data": data, "height": "0", "prove": false});
        let Answer { response } = self
            .call("abci_query", &params)?
            .map_err(|reason| refused(path, reason))?;
        if response.code != 0 {
            return Ok(Err(QueryRefusal {
                code: response.code,
                codespace: response.codespace,
                log: response.log,
            }));
        }
        let wrong = |reason: String| NodeError::Answer {
            url: self.url.clone(),
            method: path,
            reason,
        };
        let value = BASE64
            .decode(response.value.unwrap_or_default())
            .map_err(|error| wrong(error.to_string()))?;
        R::decode(value.as_slice())
            .map(Ok)
            .map_err(|error| wrong(error.to_string()))
    }

    /// Hands a transaction in. The inner error is what the node says of its own accord, as of a full mempool.
    pub(super) fn broadcast(&self, tx: &[u8]) -> Result<Result<Broadcast, String>, NodeError> {
        self.call("broadcast_tx_sync", &json!({"tx": BASE64.encode(tx)}))
    }

    /// Looks a transaction up; none if it is in no block, or the node does not know.
    pub(super) fn tx(&self, hash: &[u8]) -> Result<Option<TxAnswer>, NodeError> {
        let params = json!({"hash": BASE64.encode(hash), "prove": false});
        match self.call("tx", &params)? {
            Ok(answer) => Ok(Some(answer)),
            Err(reason) if reason.contains("not found") => Ok(None),
            Err(reason) => Err(refused("tx", reason)),
        }
    }
}

fn refused(method: &str, reason: String) -> NodeError {
    NodeError::Refused {
        method: method.to_owned(),
        reason,
    }
}

/// Tells whether a failure may pass, as while a node restarts.
fn is_down(error: &ureq::Error) -> bool {
    matches!(
        error,
        ureq::Error::Io(_) | ureq::Error::Timeout(_) | ureq::Error::ConnectionFailed
    )
}

/// Reads a number, which CometBFT writes as text.
fn number<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Number {
        Text(String),
        Number(u64),
    }
    match Number::deserialize(from)? {
        Number::Text(text) => text.parse().map_err(serde::de::Error::custom),
        Number::Number(number) => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_those_of_an_rpc() {
        let patience = Duration::ZERO;
        for (given, used) in [
            ("http://127.0.0.1:26657", "http://127.0.0.1:26657"),
            ("tcp://localhost:1", "http://localhost:1"),
            ("localhost:26657", "http://localhost:26657"),
            (
                "https://rpc.example.org/path",
                "https://rpc.example.org/path",
            ),
        ] {
            assert_eq!(Rpc::new(given, patience).unwrap().url(), used);
        }
        for bad in ["", "ftp://x", "http://", "http://a b", "unix:///socket"] {
            assert!(
                matches!(Rpc::new(bad, patience), Err(NodeError::Url { .. })),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_node_that_is_down_is_told_by_its_url() {
        let rpc = Rpc::new("http://127.0.0.1:1", Duration::from_millis(150)).unwrap();
        let error = rpc.status().unwrap_err().to_string();
        assert!(
            error.starts_with("the node at http://127.0.0.1:1 does not answer"),
            "{error}"
        );
    }
}
