//! One message: by id, by digest, and as the VAA that was signed.

use cosmwasm_std::{Binary, Uint64};
use cw_orm::{Families, FamilyTable};
use wormhole_vaa::{Digest, MessageId, Signature, assemble};

use super::Context;
use crate::{
    error::ContractError,
    msg::{
        FamilySelection, Governance, MessagePublicationResponse, MessageQueryResponse,
        MessageResponse, QuorumStateResponse, SignedVaaResponse, StatusResponse, Verification,
    },
    state::{
        Message, MessageKey, MessagePublication, QuorumState, Status, Superseded, id_of, key_of,
    },
};

pub(super) fn by_id(
    context: &Context<'_>,
    id: &str,
    families: Option<FamilySelection>,
) -> Result<MessageQueryResponse, ContractError> {
    find(context, &key_of(&id.parse::<MessageId>()?), families)
}

pub(super) fn by_digest(
    context: &Context<'_>,
    digest: &str,
    families: Option<FamilySelection>,
) -> Result<MessageQueryResponse, ContractError> {
    let digest = digest.parse::<Digest>()?;
    let view = context
        .messages()
        .by::<MessagePublication, _>(Message::BY_DIGEST)?;
    if let Some(key) = view.row_key(context.deps.storage, &digest.0)? {
        return find(context, &key, families);
    }
    let conflicts = crate::state::Conflict::TABLE.by(crate::state::Conflict::BY_DIGEST)?;
    match conflicts.row_key(context.deps.storage, &digest.0)? {
        Some((chain, emitter, sequence, _)) => find(context, &(chain, emitter, sequence), families),
        None => Ok(MessageQueryResponse { message: None }),
    }
}

fn find(
    context: &Context<'_>,
    key: &MessageKey,
    families: Option<FamilySelection>,
) -> Result<MessageQueryResponse, ContractError> {
    let families = Wanted::new(families);
    let row = context
        .messages()
        .get(context.deps.storage, key, families.read)?;
    let message = row
        .map(|row| response(context, row, families))
        .transpose()?;
    Ok(MessageQueryResponse { message })
}

pub(super) fn signed_vaa(
    context: &Context<'_>,
    id: &str,
    guardian_set: Option<u32>,
) -> Result<SignedVaaResponse, ContractError> {
    let id = id.parse::<MessageId>()?;
    let key = key_of(&id);
    let storage = context.deps.storage;
    let row = context.messages().get(storage, &key, Families::ALL)?;
    let Some(Message {
        publication: Some(publication),
        quorum: Some(quorum),
        status: Some(status),
        ..
    }) = row
    else {
        return Err(ContractError::UnknownMessage { id: id.to_string() });
    };
    let index = guardian_set.unwrap_or(quorum.guardian_set_index);
    let signatures = if index == quorum.guardian_set_index {
        quorum.signatures
    } else {
        let (chain, emitter, sequence) = key;
        let older = Superseded::TABLE.get(storage, &(chain, emitter, sequence, index))?;
        older
            .ok_or_else(|| ContractError::NotVerifiedUnder {
                id: id.to_string(),
                index,
            })?
            .signatures
    };
    Ok(SignedVaaResponse {
        id: id.to_string(),
        digest: publication.digest(&key).to_string(),
        guardian_set_index: index,
        vaa: vaa(&key, &publication, index, &signatures)?,
        valid_now: context.is_live(index)?,
        conflict: status.conflict,
    })
}

/// Puts a VAA together again, bit for bit.
pub(super) fn vaa(
    key: &MessageKey,
    publication: &MessagePublication,
    index: u32,
    signatures: &[u8],
) -> Result<Binary, ContractError> {
    let body = publication.body(key).serialize();
    let vaa = assemble(index, &read_signatures(key, signatures)?, &body);
    vaa.map(Binary::new).map_err(|_| damaged(key))
}

fn read_signatures(key: &MessageKey, stored: &[u8]) -> Result<Vec<Signature>, ContractError> {
    Signature::read_all(stored).ok_or_else(|| damaged(key))
}

fn damaged(key: &MessageKey) -> ContractError {
    ContractError::Damaged {
        what: format!("signatures of {}", id_of(key)),
    }
}

/// The families that an answer shows, and those read for it.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    shown: FamilySelection,
    pub(super) read: Families,
}

impl Wanted {
    pub(super) fn new(families: Option<FamilySelection>) -> Self {
        let shown = families.unwrap_or(FamilySelection::ALL);
        let pick = |wanted, family| if wanted { family } else { Families::NONE };
        let read = pick(shown.message_publication, Message::PUBLICATION)
            .and(pick(shown.quorum_state, Message::QUORUM))
            .and(pick(shown.status, Message::STATUS));
        // With no family wanted the smallest one still tells which messages there are.
        Self {
            shown,
            read: if read == Families::NONE {
                Message::STATUS
            } else {
                read
            },
        }
    }
}

pub(super) fn response(
    context: &Context<'_>,
    row: Message,
    wanted: Wanted,
) -> Result<MessageResponse, ContractError> {
    let key = row.key();
    let id = id_of(&key);
    let status = row.status.filter(|_| wanted.shown.status);
    Ok(MessageResponse {
        id: id.to_string(),
        emitter_chain: id.chain,
        emitter_address: id.emitter.to_hex(),
        sequence: Uint64::new(id.sequence),
        message_publication: row
            .publication
            .filter(|_| wanted.shown.message_publication)
            .map(|publication| publication_response(&key, publication)),
        quorum_state: row
            .quorum
            .filter(|_| wanted.shown.quorum_state)
            .map(|quorum| quorum_response(&key, quorum))
            .transpose()?,
        status: status
            .map(|status| status_response(context, &key, &status))
            .transpose()?,
    })
}

fn publication_response(
    key: &MessageKey,
    publication: MessagePublication,
) -> MessagePublicationResponse {
    MessagePublicationResponse {
        version: publication.version,
        guardian_set_index: publication.guardian_set_index,
        timestamp: publication.timestamp,
        nonce: publication.nonce,
        consistency_level: publication.consistency_level,
        digest: publication.digest(key).to_string(),
        payload: Binary::new(publication.payload),
    }
}

fn quorum_response(
    key: &MessageKey,
    quorum: QuorumState,
) -> Result<QuorumStateResponse, ContractError> {
    let signatures = read_signatures(key, &quorum.signatures)?;
    Ok(QuorumStateResponse {
        guardian_set_index: quorum.guardian_set_index,
        signers: signatures.iter().map(|signature| signature.index).collect(),
        signatures: Binary::new(quorum.signatures),
    })
}

fn status_response(
    context: &Context<'_>,
    key: &MessageKey,
    status: &Status,
) -> Result<StatusResponse, ContractError> {
    let (chain, emitter, sequence) = *key;
    let mut verifications = Vec::new();
    let newest = status.guardian_sets.last().copied();
    for index in status.guardian_sets.iter().copied() {
        let (height, time) = if Some(index) == newest {
            (status.height, status.time)
        } else {
            let older = Superseded::TABLE
                .get_one(context.deps.storage, &(chain, emitter, sequence, index))?;
            (older.height, older.time)
        };
        verifications.push(Verification {
            guardian_set_index: index,
            height: Uint64::new(height),
            time: Uint64::new(time),
            valid_now: context.is_live(index)?,
        });
    }
    Ok(StatusResponse {
        verifications,
        conflict: status.conflict,
        governance: status.governance.map(Governance::from),
    })
}

impl Context<'_> {
    /// Returns the messages table with the indexes that the registry keeps.
    pub(super) fn messages(&self) -> FamilyTable<Message> {
        Message::TABLE.with_indexes(self.config.indexes.set())
    }
}
