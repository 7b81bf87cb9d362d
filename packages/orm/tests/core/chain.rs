//! Lists of lists: messages in the order of (chain, emitter, sequence), where one table numbers the emitters and another
//! keeps the messages under those numbers.

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

fn place(
    (emitter, sent): (
        (<Emitter as cw_orm::Record>::PrimaryKey, Emitter),
        ((CompactUint64, u64), Sent),
    ),
) -> Place {
    (emitter.0.0, emitter.0.1, sent.0.1)
}

fn places(page: Page<(((u16, String), Emitter), ((CompactUint64, u64), Sent))>) -> Page<Place> {
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
fn a_page_begins_after_what_is_gone() {
    let (mut store, all) = filled();
    let page = |store: &Store, request: &PageRequest| {
        places(messages(EMITTERS.all()).page(store, request).unwrap())
    };
    let one = page(&store, &first(4));
    assert_eq!(one.items, all[..4]);
    let next = first(9).after(&one.page).unwrap();
    // The last message, then its emitter, then one that comes in its place.
    SENT.delete(&mut store, &key(1, "c", 5)).unwrap();
    assert_eq!(page(&store, &next).items, all[4..]);
    EMITTERS.delete(&mut store, &(1, "c".into())).unwrap();
    assert_eq!(page(&store, &next).items, all[4..]);
    send(&mut store, 1, "c", 4);
    send(&mut store, 1, "c", 6);
    assert_eq!(page(&store, &next).items[0], (1, "c".into(), 6));
    let back = page(&store, &last(4));
    let next = last(9).after(&back.page).unwrap();
    assert_eq!(back.items[3], (1, "c".into(), 6));
    assert_eq!(page(&store, &next).items[0], (1, "c".into(), 4));
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
fn a_cursor_of_another_list_is_refused() {
    let (store, _) = filled();
    let page = messages(EMITTERS.all()).page(&store, &first(2)).unwrap();
    let next = first(2).after(&page.page).unwrap();
    let foreign = Err(OrmError::ForeignCursor);
    let of_one = messages(EMITTERS.prefix(&(1_u16,)).unwrap());
    assert_eq!(of_one.page(&store, &next).map(places), foreign);
    let other = EMITTERS.all().then("other", |(_, emitter)| {
        SENT.prefix(&(CompactUint64(emitter.n.into()),))
    });
    assert_eq!(other.page(&store, &next).map(places), foreign);
    let filtered = messages(EMITTERS.all()).filter("odd", |(_, (key, _))| key.1 % 2 == 1);
    assert_eq!(filtered.page(&store, &next).map(places), foreign);
    assert_eq!(
        EMITTERS.all().page(&store, &next).map(|_| ()),
        Err(OrmError::ForeignCursor)
    );
    let back = PageRequest {
        reverse: true,
        ..next.clone()
    };
    assert_eq!(
        messages(EMITTERS.all()).page(&store, &back).map(places),
        foreign
    );
}

#[test]
fn a_forged_cursor_is_refused_or_a_page_of_the_list() {
    let (store, _) = filled();
    let list = || messages(EMITTERS.prefix(&(2_u16,)).unwrap());
    let page = list().page(&store, &first(1)).unwrap();
    let good = page.page.next_key.unwrap().to_vec();
    let with = |position: &[u8]| {
        let key = Some(Binary::new([&good[..10], position].concat()));
        let request = PageRequest { key, ..first(9) };
        list().page(&store, &request).map(|page| page.items.len())
    };
    // Length 4, the emitter (2, "a"), a mark, and a message of it.
    let position = &good[10..];
    assert_eq!(with(position), Ok(1));
    for len in 0..position.len() {
        let cut = with(&position[..len]);
        assert!(
            cut == Err(OrmError::MalformedCursor) || cut.is_ok(),
            "{cut:?}"
        );
    }
    assert_eq!(with(b""), Err(OrmError::MalformedCursor));
    assert_eq!(
        with(b"\0\0\0\x04\0\x01a\0\x01"),
        Err(OrmError::MalformedCursor),
        "an emitter outside"
    );
    assert_eq!(
        with(b"\0\0\0\x04\0\x02a\0\x02"),
        Err(OrmError::MalformedCursor),
        "no such mark"
    );
    assert_eq!(
        with(b"\0\0\0\x04\0\x02a\0\0x"),
        Err(OrmError::MalformedCursor),
        "more after the end"
    );
    assert_eq!(
        with(b"\xff\xff\xff\xff\0\x02a\0\x01"),
        Err(OrmError::MalformedCursor)
    );
    assert_eq!(with(b"\0\0\0\x04\0\x02a\0\0"), Ok(0), "after all of (2, a)");
    assert_eq!(
        with(b"\0\0\0\x04\0\x02a\0\x01"),
        Ok(2),
        "before all of (2, a)"
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
fn an_outer_list_of_index_entries_reads_no_row() {
    let mut store = Store::default();
    for (code, px) in [("z", 5), ("m", 6), ("a", 7)] {
        let mut row = Trade {
            code: Some(code.into()),
            ..trade(px)
        };
        let id = TRADES.insert(&mut store, &mut row).unwrap();
        for n in 0..2 {
            DOCS.insert(&mut store, &doc(id as u16, n, code)).unwrap();
        }
    }
    let list = || -> Result<List<Chained<_, FamiliesScan<Doc>>>, OrmError> {
        let codes = TRADES.by(BY_CODE)?.all().index_keys();
        Ok(codes.then("docs", |(_, id)| {
            DOCS.prefix(&(*id as u16,), Families::at(0))
        }))
    };
    let found = list().unwrap().iter(&store, Ascending).read_all().unwrap();
    let order: Vec<_> = found
        .iter()
        .map(|((code, id), doc)| (code.as_str(), *id, doc.shelf, doc.number))
        .collect();
    assert_eq!(
        order,
        [
            ("a", 3, 3, 0),
            ("a", 3, 3, 1),
            ("m", 2, 2, 0),
            ("m", 2, 2, 1),
            ("z", 1, 1, 0),
            ("z", 1, 1, 1)
        ]
    );
    // Three scans of docs and one of codes; the last one's second entry says that more are left.
    let page = store.count(|store| list().unwrap().page(store, &first(3)).unwrap());
    assert_eq!(
        page.1,
        Counts {
            get: 0,
            set: 0,
            remove: 0,
            open: 3,
            next: 2 + 3 + 2
        }
    );
    let ids = || TRADES.by(BY_CODE).unwrap().all().only_ids();
    let by_id = ids().then("docs", |id| DOCS.prefix(&(*id as u16,), Families::at(1)));
    assert_eq!(by_id.iter(&store, Descending).count(), 6);
    assert_eq!(ids().iter(&store, Ascending).read_all(), Ok(vec![3, 2, 1]));
}

#[test]
fn an_offset_reads_no_inner_row() {
    let mut store = Store::default();
    for id in 1..4_u64 {
        TRADES.insert(&mut store, &mut trade(id % 2)).unwrap();
        emit(&mut store, id as u16, "a");
    }
    let by_px = EMITTERS.all().then("trades", |_| {
        Ok(TRADES.by(crate::fixture::BY_PX)?.key(&1)?)
    });
    let request = PageRequest {
        count_total: false,
        ..counted(4, 1)
    };
    let (page, counts) = store.count(|store| by_px.page(store, &request).unwrap());
    assert_eq!(
        (page.items.len(), counts.get),
        (1, 1),
        "two trades at 1 for each of three emitters"
    );
}

#[test]
fn work_is_bounded_whatever_is_empty() {
    let mut store = Store::default();
    for n in 0..500_u16 {
        let key = (n, "e".to_owned());
        EMITTERS
            .insert(
                &mut store,
                &Emitter {
                    key,
                    n: u32::from(n),
                },
            )
            .unwrap();
    }
    let last_key = (CompactUint64(499), 1);
    SENT.insert(
        &mut store,
        &Sent {
            key: last_key,
            n: 1,
        },
    )
    .unwrap();
    let list = || messages(EMITTERS.all()).budget(20);
    let (page, counts) = store.count(|store| list().page(store, &first(5)).unwrap());
    assert!(page.items.is_empty() && page.page.next_key.is_some());
    assert!(counts.open <= 22 && counts.next <= 43, "{counts:?}");
    assert_eq!(
        walk(&first(5), |request| list().page(&store, request)).len(),
        1
    );
    assert_eq!(
        walk(&last(5), |request| list().page(&store, request)).len(),
        1
    );
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
    store.set(&crate::fixture::raw_key("ce", &[&[0, 1], b"a\0"]), &[9]);
    let page = messages(EMITTERS.all()).page(&store, &first(1));
    assert!(matches!(
        page.map(|_| ()),
        Err(OrmError::Decode {
            table: "Emitter",
            ..
        })
    ));
}

#[derive(Clone, Debug)]
struct Walk {
    rows: BTreeSet<(u16, u8, u64)>,
    changes: Vec<(BTreeSet<(u16, u8, u64)>, BTreeSet<(u16, u8, u64)>)>,
    limit: u64,
    budget: u32,
    reverse: bool,
}

fn walks() -> impl Strategy<Value = Walk> {
    let row = || (1_u16..4, 0_u8..3, 0_u64..4);
    let some = move |most| proptest::collection::btree_set(row(), 0..most);
    let changes = proptest::collection::vec((some(3), some(3)), 0..8);
    (some(20), changes, 1_u64..5, 1_u32..9, any::<bool>()).prop_map(
        |(rows, changes, limit, budget, reverse)| Walk {
            rows,
            changes,
            limit,
            budget,
            reverse,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    /// Pages while messages come and go, and emitters with the last of theirs: what was there throughout appears once, in
    /// order.
    #[test]
    fn pages_while_rows_come_and_go(walk in walks()) {
        let mut store = Store::default();
        let mut held: BTreeMap<(u16, u8), BTreeSet<u64>> = BTreeMap::new();
        let name = |letter: u8| char::from(b'a' + letter).to_string();
        let write = |store: &mut Store, held: &mut BTreeMap<(u16, u8), BTreeSet<u64>>, row: (u16, u8, u64), come: bool| {
            let (chain, letter, sequence) = row;
            let sent = held.entry((chain, letter)).or_default();
            match come {
                true if sent.insert(sequence) => send(store, chain, &name(letter), sequence),
                false if sent.remove(&sequence) => {
                    SENT.delete(store, &key(chain, &name(letter), sequence)).unwrap();
                    if sent.is_empty() {
                        EMITTERS.delete(store, &(chain, name(letter))).unwrap();
                    }
                }
                _ => {}
            }
        };
        walk.rows.iter().for_each(|row| write(&mut store, &mut held, *row, true));
        let mut throughout = walk.rows.clone();
        let mut request = PageRequest { reverse: walk.reverse, ..first(walk.limit) };
        let mut changes = walk.changes.iter();
        let mut seen = Vec::new();
        for pages in 0.. {
            prop_assert!(pages < 300, "the walk does not end");
            let list = messages(EMITTERS.all()).budget(walk.budget);
            let page = places(list.page(&store, &request).unwrap());
            prop_assert!(page.items.len() as u64 <= walk.limit);
            for (chain, address, sequence) in page.items {
                let row = (chain, address.as_bytes()[0] - b'a', sequence);
                prop_assert!(held[&(row.0, row.1)].contains(&row.2), "a page gives rows that exist");
                seen.push(row);
            }
            match request.after(&page.page) {
                Some(next) => request = next,
                None => break,
            }
            if let Some((come, go)) = changes.next() {
                go.iter().for_each(|row| {
                    throughout.remove(row);
                    write(&mut store, &mut held, *row, false);
                });
                come.iter().for_each(|row| write(&mut store, &mut held, *row, true));
            }
        }
        let mut sorted: Vec<_> = seen.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let mut want: Vec<_> = throughout.into_iter().collect();
        if walk.reverse {
            sorted.reverse();
            want.reverse();
        }
        prop_assert_eq!(&seen, &sorted, "in order, once");
        seen.retain(|row| want.contains(row));
        prop_assert_eq!(seen, want);
    }
}
