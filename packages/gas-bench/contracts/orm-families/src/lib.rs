//! The benchmark's row in two column families of the ORM: the columns that change, and the rest.

use bench_interface::{Message, PAGE, Page, Peer, State, bytes32};
use cosmwasm_std::{Order, StdError, StdResult, Storage, Uint64};
use cw_orm::{Families, Family, PageRequest, Table};
use serde::{Deserialize, Serialize};

/// A message.
#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "messages", ns = "m", limits(default = 30, max = 30))]
#[index(id = 10, name = by_set, key(changing.guardian_set_index))]
#[unique(id = 11, name = by_tx, key(lasting.initiating_tx_id))]
pub struct Row {
    #[pk]
    sequence: u64,
    #[family(id = 1)]
    lasting: Option<Lasting>,
    #[family(id = 2)]
    changing: Option<Changing>,
}

/// The columns that stay.
#[derive(Family, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lasting {
    /// The emitter's time, in Unix seconds.
    pub timestamp: u32,
    /// The emitter's chain.
    pub emitter_chain: u16,
    /// The emitter's address.
    pub emitter_address: [u8; 32],
    /// The transaction that published it.
    pub initiating_tx_id: [u8; 32],
    /// The payload.
    #[serde(with = "serde_bytes")]
    pub payload: Vec<u8>,
}

/// The columns that change.
#[derive(Family, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changing {
    /// The version of the message's format.
    pub version: u8,
    /// The guardian set that signed it.
    pub guardian_set_index: u32,
    /// The emitter's nonce.
    pub nonce: u32,
}

/// The table.
pub struct Orm;

bench_interface::contract!(crate::Orm);

const ALL: Families = Row::LASTING.and(Row::CHANGING);

impl TryFrom<Message> for Row {
    type Error = StdError;

    fn try_from(row: Message) -> StdResult<Self> {
        Ok(Self {
            sequence: row.sequence,
            changing: Some(Changing {
                version: row.version,
                guardian_set_index: row.guardian_set_index,
                nonce: row.nonce,
            }),
            lasting: Some(Lasting {
                timestamp: row.timestamp,
                emitter_chain: row.emitter_chain,
                emitter_address: bytes32(&row.emitter_address)?,
                initiating_tx_id: bytes32(&row.initiating_tx_id)?,
                payload: row.payload.into(),
            }),
        })
    }
}

fn message(
    sequence: u64,
    lasting: Option<Lasting>,
    changing: Option<Changing>,
) -> StdResult<Message> {
    let (Some(lasting), Some(changing)) = (lasting, changing) else {
        return Err(StdError::msg("a row without one of its families"));
    };
    Ok(Message {
        version: changing.version,
        guardian_set_index: changing.guardian_set_index,
        timestamp: lasting.timestamp,
        nonce: changing.nonce,
        sequence,
        emitter_chain: lasting.emitter_chain,
        emitter_address: lasting.emitter_address.into(),
        initiating_tx_id: lasting.initiating_tx_id.into(),
        payload: lasting.payload.into(),
    })
}

fn request(order: Order) -> PageRequest {
    PageRequest {
        reverse: order == Order::Descending,
        ..PageRequest::first(PAGE as u64)
    }
}

fn page<T, U>(page: cw_orm::Page<T>, map: impl FnMut(T) -> StdResult<U>) -> StdResult<Page<U>> {
    let page = page.try_map(map)?;
    Ok(Page {
        items: page.items,
        next: page.page.next_key,
    })
}

impl Peer for Orm {
    fn insert(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        Ok(Row::TABLE.insert(storage, &row.try_into()?)?)
    }

    fn update(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        Row::TABLE.update(storage, &row.try_into()?)?;
        Ok(())
    }

    fn update_state(storage: &mut dyn Storage, state: State) -> StdResult<()> {
        let changing = Changing {
            version: state.version,
            guardian_set_index: state.guardian_set_index,
            nonce: state.nonce,
        };
        let family = Row::TABLE.family::<Changing>();
        family.update(storage, &state.sequence, changing)?;
        Ok(())
    }

    fn delete(storage: &mut dyn Storage, sequence: u64) -> StdResult<()> {
        Row::TABLE.delete(storage, &sequence)?;
        Ok(())
    }

    fn get(storage: &dyn Storage, sequence: u64) -> StdResult<Option<Message>> {
        let found = Row::TABLE.get(storage, &sequence, ALL)?;
        found
            .map(|row| message(row.sequence, row.lasting, row.changing))
            .transpose()
    }

    fn by_tx(storage: &dyn Storage, tx: &[u8]) -> StdResult<Option<Message>> {
        let by_tx = Row::TABLE.by::<Lasting, _>(Row::BY_TX)?;
        let Some((sequence, lasting)) = by_tx.get(storage, &bytes32(tx)?)? else {
            return Ok(None);
        };
        let changing = Row::TABLE.family::<Changing>().get(storage, &sequence)?;
        message(sequence, Some(lasting), changing).map(Some)
    }

    fn rows_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Message>> {
        let by_set = Row::TABLE.by::<Changing, _>(Row::BY_SET)?;
        let scan = by_set.key(&set)?;
        page(
            scan.page_entries(storage, &request(order))?,
            |(sequence, changing)| {
                let lasting = Row::TABLE.family::<Lasting>().get(storage, &sequence)?;
                message(sequence, lasting, Some(changing))
            },
        )
    }

    fn ids_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Uint64>> {
        let by_set = Row::TABLE.by::<Changing, _>(Row::BY_SET)?;
        let scan = by_set.key(&set)?;
        page(scan.page_ids(storage, &request(order))?, |id| Ok(id.into()))
    }

    fn rows(storage: &dyn Storage, order: Order) -> StdResult<Page<Message>> {
        page(Row::TABLE.all(ALL).page(storage, &request(order))?, |row| {
            message(row.sequence, row.lasting, row.changing)
        })
    }

    fn states(storage: &dyn Storage, order: Order) -> StdResult<Page<State>> {
        let scan = Row::TABLE.family::<Changing>().all();
        page(
            scan.page_entries(storage, &request(order))?,
            |(sequence, changing)| {
                Ok(State {
                    sequence,
                    version: changing.version,
                    guardian_set_index: changing.guardian_set_index,
                    nonce: changing.nonce,
                })
            },
        )
    }
}
