//! Messages by the furthest phase that they have reached.

use core::ops::Bound;

use cosmwasm_std::Order;
use cw_orm::{
    Families, Iter, Key, OrmError, Page, PageLimits, PageRequest, PageTerms, paginate_some,
};
use wormhole_vaa::{Address, Digest, MessageId};

use super::{Context, list};
use crate::{
    error::ContractError,
    msg::{ListedPhase, MessageOfPhase, MessagesByPhaseResponse, Phase},
    state::{Message, PendingBody, PendingKey, Publication},
};

#[inline(never)]
pub(super) fn messages(
    context: &Context<'_>,
    phase: ListedPhase,
    chain: Option<u16>,
    emitter: Option<&str>,
    page: Option<PageRequest>,
) -> Result<MessagesByPhaseResponse, ContractError> {
    let request = page.unwrap_or_default();
    let emitter = match (chain, emitter) {
        (None, Some(_)) => return Err(ContractError::EmitterWithoutChain),
        (_, emitter) => emitter.map(str::parse::<Address>).transpose()?,
    };
    let within = Within { chain, emitter };
    let page = match phase {
        ListedPhase::Quorum => registered(context, &within, &request)?,
        ListedPhase::Observed => observed(context, &within, &request)?,
        ListedPhase::Published => published(context, &within, &request)?,
    };
    Ok(MessagesByPhaseResponse {
        messages: page.items,
        page: page.page,
    })
}

/// The messages asked for: those of a chain, of an emitter, or all.
#[derive(Clone, Copy)]
struct Within {
    chain: Option<u16>,
    emitter: Option<Address>,
}

impl Within {
    /// Returns the least key prefix of these messages, and the greatest.
    const fn ends(&self) -> ((u16, [u8; 32]), (u16, [u8; 32])) {
        match (self.chain, self.emitter) {
            (None, _) => ((0, [0; 32]), (u16::MAX, [u8::MAX; 32])),
            (Some(chain), None) => ((chain, [0; 32]), (chain, [u8::MAX; 32])),
            (Some(chain), Some(emitter)) => ((chain, emitter.0), (chain, emitter.0)),
        }
    }

    fn terms(&self, name: &'static str, context: &Context<'_>) -> PageTerms {
        let ((chain, emitter), last) = self.ends();
        PageTerms::new(name)
            .argument(chain.to_be_bytes())
            .argument(emitter)
            .argument(last.0.to_be_bytes())
            .argument(last.1)
            .limits(PageLimits {
                default: 10,
                max: 30,
            })
            .budget(context.config.scan_budget)
    }
}

type Found = Page<MessageOfPhase>;

fn registered(
    context: &Context<'_>,
    within: &Within,
    request: &PageRequest,
) -> Result<Found, ContractError> {
    let read: Families = Message::PUBLICATION;
    let page = match (within.chain, within.emitter) {
        (Some(chain), Some(emitter)) => {
            let number = context.number_of(chain, &emitter.to_hex())?;
            list::of_emitter(context, number, request, read)?
        }
        (chain, _) => list::by_emitters(context, chain, request, read)?,
    };
    page.try_map(|row| {
        let id = context.id_of(&(row.emitter, row.sequence))?;
        let damaged = || ContractError::Damaged {
            what: format!("message {id}"),
        };
        let publication = row.publication.ok_or_else(damaged)?;
        Ok(MessageOfPhase {
            id: id.to_string(),
            digest: publication.digest(&id).to_string(),
        })
    })
}

fn observed(
    context: &Context<'_>,
    within: &Within,
    request: &PageRequest,
) -> Result<Found, ContractError> {
    let terms = within.terms("observed messages", context);
    let page = paginate_some(&terms, request, |after: Option<PendingKey>, order| {
        let keys = PendingBody::TABLE
            .range::<PendingKey>(bounds(
                within,
                after,
                order,
                |(chain, emitter)| (chain, emitter, 0, [0; 32]),
                |(chain, emitter)| (chain, emitter, u64::MAX, [u8::MAX; 32]),
            ))?
            .ids(context.deps.storage, order);
        Ok(Iter::new(keys.map(|key| {
            let key = key?;
            let (chain, emitter, sequence, digest) = key;
            let id = message_id(chain, emitter, sequence);
            let item = (!context.has_message(&id)?).then(|| MessageOfPhase {
                id: id.to_string(),
                digest: Digest(digest).to_string(),
            });
            Ok((key, item))
        })))
    })?;
    Ok(page)
}

/// The key of a publication.
type PublicationKey = (u16, [u8; 32], u64, u64);

fn published(
    context: &Context<'_>,
    within: &Within,
    request: &PageRequest,
) -> Result<Found, ContractError> {
    let terms = within.terms("published messages", context);
    let storage = context.deps.storage;
    let page = paginate_some(&terms, request, |after: Option<PublicationKey>, order| {
        let rows = Publication::TABLE
            .range::<PublicationKey>(bounds(
                within,
                after,
                order,
                |(chain, emitter)| (chain, emitter, 0, 0),
                |(chain, emitter)| (chain, emitter, u64::MAX, u64::MAX),
            ))?
            .rows(storage, order);
        Ok(Iter::new(rows.map(|row| {
            let row = row?;
            let id = row.id();
            let key = (id.chain, id.emitter.0, id.sequence, row.publisher);
            let further =
                context.has_message(&id)? || context.undecided_phase_of(&id)? != Phase::Published;
            let item = (!further).then(|| MessageOfPhase {
                id: id.to_string(),
                digest: row.body().digest().to_string(),
            });
            Ok((key, item))
        })))
    })?;
    Ok(page)
}

/// Returns what of a list is left after a position.
fn bounds<K: Key>(
    within: &Within,
    after: Option<K>,
    order: Order,
    first: impl Fn((u16, [u8; 32])) -> K,
    last: impl Fn((u16, [u8; 32])) -> K,
) -> (Bound<K>, Bound<K>) {
    let (least, most) = within.ends();
    let (first, last) = (Bound::Included(first(least)), Bound::Included(last(most)));
    match (after, order) {
        (None, _) => (first, last),
        (Some(after), Order::Ascending) => (Bound::Excluded(after), last),
        (Some(after), Order::Descending) => (first, Bound::Excluded(after)),
    }
}

const fn message_id(chain: u16, emitter: [u8; 32], sequence: u64) -> MessageId {
    MessageId {
        chain,
        emitter: Address(emitter),
        sequence,
    }
}

impl Context<'_> {
    /// Whether a message is registered under this id. Two probes.
    fn has_message(&self, id: &MessageId) -> Result<bool, OrmError> {
        let storage = self.deps.storage;
        match self.key_of(id).map_err(orm)? {
            Some(key) => self.messages().has(storage, &key),
            None => Ok(false),
        }
    }

    fn undecided_phase_of(&self, id: &MessageId) -> Result<Phase, OrmError> {
        self.undecided_phase(id).map_err(orm)
    }
}

/// What these look-ups can fail with is the ORM's.
fn orm(error: ContractError) -> OrmError {
    match error {
        ContractError::Storage(error) | ContractError::Page(error) => error,
        other => OrmError::Invalid {
            table: "messages",
            reason: other.to_string(),
        },
    }
}
