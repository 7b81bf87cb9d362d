//! Publishers, and what they say was published.

use cosmwasm_std::{Binary, Uint64};
use cw_orm::PageRequest;
use wormhole_vaa::{Address, MessageId};

use super::Context;
use crate::{
    error::ContractError,
    msg::{
        PublicationResponse, PublicationsResponse, PublisherResponse, PublisherScope,
        PublishersResponse,
    },
    state::{Publication, Publisher},
};

#[inline(never)]
pub(super) fn publishers(
    context: &Context<'_>,
    page: Option<PageRequest>,
) -> Result<PublishersResponse, ContractError> {
    let scan = Publisher::TABLE.all().budget(context.config.scan_budget);
    let page = scan.page(context.deps.storage, &page.unwrap_or_default())?;
    let page = page.try_map(|row| {
        Ok::<_, ContractError>(PublisherResponse {
            publisher: row.address,
            scope: PublisherScope {
                chain: row.emitter_chain,
                emitter: row.emitter_address.map(|emitter| Address(emitter).to_hex()),
            },
            quota: row.quota,
            rows: row.rows,
            revoked: row.revoked,
        })
    })?;
    Ok(PublishersResponse {
        publishers: page.items,
        page: page.page,
    })
}

#[inline(never)]
pub(super) fn publications(
    context: &Context<'_>,
    id: Option<&str>,
    chain: Option<u16>,
    emitter: Option<&str>,
    page: Option<PageRequest>,
) -> Result<PublicationsResponse, ContractError> {
    let scan = match (id, chain, emitter) {
        (Some(id), None, None) => {
            let id = id.parse::<MessageId>()?;
            Publication::TABLE.prefix(&(id.chain, id.emitter.0, id.sequence))?
        }
        (Some(_), _, _) => return Err(ContractError::IdAndChain),
        (None, None, Some(_)) => return Err(ContractError::EmitterWithoutChain),
        (None, None, None) => Publication::TABLE.all(),
        (None, Some(chain), None) => Publication::TABLE.prefix(&(chain,))?,
        (None, Some(chain), Some(emitter)) => {
            Publication::TABLE.prefix(&(chain, emitter.parse::<Address>()?.0))?
        }
    };
    let scan = scan.budget(context.config.scan_budget);
    let page = scan.page(context.deps.storage, &page.unwrap_or_default())?;
    let page = page.try_map(|row| response(context, row))?;
    Ok(PublicationsResponse {
        publications: page.items,
        page: page.page,
    })
}

fn response(context: &Context<'_>, row: Publication) -> Result<PublicationResponse, ContractError> {
    let publisher = Publisher::TABLE.get_one(context.deps.storage, &row.publisher)?;
    let body = row.body();
    Ok(PublicationResponse {
        id: row.id().to_string(),
        digest: body.digest().to_string(),
        publisher: publisher.address,
        revoked: publisher.revoked,
        body: Binary::new(body.serialize()),
        tx_id: row.tx_id.map(Binary::new),
        time: Uint64::new(row.time),
    })
}
