//! One message: by id, by digest, and as the VAA that was signed.

use cosmwasm_std::{Binary, Uint64};
use cw_orm::{CompactUint64, Families, FamilyTable};
use wormhole_vaa::{Address, Digest, MessageId, Signature, assemble};

use super::Context;
use crate::{
    error::ContractError,
    msg::{
        FamilySelection, Governance, MessagePublicationResponse, MessageQueryResponse,
        MessageResponse, QuorumStateResponse, SignedVaaResponse, StatusResponse, Verification,
    },
    state::{
        Conflict, Emitter, Message, MessageKey, MessagePublication, PackedSignatures, QuorumState,
        Registered, Superseded,
    },
};

#[inline(never)]
pub(super) fn by_id(
    context: &Context<'_>,
    id: &str,
    families: Option<FamilySelection>,
) -> Result<MessageQueryResponse, ContractError> {
    let id = id.parse::<MessageId>()?;
    find(context, context.key_of(&id)?, families)
}

#[inline(never)]
pub(super) fn by_digest(
    context: &Context<'_>,
    digest: &str,
    families: Option<FamilySelection>,
) -> Result<MessageQueryResponse, ContractError> {
    let digest = digest.parse::<Digest>()?;
    let storage = context.deps.storage;
    if let Some(key) = Registered::find(storage, &digest)? {
        return find(context, Some(key), families);
    }
    let conflicts = Conflict::TABLE.by(Conflict::BY_DIGEST)?;
    let key = match conflicts.row_key(storage, &digest.0)? {
        Some((chain, emitter, sequence, _)) => context.key_of(&MessageId {
            chain,
            emitter: Address(emitter),
            sequence,
        })?,
        None => None,
    };
    find(context, key, families)
}

fn find(
    context: &Context<'_>,
    key: Option<MessageKey>,
    families: Option<FamilySelection>,
) -> Result<MessageQueryResponse, ContractError> {
    let wanted = Wanted::new(families);
    let row = match key {
        Some(key) => context
            .messages()
            .get(context.deps.storage, &key, wanted.read)?,
        None => None,
    };
    let message = row.map(|row| response(context, row, wanted)).transpose()?;
    Ok(MessageQueryResponse { message })
}

#[inline(never)]
pub(super) fn signed_vaa(
    context: &Context<'_>,
    id: &str,
    guardian_set: Option<u32>,
) -> Result<SignedVaaResponse, ContractError> {
    let id = id.parse::<MessageId>()?;
    let storage = context.deps.storage;
    let row = match context.key_of(&id)? {
        Some(key) => context.messages().get(storage, &key, Families::ALL)?,
        None => None,
    };
    let Some(Message {
        emitter,
        sequence,
        publication: Some(publication),
        quorum: Some(quorum),
    }) = row
    else {
        return Err(ContractError::UnknownMessage { id: id.to_string() });
    };
    let index = guardian_set.unwrap_or(quorum.guardian_set_index);
    let signatures = if index == quorum.guardian_set_index {
        quorum.signatures
    } else {
        let older = Superseded::TABLE.get(storage, &(emitter, sequence, index))?;
        older
            .ok_or_else(|| ContractError::NotVerifiedUnder {
                id: id.to_string(),
                index,
            })?
            .signatures
    };
    Ok(SignedVaaResponse {
        id: id.to_string(),
        digest: publication.digest(&id).to_string(),
        guardian_set_index: index,
        vaa: vaa(&id, &publication, index, &signatures)?,
        valid_now: context.is_live(index)?,
        conflict: quorum.conflict,
    })
}

/// Puts a VAA together again, bit for bit.
#[inline(never)]
pub(super) fn vaa(
    id: &MessageId,
    publication: &MessagePublication,
    index: u32,
    signatures: &PackedSignatures,
) -> Result<Binary, ContractError> {
    let body = publication.body(id).serialize();
    let vaa = assemble(index, &unpack(id, signatures)?, &body);
    vaa.map(Binary::new).map_err(|_| damaged(id))
}

fn unpack(id: &MessageId, stored: &PackedSignatures) -> Result<Vec<Signature>, ContractError> {
    stored.unpack().ok_or_else(|| damaged(id))
}

fn damaged(id: &MessageId) -> ContractError {
    ContractError::Damaged {
        what: format!("signatures of {id}"),
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
            .and(pick(shown.quorum_state || shown.status, Message::QUORUM));
        // With no family wanted one still tells which messages there are: the one whose size has a bound.
        Self {
            shown,
            read: if read == Families::NONE {
                Message::QUORUM
            } else {
                read
            },
        }
    }
}

#[inline(never)]
pub(super) fn response(
    context: &Context<'_>,
    row: Message,
    wanted: Wanted,
) -> Result<MessageResponse, ContractError> {
    let key = (row.emitter, row.sequence);
    let id = context.id_of(&key)?;
    let status = row.quorum.as_ref().filter(|_| wanted.shown.status);
    let status = status
        .map(|quorum| status_response(context, &key, quorum))
        .transpose()?;
    Ok(MessageResponse {
        id: id.to_string(),
        emitter_chain: id.chain,
        emitter_address: id.emitter.to_hex(),
        sequence: Uint64::new(id.sequence),
        message_publication: row
            .publication
            .filter(|_| wanted.shown.message_publication)
            .map(|publication| publication_response(&id, publication)),
        quorum_state: row
            .quorum
            .filter(|_| wanted.shown.quorum_state)
            .map(|quorum| quorum_response(&id, &quorum))
            .transpose()?,
        status,
    })
}

fn publication_response(
    id: &MessageId,
    publication: MessagePublication,
) -> MessagePublicationResponse {
    MessagePublicationResponse {
        version: wormhole_vaa::VERSION,
        guardian_set_index: publication.guardian_set_index,
        timestamp: publication.timestamp,
        nonce: publication.nonce,
        consistency_level: publication.consistency_level,
        digest: publication.digest(id).to_string(),
        payload: Binary::new(publication.payload),
    }
}

fn quorum_response(
    id: &MessageId,
    quorum: &QuorumState,
) -> Result<QuorumStateResponse, ContractError> {
    let signatures = unpack(id, &quorum.signatures)?;
    Ok(QuorumStateResponse {
        guardian_set_index: quorum.guardian_set_index,
        signers: signatures.iter().map(|signature| signature.index).collect(),
        signatures: Binary::new(Signature::write_all(&signatures)),
    })
}

fn status_response(
    context: &Context<'_>,
    key: &MessageKey,
    quorum: &QuorumState,
) -> Result<StatusResponse, ContractError> {
    Ok(StatusResponse {
        verifications: verifications(context, key, quorum)?,
        conflict: quorum.conflict,
        governance: quorum.governance.map(Governance::from),
    })
}

/// Returns every verification that took place, oldest first. One read a set but the newest.
#[inline(never)]
pub(super) fn verifications(
    context: &Context<'_>,
    key: &MessageKey,
    quorum: &QuorumState,
) -> Result<Vec<Verification>, ContractError> {
    let (emitter, sequence) = *key;
    let mut verifications = Vec::new();
    for index in quorum.guardian_sets() {
        let (height, time) = if index == quorum.guardian_set_index {
            (quorum.height, quorum.time)
        } else {
            let older =
                Superseded::TABLE.get_one(context.deps.storage, &(emitter, sequence, index))?;
            (older.height, older.time)
        };
        verifications.push(Verification {
            guardian_set_index: index,
            height: Uint64::new(height),
            time: Uint64::new(time),
            valid_now: context.is_live(index)?,
            expires_at: context.expiry(index)?.map(Uint64::new),
        });
    }
    Ok(verifications)
}

impl Context<'_> {
    /// Returns the messages table with the indexes that the registry answers from.
    pub(super) const fn messages(&self) -> FamilyTable<Message> {
        self.config.messages()
    }

    /// Returns the key that a message of this id has or would have; none, if its emitter has no messages. One probe.
    pub(super) fn key_of(&self, id: &MessageId) -> Result<Option<MessageKey>, ContractError> {
        let number = Emitter::number_of(self.deps.storage, id.chain, id.emitter)?;
        Ok(number.map(|number| (CompactUint64(number), CompactUint64(id.sequence))))
    }

    /// Returns the id that a key stands for. One probe an emitter and query.
    pub(super) fn id_of(&self, key: &MessageKey) -> Result<MessageId, ContractError> {
        let (number, sequence) = (key.0.0, key.1.0);
        if let Some(emitter) = self.emitters.borrow().get(&number) {
            return Ok(emitter.id(sequence));
        }
        let emitter = Emitter::of_number(self.deps.storage, number)?;
        let id = emitter.id(sequence);
        self.note(emitter);
        Ok(id)
    }

    /// Keeps an emitter that was read.
    pub(super) fn note(&self, emitter: Emitter) {
        self.emitters.borrow_mut().insert(emitter.number, emitter);
    }
}
