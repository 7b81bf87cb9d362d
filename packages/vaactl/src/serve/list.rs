//! Walks lists of the registry to the rows that a page is to have.

use cosmwasm_std::Binary;
use cw_orm::{PageRequest, PageResponse};
use serde::de::DeserializeOwned;
use vaa_registry::msg::{MessageResponse, MessagesResponse, QueryMsg};
use wormhole_vaa::Address;

use super::error::{ApiError, Code};
use super::limits::ROWS;
use super::page::Part;
use super::workers::Reader;

/// The most rows that the registry gives at once.
const PAGE: u64 = 30;

/// Names a list of messages by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Messages {
    All,
    OfChain(u16),
    OfEmitter(u16, Address),
}

impl Messages {
    fn query(self, page: Option<PageRequest>) -> QueryMsg {
        let (chain, emitter) = match self {
            Self::All => (None, None),
            Self::OfChain(chain) => (Some(chain), None),
            Self::OfEmitter(chain, emitter) => (Some(chain), Some(emitter.to_hex())),
        };
        QueryMsg::MessagesByTime {
            chain,
            emitter,
            from: None,
            to: None,
            page,
            families: None,
            filter: None,
        }
    }

    /// Returns the part of the list that is wanted, of all its rows.
    pub(super) fn part(
        self,
        reader: &Reader<'_>,
        part: Part,
    ) -> Result<Vec<MessageResponse>, ApiError> {
        let mut walk = Walk::new(part);
        let list = format!("{self:?} {}", part.descending);
        let known = reader.places.get(&list, part.offset);
        if part.offset > 0
            && let Some(key) = known
        {
            walk.skip = 0;
            walk.page.key = Some(key);
        }
        let rows = self.walk(reader, &mut walk, |_| true)?;
        let end = part.offset.saturating_add(part.size);
        if let Some(key) = walk.next {
            reader.places.put(&list, end, key);
        }
        Ok(rows)
    }

    /// Returns the part that is wanted of the rows that are to be kept.
    pub(super) fn filtered(
        self,
        reader: &Reader<'_>,
        part: Part,
        keep: impl Fn(&MessageResponse) -> bool,
    ) -> Result<Vec<MessageResponse>, ApiError> {
        self.walk(reader, &mut Walk::new(part), keep)
    }

    fn walk(
        self,
        reader: &Reader<'_>,
        walk: &mut Walk,
        keep: impl Fn(&MessageResponse) -> bool,
    ) -> Result<Vec<MessageResponse>, ApiError> {
        walk.rows(
            reader,
            |page| self.query(Some(page)),
            |answer: MessagesResponse| (answer.messages, answer.page),
            keep,
        )
    }
}

/// Walks a list from its start, or from a place in it.
pub(super) struct Walk {
    page: PageRequest,
    skip: u64,
    left: u64,
    passed: u64,
    /// Where the list goes on after the last row, if it does.
    next: Option<Binary>,
}

impl Walk {
    pub(super) fn new(part: Part) -> Self {
        Self {
            page: PageRequest {
                reverse: part.descending,
                ..PageRequest::default()
            },
            skip: part.offset,
            left: part.size,
            passed: 0,
            next: None,
        }
    }

    /// Returns the rows that are to be kept, but for those to be skipped, until there are enough.
    pub(super) fn rows<R: DeserializeOwned, T>(
        &mut self,
        reader: &Reader<'_>,
        query: impl Fn(PageRequest) -> QueryMsg,
        split: impl Fn(R) -> (Vec<T>, PageResponse),
        keep: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>, ApiError> {
        let mut found = Vec::new();
        loop {
            // So that a page of the registry ends where the wanted one begins, and where it ends.
            let want = if self.skip > 0 { self.skip } else { self.left };
            self.page.limit = Some(want.min(PAGE).into());
            let (rows, response) = split(reader.query(&query(self.page.clone()))?);
            self.passed = self
                .passed
                .saturating_add(rows.len() as u64)
                .saturating_add(1);
            for row in rows.into_iter().filter(|row| keep(row)) {
                if self.skip > 0 {
                    self.skip = self.skip.saturating_sub(1);
                } else if self.left > 0 {
                    self.left = self.left.saturating_sub(1);
                    found.push(row);
                }
            }
            self.next = response.next_key.clone();
            match self.page.after(&response) {
                Some(next) if self.left > 0 => self.page = next,
                _ => return Ok(found),
            }
            if self.passed > ROWS {
                let text = format!("this takes a look at more than {ROWS} messages");
                return Err(ApiError::new(Code::OutOfRange, text));
            }
        }
    }
}
