//! Which path is answered by what.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, Method, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use super::body::App;
use super::error::{ApiError, Code};
use super::guard::guard;
use super::limits::BODY_LEN;
use super::{grpc_web, guardian, observations, transactions, vaas};

/// The description of all paths.
const OPENAPI: &str = include_str!("openapi.json");

/// Returns every path, with the method that it takes in lower case.
fn routes() -> Vec<(&'static str, &'static str, MethodRouter<App>)> {
    let mut routes = Vec::new();
    let mut gets = |path, handler| routes.push((path, "get", handler));
    gets(
        "/v1/signed_vaa/{chain}/{emitter}/{sequence}",
        get(guardian::signed_vaa),
    );
    gets(
        "/v1/guardianset/current",
        get(guardian::current_guardian_set),
    );
    gets("/v1/heartbeats", get(guardian::no_entries));
    gets(
        "/v1/governor/available_notional_by_chain",
        get(guardian::no_entries),
    );
    gets("/v1/governor/enqueued_vaas", get(guardian::no_entries));
    gets("/v1/governor/token_list", get(guardian::no_entries));
    gets(
        "/v1/governor/is_vaa_enqueued/{chain}/{emitter}/{sequence}",
        get(guardian::is_vaa_enqueued),
    );
    gets("/api/v1/vaas", get(vaas::all));
    gets("/api/v1/vaas/vaa-counts", get(vaas::counts));
    gets("/api/v1/vaas/{chain}", get(vaas::of_chain));
    gets("/api/v1/vaas/{chain}/{emitter}", get(vaas::of_emitter));
    gets("/api/v1/vaas/{chain}/{emitter}/{sequence}", get(vaas::one));
    gets(
        "/api/v1/vaas/{chain}/{emitter}/{sequence}/duplicated",
        get(vaas::duplicated),
    );
    gets("/api/v1/observations", get(observations::all));
    gets("/api/v1/observations/{chain}", get(observations::of_chain));
    gets(
        "/api/v1/observations/{chain}/{emitter}",
        get(observations::of_emitter),
    );
    gets(
        "/api/v1/observations/{chain}/{emitter}/{sequence}",
        get(observations::of_message),
    );
    gets(
        "/api/v1/observations/{chain}/{emitter}/{sequence}/{signer}/{hash}",
        get(observations::one),
    );
    gets("/api/v1/transactions", get(transactions::list));
    gets(
        "/api/v1/transactions/{chain}/{emitter}/{sequence}",
        get(transactions::one),
    );
    gets("/api/v1/operations", get(transactions::operations));
    gets("/openapi.json", get(openapi));
    routes.push(("/api/v1/vaas/parse", "post", post(vaas::parse)));
    routes.push((
        "/publicrpc.v1.PublicRPCService/{method}",
        "post",
        post(grpc_web::call),
    ));
    routes
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

async fn unknown_path() -> ApiError {
    ApiError::new(Code::NotFound, "Not Found")
}

async fn wrong_method() -> ApiError {
    ApiError::new(Code::Unimplemented, "Method Not Allowed")
}

/// Makes the service of a server.
pub(super) fn router(app: &App) -> Router {
    let mut paths = Router::new();
    for (path, _, handler) in routes() {
        paths = paths.route(path, handler);
    }
    let paths = paths
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(BODY_LEN))
        .with_state(app.clone());
    let cors = CorsLayer::new()
        .allow_origin(AllowOrigin::mirror_request())
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([
            HeaderName::from_static("grpc-status"),
            HeaderName::from_static("grpc-message"),
        ]);
    // As a fallback, so that the guard can change the path before it is routed.
    Router::new()
        .fallback_service(paths)
        .layer(from_fn_with_state(app.clone(), guard))
        .layer(cors)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    #[test]
    fn the_description_is_of_these_paths() {
        let described: Value = serde_json::from_str(OPENAPI).unwrap();
        let mut found = BTreeSet::new();
        for (path, methods) in described["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                found.insert((path.clone(), method.clone()));
                assert!(operation["summary"].is_string(), "{path}");
                assert!(operation["responses"]["200"].is_object(), "{path}");
                // Every name in the path is described.
                let names: BTreeSet<&str> = path
                    .split('/')
                    .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
                    .collect();
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let described: BTreeSet<&str> = parameters
                    .map(|parameter| resolved(&described, parameter))
                    .filter(|parameter| parameter["in"] == "path")
                    .map(|parameter| parameter["name"].as_str().unwrap())
                    .collect();
                assert_eq!(names, described, "{path}");
            }
        }
        let routed: BTreeSet<_> = routes()
            .into_iter()
            .map(|(path, method, _)| (path.to_owned(), method.to_owned()))
            .collect();
        assert_eq!(found, routed);
        references(&described, &described);
    }

    fn resolved<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap(),
            None => value,
        }
    }

    /// Requires that every reference leads somewhere.
    fn references(root: &Value, value: &Value) {
        match value {
            Value::Object(fields) => {
                if fields.contains_key("$ref") {
                    resolved(root, value);
                }
                fields.values().for_each(|field| references(root, field));
            }
            Value::Array(items) => items.iter().for_each(|item| references(root, item)),
            _ => {}
        }
    }
}
