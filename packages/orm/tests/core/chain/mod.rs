//! Lists of lists: messages in the order of (chain, emitter, sequence), where one table numbers the emitters and another
//! keeps the messages under those numbers.

mod cost;
mod cursor;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use cosmwasm_std::{
    Binary,
    Order::{Ascending, Descending},
    Storage,
};
use cw_orm::{
    Chained, CompactUint64, Families, FamiliesScan, List, OrmError, Page, PageLimits, PageRequest,
    Scan,
};
use proptest::prelude::*;

use crate::fixture::{
    BY_CODE, Counts, DOCS, Doc, Store, TRADES, Trade, counted, doc, first, last, single_key_table,
    total, trade, walk,
};

single_key_table!(Emitter, EMITTERS, (u16, String), b"ce", Delimited);
single_key_table!(Sent, SENT, (CompactUint64, u64), b"cs", Delimited);

type Place = (u16, String, u64);
type Found = (((u16, String), Emitter), ((CompactUint64, u64), Sent));

fn number(chain: u16, address: &str) -> u32 {
    // Not in the order of the emitters.
    1_000 - u32::from(chain) * 10 - u32::from(address.as_bytes()[0] - b'a')
}

fn key(chain: u16, address: &str, sequence: u64) -> (CompactUint64, u64) {
    (CompactUint64(number(chain, address).into()), sequence)
}

fn emit(store: &mut dyn Storage, chain: u16, address: &str) {
    let emitter = Emitter {
        key: (chain, address.into()),
        n: number(chain, address),
    };
    EMITTERS.upsert(store, emitter).unwrap();
}

fn send(store: &mut dyn Storage, chain: u16, address: &str, sequence: u64) {
    emit(store, chain, address);
    let key = key(chain, address, sequence);
    SENT.insert(store, &Sent { key, n: 7 }).unwrap();
}

/// The messages of all emitters that `outer` covers.
fn messages(outer: Scan<Emitter>) -> List<Chained<List<Scan<Emitter>>, Scan<Sent>>> {
    outer
        .then("sent", |(_, emitter)| {
            SENT.prefix(&(CompactUint64(emitter.n.into()),))
        })
        .limits(PageLimits {
            default: 3,
            max: 100,
        })
}

fn place((emitter, sent): Found) -> Place {
    (emitter.0.0, emitter.0.1, sent.0.1)
}

fn places(page: Page<Found>) -> Page<Place> {
    page.try_map(|item| Ok::<_, OrmError>(place(item))).unwrap()
}

fn filled() -> (Store, Vec<Place>) {
    let mut store = Store::default();
    let mut all = Vec::new();
    for (chain, address, sequences) in [
        (1, "a", &[0, 1, u64::MAX][..]),
        (1, "b", &[]),
        (1, "c", &[5]),
        (2, "a", &[1, 2]),
        (2, "d", &[]),
        (3, "a", &[9]),
    ] {
        emit(&mut store, chain, address);
        for sequence in sequences {
            send(&mut store, chain, address, *sequence);
            all.push((chain, address.to_owned(), *sequence));
        }
    }
    (store, all)
}

#[test]
fn in_the_order_of_both_keys() {
    let (store, mut all) = filled();
    let found = |order| -> Vec<Place> {
        let list = messages(EMITTERS.all()).iter(&store, order);
        list.map(|item| place(item.unwrap())).collect()
    };
    assert_eq!(found(Ascending), all);
    all.reverse();
    assert_eq!(found(Descending), all);
    let of_two = messages(EMITTERS.prefix(&(2_u16,)).unwrap()).iter(&store, Ascending);
    assert_eq!(of_two.count(), 2);
}

#[test]
fn pages_in_both_directions() {
    let (store, all) = filled();
    for limit in 1..9 {
        let page =
            |request: &PageRequest| messages(EMITTERS.all()).page(&store, request).map(places);
        assert_eq!(walk(&first(limit), page), all);
        let mut back = walk(&last(limit), page);
        back.reverse();
        assert_eq!(back, all);
    }
    for budget in 1..9 {
        let page = |request: &PageRequest| {
            messages(EMITTERS.all())
                .budget(budget)
                .page(&store, request)
                .map(places)
        };
        assert_eq!(walk(&first(2), page), all);
        let mut back = walk(&last(2), page);
        back.reverse();
        assert_eq!(back, all);
    }
}

#[test]
fn requests_mean_what_they_do_for_a_scan() {
    let (store, all) = filled();
    let list = || messages(EMITTERS.all());
    let page = places(list().page(&store, &counted(3, 2)).unwrap());
    assert_eq!(
        (page.items, page.page.total),
        (all[3..5].to_vec(), total(7))
    );
    let known = list().total(70).page(&store, &counted(0, 1)).unwrap();
    assert_eq!(known.page.total, total(70));
    let whole = list().page(&store, &first(7)).unwrap();
    assert_eq!((whole.items.len(), whole.page.next_key), (7, None));
    assert_eq!(
        list()
            .page(&store, &PageRequest::default())
            .unwrap()
            .items
            .len(),
        3
    );
    let empty = messages(EMITTERS.prefix(&(9_u16,)).unwrap());
    assert_eq!(
        empty.page(&store, &counted(0, 1)).unwrap().page.total,
        total(0)
    );
    let spent = |what| OrmError::ScanBudget { what, budget: 6 };
    assert_eq!(
        list().budget(6).page(&store, &counted(0, 1)).unwrap_err(),
        spent("total")
    );
    let skip = PageRequest {
        count_total: false,
        ..counted(6, 1)
    };
    assert_eq!(
        list().budget(6).page(&store, &skip).unwrap_err(),
        spent("offset")
    );
}

#[test]
fn filters_of_either_list() {
    let (store, _) = filled();
    let odd = messages(EMITTERS.all()).filter("odd", |(_, (key, _))| key.1 % 2 == 1);
    let found = walk(&first(2), |request| odd.page(&store, request).map(places));
    let sequences: Vec<u64> = found.into_iter().map(|place| place.2).collect();
    assert_eq!(sequences, [1, u64::MAX, 5, 1, 9]);
    let not_c = EMITTERS.all().filter("c", |key, _| key.1 != "c");
    assert_eq!(messages(not_c).iter(&store, Ascending).count(), 6);
    let high = EMITTERS.all().then("high", |(_, emitter)| {
        let sent = SENT.prefix(&(CompactUint64(emitter.n.into()),))?;
        Ok(sent.filter("high", |key, _| key.1 > 4))
    });
    let found = walk(&first(1), |request| high.page(&store, request).map(places));
    assert_eq!(found.len(), 3);
}

#[test]
fn chains_of_three() {
    let (store, all) = filled();
    single_key_table!(Chain, CHAINS, u16, b"cc", Delimited);
    let mut store = store;
    for key in [1, 2, 3, 4] {
        CHAINS.insert(&mut store, &Chain { key, n: 1 }).unwrap();
    }
    let list = || {
        CHAINS
            .all()
            .only_ids()
            .then("emitters", |chain| EMITTERS.prefix(&(*chain,)))
            .then("sent", |(_, (_, emitter))| {
                SENT.prefix(&(CompactUint64(emitter.n.into()),))
            })
    };
    let sequences: Vec<u64> = all.iter().map(|place| place.2).collect();
    for (limit, budget) in [(1, 1), (2, 3), (3, 100), (7, 100)] {
        let page = |request: &PageRequest| list().budget(budget).page(&store, request);
        let found = walk(&first(limit), page);
        assert_eq!(
            found.iter().map(|(_, (key, _))| key.1).collect::<Vec<_>>(),
            sequences
        );
        let back = walk(&last(limit), page);
        assert_eq!(
            back.iter()
                .rev()
                .map(|(_, (key, _))| key.1)
                .collect::<Vec<_>>(),
            sequences
        );
    }
}

#[test]
fn errors_on_the_way_are_the_pages() {
    let (mut store, _) = filled();
    let refused = EMITTERS.all().then("sent", |(key, _)| match key.0 {
        2 => Err(OrmError::KeyAndOffset),
        _ => SENT.prefix(&(CompactUint64(0),)),
    });
    assert_eq!(
        refused.page(&store, &first(9)).map(|_| ()),
        Err(OrmError::KeyAndOffset)
    );
    assert_eq!(
        refused.iter(&store, Descending).count(),
        1,
        "nothing of chain 3, then the error"
    );
    store.set(&crate::fixture::raw_key("ce", &[&[0, 1], b"a\0"]), &[1]);
    let page = messages(EMITTERS.all()).page(&store, &first(1));
    assert!(matches!(
        page.map(|_| ()),
        Err(OrmError::Decode {
            table: "Emitter",
            ..
        })
    ));
}
