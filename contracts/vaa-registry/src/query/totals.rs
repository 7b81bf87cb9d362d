//! How many messages there are: one read a figure.

use cosmwasm_std::Uint64;
use cw_orm::{CompactUint64, CountView, PageRequest};
use wormhole_vaa::Address;

use super::{Context, list::Times};
use crate::{
    error::ContractError,
    msg::{
        ChainTotal, ChainTotalsResponse, DayTotal, DayTotalsResponse, EmitterTotal,
        EmitterTotalsResponse,
    },
    state::{DAY_SECONDS, Emitter, Message, MessagePublication, ShortAddress},
};

#[inline(never)]
pub(super) fn by_chain(
    context: &Context<'_>,
    chain: Option<u16>,
    page: Option<PageRequest>,
) -> Result<ChainTotalsResponse, ContractError> {
    let counts = context
        .messages()
        .counts::<MessagePublication, _>(Message::CHAIN_TOTALS)?;
    let scan = match chain {
        Some(chain) => {
            let chain = CompactUint64(chain.into());
            counts.range::<CompactUint64>(chain..=chain)?
        }
        None => counts.all(),
    };
    let scan = scan.budget(context.config.scan_budget);
    let page = scan.page(context.deps.storage, &page.unwrap_or_default())?;
    let page = page.try_map(|(CompactUint64(chain), messages)| {
        Ok::<_, ContractError>(ChainTotal {
            chain: u16::try_from(chain).map_err(|_| damaged("total of a chain"))?,
            messages: Uint64::new(messages),
        })
    })?;
    Ok(ChainTotalsResponse {
        totals: page.items,
        page: page.page,
    })
}

#[inline(never)]
pub(super) fn by_emitter(
    context: &Context<'_>,
    chain: Option<u16>,
    emitter: Option<&str>,
    page: Option<PageRequest>,
) -> Result<EmitterTotalsResponse, ContractError> {
    let storage = context.deps.storage;
    let counts: CountView<MessagePublication, CompactUint64> =
        context.messages().counts(Message::EMITTER_TOTALS)?;
    let emitters = match (chain, emitter) {
        (None, Some(_)) => return Err(ContractError::EmitterWithoutChain),
        (None, None) => Emitter::TABLE.all(),
        (Some(chain), None) => Emitter::TABLE.prefix(&(chain,))?,
        (Some(chain), Some(emitter)) => {
            let address = ShortAddress(emitter.parse::<Address>()?.0);
            Emitter::TABLE.prefix(&(chain, address))?
        }
    };
    let emitters = emitters.budget(context.config.scan_budget);
    let page = emitters.page(storage, &page.unwrap_or_default())?;
    let page = page.try_map(|emitter| {
        let messages = counts.count(storage, &CompactUint64(emitter.number))?;
        Ok::<_, ContractError>(EmitterTotal {
            chain: emitter.chain,
            emitter: Address(emitter.address.0).to_hex(),
            messages: Uint64::new(messages),
        })
    })?;
    Ok(EmitterTotalsResponse {
        totals: page.items,
        page: page.page,
    })
}

#[inline(never)]
pub(super) fn by_day(
    context: &Context<'_>,
    times: Times,
    page: Option<PageRequest>,
) -> Result<DayTotalsResponse, ContractError> {
    let counts = context
        .messages()
        .counts::<MessagePublication, _>(Message::DAY_TOTALS)?;
    let day = |time: u32| {
        let day = time.checked_div(DAY_SECONDS).unwrap_or_default();
        u16::try_from(day).unwrap_or(u16::MAX)
    };
    let scan = counts.range::<u16>(day(times.from)..=day(times.to))?;
    let scan = scan.budget(context.config.scan_budget);
    let page = scan.page(context.deps.storage, &page.unwrap_or_default())?;
    let page = page.try_map(|(day, messages)| {
        Ok::<_, ContractError>(DayTotal {
            day: u32::from(day)
                .checked_mul(DAY_SECONDS)
                .ok_or_else(|| damaged("total of a day"))?,
            messages: Uint64::new(messages),
        })
    })?;
    Ok(DayTotalsResponse {
        totals: page.items,
        page: page.page,
    })
}

fn damaged(what: &str) -> ContractError {
    ContractError::Damaged { what: what.into() }
}
