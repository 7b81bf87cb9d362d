//! Wormholescan's paths of observations: what guardians signed, but no quorum.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use axum::extract::State;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;
use vaa_registry::msg::{
    GuardianSetResponse, ObservationResponse, ObservationsResponse, PendingMessageResponse,
    PendingMessagesResponse, QueryMsg,
};
use wormhole_vaa::{Address, Digest, GuardianAddress, MessageId};

use super::body::App;
use super::error::ApiError;
use super::list::Walk;
use super::native;
use super::page::{MOST, Parameters, Part};
use super::path::{Asked, Named, Style, chain, emitter, message};
use super::workers::Reader;

type Answer = Result<Response, ApiError>;

/// An observation as a document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Observation {
    sequence: u64,
    id: String,
    emitter_chain: u16,
    emitter_addr: String,
    hash: String,
    tx_hash: String,
    guardian_addr: String,
    signature: String,
    /// The registry does not keep when an observation came.
    updated_at: Option<String>,
    indexed_at: Option<String>,
}

/// Says which observations are wanted.
#[derive(Clone, Copy)]
enum Of {
    All,
    Chain(u16),
    Emitter(u16, Address),
    Message(MessageId),
}

impl Of {
    fn holds(self, id: &MessageId) -> bool {
        match self {
            Self::All => true,
            Self::Chain(chain) => id.chain == chain,
            Self::Emitter(chain, emitter) => id.chain == chain && id.emitter == emitter,
            Self::Message(wanted) => *id == wanted,
        }
    }
}

/// The list's order is that of ids, whatever order is asked for.
fn ascending(part: Part) -> Part {
    Part {
        descending: false,
        ..part
    }
}

/// Looks guardians up, each set once.
#[derive(Default)]
struct Guardians {
    sets: BTreeMap<u32, Vec<String>>,
}

impl Guardians {
    fn address(
        &mut self,
        reader: &Reader<'_>,
        observation: &ObservationResponse,
    ) -> Result<String, ApiError> {
        let index = observation.guardian_set_index;
        let set = match self.sets.entry(index) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let msg = QueryMsg::GuardianSet { index: Some(index) };
                let set: GuardianSetResponse = reader.query(&msg)?;
                place.insert(set.addresses)
            }
        };
        let address = set.get(usize::from(observation.guardian_index));
        Ok(native::guardian(address.ok_or_else(ApiError::internal)?))
    }
}

fn messages(reader: &Reader<'_>, of: Of) -> Result<Vec<(MessageId, Digest)>, ApiError> {
    const ALL: Part = Part {
        offset: 0,
        size: u64::MAX,
        descending: false,
    };
    let id = match of {
        Of::Message(id) => Some(id.to_string()),
        _ => None,
    };
    let id_of = |message: &PendingMessageResponse| message.id.parse::<MessageId>().ok();
    let rows = Walk::new(ALL).rows(
        reader,
        |page| QueryMsg::PendingMessages {
            id: id.clone(),
            page: Some(page),
        },
        |answer: PendingMessagesResponse| (answer.messages, answer.page),
        |message: &PendingMessageResponse| id_of(message).is_some_and(|id| of.holds(&id)),
    )?;
    rows.iter()
        .map(|row| {
            let digest = row.digest.parse().ok();
            id_of(row).zip(digest).ok_or_else(ApiError::internal)
        })
        .collect()
}

fn find(reader: &Reader<'_>, of: Of, part: Part) -> Result<Vec<Observation>, ApiError> {
    let mut guardians = Guardians::default();
    let (mut skip, mut found) = (part.offset, Vec::new());
    for (id, digest) in messages(reader, of)? {
        let left = part.size.saturating_sub(found.len() as u64);
        if left == 0 {
            break;
        }
        let wanted = Part {
            offset: 0,
            size: left.saturating_add(skip),
            ..ascending(part)
        };
        let rows = Walk::new(wanted).rows(
            reader,
            |page| QueryMsg::Observations {
                digest: digest.to_hex(),
                page: Some(page),
            },
            |answer: ObservationsResponse| (answer.observations, answer.page),
            |_: &ObservationResponse| true,
        )?;
        for row in rows {
            if skip > 0 {
                skip = skip.saturating_sub(1);
                continue;
            }
            let guardian_addr = guardians.address(reader, &row)?;
            found.push(Observation {
                sequence: id.sequence,
                id: format!("{id}/{}/{digest}", guardian_addr.to_ascii_lowercase()),
                emitter_chain: id.chain,
                emitter_addr: id.emitter.to_hex(),
                hash: BASE64.encode(digest.0),
                tx_hash: BASE64.encode(&row.tx_id),
                guardian_addr,
                signature: BASE64.encode(&row.signature),
                updated_at: None,
                indexed_at: None,
            });
        }
    }
    Ok(found)
}

async fn list(app: App, of: Of, asked: Parameters) -> Answer {
    let part = asked.part(MOST)?;
    app.answer(move |reader| find(reader, of, part)).await
}

pub(super) async fn all(State(app): State<App>, Asked(asked): Asked<Parameters>) -> Answer {
    list(app, Of::All, asked).await
}

pub(super) async fn of_chain(
    State(app): State<App>,
    Named(of): Named<String>,
    Asked(asked): Asked<Parameters>,
) -> Answer {
    list(app, Of::Chain(chain(&of, Style::Scan)?), asked).await
}

pub(super) async fn of_emitter(
    State(app): State<App>,
    Named((of, address)): Named<(String, String)>,
    Asked(asked): Asked<Parameters>,
) -> Answer {
    let of = chain(&of, Style::Scan)?;
    let address = emitter(of, &address, Style::Scan)?;
    list(app, Of::Emitter(of, address), asked).await
}

pub(super) async fn of_message(
    State(app): State<App>,
    Named(path): Named<(String, String, String)>,
    Asked(asked): Asked<Parameters>,
) -> Answer {
    list(app, Of::Message(message(&path, Style::Scan)?), asked).await
}

pub(super) async fn one(
    State(app): State<App>,
    Named((of, address, sequence, signer, hash)): Named<(String, String, String, String, String)>,
) -> Answer {
    let id = message(&(of, address, sequence), Style::Scan)?;
    let signer: GuardianAddress = signer
        .parse()
        .map_err(|error| ApiError::invalid("MALFORMED GUARDIAN ADDR").because(error))?;
    let hash: Digest = hash
        .parse()
        .map_err(|error| ApiError::invalid("MALFORMED HASH").because(error))?;
    app.answer(move |reader| {
        let part = Part {
            offset: 0,
            size: MOST,
            descending: false,
        };
        let (signer, hash) = (native::guardian(&signer.to_hex()), BASE64.encode(hash.0));
        find(reader, Of::Message(id), part)?
            .into_iter()
            .find(|one| one.guardian_addr == signer && one.hash == hash)
            .ok_or_else(ApiError::not_found)
    })
    .await
}
