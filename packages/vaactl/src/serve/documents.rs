//! Documents of VAAs, as Wormholescan has them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;
use vaa_registry::msg::{
    ConflictResponse, MessageQueryResponse, MessageResponse, QueryMsg, TxIdsResponse,
};
use wormhole_vaa::{Body, MessageId, Signature, Vaa, VaaRef, assemble};

use super::error::ApiError;
use super::native;
use super::payload::{self, ParsedPayload};
use super::workers::Reader;

/// A registered message, put together.
pub(super) struct Message {
    pub(super) id: MessageId,
    pub(super) body: Body,
    pub(super) vaa: Vec<u8>,
    pub(super) guardian_set_index: u32,
    pub(super) digest: String,
    pub(super) conflict: bool,
    pub(super) verified_first: u64,
    pub(super) verified_last: u64,
}

impl Message {
    /// Takes a message that the registry answered with all families.
    pub(super) fn new(message: MessageResponse) -> Result<Self, ApiError> {
        let missing = |_| ApiError::internal();
        let id: MessageId = message.id.parse().map_err(missing)?;
        let (Some(publication), Some(quorum), Some(status)) = (
            message.message_publication,
            message.quorum_state,
            message.status,
        ) else {
            return Err(ApiError::internal());
        };
        let body = Body {
            timestamp: publication.timestamp,
            nonce: publication.nonce,
            emitter_chain: id.chain,
            emitter_address: id.emitter,
            sequence: id.sequence,
            consistency_level: publication.consistency_level,
            payload: publication.payload.into(),
        };
        let signatures = Signature::read_all(&quorum.signatures).ok_or_else(ApiError::internal)?;
        let vaa = assemble(quorum.guardian_set_index, &signatures, &body.serialize())
            .map_err(|_| ApiError::internal())?;
        let times = || status.verifications.iter().map(|v| v.time.u64());
        Ok(Self {
            id,
            body,
            vaa,
            guardian_set_index: quorum.guardian_set_index,
            digest: publication.digest,
            conflict: status.conflict,
            verified_first: times().min().unwrap_or_default(),
            verified_last: times().max().unwrap_or_default(),
        })
    }

    /// Finds a message.
    pub(super) fn find(reader: &Reader<'_>, id: &MessageId) -> Result<Self, ApiError> {
        let msg = QueryMsg::Message {
            id: id.to_string(),
            families: None,
        };
        let answer: MessageQueryResponse = reader.query(&msg)?;
        Self::new(answer.message.ok_or_else(ApiError::not_found)?)
    }

    /// Returns the transaction that a quorum of guardians says published the message.
    pub(super) fn tx_hash(&self, reader: &Reader<'_>) -> Result<Option<String>, ApiError> {
        let msg = QueryMsg::TxIds {
            id: self.id.to_string(),
            digest: Some(self.digest.clone()),
        };
        let answer: TxIdsResponse = reader.query(&msg)?;
        // Attested ones come first.
        let attested = answer.tx_ids.first().filter(|claim| claim.attested);
        Ok(attested.map(|claim| native::tx_hash(self.id.chain, &claim.tx_id)))
    }
}

/// A VAA as a document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VaaDocument {
    sequence: u64,
    id: String,
    version: u8,
    emitter_chain: u16,
    emitter_addr: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    emitter_native_addr: Option<String>,
    guardian_set_index: u32,
    vaa: String,
    timestamp: String,
    updated_at: String,
    indexed_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tx_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<ParsedPayload>,
    digest: String,
    is_duplicated: bool,
}

impl VaaDocument {
    /// Describes a message; its payload in parts too, if wanted.
    pub(super) fn new(
        reader: &Reader<'_>,
        message: &Message,
        parsed_payload: bool,
    ) -> Result<Self, ApiError> {
        Ok(Self {
            sequence: message.id.sequence,
            id: message.id.to_string(),
            version: wormhole_vaa::VERSION,
            emitter_chain: message.id.chain,
            emitter_addr: message.id.emitter.to_hex(),
            emitter_native_addr: native::address(message.id.chain, &message.id.emitter),
            guardian_set_index: message.guardian_set_index,
            vaa: BASE64.encode(&message.vaa),
            timestamp: native::time(message.body.timestamp.into()),
            updated_at: native::time(message.verified_last),
            indexed_at: native::time(message.verified_first),
            tx_hash: message.tx_hash(reader)?,
            payload: parsed_payload
                .then(|| payload::parsed(&message.body.payload))
                .flatten(),
            digest: message.digest.clone(),
            is_duplicated: message.conflict,
        })
    }
}

/// One of several VAAs that claim the same id, as a document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DuplicateDocument {
    sequence: String,
    id: String,
    version: u8,
    emitter_chain: u16,
    emitter_addr: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    emitter_native_addr: Option<String>,
    guardian_set_index: u32,
    vaa: String,
    timestamp: String,
    updated_at: String,
    indexed_at: String,
    digest: String,
}

impl DuplicateDocument {
    fn of(id: &MessageId, vaa: &Vaa, bytes: &[u8], first: u64, last: u64) -> Self {
        Self {
            sequence: id.sequence.to_string(),
            id: id.to_string(),
            version: wormhole_vaa::VERSION,
            emitter_chain: id.chain,
            emitter_addr: id.emitter.to_hex(),
            emitter_native_addr: native::address(id.chain, &id.emitter),
            guardian_set_index: vaa.guardian_set_index,
            vaa: BASE64.encode(bytes),
            timestamp: native::time(vaa.body.timestamp.into()),
            updated_at: native::time(last),
            indexed_at: native::time(first),
            digest: vaa.digest().to_hex(),
        }
    }

    /// Describes the message that stands.
    pub(super) fn standing(message: &Message) -> Result<Self, ApiError> {
        let vaa = Vaa::parse(&message.vaa).map_err(|_| ApiError::internal())?;
        let (first, last) = (message.verified_first, message.verified_last);
        Ok(Self::of(&message.id, &vaa, &message.vaa, first, last))
    }

    /// Describes one that came second.
    pub(super) fn conflicting(conflict: &ConflictResponse) -> Result<Self, ApiError> {
        let vaa = VaaRef::parse(&conflict.vaa).map_err(|_| ApiError::internal())?;
        let time = conflict.time.u64();
        let (id, vaa) = (vaa.body.id(), vaa.to_vaa());
        Ok(Self::of(&id, &vaa, &conflict.vaa, time, time))
    }
}
