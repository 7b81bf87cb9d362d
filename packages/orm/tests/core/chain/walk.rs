//! Walks while rows come and go.

use super::*;

type Row = (u16, u8, u64);
type Rows = BTreeSet<Row>;

#[derive(Clone, Debug)]
struct Walk {
    rows: Rows,
    /// What comes and what goes between two pages.
    changes: Vec<(Rows, Rows)>,
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
        let write = |store: &mut Store, held: &mut BTreeMap<(u16, u8), BTreeSet<u64>>, row: Row, come: bool| {
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
