//! Pages of messages.

use cw_orm::{
    CompactUint64, FamilyRow, IndexView, Listed, Lookup, Member, Page, PageRequest, Scan,
};
use wormhole_vaa::Address;

use super::{
    Context,
    message::{Wanted, response},
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

/// Answers a page in the order of ids: emitter by emitter, of one chain or all, each one's messages by sequence.
fn by_emitters(
    context: &Context<'_>,
    chain: Option<u16>,
    page: Request,
    families: Families,
) -> Answer {
    let wanted = Wanted::new(families);
    let emitters = match chain {
        Some(chain) => Emitter::TABLE.prefix(&(chain,))?,
        None => Emitter::TABLE.all(),
    };
    let messages = context.messages();
    let list = emitters.then("messages", move |(_, emitter)| {
        messages.prefix(&(CompactUint64(emitter.number),), wanted.read)
    });
    let list = list
        .limits(<Message as FamilyRow>::META.limits)
        .budget(context.config.scan_budget);
    let page = list.page(context.deps.storage, &page.unwrap_or_default())?;
    let page = page.try_map(|((_, emitter), message)| {
        context.note(emitter);
        Ok::<_, ContractError>(message)
    })?;
    answer(context, page, wanted)
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
