//! Sequences of an emitter that no registered message has.

use cosmwasm_std::{Order, Storage, Uint64};
use cw_orm::{CompactUint64, Iter, OrmError, PageLimits, PageRequest, PageTerms, paginate_some};
use wormhole_vaa::Address;

use super::Context;
use crate::{
    error::ContractError,
    msg::{MissingSequencesResponse, SequenceRange},
    state::{Message, MessageKey, MessagePublication},
};

/// Where a page stands: at a message, or behind the last one.
type Position = (u64, u8);
const MESSAGE: u8 = 0;
const END: u8 = 1;

#[inline(never)]
pub(super) fn sequences(
    context: &Context<'_>,
    chain: u16,
    emitter: &str,
    (from, to): (Option<Uint64>, Option<Uint64>),
    page: Option<PageRequest>,
) -> Result<MissingSequencesResponse, ContractError> {
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        return Err(ContractError::InvertedSequences { from, to });
    }
    let number = context.number_of(chain, emitter)?;
    let storage = context.deps.storage;
    let edge = |order| {
        let ids = context
            .messages()
            .family::<MessagePublication>()
            .prefix(&(number,))?
            .ids(storage, order);
        Ok::<_, OrmError>(ids.limit(1).read_all()?.first().map(|key| key.1.0))
    };
    let from = match from {
        Some(from) => Some(from.u64()),
        None => edge(Order::Ascending)?,
    };
    let to = match to {
        Some(to) => Some(to.u64()),
        None => edge(Order::Descending)?,
    };
    let within = from.zip(to).filter(|(from, to)| from <= to);
    let terms = PageTerms::new("missing sequences")
        .argument(chain.to_be_bytes())
        .argument(emitter.parse::<Address>()?.0)
        .limits(PageLimits {
            default: 10,
            max: 30,
        })
        .budget(context.config.scan_budget);
    let page = paginate_some(&terms, &page.unwrap_or_default(), |after, order| {
        let Some(within) = within else {
            return Ok(Iter::new(core::iter::empty()));
        };
        // Of a page of another range: what it stood at is not in this one.
        if after.is_some_and(|(at, _)| at < within.0 || at > within.1) {
            return Err(OrmError::ForeignCursor);
        }
        gaps(storage, number, within, after, order)
    })?;
    Ok(MissingSequencesResponse {
        ranges: page.items,
        page: page.page,
    })
}

/// Yields each message of a range of sequences with the gap before it, if there is one, and at last the gap behind them.
fn gaps(
    storage: &dyn Storage,
    number: CompactUint64,
    (from, to): (u64, u64),
    after: Option<Position>,
    order: Order,
) -> Result<Iter<'_, (Position, Option<SequenceRange>)>, OrmError> {
    let up = order == Order::Ascending;
    // The next sequence to account for; none behind the last that there can be.
    let mut next = match (after, up) {
        (None, true) => Some(from),
        (None, false) => Some(to),
        (Some((_, END)), _) => None,
        (Some((at, _)), true) => at.checked_add(1),
        (Some((at, _)), false) => at.checked_sub(1),
    };
    let left = next.and_then(|next| match up {
        true => (next <= to).then_some((next, to)),
        false => (next >= from).then_some((from, next)),
    });
    let Some((first, last)) = left else {
        return Ok(Iter::new(core::iter::empty()));
    };
    let bounds: (MessageKey, MessageKey) = (
        (number, CompactUint64(first)),
        (number, CompactUint64(last)),
    );
    let mut messages = Message::TABLE
        .family::<MessagePublication>()
        .range::<MessageKey>(bounds.0..=bounds.1)?
        .ids(storage, order);
    let mut ended = false;
    Ok(Iter::new(core::iter::from_fn(move || {
        if ended {
            return None;
        }
        let at = match messages.next() {
            Some(Ok(key)) => key.1.0,
            Some(Err(error)) => return Some(Err(error)),
            None => {
                ended = true;
                let rest = next.and_then(|next| {
                    if up {
                        range(next, to)
                    } else {
                        range(from, next)
                    }
                });
                return Some(Ok(((if up { to } else { from }, END), rest)));
            }
        };
        let gap = next.and_then(|next| match up {
            true => at.checked_sub(1).and_then(|last| range(next, last)),
            false => at.checked_add(1).and_then(|first| range(first, next)),
        });
        next = if up {
            at.checked_add(1)
        } else {
            at.checked_sub(1)
        };
        Some(Ok(((at, MESSAGE), gap)))
    })))
}

fn range(first: u64, last: u64) -> Option<SequenceRange> {
    (first <= last).then(|| SequenceRange {
        first: Uint64::new(first),
        last: Uint64::new(last),
    })
}
