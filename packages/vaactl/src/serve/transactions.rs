//! Wormholescan's paths of transactions and operations: messages, with what is known of their transactions.

use axum::extract::State;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;
use serde_json::json;
use vaa_registry::msg::MessageResponse;
use wormhole_vaa::Address;

use super::body::App;
use super::documents::Message;
use super::error::ApiError;
use super::list::Messages;
use super::native;
use super::page::{MOST, Parameters, Part};
use super::path::{Asked, Named, Style, emitter, message, tx_hash};
use super::payload::{self, ParsedPayload, StandardizedProperties};
use super::vaas::of_transaction;
use super::workers::Reader;

type Answer = Result<Response, ApiError>;

/// The most operations of a page.
const MOST_OPERATIONS: u64 = 100;

/// A message with its transaction, as a document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Transaction {
    id: String,
    timestamp: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tx_hash: Option<String>,
    emitter_chain: u16,
    emitter_address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    emitter_native_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<ParsedPayload>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standardized_properties: Option<StandardizedProperties>,
}

impl Transaction {
    fn new(reader: &Reader<'_>, message: &Message) -> Result<Self, ApiError> {
        let (id, payload) = (&message.id, &message.body.payload);
        Ok(Self {
            id: id.to_string(),
            timestamp: native::time(message.body.timestamp.into()),
            tx_hash: message.tx_hash(reader)?,
            emitter_chain: id.chain,
            emitter_address: id.emitter.to_hex(),
            emitter_native_address: native::address(id.chain, &id.emitter),
            payload: payload::parsed(payload),
            standardized_properties: payload::properties(id.chain, payload),
        })
    }
}

/// A message as an operation of an application, as a document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Operation {
    id: String,
    emitter_chain: u16,
    emitter_address: EmitterAddress,
    sequence: String,
    vaa: RawVaa,
    content: Content,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_chain: Option<SourceChain>,
}

#[derive(Debug, Serialize)]
struct EmitterAddress {
    hex: String,
    native: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RawVaa {
    raw: String,
    guardian_set_index: u32,
    is_duplicated: bool,
}

#[derive(Debug, Serialize)]
struct Content {
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<ParsedPayload>,
    /// Spelt as clients read it.
    #[serde(
        rename = "standarizedProperties",
        skip_serializing_if = "Option::is_none"
    )]
    properties: Option<StandardizedProperties>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SourceChain {
    chain_id: u16,
    timestamp: String,
    transaction: SourceTransaction,
    from: &'static str,
    status: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SourceTransaction {
    tx_hash: String,
}

impl Operation {
    fn new(reader: &Reader<'_>, message: &Message) -> Result<Self, ApiError> {
        let (id, payload) = (&message.id, &message.body.payload);
        let source_chain = message.tx_hash(reader)?.map(|tx_hash| SourceChain {
            chain_id: id.chain,
            timestamp: native::time(message.body.timestamp.into()),
            transaction: SourceTransaction { tx_hash },
            from: "",
            status: "confirmed",
        });
        Ok(Self {
            id: id.to_string(),
            emitter_chain: id.chain,
            emitter_address: EmitterAddress {
                hex: id.emitter.to_hex(),
                native: native::address(id.chain, &id.emitter).unwrap_or_default(),
            },
            sequence: id.sequence.to_string(),
            vaa: RawVaa {
                raw: BASE64.encode(&message.vaa),
                guardian_set_index: message.guardian_set_index,
                is_duplicated: message.conflict,
            },
            content: Content {
                payload: payload::parsed(payload),
                properties: payload::properties(id.chain, payload),
            },
            source_chain,
        })
    }
}

/// Returns the newest messages: all, those of a transaction, or those that an address sent or receives.
fn newest(
    reader: &Reader<'_>,
    part: Part,
    tx_id: Option<&[u8]>,
    address: Option<Address>,
) -> Result<Vec<Message>, ApiError> {
    if let Some(tx_id) = tx_id {
        return of_transaction(reader, tx_id, part);
    }
    let rows = match address {
        None => Messages::All.part(reader, part)?,
        Some(address) => Messages::All.filtered(reader, part, |message: &MessageResponse| {
            let publication = message.message_publication.as_ref();
            message.emitter_address == address.to_hex()
                || publication.is_some_and(|p| payload::concerns(&p.payload, &address))
        })?,
    };
    rows.into_iter().map(Message::new).collect()
}

/// Reads an address of any chain: hex, or base58 of 32 bytes.
fn address(text: &str) -> Result<Address, ApiError> {
    const SOLANA: u16 = 1;
    emitter(SOLANA, text, Style::Scan).map_err(|error| ApiError {
        message: "MALFORMED ADDRESS".into(),
        ..error
    })
}

pub(super) async fn one(
    State(app): State<App>,
    Named(path): Named<(String, String, String)>,
) -> Answer {
    let id = message(&path, Style::Scan)?;
    app.answer(move |reader| {
        let message = Message::find(reader, &id)?;
        Transaction::new(reader, &message)
    })
    .await
}

pub(super) async fn list(State(app): State<App>, Asked(asked): Asked<Parameters>) -> Answer {
    let part = asked.part(MOST)?;
    let of = asked.address().map(address).transpose()?;
    app.answer(move |reader| {
        let transactions: Vec<_> = newest(reader, part, None, of)?
            .iter()
            .map(|message| Transaction::new(reader, message))
            .collect::<Result<_, _>>()?;
        Ok(json!({ "transactions": transactions }))
    })
    .await
}

pub(super) async fn operations(State(app): State<App>, Asked(asked): Asked<Parameters>) -> Answer {
    let part = asked.part(MOST_OPERATIONS)?;
    let of = asked.address().map(address).transpose()?;
    let tx_id = asked.tx_hash().map(tx_hash).transpose()?;
    app.answer(move |reader| {
        let operations: Vec<_> = newest(reader, part, tx_id.as_deref(), of)?
            .iter()
            .map(|message| Operation::new(reader, message))
            .collect::<Result<_, _>>()?;
        Ok(json!({ "operations": operations }))
    })
    .await
}
