//! Which transaction published a message, and which messages a transaction published: what guardians claim.

use cosmwasm_std::{Binary, Order};
use cw_orm::PageRequest;
use wormhole_vaa::{Address, Digest, MessageId};

use super::Context;
use crate::{
    error::ContractError,
    msg::{TxIdResponse, TxIdsResponse, TxMessageResponse, TxMessagesResponse},
    state::{
        Conflict, MAX_TX_ID_LEN, MessagePublication, Observation, PendingBody, Registered, TxClaim,
        TxMessage,
    },
};

/// The most claims that are listed.
pub(super) const MAX_LISTED: usize = 30;

#[inline(never)]
pub(super) fn of_message(
    context: &Context<'_>,
    id: &str,
    digest: Option<&str>,
) -> Result<TxIdsResponse, ContractError> {
    let id = id.parse::<MessageId>()?;
    let digest = match digest {
        Some(digest) => {
            let digest = digest.parse::<Digest>()?;
            if is_of_another(context, &id, &digest)? {
                return Err(ContractError::UnknownBody {
                    id: id.to_string(),
                    digest: digest.to_string(),
                });
            }
            digest
        }
        None => standing(context, &id)?
            .ok_or_else(|| ContractError::UnknownMessage { id: id.to_string() })?,
    };
    let mut tx_ids = claims(context, &digest)?;
    let total = u32::try_from(tx_ids.len()).unwrap_or(u32::MAX);
    tx_ids.truncate(MAX_LISTED);
    Ok(TxIdsResponse {
        id: id.to_string(),
        digest: digest.to_string(),
        tx_ids,
        total,
    })
}

/// Whether a digest is known to be another message's. Not known any more is that of a body that was pruned, whose claims
/// stay.
fn is_of_another(
    context: &Context<'_>,
    id: &MessageId,
    digest: &Digest,
) -> Result<bool, ContractError> {
    let storage = context.deps.storage;
    if let Some(key) = Registered::find(storage, digest)? {
        return Ok(context.key_of(id)? != Some(key));
    }
    let own = (id.chain, id.emitter.0, id.sequence, digest.0);
    let conflicts = Conflict::TABLE.by(Conflict::BY_DIGEST)?;
    if let Some(key) = conflicts.row_key(storage, &digest.0)? {
        return Ok(key != own);
    }
    let pending = !Observation::TABLE.prefix(&(digest.0,))?.is_empty(storage)?;
    Ok(pending && !PendingBody::TABLE.has(storage, &own)?)
}

/// Returns the digest of the message that is registered under an id.
fn standing(context: &Context<'_>, id: &MessageId) -> Result<Option<Digest>, ContractError> {
    let Some(key) = context.key_of(id)? else {
        return Ok(None);
    };
    let publication = context
        .messages()
        .family::<MessagePublication>()
        .get(context.deps.storage, &key)?;
    Ok(publication.map(|publication| publication.digest(id)))
}

/// Returns what is claimed about a digest, attested claims first, then those of more guardians.
#[inline(never)]
pub(super) fn claims(
    context: &Context<'_>,
    digest: &Digest,
) -> Result<Vec<TxIdResponse>, ContractError> {
    let storage = context.deps.storage;
    let budget = context.config.scan_budget;
    let most = usize::try_from(budget).unwrap_or(usize::MAX);
    let kept = TxClaim::TABLE
        .prefix(&(digest.0,))?
        .rows(storage, Order::Ascending)
        .map(|row| row.map(|row| (row.guardian_set_index, row.tx_id, row.guardians.count())));
    let pending = Observation::TABLE
        .prefix(&(digest.0,))?
        .rows(storage, Order::Ascending)
        .map(|row| row.map(|row| (row.guardian_set_index, row.tx_id, 1)));
    let mut tally: Vec<(u32, Vec<u8>, usize)> = Vec::new();
    for (place, row) in kept.chain(pending).enumerate() {
        if place >= most {
            return Err(ContractError::TooManyRows { budget });
        }
        let (set, tx_id, guardians) = row?;
        let same = tally.binary_search_by(|(of, known, _)| {
            (*of, known.as_slice()).cmp(&(set, tx_id.as_slice()))
        });
        match same {
            Ok(place) => {
                if let Some((_, _, count)) = tally.get_mut(place) {
                    *count = count.saturating_add(guardians);
                }
            }
            Err(place) => tally.insert(place, (set, tx_id, guardians)),
        }
    }
    let mut of_set: Option<(u32, u32)> = None;
    let mut found: Vec<TxIdResponse> = Vec::new();
    for (index, tx_id, count) in tally {
        let quorum = match of_set {
            Some((set, quorum)) if set == index => quorum,
            _ => context.quorum(index)?,
        };
        of_set = Some((index, quorum));
        let claims = u32::try_from(count).unwrap_or(u32::MAX);
        let attested = claims >= quorum;
        let place =
            found.partition_point(|before| (before.attested, before.claims) >= (attested, claims));
        found.insert(
            place,
            TxIdResponse {
                tx_id: Binary::new(tx_id),
                guardian_set_index: index,
                claims,
                quorum,
                attested,
            },
        );
    }
    Ok(found)
}

#[inline(never)]
pub(super) fn messages(
    context: &Context<'_>,
    tx_id: &Binary,
    page: Option<PageRequest>,
) -> Result<TxMessagesResponse, ContractError> {
    if !context.config.indexes.tx_id() {
        return Err(ContractError::IndexAbsent { index: "tx_id" });
    }
    let len = tx_id.len();
    if len == 0 || len > MAX_TX_ID_LEN {
        return Err(ContractError::TxId { len });
    }
    let scan = TxMessage::TABLE
        .prefix(&(tx_id.to_vec(),))?
        .budget(context.config.scan_budget);
    let page = scan.page(context.deps.storage, &page.unwrap_or_default())?;
    let page = page.try_map(|entry| response(context, &entry))?;
    Ok(TxMessagesResponse {
        messages: page.items,
        page: page.page,
    })
}

fn response(context: &Context<'_>, entry: &TxMessage) -> Result<TxMessageResponse, ContractError> {
    let id = MessageId {
        chain: entry.emitter_chain,
        emitter: Address(entry.emitter_address),
        sequence: entry.sequence,
    };
    let digest = Digest(entry.digest);
    let best = claims(context, &digest)?
        .into_iter()
        .find(|claim| claim.tx_id.as_slice() == entry.tx_id);
    Ok(TxMessageResponse {
        id: id.to_string(),
        digest: digest.to_string(),
        stands: standing(context, &id)? == Some(digest),
        claims: best.as_ref().map_or(0, |claim| claim.claims),
        attested: best.is_some_and(|claim| claim.attested),
    })
}
