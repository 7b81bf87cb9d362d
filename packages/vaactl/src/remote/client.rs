use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::de::DeserializeOwned;

use super::RemoteError;
use super::backoff::{asked_pause, pause};

/// How long one request may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The most bytes of an answer that are read.
const MAX_ANSWER: u64 = 64 << 20;
/// How much of a server's words is told.
const MAX_WORDS: usize = 200;

/// Says how often to ask a server that is down or busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Again this many times.
    Retries(u32),
    /// Until it answers.
    Endless,
}

/// Asks a server.
#[derive(Debug)]
pub struct Client {
    agent: ureq::Agent,
    base: String,
    patience: Patience,
}

/// What one try came to.
enum Tried {
    Answer(Vec<u8>),
    Absent,
    Refused(u16, String),
    Busy(u16, String, Option<Duration>),
    Unreachable(String),
}

impl Client {
    /// Takes the base URL of a server.
    ///
    /// # Errors
    /// [`RemoteError::Url`].
    pub fn new(url: &str, patience: Patience) -> Result<Self, RemoteError> {
        let bad = || RemoteError::Url {
            url: url.to_owned(),
        };
        let uri: ureq::http::Uri = url.parse().map_err(|_| bad())?;
        let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
        if !is_http || uri.host().is_none_or(str::is_empty) || uri.query().is_some() {
            return Err(bad());
        }
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(3)
            .build()
            .new_agent();
        Ok(Self {
            agent,
            base: url.trim_end_matches('/').to_owned(),
            patience,
        })
    }

    /// Returns the base URL, without a slash at its end.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.base
    }

    /// Asks for a path, and returns the URL with the answer, or none where the server has nothing there.
    ///
    /// # Errors
    /// [`RemoteError`], when patience is at its end or at once for what does not pass.
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<(String, Option<T>), RemoteError> {
        let url = format!("{}{path}", self.base);
        let mut tries = 0_u32;
        loop {
            tries = tries.saturating_add(1);
            let (error, asked) = match self.try_get(&url) {
                Tried::Absent => return Ok((url, None)),
                Tried::Answer(body) => {
                    return match serde_json::from_slice(&body) {
                        Ok(answer) => Ok((url, Some(answer))),
                        Err(error) => Err(RemoteError::Answer {
                            url,
                            reason: error.to_string(),
                        }),
                    };
                }
                Tried::Refused(status, reason) => {
                    return Err(RemoteError::Status {
                        url,
                        status,
                        reason,
                    });
                }
                Tried::Busy(status, reason, asked) => {
                    let url = url.clone();
                    let busy = RemoteError::Busy {
                        url,
                        status,
                        tries,
                        reason,
                    };
                    (busy, asked)
                }
                Tried::Unreachable(reason) => {
                    let url = url.clone();
                    (RemoteError::Unreachable { url, tries, reason }, None)
                }
            };
            if let Patience::Retries(retries) = self.patience
                && tries > retries
            {
                return Err(error);
            }
            std::thread::sleep(pause(tries, asked, random()));
        }
    }

    fn try_get(&self, url: &str) -> Tried {
        let mut response = match self
            .agent
            .get(url)
            .header("accept", "application/json")
            .call()
        {
            Ok(response) => response,
            Err(error) => return Tried::Unreachable(error.to_string()),
        };
        let status = response.status().as_u16();
        let header = response.headers().get("retry-after");
        let asked = asked_pause(header.and_then(|value| value.to_str().ok()));
        let body = response
            .body_mut()
            .with_config()
            .limit(MAX_ANSWER)
            .read_to_vec();
        let body = match body {
            Ok(body) => body,
            Err(ureq::Error::BodyExceedsLimit(limit)) => {
                return Tried::Refused(status, format!("more than {limit} bytes"));
            }
            Err(error) => return Tried::Unreachable(error.to_string()),
        };
        match status {
            200 => Tried::Answer(body),
            404 => Tried::Absent,
            408 | 425 | 429 | 500..=599 if status != 501 => {
                Tried::Busy(status, words(&body), asked)
            }
            _ => Tried::Refused(status, words(&body)),
        }
    }
}

/// Returns the beginning of an answer as one line.
fn words(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let text = text.trim().chars().take(MAX_WORDS);
    text.map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

fn random() -> u8 {
    let mut byte = [0];
    // Without randomness the pause is the shortest.
    let _ = getrandom::fill(&mut byte);
    byte[0]
}

/// Decodes a VAA of a JSON answer.
pub(super) fn base64(url: &str, id: &str, text: &str) -> Result<Vec<u8>, RemoteError> {
    BASE64.decode(text).map_err(|error| RemoteError::NoVaa {
        url: url.to_owned(),
        id: id.to_owned(),
        reason: format!("not base64: {error}"),
    })
}
