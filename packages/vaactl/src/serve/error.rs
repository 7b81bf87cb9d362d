//! Errors as clients know them: JSON of `code`, `message` and `details`.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::backend::node::NodeError;
use crate::backend::{BackendError, error_code};

/// Names a kind of error by its gRPC code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    InvalidArgument = 3,
    DeadlineExceeded = 4,
    NotFound = 5,
    OutOfRange = 11,
    Unimplemented = 12,
    Internal = 13,
    Unavailable = 14,
}

impl Code {
    /// Returns the HTTP status that goes with it.
    const fn status(self) -> StatusCode {
        match self {
            Self::InvalidArgument | Self::OutOfRange => StatusCode::BAD_REQUEST,
            Self::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Unimplemented => StatusCode::NOT_IMPLEMENTED,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// Says why a request is not answered as it wished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ApiError {
    pub(super) code: Code,
    pub(super) status: StatusCode,
    pub(super) message: String,
    /// What is wrong in particular, where the message is a fixed text that clients know.
    pub(super) reason: Option<String>,
}

impl ApiError {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            status: code.status(),
            message: message.into(),
            reason: None,
        }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }

    pub(super) fn not_found() -> Self {
        Self::new(Code::NotFound, "NOT FOUND")
    }

    pub(super) fn internal() -> Self {
        Self::new(Code::Internal, "internal server error")
    }

    pub(super) fn unavailable(message: impl Into<String>) -> Self {
        Self::new(Code::Unavailable, message)
    }

    pub(super) fn because(self, reason: impl ToString) -> Self {
        Self {
            reason: Some(reason.to_string()),
            ..self
        }
    }

    pub(super) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    code: u8,
    message: &'a str,
    details: Vec<Detail<'a>>,
}

#[derive(Serialize)]
struct Detail<'a> {
    reason: &'a str,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = ErrorBody {
            code: self.code as u8,
            message: &self.message,
            details: self
                .reason
                .as_deref()
                .map(|reason| Detail { reason })
                .into_iter()
                .collect(),
        };
        // Texts and numbers always have a JSON form.
        let body = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = (
            self.status,
            [(header::CONTENT_TYPE, "application/json")],
            body,
        )
            .into_response();
        if self.code == Code::Unavailable {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<BackendError> for ApiError {
    fn from(error: BackendError) -> Self {
        match error {
            BackendError::Contract { message, .. } => of_contract(message),
            BackendError::Node(NodeError::Unreachable { .. }) => {
                Self::unavailable("the registry's node does not answer")
            }
            error => {
                eprintln!("internal error: {error}");
                Self::internal()
            }
        }
    }
}

/// Tells a query's fault from one of the registry by the contract's own code.
fn of_contract(message: String) -> ApiError {
    match error_code(&message).unwrap_or_default() {
        "E206" | "E207" => ApiError::not_found().because(message),
        "E208" => ApiError::new(Code::Unimplemented, message),
        "E218" => ApiError::new(Code::OutOfRange, message),
        code if code.starts_with("E1") || code.starts_with("E2") => ApiError::invalid(message),
        _ => {
            eprintln!("internal error: {message}");
            ApiError::internal()
        }
    }
}
