//! Messages that came second to their ids.

use cosmwasm_std::Uint64;
use cw_orm::PageRequest;
use wormhole_vaa::{Digest, MessageId};

use super::{Context, message::vaa};
use crate::{
    error::ContractError,
    msg::{ConflictResponse, ConflictsResponse, Governance},
    state::{Conflict, MessagePublication},
};

#[inline(never)]
pub(super) fn conflicts(
    context: &Context<'_>,
    id: Option<&str>,
    page: Option<PageRequest>,
) -> Result<ConflictsResponse, ContractError> {
    let scan = match id {
        Some(id) => {
            let id = id.parse::<MessageId>()?;
            Conflict::TABLE.prefix(&(id.chain, id.emitter.0, id.sequence))?
        }
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
    let id = conflict.id();
    let unknown = || ContractError::UnknownMessage { id: id.to_string() };
    let key = context.key_of(&id)?.ok_or_else(unknown)?;
    let standing = context
        .messages()
        .family::<MessagePublication>()
        .get_one(context.deps.storage, &key)?;
    let index = conflict.publication.guardian_set_index;
    Ok(ConflictResponse {
        id: id.to_string(),
        standing_digest: standing.digest(&id).to_string(),
        digest: Digest(conflict.digest).to_string(),
        guardian_set_index: index,
        vaa: vaa(&id, &conflict.publication, index, &conflict.signatures)?,
        height: Uint64::new(conflict.height),
        time: Uint64::new(conflict.time),
        governance: conflict.governance.map(Governance::from),
    })
}
