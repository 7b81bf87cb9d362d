//! What handlers share, and the bodies they answer with.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Body, Frame, SizeHint};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::{ApiError, Code};
use super::limits::{ANSWER_LEN, ANSWERS_KIB, Limits, REQUESTS};
use super::workers::{Desk, Reader};

/// What the server's handlers share.
#[derive(Clone)]
pub(super) struct App {
    pub(super) desk: Desk,
    pub(super) limits: Limits,
    /// Requests under way.
    pub(super) requests: Arc<Semaphore>,
    /// KiB of answers that are not yet sent.
    pub(super) answers: Arc<Semaphore>,
}

impl App {
    pub(super) fn new(desk: Desk, limits: Limits) -> Self {
        Self {
            desk,
            limits,
            requests: Arc::new(Semaphore::new(REQUESTS)),
            answers: Arc::new(Semaphore::new(ANSWERS_KIB)),
        }
    }

    /// Answers with what a worker finds.
    pub(super) async fn answer<T: Serialize>(
        &self,
        work: impl FnOnce(&Reader<'_>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let json = self.desk.ask(|reader| encoded(&work(reader)?)).await?;
        Ok(of_json(json))
    }
}

fn encoded(value: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    let json = serde_json::to_vec(value).map_err(|_| ApiError::internal())?;
    if json.len() > ANSWER_LEN {
        let text = format!("the answer has more than {ANSWER_LEN} bytes: ask for a smaller page");
        return Err(ApiError::new(Code::OutOfRange, text));
    }
    Ok(json)
}

fn of_json(json: Vec<u8>) -> Response {
    (
        StatusCode::OK,
        [(header::CONTENT_TYPE, "application/json")],
        json,
    )
        .into_response()
}

/// Answers with a value at hand.
pub(super) fn json_answer(value: &impl Serialize) -> Result<Response, ApiError> {
    Ok(of_json(encoded(value)?))
}

/// Hands bytes out in pieces, and counts as unsent until the last is.
pub(super) struct Counted {
    left: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl Counted {
    /// The most bytes that are handed to the connection at once.
    const PIECE: usize = 32 << 10;

    /// Takes an answer; none if too many bytes wait to be sent.
    pub(super) fn new(bytes: Bytes, answers: &Arc<Semaphore>) -> Option<Self> {
        let kib = u32::try_from(bytes.len().div_ceil(1 << 10)).ok()?;
        let permit = answers.clone().try_acquire_many_owned(kib).ok()?;
        Some(Self {
            left: bytes,
            _permit: permit,
        })
    }
}

impl Body for Counted {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.left.is_empty() {
            return Poll::Ready(None);
        }
        let len = self.left.len().min(Self::PIECE);
        // A copy, so that what is sent does not keep the rest.
        let piece = Bytes::copy_from_slice(&self.left.split_to(len));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}
