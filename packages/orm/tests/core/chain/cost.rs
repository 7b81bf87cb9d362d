//! What a chained list reads.

use super::*;

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
    let by_px = EMITTERS
        .all()
        .then("trades", |_| TRADES.by(crate::fixture::BY_PX)?.key(&1));
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
    // The budget of the outer list is that of the chain, unless it has its own.
    let list = || messages(EMITTERS.all().budget(20));
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
