//! What every request passes before it is routed, and every answer before it is sent.

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::uri::PathAndQuery;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::body::{App, Counted};
use super::error::{ApiError, Code};
use super::limits::{ANSWER_LEN, BODY_LEN, URI_LEN};

pub(super) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    match pass(&app, request, next).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn pass(app: &App, mut request: Request, next: Next) -> Result<Response, ApiError> {
    let length = request
        .uri()
        .path_and_query()
        .map_or(0, |p| p.as_str().len());
    if length > URI_LEN {
        let text = format!("the path is longer than {URI_LEN} characters");
        return Err(ApiError::invalid(text).with_status(StatusCode::URI_TOO_LONG));
    }
    if request.body().size_hint().lower() > BODY_LEN as u64 {
        let text = format!("the body is longer than {BODY_LEN} bytes");
        let error = ApiError::new(Code::OutOfRange, text);
        return Err(error.with_status(StatusCode::PAYLOAD_TOO_LARGE));
    }
    let _permit = app
        .requests
        .try_acquire()
        .map_err(|_| ApiError::unavailable("too many requests are under way"))?;
    if let Some(uri) = normal(request.uri()) {
        *request.uri_mut() = uri;
    }
    let is_head = request.method() == Method::HEAD;
    let response = timeout(app.limits.request, next.run(request))
        .await
        .map_err(|_| ApiError::new(Code::DeadlineExceeded, "the request takes too long"))?;
    if is_head {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    if body.size_hint().exact() == Some(0) {
        return Ok(Response::from_parts(parts, body));
    }
    // What handlers answer is in memory already, so this waits for nothing.
    let limit = ANSWER_LEN.saturating_mul(2);
    let bytes = to_bytes(body, limit)
        .await
        .map_err(|_| ApiError::internal())?;
    let counted = Counted::new(bytes, &app.answers)
        .ok_or_else(|| ApiError::unavailable("too many answers are being sent"))?;
    Ok(Response::from_parts(parts, Body::new(counted)))
}

/// Returns a path without doubled slashes at its start, and without one at its end.
///
/// Clients that are given a base URL with a slash at its end ask for `//v1/…`.
fn normal(uri: &Uri) -> Option<Uri> {
    let path = uri.path();
    let trimmed = format!("/{}", path.trim_matches('/'));
    if trimmed == path {
        return None;
    }
    let text = match uri.query() {
        Some(query) => format!("{trimmed}?{query}"),
        None => trimmed,
    };
    let path: PathAndQuery = text.parse().ok()?;
    Some(Uri::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_too_many_are_passed_over() {
        for (given, wanted) in [
            ("/v1/x", None),
            ("/", None),
            ("//v1/x", Some("/v1/x")),
            ("///v1/x/?a=//", Some("/v1/x?a=//")),
            ("/api/v1/vaas/?page=1", Some("/api/v1/vaas?page=1")),
            ("//", Some("/")),
        ] {
            let uri = normal(&given.parse().unwrap());
            assert_eq!(uri.map(|uri| uri.to_string()).as_deref(), wanted, "{given}");
        }
    }
}
