//! Pages of messages.

use cw_orm::{
    CompactUint64, Families, FamilyRow, IndexView, Listed, Lookup, Member, Page, PageRequest, Scan,
};
use wormhole_vaa::Address;

use super::{
    Context, filter,
    message::{Wanted, response},
};
use crate::{
    error::ContractError,
    msg::{FamilySelection, MessageFilter, MessagesResponse},
    state::{Emitter, Message, MessageKey, MessagePublication, QuorumState, ShortAddress},
};

/// What of which messages is asked for.
pub(super) struct Ask {
    pub(super) page: Option<PageRequest>,
    pub(super) families: Option<FamilySelection>,
    pub(super) filter: Option<MessageFilter>,
}

type Answer = Result<MessagesResponse, ContractError>;

/// Makes a page of a list, with the families to read.
type Fetch<'f> = dyn Fn(&PageRequest, Families) -> Result<Page<Message>, ContractError> + 'f;

impl Ask {
    /// Makes the answer of a list whose pages `fetch` makes.
    fn answer(self, context: &Context<'_>, fetch: &Fetch<'_>) -> Answer {
        let request = self.page.unwrap_or_default();
        let wanted = Wanted::new(self.families);
        let page = match &self.filter {
            None => fetch(&request, wanted.read)?,
            Some(filter) => {
                let read = wanted.read.and(Message::PUBLICATION);
                let fetch = |request: &PageRequest| fetch(request, read);
                filter::page(filter, context.config.scan_budget, &request, &fetch)?
            }
        };
        let page = page.try_map(|row| response(context, row, wanted))?;
        Ok(MessagesResponse {
            messages: page.items,
            page: page.page,
        })
    }
}

/// A range of Unix seconds, both ends included.
#[derive(Clone, Copy)]
pub(super) struct Times {
    pub(super) from: u32,
    pub(super) to: u32,
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

#[inline(never)]
pub(super) fn all(context: &Context<'_>, ask: Ask) -> Answer {
    ask.answer(context, &|page, read| {
        by_emitters(context, None, page, read)
    })
}

#[inline(never)]
pub(super) fn by_chain(context: &Context<'_>, chain: u16, ask: Ask) -> Answer {
    ask.answer(context, &|page, read| {
        by_emitters(context, Some(chain), page, read)
    })
}

#[inline(never)]
pub(super) fn by_emitter(context: &Context<'_>, chain: u16, emitter: &str, ask: Ask) -> Answer {
    let number = context.number_of(chain, emitter)?;
    ask.answer(context, &|page, read| {
        of_emitter(context, number, page, read)
    })
}

/// Makes a page of an emitter's messages, by sequence.
#[inline(never)]
pub(super) fn of_emitter(
    context: &Context<'_>,
    number: CompactUint64,
    page: &PageRequest,
    read: Families,
) -> Result<Page<Message>, ContractError> {
    let scan = context.messages().prefix(&(number,), read)?;
    let scan = scan.budget(context.config.scan_budget);
    Ok(scan.page(context.deps.storage, page)?)
}

/// Makes a page in the order of ids: emitter by emitter, of one chain or all, each one's messages by sequence.
#[inline(never)]
pub(super) fn by_emitters(
    context: &Context<'_>,
    chain: Option<u16>,
    page: &PageRequest,
    read: Families,
) -> Result<Page<Message>, ContractError> {
    let emitters = match chain {
        Some(chain) => Emitter::TABLE.prefix(&(chain,))?,
        None => Emitter::TABLE.all(),
    };
    let messages = context.messages();
    let list = emitters.then("messages", move |(_, emitter)| {
        messages.prefix(&(CompactUint64(emitter.number),), read)
    });
    let list = list
        .limits(<Message as FamilyRow>::META.limits)
        .budget(context.config.scan_budget);
    let page = list.page(context.deps.storage, page)?;
    page.try_map(|((_, emitter), message)| {
        context.note(emitter);
        Ok::<_, ContractError>(message)
    })
}

#[inline(never)]
pub(super) fn by_time(
    context: &Context<'_>,
    chain: Option<u16>,
    emitter: Option<&str>,
    times: Times,
    ask: Ask,
) -> Answer {
    let Times { from, to } = times;
    match (chain, emitter) {
        (None, Some(_)) => Err(ContractError::EmitterWithoutChain),
        (None, None) => {
            let scan = index(context, Message::BY_TIME)?.range(from..=to)?;
            entries(context, scan, ask)
        }
        (Some(chain), None) => {
            let view = index(context, Message::BY_CHAIN_TIME)?;
            let scan = view.range((compact(chain), from)..=(compact(chain), to))?;
            entries(context, scan, ask)
        }
        (Some(chain), Some(emitter)) => {
            let view = index(context, Message::BY_EMITTER_TIME)?;
            let number = context.number_of(chain, emitter)?;
            let scan = view.range((number, from)..=(number, to))?;
            entries(context, scan, ask)
        }
    }
}

#[inline(never)]
pub(super) fn by_guardian_set(context: &Context<'_>, set: u32, ask: Ask) -> Answer {
    let view = context
        .messages()
        .by::<QuorumState, _>(Message::BY_GUARDIAN_SET)?;
    let set = CompactUint64(u64::from(set));
    entries(context, view.key(&set)?, ask)
}

#[inline(never)]
pub(super) fn by_recipient(
    context: &Context<'_>,
    chain: u16,
    address: Option<&str>,
    ask: Ask,
) -> Answer {
    let view = index(context, Message::BY_RECIPIENT)?;
    let scan = match address {
        Some(address) => {
            let address = ShortAddress(address.parse::<Address>()?.0);
            view.key(&(compact(chain), address))?
        }
        None => view.prefix(&(compact(chain),))?,
    };
    entries(context, scan, ask)
}

#[inline(never)]
pub(super) fn by_governance_module(
    context: &Context<'_>,
    module: &str,
    action: Option<u8>,
    ask: Ask,
) -> Answer {
    let view = index(context, Message::BY_GOVERNANCE_MODULE)?;
    let module = ShortAddress(module_of(module)?);
    let scan = match action {
        Some(action) => view.key(&(module, action))?,
        None => view.prefix(&(module,))?,
    };
    entries(context, scan, ask)
}

/// Reads a module: a name, which stands behind zeros, or 32 bytes in hex.
fn module_of(text: &str) -> Result<[u8; 32], ContractError> {
    let name = text.as_bytes();
    let mut module = [0; 32];
    let place = module.len().checked_sub(name.len());
    match place.and_then(|place| module.get_mut(place..)) {
        Some(place) if !name.is_empty() => {
            place.copy_from_slice(name);
            Ok(module)
        }
        _ => Ok(text.parse::<Address>()?.0),
    }
}

/// Opens an index over publications.
fn index<I: Lookup<MessagePublication>>(
    context: &Context<'_>,
    index: I,
) -> Result<IndexView<MessagePublication, I>, ContractError> {
    Ok(context.messages().by::<MessagePublication, I>(index)?)
}

/// Answers a page in the order of an index: its entries lead to ids, and of those the wanted families are read.
fn entries<F, L>(context: &Context<'_>, scan: Scan<F, L>, ask: Ask) -> Answer
where
    F: Member<Message, PrimaryKey = MessageKey>,
    L: Listed<F>,
{
    let storage = context.deps.storage;
    let scan = scan.budget(context.config.scan_budget);
    ask.answer(context, &|page, read| {
        of_ids(context, scan.page_ids(storage, page)?, read)
    })
}

/// Reads the messages of a page of ids.
fn of_ids(
    context: &Context<'_>,
    ids: Page<MessageKey>,
    read: Families,
) -> Result<Page<Message>, ContractError> {
    let messages = context.messages();
    ids.try_map(|key| Ok(messages.get_one(context.deps.storage, &key, read)?))
}

fn compact(chain: u16) -> CompactUint64 {
    CompactUint64(u64::from(chain))
}

impl Context<'_> {
    /// Returns the number of an emitter, given in hex; for one without messages a number that none has.
    pub(super) fn number_of(
        &self,
        chain: u16,
        emitter: &str,
    ) -> Result<CompactUint64, ContractError> {
        let address = emitter.parse::<Address>()?;
        let number = Emitter::number_of(self.deps.storage, chain, address)?;
        if let Some(number) = number {
            self.note(Emitter::new(chain, address, number));
        }
        Ok(CompactUint64(number.unwrap_or(u64::MAX)))
    }
}
