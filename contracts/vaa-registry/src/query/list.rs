//! Pages of messages.

use core::ops::RangeInclusive;

use cosmwasm_std::Order;
use cw_orm::{
    CompactUint64, IndexView, Iter, Listed, Lookup, Member, OrmError, Page, PageRequest, Scan,
};
use wormhole_vaa::Address;

use super::{
    Context,
    message::{Wanted, response},
    paginate::{PageTerms, paginate},
};
use crate::{
    error::ContractError,
    msg::{FamilySelection, MessagesResponse},
    state::{Emitter, Message, MessageKey, MessagePublication, QuorumState, ShortAddress},
};

type Families = Option<FamilySelection>;
type Request = Option<PageRequest>;
type Answer = Result<MessagesResponse, ContractError>;

/// A range of Unix seconds, both ends included.
#[derive(Clone, Copy)]
pub(super) struct Times {
    from: u32,
    to: u32,
}

impl Times {
    pub(super) fn new(from: Option<u32>, to: Option<u32>) -> Result<Self, ContractError> {
        let (from, to) = (from.unwrap_or(u32::MIN), to.unwrap_or(u32::MAX));
        if from > to {
            Err(ContractError::InvertedTimes { from, to })
        } else {
            Ok(Self { from, to })
        }
    }
}

pub(super) fn all(context: &Context<'_>, page: Request, families: Families) -> Answer {
    by_emitters(context, None, page, families)
}

pub(super) fn by_chain(
    context: &Context<'_>,
    chain: u16,
    page: Request,
    families: Families,
) -> Answer {
    by_emitters(context, Some(chain), page, families)
}

pub(super) fn by_emitter(
    context: &Context<'_>,
    chain: u16,
    emitter: &str,
    page: Request,
    families: Families,
) -> Answer {
    let wanted = Wanted::new(families);
    let number = context.number_of(chain, emitter)?;
    let scan = context.messages().prefix(&(number,), wanted.read)?;
    let scan = scan.budget(context.config.scan_budget);
    answer(
        context,
        scan.page(context.deps.storage, &page.unwrap_or_default())?,
        wanted,
    )
}

/// Where a message stands in the order of ids.
type Position = (u16, ShortAddress, CompactUint64);

/// Answers a page in the order of ids: emitter by emitter, of one chain or all, each one's messages by sequence.
fn by_emitters(
    context: &Context<'_>,
    chain: Option<u16>,
    page: Request,
    families: Families,
) -> Answer {
    let wanted = Wanted::new(families);
    let list = match chain {
        Some(chain) => [&b"chain"[..], &chain.to_be_bytes()].concat(),
        None => b"all".to_vec(),
    };
    let terms = PageTerms {
        list,
        limits: <Message as cw_orm::FamilyRow>::META.limits,
        budget: context.config.scan_budget,
    };
    let page = paginate(&terms, &page.unwrap_or_default(), |after, order| {
        from_position(context, chain, after, order, wanted)
    })?;
    answer(context, page, wanted)
}

/// Opens the messages in the order of ids, after a position if one is given.
fn from_position<'s>(
    context: &'s Context<'_>,
    chain: Option<u16>,
    after: Option<Position>,
    order: Order,
    wanted: Wanted,
) -> Result<Iter<'s, (Position, Message)>, OrmError> {
    let storage = context.deps.storage;
    let ends = chain.map_or((u16::MIN, u16::MAX), |chain| (chain, chain));
    let first = (ends.0, ShortAddress([u8::MIN; 32]));
    let last = (ends.1, ShortAddress([u8::MAX; 32]));
    let here = after.map(|(chain, emitter, _)| (chain, emitter));
    if here.is_some_and(|here| !(first..=last).contains(&here)) {
        return Err(OrmError::MalformedCursor);
    }
    let emitters = match (here, order) {
        (None, _) => Emitter::TABLE.range(first..=last)?,
        (Some(here), Order::Ascending) => Emitter::TABLE.range(here..=last)?,
        (Some(here), Order::Descending) => Emitter::TABLE.range(first..=here)?,
    };
    let messages = context.messages();
    let of_emitter = move |emitter: Emitter| {
        let at = (emitter.chain, emitter.address);
        let passed = after.filter(|after| (after.0, after.1) == at);
        let bounds = sequences(CompactUint64(emitter.number), passed.map(|at| at.2), order);
        context.note(emitter);
        let Some(bounds) = bounds else {
            return Ok(Iter::new(core::iter::empty()));
        };
        let rows = messages.range(bounds, wanted.read)?.rows(storage, order);
        Ok(Iter::new(rows.map(move |row| {
            row.map(|row| ((at.0, at.1, row.sequence), row))
        })))
    };
    let opened = emitters.rows(storage, order).map(move |emitter| {
        let rows: Result<_, OrmError> = emitter.and_then(of_emitter);
        rows.unwrap_or_else(|error| Iter::new(core::iter::once(Err(error))))
    });
    Ok(Iter::new(opened.flatten()))
}

/// Bounds the messages of an emitter: all, or those after one that was passed; none, if that was the last there can be.
fn sequences(
    emitter: CompactUint64,
    passed: Option<CompactUint64>,
    order: Order,
) -> Option<RangeInclusive<MessageKey>> {
    let (from, to) = match (passed, order) {
        (None, _) => (u64::MIN, u64::MAX),
        (Some(at), Order::Ascending) => (at.0.checked_add(1)?, u64::MAX),
        (Some(at), Order::Descending) => (u64::MIN, at.0.checked_sub(1)?),
    };
    Some((emitter, CompactUint64(from))..=(emitter, CompactUint64(to)))
}

pub(super) fn by_time(
    context: &Context<'_>,
    chain: Option<u16>,
    emitter: Option<&str>,
    times: Times,
    page: Request,
    families: Families,
) -> Answer {
    let wanted = Wanted::new(families);
    let Times { from, to } = times;
    match (chain, emitter) {
        (None, Some(_)) => Err(ContractError::EmitterWithoutChain),
        (None, None) => entries(
            context,
            index(context, Message::BY_TIME)?.range(from..=to)?,
            page,
            wanted,
        ),
        (Some(chain), None) => {
            let view = index(context, Message::BY_CHAIN_TIME)?;
            entries(
                context,
                view.range((compact(chain), from)..=(compact(chain), to))?,
                page,
                wanted,
            )
        }
        (Some(chain), Some(emitter)) => {
            let view = index(context, Message::BY_EMITTER_TIME)?;
            let number = context.number_of(chain, emitter)?;
            entries(
                context,
                view.range((number, from)..=(number, to))?,
                page,
                wanted,
            )
        }
    }
}

pub(super) fn by_guardian_set(
    context: &Context<'_>,
    set: u32,
    page: Request,
    families: Families,
) -> Answer {
    let view = context
        .messages()
        .by::<QuorumState, _>(Message::BY_GUARDIAN_SET)?;
    let set = CompactUint64(u64::from(set));
    entries(context, view.key(&set)?, page, Wanted::new(families))
}

pub(super) fn by_recipient(
    context: &Context<'_>,
    chain: u16,
    address: Option<&str>,
    page: Request,
    families: Families,
) -> Answer {
    let view = index(context, Message::BY_RECIPIENT)?;
    let scan = match address {
        Some(address) => {
            let address = ShortAddress(address.parse::<Address>()?.0);
            view.key(&(compact(chain), address))?
        }
        None => view.prefix(&(compact(chain),))?,
    };
    entries(context, scan, page, Wanted::new(families))
}

/// Opens an index over publications.
fn index<I: Lookup<MessagePublication>>(
    context: &Context<'_>,
    index: I,
) -> Result<IndexView<MessagePublication, I>, ContractError> {
    Ok(context.messages().by::<MessagePublication, I>(index)?)
}

/// Answers a page in the order of an index: its entries lead to ids, and of those the wanted families are read.
fn entries<F, L>(context: &Context<'_>, scan: Scan<F, L>, page: Request, wanted: Wanted) -> Answer
where
    F: Member<Message, PrimaryKey = MessageKey>,
    L: Listed<F>,
{
    let storage = context.deps.storage;
    let scan = scan.budget(context.config.scan_budget);
    let ids = scan.page_ids(storage, &page.unwrap_or_default())?;
    let row = |key: MessageKey| context.messages().get_one(storage, &key, wanted.read);
    answer(context, ids.try_map(row)?, wanted)
}

fn answer(context: &Context<'_>, page: Page<Message>, wanted: Wanted) -> Answer {
    let page = page.try_map(|row| response(context, row, wanted))?;
    Ok(MessagesResponse {
        messages: page.items,
        page: page.page,
    })
}

fn compact(chain: u16) -> CompactUint64 {
    CompactUint64(u64::from(chain))
}

impl Context<'_> {
    /// Returns the number of an emitter, given in hex; for one without messages a number that none has.
    fn number_of(&self, chain: u16, emitter: &str) -> Result<CompactUint64, ContractError> {
        let address = emitter.parse::<Address>()?;
        let number = Emitter::number_of(self.deps.storage, chain, address)?;
        if let Some(number) = number {
            self.note(Emitter::new(chain, address, number));
        }
        Ok(CompactUint64(number.unwrap_or(u64::MAX)))
    }
}
