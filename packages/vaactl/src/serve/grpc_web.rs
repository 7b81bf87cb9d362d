//! gRPC-web: the calls of a guardian's service that old clients post instead of using REST.
//!
//! A frame is `flag u8 | length u32 big-endian | content`: flag 0 is a protobuf message, 0x80 the
//! trailers, which tell how the call ended.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use prost::Message;
use wormhole_vaa::MessageId;

use super::body::App;
use super::error::{ApiError, Code};
use super::guardian::signed_vaa_bytes;
use super::path::{Named, Sent, Style, chain, emitter};

const CONTENT_TYPE: &str = "application/grpc-web+proto";
const HEADER_LEN: usize = 5;
const MESSAGE: u8 = 0;
const TRAILERS: u8 = 0x80;

/// A message's id; the same for a call whose only argument it is, in field 1.
#[derive(Clone, PartialEq, Message)]
struct MessageIdField {
    #[prost(uint32, tag = "1")]
    emitter_chain: u32,
    #[prost(string, tag = "2")]
    emitter_address: String,
    #[prost(uint64, tag = "3")]
    sequence: u64,
}

#[derive(Clone, PartialEq, Message)]
struct ByMessageId {
    #[prost(message, optional, tag = "1")]
    message_id: Option<MessageIdField>,
}

#[derive(Clone, PartialEq, Message)]
struct SignedVaa {
    #[prost(bytes = "vec", tag = "1")]
    vaa_bytes: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct IsEnqueued {
    #[prost(bool, tag = "1")]
    is_enqueued: bool,
}

pub(super) async fn call(
    State(app): State<App>,
    Named(method): Named<String>,
    headers: HeaderMap,
    body: Result<Sent, ApiError>,
) -> Response {
    let result = match body {
        Ok(Sent(body)) => run(&app, &method, &headers, &body).await,
        Err(error) => Err(error),
    };
    let mut frames = Vec::new();
    match result {
        Ok(message) => {
            push(&mut frames, MESSAGE, &message);
            push(&mut frames, TRAILERS, b"grpc-status:0\r\ngrpc-message:\r\n");
        }
        Err(error) => {
            let (code, text) = (error.code as u8, percent_encoded(&error.message));
            let trailers = format!("grpc-status:{code}\r\ngrpc-message:{text}\r\n");
            push(&mut frames, TRAILERS, trailers.as_bytes());
        }
    }
    (
        StatusCode::OK,
        [(header::CONTENT_TYPE, CONTENT_TYPE)],
        frames,
    )
        .into_response()
}

async fn run(
    app: &App,
    method: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Vec<u8>, ApiError> {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if content_type != CONTENT_TYPE && content_type != "application/grpc-web" {
        let text = format!("the content type is not {CONTENT_TYPE}");
        return Err(ApiError::invalid(text));
    }
    match method {
        "GetSignedVAA" => {
            let id = message_id(body)?;
            let vaa_bytes = app.desk.ask(move |r| signed_vaa_bytes(r, &id)).await?;
            Ok(SignedVaa { vaa_bytes }.encode_to_vec())
        }
        "GovernorIsVAAEnqueued" => {
            message_id(body)?;
            Ok(IsEnqueued { is_enqueued: false }.encode_to_vec())
        }
        _ => {
            let text = format!("the method {method} is not served");
            Err(ApiError::new(Code::Unimplemented, text))
        }
    }
}

fn message_id(body: &[u8]) -> Result<MessageId, ApiError> {
    let malformed = || ApiError::invalid("the body is not one gRPC-web frame of a message");
    let request = frame(body).ok_or_else(malformed)?;
    let request = ByMessageId::decode(request).map_err(|_| malformed())?;
    let id = request
        .message_id
        .ok_or_else(|| ApiError::invalid("no message ID specified"))?;
    let of = chain(&id.emitter_chain.to_string(), Style::Guardian)?;
    Ok(MessageId {
        chain: of,
        emitter: emitter(of, &id.emitter_address, Style::Guardian)?,
        sequence: id.sequence,
    })
}

/// Returns the content of a body that is one message frame.
fn frame(body: &[u8]) -> Option<&[u8]> {
    let (head, content) = body.split_first_chunk::<HEADER_LEN>()?;
    let [flag, length @ ..] = *head;
    let length = usize::try_from(u32::from_be_bytes(length)).ok()?;
    (flag == MESSAGE && content.len() == length).then_some(content)
}

fn push(frames: &mut Vec<u8>, flag: u8, content: &[u8]) {
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    frames.push(flag);
    frames.extend_from_slice(&length.to_be_bytes());
    frames.extend_from_slice(content);
}

/// Encodes a status message as gRPC has it: bytes outside printable ASCII, and `%`, in hex.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'%' => encoded.push_str("%25"),
            b' '..=b'~' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_strictly() {
        let mut frames = Vec::new();
        push(&mut frames, MESSAGE, b"abc");
        assert_eq!(frames, b"\0\0\0\0\x03abc");
        assert_eq!(frame(&frames), Some(&b"abc"[..]));
        for bad in [
            &b""[..],
            b"\0\0\0\0",
            b"\0\0\0\0\x04abc",
            b"\0\0\0\0\x02abc",
            b"\x80\0\0\0\0",
            b"\0\xff\xff\xff\xff",
        ] {
            assert_eq!(frame(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn ids_are_read_from_wire_bytes() {
        let mut body = vec![0, 0, 0, 0, 17];
        // Field 1 of 15 bytes: chain 2, address "04", sequence 2^64 - 1 in ten bytes... less is not cut off.
        body.extend([0x0a, 15, 0x08, 2, 0x12, 2, b'0', b'4']);
        body.extend([0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
        let id = message_id(&body).unwrap();
        assert_eq!((id.chain, id.sequence), (2, (1 << 56) - 1));
        assert!(id.emitter.to_hex().ends_with("0004"));
        body[4] = 16;
        assert!(message_id(&body).is_err());
        let none = [0, 0, 0, 0, 0];
        assert_eq!(
            message_id(&none).unwrap_err().message,
            "no message ID specified"
        );
    }

    #[test]
    fn status_messages_are_ascii() {
        assert_eq!(percent_encoded("a%\né"), "a%25%0A%C3%A9");
    }
}
