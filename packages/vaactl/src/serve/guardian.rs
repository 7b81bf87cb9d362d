//! The paths of a guardian's public interface.

use axum::extract::State;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;
use vaa_registry::msg::{GuardianSetResponse, QueryMsg, SignedVaaResponse};
use wormhole_vaa::MessageId;

use super::body::{App, json_answer};
use super::error::{ApiError, Code};
use super::native;
use super::path::{Named, Style, message};
use super::workers::Reader;

type Answer = Result<Response, ApiError>;

/// Returns the newest guardian set's VAA of a message.
pub(super) fn signed_vaa_bytes(reader: &Reader<'_>, id: &MessageId) -> Result<Vec<u8>, ApiError> {
    let msg = QueryMsg::SignedVaa {
        id: id.to_string(),
        guardian_set: None,
    };
    match reader.query::<SignedVaaResponse>(&msg) {
        Ok(answer) => Ok(answer.vaa.into()),
        Err(error) if error.code == Code::NotFound => Err(ApiError::new(
            Code::NotFound,
            "requested VAA not found in store",
        )),
        Err(error) => Err(error),
    }
}

pub(super) async fn signed_vaa(
    State(app): State<App>,
    Named(path): Named<(String, String, String)>,
) -> Answer {
    let id = message(&path, Style::Guardian)?;
    app.answer(move |reader| {
        let vaa = signed_vaa_bytes(reader, &id)?;
        Ok(json!({ "vaaBytes": BASE64.encode(vaa) }))
    })
    .await
}

pub(super) async fn current_guardian_set(State(app): State<App>) -> Answer {
    app.answer(|reader| {
        let set: GuardianSetResponse = reader.query(&QueryMsg::GuardianSet { index: None })?;
        let addresses: Vec<_> = set.addresses.iter().map(|a| native::guardian(a)).collect();
        Ok(json!({ "guardianSet": { "index": set.index, "addresses": addresses } }))
    })
    .await
}

/// Answers what a registry has nothing of: heartbeats, and all of a governor, which is off.
pub(super) async fn no_entries() -> Answer {
    json_answer(&json!({ "entries": [] }))
}

pub(super) async fn is_vaa_enqueued(Named(path): Named<(String, String, String)>) -> Answer {
    message(&path, Style::Guardian)?;
    json_answer(&json!({ "isEnqueued": false }))
}
