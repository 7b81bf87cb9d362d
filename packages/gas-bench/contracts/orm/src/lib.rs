//! The benchmark's row in a table of the ORM: derived, with the default codec.

use bench_interface::{Message, PAGE, Page, Peer, bytes32};
use cosmwasm_std::{Order, StdResult, Storage, Uint64};
use cw_orm::{PageRequest, PrimaryKeyTable, Probe, Table};

/// A message.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "messages", ns = "m", limits(default = 30, max = 30))]
pub struct Row {
    version: u8,
    #[index(id = 1, name = by_set)]
    guardian_set_index: u32,
    timestamp: u32,
    nonce: u32,
    #[pk]
    sequence: u64,
    emitter_chain: u16,
    emitter_address: [u8; 32],
    #[unique(id = 2, name = by_tx)]
    initiating_tx_id: [u8; 32],
    #[serde(with = "serde_bytes")]
    payload: Vec<u8>,
}

/// The table, with plain reads where `GET`, and else as the ORM has it: with scans of one key.
pub struct Orm<const GET: bool>;

bench_interface::contract!(crate::Orm<false>);

impl<const GET: bool> Orm<GET> {
    const TABLE: PrimaryKeyTable<Row> = if GET {
        Row::TABLE.with_probe(Probe::Get)
    } else {
        Row::TABLE
    };
}

impl TryFrom<Message> for Row {
    type Error = cosmwasm_std::StdError;

    fn try_from(row: Message) -> StdResult<Self> {
        Ok(Self {
            version: row.version,
            guardian_set_index: row.guardian_set_index,
            timestamp: row.timestamp,
            nonce: row.nonce,
            sequence: row.sequence,
            emitter_chain: row.emitter_chain,
            emitter_address: bytes32(&row.emitter_address)?,
            initiating_tx_id: bytes32(&row.initiating_tx_id)?,
            payload: row.payload.into(),
        })
    }
}

impl From<Row> for Message {
    fn from(row: Row) -> Self {
        Self {
            version: row.version,
            guardian_set_index: row.guardian_set_index,
            timestamp: row.timestamp,
            nonce: row.nonce,
            sequence: row.sequence,
            emitter_chain: row.emitter_chain,
            emitter_address: row.emitter_address.into(),
            initiating_tx_id: row.initiating_tx_id.into(),
            payload: row.payload.into(),
        }
    }
}

/// Asks for the first page in a direction.
#[must_use]
pub fn request(order: Order) -> PageRequest {
    PageRequest {
        reverse: order == Order::Descending,
        ..PageRequest::first(PAGE as u64)
    }
}

/// Returns a page as it is answered.
pub fn page<T: Into<U>, U>(page: cw_orm::Page<T>) -> Page<U> {
    Page {
        items: page.items.into_iter().map(Into::into).collect(),
        next: page.page.next_key,
    }
}

impl<const GET: bool> Peer for Orm<GET> {
    fn insert(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        Ok(Self::TABLE.insert(storage, &row.try_into()?)?)
    }

    fn update(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        Self::TABLE.update(storage, row.try_into()?)?;
        Ok(())
    }

    fn delete(storage: &mut dyn Storage, sequence: u64) -> StdResult<()> {
        Self::TABLE.delete(storage, &sequence)?;
        Ok(())
    }

    fn get(storage: &dyn Storage, sequence: u64) -> StdResult<Option<Message>> {
        Ok(Self::TABLE.get(storage, &sequence)?.map(Into::into))
    }

    fn by_tx(storage: &dyn Storage, tx: &[u8]) -> StdResult<Option<Message>> {
        let found = Self::TABLE.by(Row::BY_TX)?.get(storage, &bytes32(tx)?)?;
        Ok(found.map(|(_, row)| row.into()))
    }

    fn rows_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Message>> {
        let scan = Self::TABLE.by(Row::BY_SET)?.key(&set)?;
        Ok(page(scan.page(storage, &request(order))?))
    }

    fn ids_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Uint64>> {
        let scan = Self::TABLE.by(Row::BY_SET)?.key(&set)?;
        Ok(page(scan.page_ids(storage, &request(order))?))
    }

    fn rows(storage: &dyn Storage, order: Order) -> StdResult<Page<Message>> {
        Ok(page(Self::TABLE.all().page(storage, &request(order))?))
    }
}
