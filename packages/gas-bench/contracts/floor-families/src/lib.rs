//! The benchmark's row packed by hand, in two parts: the columns that change, and the rest.
//!
//! As the contract without families, but that the row is two entries.
//!
//! | | key | value |
//! | --- | --- | --- |
//! | what stays | `00`, sequence | timestamp, chain, address, transaction id, payload |
//! | what changes | `03`, sequence | version, guardian set, nonce |

use bench_floor::pack::{Unpack, put_varint};
use bench_floor::{free, move_set, page, probe, row_key, scan, sequence, set_key, tx_key};
use bench_interface::{Message, Page, Peer, State, bytes32};
use cosmwasm_std::{Order, StdError, StdResult, Storage, Uint64};

const LASTING: u8 = 0;
const CHANGING: u8 = 3;

/// The rows.
pub struct Floor;

bench_interface::contract!(crate::Floor);

fn pack_lasting(row: &Message) -> StdResult<Vec<u8>> {
    let mut out = Vec::with_capacity(80 + row.payload.len());
    out.extend(row.timestamp.to_be_bytes());
    put_varint(&mut out, row.emitter_chain.into());
    out.extend(bytes32(&row.emitter_address)?);
    out.extend(bytes32(&row.initiating_tx_id)?);
    out.extend(row.payload.as_slice());
    Ok(out)
}

fn state(row: &Message) -> State {
    State {
        sequence: row.sequence,
        version: row.version,
        guardian_set_index: row.guardian_set_index,
        nonce: row.nonce,
    }
}

fn pack_changing(state: &State) -> Vec<u8> {
    let mut out = Vec::with_capacity(10);
    out.push(state.version);
    put_varint(&mut out, state.guardian_set_index);
    out.extend(state.nonce.to_be_bytes());
    out
}

fn unpack_changing(sequence: u64, bytes: &[u8]) -> StdResult<State> {
    let mut columns = Unpack(bytes);
    let [version] = columns.take()?;
    Ok(State {
        sequence,
        version,
        guardian_set_index: columns.varint()?,
        nonce: u32::from_be_bytes(columns.take()?),
    })
}

fn unpack(sequence: u64, lasting: &[u8], changing: &[u8]) -> StdResult<Message> {
    let state = unpack_changing(sequence, changing)?;
    let mut columns = Unpack(lasting);
    Ok(Message {
        version: state.version,
        guardian_set_index: state.guardian_set_index,
        timestamp: u32::from_be_bytes(columns.take()?),
        nonce: state.nonce,
        sequence,
        emitter_chain: columns
            .varint()?
            .try_into()
            .map_err(|_| StdError::msg("no chain"))?,
        emitter_address: columns.take::<32>()?.into(),
        initiating_tx_id: columns.take::<32>()?.into(),
        payload: columns.rest().into(),
    })
}

fn missing() -> StdError {
    StdError::msg("no row")
}

impl Peer for Floor {
    fn insert(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        let key = row_key(LASTING, row.sequence);
        if probe(storage, &key).is_some() {
            return Err(StdError::msg("key taken"));
        }
        let tx = bytes32(&row.initiating_tx_id)?;
        free(storage, &tx)?;
        storage.set(&key, &pack_lasting(&row)?);
        let changing = row_key(CHANGING, row.sequence);
        storage.set(&changing, &pack_changing(&state(&row)));
        storage.set(&set_key(row.guardian_set_index, row.sequence), &[1]);
        storage.set(&tx_key(&tx), &row.sequence.to_be_bytes());
        Ok(())
    }

    fn update(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        let key = row_key(LASTING, row.sequence);
        let old = storage.get(&key).ok_or_else(missing)?;
        let new = pack_lasting(&row)?;
        if old != new {
            let mut columns = Unpack(&old);
            columns.take::<4>()?;
            columns.varint()?;
            columns.take::<32>()?;
            let tx = columns.take::<32>()?;
            if row.initiating_tx_id != tx {
                free(storage, &row.initiating_tx_id)?;
                storage.remove(&tx_key(&tx));
                storage.set(&tx_key(&row.initiating_tx_id), &row.sequence.to_be_bytes());
            }
            storage.set(&key, &new);
        }
        Self::update_state(storage, state(&row))
    }

    fn update_state(storage: &mut dyn Storage, state: State) -> StdResult<()> {
        let key = row_key(CHANGING, state.sequence);
        let old = storage.get(&key).ok_or_else(missing)?;
        let new = pack_changing(&state);
        if old == new {
            return Ok(());
        }
        let from = unpack_changing(state.sequence, &old)?.guardian_set_index;
        move_set(storage, state.sequence, from, state.guardian_set_index);
        storage.set(&key, &new);
        Ok(())
    }

    fn delete(storage: &mut dyn Storage, sequence: u64) -> StdResult<()> {
        let old = Self::get(storage, sequence)?.ok_or_else(missing)?;
        storage.remove(&set_key(old.guardian_set_index, sequence));
        storage.remove(&tx_key(&old.initiating_tx_id));
        storage.remove(&row_key(LASTING, sequence));
        storage.remove(&row_key(CHANGING, sequence));
        Ok(())
    }

    fn get(storage: &dyn Storage, sequence: u64) -> StdResult<Option<Message>> {
        let Some(lasting) = storage.get(&row_key(LASTING, sequence)) else {
            return Ok(None);
        };
        let changing = probe(storage, &row_key(CHANGING, sequence)).ok_or_else(missing)?;
        unpack(sequence, &lasting, &changing).map(Some)
    }

    fn by_tx(storage: &dyn Storage, tx: &[u8]) -> StdResult<Option<Message>> {
        match probe(storage, &tx_key(tx)) {
            Some(id) => Self::get(storage, sequence(&id)?),
            None => Ok(None),
        }
    }

    fn rows_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Message>> {
        let prefix = bench_floor::key(1, &[&set.to_be_bytes()]);
        page(scan(storage, &prefix, order), |sequence, _| {
            Self::get(storage, sequence)?.ok_or_else(missing)
        })
    }

    fn ids_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Uint64>> {
        let prefix = bench_floor::key(1, &[&set.to_be_bytes()]);
        page(scan(storage, &prefix, order), |sequence, _| {
            Ok(sequence.into())
        })
    }

    fn rows(storage: &dyn Storage, order: Order) -> StdResult<Page<Message>> {
        let mut changing = scan(storage, &[CHANGING], order);
        page(
            scan(storage, &[LASTING], order),
            |sequence, lasting| match changing.next() {
                Some((key, changing)) if bench_floor::sequence(&key)? == sequence => {
                    unpack(sequence, &lasting, &changing)
                }
                _ => Err(missing()),
            },
        )
    }

    fn states(storage: &dyn Storage, order: Order) -> StdResult<Page<State>> {
        page(scan(storage, &[CHANGING], order), |sequence, value| {
            unpack_changing(sequence, &value)
        })
    }
}
