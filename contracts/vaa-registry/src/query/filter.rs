//! Messages that match: pages of a list of which only some rows are wanted.

use cosmwasm_std::{Binary, to_json_vec};
use cw_orm::{OrmError, Page, PageRequest, PageResponse};
use wormhole_vaa::keccak256;

use crate::{
    error::ContractError,
    msg::MessageFilter,
    state::{Message, MessagePublication},
};

/// A page of messages, unfiltered.
pub(super) type Fetch<'f> = dyn Fn(&PageRequest) -> Result<Page<Message>, ContractError> + 'f;

/// The most rows fetched at once.
const STEP: u64 = 30;
/// The bytes of a filter's name, which stand before the list's own cursor.
const TAG_LEN: usize = 4;

/// Makes a page of the messages that match, by fetching pages until it is full, the list ends or the budget is spent.
///
/// No more is fetched than is wanted, so a page ends with the last row fetched, whose cursor goes on right behind.
#[inline(never)]
pub(super) fn page(
    filter: &MessageFilter,
    budget: u32,
    request: &PageRequest,
    fetch: &Fetch<'_>,
) -> Result<Page<Message>, ContractError> {
    let tag = tag(filter)?;
    let key = request.key.as_ref().filter(|key| !key.is_empty());
    let key = key.map(|key| untag(&tag, key)).transpose()?;
    let offset = request.offset.unwrap_or_default().u64();
    if key.is_some() && offset > 0 {
        return Err(OrmError::KeyAndOffset.into());
    }
    let total = (request.count_total && key.is_none())
        .then(|| count(filter, budget, request.reverse, fetch))
        .transpose()?;
    let limit = match request.limit.unwrap_or_default().u64() {
        0 => 10,
        limit => limit.min(STEP),
    };
    let mut walk = Walk {
        request: PageRequest {
            key,
            reverse: request.reverse,
            ..PageRequest::default()
        },
        left: budget,
    };
    let (mut items, mut skipped): (Vec<Message>, u64) = (Vec::new(), 0);
    let next_key = loop {
        let taken = u64::try_from(items.len()).unwrap_or(u64::MAX);
        let wanted = limit.saturating_sub(taken);
        if wanted == 0 {
            break walk.request.key;
        }
        if walk.left == 0 {
            if skipped < offset {
                return Err(spent("offset", budget));
            }
            break walk.request.key;
        }
        let most = match skipped < offset {
            true => offset.saturating_sub(skipped),
            false => wanted,
        };
        for row in walk.step(most, fetch)? {
            if !matches(filter, &row) {
                continue;
            }
            if skipped < offset {
                skipped = skipped.saturating_add(1);
            } else {
                items.push(row);
            }
        }
        if walk.request.key.is_none() {
            break None;
        }
    };
    Ok(Page {
        items,
        page: PageResponse {
            next_key: next_key.map(|key| [&tag[..], key.as_slice()].concat().into()),
            total: total.map(Into::into),
        },
    })
}

/// Counts what matches, within the budget.
fn count(
    filter: &MessageFilter,
    budget: u32,
    reverse: bool,
    fetch: &Fetch<'_>,
) -> Result<u64, ContractError> {
    let mut walk = Walk {
        request: PageRequest {
            reverse,
            ..PageRequest::default()
        },
        left: budget,
    };
    let mut total: u64 = 0;
    loop {
        for row in walk.step(STEP, fetch)? {
            total = total.saturating_add(u64::from(matches(filter, &row)));
        }
        if walk.request.key.is_none() {
            return Ok(total);
        }
        if walk.left == 0 {
            return Err(spent("total", budget));
        }
    }
}

/// A list that is walked in steps, and how many rows it may still pass.
struct Walk {
    request: PageRequest,
    left: u32,
}

impl Walk {
    fn step(&mut self, most: u64, fetch: &Fetch<'_>) -> Result<Vec<Message>, ContractError> {
        let most = most.min(STEP).min(u64::from(self.left));
        self.request.limit = Some(most.into());
        let page = fetch(&self.request)?;
        let passed = u32::try_from(page.items.len()).unwrap_or(u32::MAX);
        // A step that passed only emitters without messages counts, so that it ends.
        self.left = self.left.saturating_sub(passed.max(1));
        self.request.key = page.page.next_key;
        Ok(page.items)
    }
}

fn spent(what: &'static str, budget: u32) -> ContractError {
    OrmError::ScanBudget { what, budget }.into()
}

fn matches(filter: &MessageFilter, row: &Message) -> bool {
    row.publication
        .as_ref()
        .is_some_and(|publication| publication_matches(filter, publication))
}

fn publication_matches(filter: &MessageFilter, publication: &MessagePublication) -> bool {
    let MessageFilter {
        nonce,
        consistency_level,
        payload_prefix,
        min_payload_length,
        max_payload_length,
    } = filter;
    let payload = &publication.payload;
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    nonce.is_none_or(|nonce| nonce == publication.nonce)
        && consistency_level.is_none_or(|level| level == publication.consistency_level)
        && payload_prefix
            .as_ref()
            .is_none_or(|prefix| payload.starts_with(prefix))
        && min_payload_length.is_none_or(|least| length >= least)
        && max_payload_length.is_none_or(|most| length <= most)
}

/// Returns a filter's name, by which a cursor of another is refused.
fn tag(filter: &MessageFilter) -> Result<[u8; TAG_LEN], ContractError> {
    let [a, b, c, d, ..] = keccak256(&to_json_vec(filter)?);
    Ok([a, b, c, d])
}

fn untag(tag: &[u8; TAG_LEN], key: &Binary) -> Result<Binary, ContractError> {
    match key.split_first_chunk::<TAG_LEN>() {
        Some((found, rest)) if found == tag && !rest.is_empty() => Ok(rest.into()),
        Some((_, rest)) if !rest.is_empty() => Err(OrmError::ForeignCursor.into()),
        _ => Err(OrmError::MalformedCursor.into()),
    }
}
