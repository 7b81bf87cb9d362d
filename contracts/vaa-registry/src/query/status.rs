//! How far messages are: one in full, many in short.

use cosmwasm_std::{Order, Uint64};
use cw_orm::Families;
use wormhole_vaa::{Digest, MessageId};

use super::{
    Context,
    message::verifications,
    pending,
    tx_id::{self, MAX_LISTED},
};
use crate::{
    error::ContractError,
    msg::{
        BatchStatusResponse, ConflictSummary, Governance, MessageStatusResponse, MessageSummary,
        PendingSummary, Phase, PublicationSummary,
    },
    state::{Conflict, Message, PendingBody, Publication, Publisher},
};

/// The most conflicts, pending bodies, publications and transactions that a status lists, each.
const MAX_SHOWN: usize = 10;
/// The most messages of a batch.
const MAX_BATCH: usize = MAX_LISTED;

#[inline(never)]
pub(super) fn of_message(
    context: &Context<'_>,
    id: &str,
) -> Result<MessageStatusResponse, ContractError> {
    let id = id.parse::<MessageId>()?;
    let storage = context.deps.storage;
    let mut status = MessageStatusResponse {
        id: id.to_string(),
        phase: Phase::Unknown,
        digest: None,
        verifications: Vec::new(),
        valid_now: false,
        valid_until: None,
        conflict: false,
        conflicts: Vec::new(),
        governance: None,
        pending: pending_of(context, &id)?,
        publications: publications_of(context, &id)?,
        tx_ids: Vec::new(),
    };
    let key = context.key_of(&id)?;
    let row = key
        .map(|key| context.messages().get(storage, &key, Families::ALL))
        .transpose()?;
    if let (
        Some(key),
        Some(Some(Message {
            publication: Some(publication),
            quorum: Some(quorum),
            ..
        })),
    ) = (key, row)
    {
        let digest = publication.digest(&id);
        status.phase = Phase::Quorum;
        status.digest = Some(digest.to_string());
        status.verifications = verifications(context, &key, &quorum)?;
        let newest = quorum.guardian_set_index;
        status.valid_now = context.is_live(newest)?;
        if status.valid_now {
            status.valid_until = context.expiry(newest)?.map(Uint64::new);
        }
        status.conflict = quorum.conflict;
        if quorum.conflict {
            status.conflicts = conflicts_of(context, &id)?;
        }
        status.governance = quorum.governance.map(Governance::from);
        status.tx_ids = tx_id::claims(context, &digest)?;
        status.tx_ids.truncate(MAX_SHOWN);
    } else if !status.pending.is_empty() {
        status.phase = Phase::Observed;
    } else if !status.publications.is_empty() {
        status.phase = Phase::Published;
    }
    Ok(status)
}

fn conflicts_of(
    context: &Context<'_>,
    id: &MessageId,
) -> Result<Vec<ConflictSummary>, ContractError> {
    let rows = Conflict::TABLE
        .prefix(&(id.chain, id.emitter.0, id.sequence))?
        .rows(context.deps.storage, Order::Ascending)
        .limit(MAX_SHOWN);
    rows.map(|row| {
        let row = row?;
        Ok(ConflictSummary {
            digest: Digest(row.digest).to_string(),
            guardian_set_index: row.publication.guardian_set_index,
            height: Uint64::new(row.height),
            time: Uint64::new(row.time),
        })
    })
    .collect()
}

fn pending_of(context: &Context<'_>, id: &MessageId) -> Result<Vec<PendingSummary>, ContractError> {
    let keys = PendingBody::TABLE
        .prefix(&(id.chain, id.emitter.0, id.sequence))?
        .ids(context.deps.storage, Order::Ascending)
        .limit(MAX_SHOWN);
    keys.map(|key| {
        let (_, _, _, digest) = key?;
        Ok(PendingSummary {
            digest: Digest(digest).to_string(),
            signatures: pending::signatures(context, &digest)?,
        })
    })
    .collect()
}

fn publications_of(
    context: &Context<'_>,
    id: &MessageId,
) -> Result<Vec<PublicationSummary>, ContractError> {
    let storage = context.deps.storage;
    let rows = Publication::TABLE
        .prefix(&(id.chain, id.emitter.0, id.sequence))?
        .rows(storage, Order::Ascending)
        .limit(MAX_SHOWN);
    rows.map(|row| {
        let row = row?;
        Ok(PublicationSummary {
            digest: row.body().digest().to_string(),
            publisher: Publisher::TABLE.get_one(storage, &row.publisher)?.address,
            tx_id: row.tx_id.map(Into::into),
            time: Uint64::new(row.time),
        })
    })
    .collect()
}

#[inline(never)]
pub(super) fn of_batch(
    context: &Context<'_>,
    ids: &[String],
) -> Result<BatchStatusResponse, ContractError> {
    if ids.len() > MAX_BATCH {
        return Err(ContractError::TooManyIds {
            len: ids.len(),
            limit: MAX_BATCH,
        });
    }
    let statuses = ids.iter().enumerate().map(|(position, id)| {
        let id = id
            .parse::<MessageId>()
            .map_err(|reason| ContractError::MessageIdOfBatch { position, reason })?;
        summary(context, &id)
    });
    Ok(BatchStatusResponse {
        statuses: statuses.collect::<Result<_, _>>()?,
    })
}

fn summary(context: &Context<'_>, id: &MessageId) -> Result<MessageSummary, ContractError> {
    let storage = context.deps.storage;
    let row = match context.key_of(id)? {
        Some(key) => context.messages().get(storage, &key, Families::ALL)?,
        None => None,
    };
    let mut summary = MessageSummary {
        id: id.to_string(),
        phase: Phase::Quorum,
        digest: None,
        guardian_set_index: None,
        valid_now: false,
        conflict: false,
    };
    if let Some(Message {
        publication: Some(publication),
        quorum: Some(quorum),
        ..
    }) = row
    {
        summary.digest = Some(publication.digest(id).to_string());
        summary.guardian_set_index = Some(quorum.guardian_set_index);
        summary.valid_now = context.is_live(quorum.guardian_set_index)?;
        summary.conflict = quorum.conflict;
    } else {
        summary.phase = context.undecided_phase(id)?;
    }
    Ok(summary)
}

impl Context<'_> {
    /// Returns how far a message is that is not registered. One or two scans of one entry.
    pub(super) fn undecided_phase(&self, id: &MessageId) -> Result<Phase, ContractError> {
        let (storage, prefix) = (self.deps.storage, (id.chain, id.emitter.0, id.sequence));
        if !PendingBody::TABLE.prefix(&prefix)?.is_empty(storage)? {
            return Ok(Phase::Observed);
        }
        let unknown = Publication::TABLE.prefix(&prefix)?.is_empty(storage)?;
        Ok(if unknown {
            Phase::Unknown
        } else {
            Phase::Published
        })
    }
}
