//! The benchmark's row in an `IndexedMap` of cw-storage-plus: JSON, one multi index, one unique index.
//!
//! Namespaces are as short as the others'. Each operation reads the old row once, which is the least that the map can do:
//! its own `save` and `remove` read it once more after a check for existence.

use bench_interface::{Message, PAGE, Page, Peer};
use cosmwasm_std::{Order, StdError, StdResult, Storage, Uint64};
use cw_storage_plus::{Index, IndexList, IndexedMap, MultiIndex, UniqueIndex};

/// The indexes.
pub struct Indexes<'i> {
    set: MultiIndex<'i, u32, Message, u64>,
    tx: UniqueIndex<'i, Vec<u8>, Message, u64>,
}

impl IndexList<Message> for Indexes<'_> {
    fn get_indexes(&self) -> Box<dyn Iterator<Item = &dyn Index<Message>> + '_> {
        let all: [&dyn Index<Message>; 2] = [&self.set, &self.tx];
        Box::new(all.into_iter())
    }
}

fn table<'i>() -> IndexedMap<u64, Message, Indexes<'i>> {
    IndexedMap::new(
        "m",
        Indexes {
            set: MultiIndex::new(|_, row| row.guardian_set_index, "m", "ms"),
            tx: UniqueIndex::new(|row| row.initiating_tx_id.to_vec(), "mt"),
        },
    )
}

/// The map.
pub struct Map;

bench_interface::contract!(crate::Map);

/// Returns a page of what an iterator has, the key of the last item being where the next one starts.
fn page<T>(
    items: impl Iterator<Item = StdResult<T>>,
    sequence: impl Fn(&T) -> u64,
) -> StdResult<Page<T>> {
    let items: Vec<T> = items.take(PAGE).collect::<StdResult<_>>()?;
    let next = items
        .last()
        .filter(|_| items.len() == PAGE)
        .map(|last| sequence(last).to_be_bytes().into());
    Ok(Page { items, next })
}

impl Peer for Map {
    fn insert(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        table().update(storage, row.sequence, |old| match old {
            Some(_) => Err(StdError::msg("key taken")),
            None => Ok(row),
        })?;
        Ok(())
    }

    fn update(storage: &mut dyn Storage, row: Message) -> StdResult<()> {
        table().update(storage, row.sequence, |old| match old {
            Some(_) => Ok(row),
            None => Err(StdError::msg("no row")),
        })?;
        Ok(())
    }

    fn delete(storage: &mut dyn Storage, sequence: u64) -> StdResult<()> {
        let old = table().load(storage, sequence)?;
        table().replace(storage, sequence, None, Some(&old))
    }

    fn get(storage: &dyn Storage, sequence: u64) -> StdResult<Option<Message>> {
        table().may_load(storage, sequence)
    }

    fn by_tx(storage: &dyn Storage, tx: &[u8]) -> StdResult<Option<Message>> {
        let found = table().idx.tx.item(storage, tx.to_vec())?;
        Ok(found.map(|(_, row)| row))
    }

    fn rows_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Message>> {
        let map = table();
        let rows = map.idx.set.prefix(set).range(storage, None, None, order);
        page(rows.map(|row| row.map(|(_, row)| row)), |row| row.sequence)
    }

    fn ids_by_set(storage: &dyn Storage, set: u32, order: Order) -> StdResult<Page<Uint64>> {
        let map = table();
        let ids = map.idx.set.prefix(set).keys(storage, None, None, order);
        page(ids.map(|id| id.map(Uint64::new)), |id| id.u64())
    }

    fn rows(storage: &dyn Storage, order: Order) -> StdResult<Page<Message>> {
        let map = table();
        let rows = map.range(storage, None, None, order);
        page(rows.map(|row| row.map(|(_, row)| row)), |row| row.sequence)
    }
}
