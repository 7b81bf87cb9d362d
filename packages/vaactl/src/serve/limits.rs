//! Bounds on what clients can make the server hold or do.

use std::time::Duration;

/// The most characters of a path with its query.
pub(super) const URI_LEN: usize = 4_096;
/// The most bytes of a request's line and headers together.
pub(super) const HEAD_LEN: usize = 16 << 10;
/// The most headers of a request.
pub(super) const HEADERS: usize = 64;
/// The most bytes of a request's body: a VAA of 255 signatures with the default payload limit, twice, in base64.
pub(super) const BODY_LEN: usize = 256 << 10;
/// The most bytes of an answer.
pub(super) const ANSWER_LEN: usize = 16 << 20;
/// The most KiB of answers that are not yet sent, together.
pub(super) const ANSWERS_KIB: usize = 64 << 10;
/// The most requests that are under way together.
pub(super) const REQUESTS: usize = 512;
/// The most requests that wait for a worker.
pub(super) const WAITING: usize = 256;
/// The most rows that one request looks through.
pub(super) const ROWS: u64 = 20_000;
/// How many places in lists are remembered.
pub(super) const PLACES: usize = 1_024;
/// How long a place in a list is remembered.
pub(super) const PLACE_AGE: Duration = Duration::from_secs(60);

/// Bounds on connections and their pace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most connections; more are refused at once.
    pub connections: usize,
    /// How long a client may take to send a request's head, or leave a connection idle.
    pub head: Duration,
    /// How long a request may take from its head to the answer, its body included.
    pub request: Duration,
    /// How long a client may take no byte of an answer.
    pub write: Duration,
    /// How long requests that are under way may take at the end.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1_024,
            head: Duration::from_secs(10),
            request: Duration::from_secs(20),
            write: Duration::from_secs(10),
            shutdown: Duration::from_secs(5),
        }
    }
}
