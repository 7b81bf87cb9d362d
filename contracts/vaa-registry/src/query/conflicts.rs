//! Messages that came second to their ids.

use cosmwasm_std::Uint64;
use cw_orm::PageRequest;
use wormhole_vaa::{Digest, MessageId};

use super::{Context, message::vaa};
use crate::{
    error::ContractError,
    msg::{ConflictResponse, ConflictsResponse, Governance},
    state::{Conflict, MessagePublication, id_of, key_of},
};

pub(super) fn conflicts(
    context: &Context<'_>,
    id: Option<&str>,
    page: Option<PageRequest>,
) -> Result<ConflictsResponse, ContractError> {
    let scan = match id {
        Some(id) => Conflict::TABLE.prefix(&key_of(&id.parse::<MessageId>()?))?,
        None => Conflict::TABLE.all(),
    };
    let scan = scan.budget(context.config.scan_budget);
    let page = scan.page(context.deps.storage, &page.unwrap_or_default())?;
    let page = page.try_map(|conflict| response(context, conflict))?;
    Ok(ConflictsResponse {
        conflicts: page.items,
        page: page.page,
    })
}

fn response(context: &Context<'_>, conflict: Conflict) -> Result<ConflictResponse, ContractError> {
    let key = conflict.message_key();
    let standing = context
        .messages()
        .family::<MessagePublication>()
        .get_one(context.deps.storage, &key)?;
    let index = conflict.publication.guardian_set_index;
    Ok(ConflictResponse {
        id: id_of(&key).to_string(),
        standing_digest: standing.digest(&key).to_string(),
        digest: Digest(conflict.digest).to_string(),
        guardian_set_index: index,
        vaa: vaa(&key, &conflict.publication, index, &conflict.signatures)?,
        height: Uint64::new(conflict.height),
        time: Uint64::new(conflict.time),
        governance: conflict.governance.map(Governance::from),
    })
}
