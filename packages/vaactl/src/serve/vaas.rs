//! Wormholescan's paths of VAAs.

use axum::extract::State;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use cosmwasm_std::Binary;
use cw_orm::PageRequest;
use serde::{Deserialize, Serialize};
use serde_json::json;
use vaa_registry::msg::{
    ChainTotal, ChainTotalsResponse, ConflictResponse, ConflictsResponse, MessageResponse,
    QueryMsg, TxMessageResponse, TxMessagesResponse,
};
use wormhole_vaa::{MessageId, TransferRecipient, VaaRef};

use super::body::{App, json_answer};
use super::documents::{DuplicateDocument, Message, VaaDocument};
use super::error::ApiError;
use super::list::{Messages, Walk};
use super::page::{MOST, Parameters, Part};
use super::path::{Asked, Named, Sent, Style, chain, emitter, message, tx_hash};
use super::payload;
use super::workers::Reader;

type Answer = Result<Response, ApiError>;

/// Wraps what is found, as Wormholescan does.
#[derive(Serialize)]
struct Envelope<T> {
    data: T,
    pagination: Pagination,
}

#[derive(Serialize)]
struct Pagination {
    next: &'static str,
}

fn envelope<T>(data: T) -> Envelope<T> {
    Envelope {
        data,
        pagination: Pagination { next: "" },
    }
}

/// Asks for whole lists, which are short.
const ALL: Part = Part {
    offset: 0,
    size: u64::MAX,
    descending: false,
};

fn documents(
    reader: &Reader<'_>,
    rows: Vec<MessageResponse>,
    parsed: bool,
) -> Result<Envelope<Vec<VaaDocument>>, ApiError> {
    let documents: Vec<_> = rows
        .into_iter()
        .map(|row| VaaDocument::new(reader, &Message::new(row)?, parsed))
        .collect::<Result<_, _>>()?;
    Ok(envelope(documents))
}

/// Returns the messages that a transaction published, as a quorum of guardians says.
pub(super) fn of_transaction(
    reader: &Reader<'_>,
    tx_id: &[u8],
    part: Part,
) -> Result<Vec<Message>, ApiError> {
    let rows: Vec<TxMessageResponse> = Walk::new(part).rows(
        reader,
        |page| QueryMsg::MessagesByTxId {
            tx_id: Binary::from(tx_id),
            page: Some(page),
        },
        |answer: TxMessagesResponse| (answer.messages, answer.page),
        |message: &TxMessageResponse| message.attested && message.stands,
    )?;
    rows.into_iter()
        .map(|row| {
            let id: MessageId = row.id.parse().map_err(|_| ApiError::internal())?;
            Message::find(reader, &id)
        })
        .collect()
}

pub(super) async fn all(State(app): State<App>, Asked(asked): Asked<Parameters>) -> Answer {
    let (part, parsed) = (asked.part(MOST)?, asked.parsed_payload()?);
    asked.no_app_id()?;
    let tx_id = asked.tx_hash().map(tx_hash).transpose()?;
    app.answer(move |reader| match tx_id {
        None => documents(reader, Messages::All.part(reader, part)?, parsed),
        Some(tx_id) => {
            let documents: Vec<_> = of_transaction(reader, &tx_id, part)?
                .iter()
                .map(|message| VaaDocument::new(reader, message, parsed))
                .collect::<Result<_, _>>()?;
            Ok(envelope(documents))
        }
    })
    .await
}

pub(super) async fn of_chain(
    State(app): State<App>,
    Named(of): Named<String>,
    Asked(asked): Asked<Parameters>,
) -> Answer {
    let of = chain(&of, Style::Scan)?;
    let (part, parsed) = (asked.part(MOST)?, asked.parsed_payload()?);
    app.answer(move |reader| documents(reader, Messages::OfChain(of).part(reader, part)?, parsed))
        .await
}

pub(super) async fn of_emitter(
    State(app): State<App>,
    Named((of, address)): Named<(String, String)>,
    Asked(asked): Asked<Parameters>,
) -> Answer {
    let of = chain(&of, Style::Scan)?;
    let address = emitter(of, &address, Style::Scan)?;
    let (part, parsed) = (asked.part(MOST)?, asked.parsed_payload()?);
    let to = asked
        .to_chain()
        .map(|text| chain(text, Style::Scan))
        .transpose()?;
    let list = Messages::OfEmitter(of, address);
    app.answer(move |reader| {
        let rows = match to {
            None => list.part(reader, part)?,
            Some(to) => list.filtered(reader, part, |message| {
                let publication = message.message_publication.as_ref();
                publication
                    .and_then(|publication| TransferRecipient::of(&publication.payload))
                    .is_some_and(|recipient| recipient.chain == to)
            })?,
        };
        documents(reader, rows, parsed)
    })
    .await
}

pub(super) async fn one(
    State(app): State<App>,
    Named(path): Named<(String, String, String)>,
    Asked(asked): Asked<Parameters>,
) -> Answer {
    let id = message(&path, Style::Scan)?;
    let parsed = asked.parsed_payload()?;
    app.answer(move |reader| {
        let message = Message::find(reader, &id)?;
        Ok(envelope(VaaDocument::new(reader, &message, parsed)?))
    })
    .await
}

pub(super) async fn duplicated(
    State(app): State<App>,
    Named(path): Named<(String, String, String)>,
) -> Answer {
    let id = message(&path, Style::Scan)?;
    app.answer(move |reader| {
        let standing = Message::find(reader, &id)?;
        let conflicts: Vec<ConflictResponse> = Walk::new(ALL).rows(
            reader,
            |page| QueryMsg::Conflicts {
                id: Some(id.to_string()),
                page: Some(page),
            },
            |answer: ConflictsResponse| (answer.conflicts, answer.page),
            |_| true,
        )?;
        if conflicts.is_empty() {
            return Err(ApiError::not_found());
        }
        let mut documents = vec![DuplicateDocument::standing(&standing)?];
        for conflict in &conflicts {
            documents.push(DuplicateDocument::conflicting(conflict)?);
        }
        Ok(envelope(documents))
    })
    .await
}

/// Returns how many messages each chain has.
fn chain_counts(reader: &Reader<'_>) -> Result<Vec<ChainTotal>, ApiError> {
    Walk::new(ALL).rows(
        reader,
        |page: PageRequest| QueryMsg::TotalsByChain {
            chain: None,
            page: Some(page),
        },
        |answer: ChainTotalsResponse| (answer.totals, answer.page),
        |_| true,
    )
}

pub(super) async fn counts(State(app): State<App>) -> Answer {
    app.answer(|reader| {
        let counts: Vec<_> = chain_counts(reader)?
            .iter()
            .map(|total| json!({ "chainId": total.chain, "count": total.messages.u64() }))
            .collect();
        Ok(envelope(counts))
    })
    .await
}

pub(super) async fn parse(Sent(body): Sent) -> Answer {
    #[derive(Deserialize)]
    struct Asked {
        vaa: String,
    }
    let asked: Asked = serde_json::from_slice(&body)
        .map_err(|error| ApiError::invalid("not a JSON object with `vaa`").because(error))?;
    let bytes = BASE64
        .decode(asked.vaa.as_bytes())
        .map_err(|error| ApiError::invalid("`vaa` is not base64 with padding").because(error))?;
    let vaa = VaaRef::parse(&bytes)
        .map_err(|error| ApiError::invalid("`vaa` is not a VAA").because(error))?;
    let parsed = payload::parsed(vaa.body.payload)
        .ok_or_else(|| ApiError::not_found().because("the payload is of no known layout"))?;
    let properties = payload::properties(vaa.body.emitter_chain, vaa.body.payload);
    json_answer(&json!({
        "parsedPayload": parsed,
        "standardizedProperties": properties,
    }))
}
