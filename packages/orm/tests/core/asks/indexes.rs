//! Indexes.

use cosmwasm_std::Order::{Ascending, Descending};
use cw_orm::{
    Codec, Indexable, KeyRule, MultiKeyIndex, Namespace, OrmError, PageLimits, PageRequest,
    Postcard, PrimaryKeyTable, PrimaryKeyed, Record, TableMeta, UniqueIndex, expect_version,
};

use crate::fixture::{
    BY_CLIENT, BY_CODE, BY_MARKET, BY_MEMO, BY_TAG, ORDERS, Order, Store, TRADES, Trade, first,
    order, trade, walk,
};

/// A seat of an event, keyed by both, with its holder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seat {
    event: u32,
    seat: String,
    holder: String,
}

const SEATS: PrimaryKeyTable<Seat> = PrimaryKeyTable::new();
/// By a part of the primary key.
const BY_SEAT: MultiKeyIndex<Seat, String> = MultiKeyIndex::new(
    1,
    "by_seat",
    Namespace::new(b"qs1"),
    |key: &(u32, String), _| vec![key.1.clone()],
);
/// One seat a holder and event: by a part of the primary key and a column.
const ONE_EACH: UniqueIndex<Seat, (u32, String)> =
    UniqueIndex::new(2, "one_each", Namespace::new(b"qs2"), |(event, _), row| {
        vec![(*event, row.holder.clone())]
    });

impl Record for Seat {
    type PrimaryKey = (u32, String);
    type Codec = Postcard;
    const META: TableMeta = TableMeta {
        name: "seats",
        namespace: Namespace::new(b"qs"),
        version: 1,
        key_rule: KeyRule::Delimited,
        limits: PageLimits::DEFAULT,
    };
    const INDEXES: &'static [&'static dyn Indexable<Self>] = &[&BY_SEAT, &ONE_EACH];

    fn encode(&self) -> Result<Vec<u8>, String> {
        Postcard::encode(&self.holder)
    }

    fn decode((event, seat): &(u32, String), version: u8, bytes: &[u8]) -> Result<Self, String> {
        expect_version(1, version)?;
        let (event, seat, holder) = (*event, seat.clone(), Postcard::decode(bytes)?);
        Ok(Self {
            event,
            seat,
            holder,
        })
    }
}

impl PrimaryKeyed for Seat {
    fn primary_key_fields(&self) -> (u32, String) {
        (self.event, self.seat.clone())
    }
}

fn seat(event: u32, seat: &str, holder: &str) -> Seat {
    Seat {
        event,
        seat: seat.into(),
        holder: holder.into(),
    }
}

/// A prefix range of an index decodes the entry's own value as a row, and fails.
#[test]
fn ask_02_prefixes_and_ranges_of_an_index_yield_its_rows() {
    let mut store = Store::default();
    for (seq, memo) in [(1, 1), (2, 1), (3, 2)] {
        ORDERS
            .insert(
                &mut store,
                &Order {
                    memo: vec![memo],
                    ..order("o", seq, "m")
                },
            )
            .unwrap();
    }
    let view = ORDERS.by(BY_MEMO).unwrap();
    let seqs = |scan: cw_orm::Scan<Order, _>| -> Vec<u32> {
        scan.rows(&store, Ascending)
            .map(|row| row.unwrap().seq)
            .collect()
    };
    assert_eq!(seqs(view.prefix(&(vec![1],)).unwrap()), [1, 2]);
    assert_eq!(
        seqs(view.range((vec![1],)..=(vec![2],)).unwrap()),
        [1, 2, 3]
    );
    assert_eq!(seqs(view.range((vec![1], 2)..).unwrap()), [2, 3]);
    assert_eq!(seqs(view.all()), [1, 2, 3]);
}

/// To take the entries of an index key whose rows have one first part of the primary key, and page by the next part.
#[test]
fn ask_05_an_index_key_and_the_first_part_of_the_primary_key_page_by_the_next() {
    let mut store = Store::default();
    for seq in 0..5 {
        for owner in ["ann", "bob", "cem"] {
            let market = if seq == 3 { "other" } else { "m" };
            ORDERS
                .insert(&mut store, &order(owner, seq, market))
                .unwrap();
        }
    }
    let view = ORDERS.by(BY_MARKET).unwrap();
    let bob = ("bob".to_owned(),);
    let of_bob = || {
        view.key_within(&"m".into(), bob.clone()..=bob.clone())
            .unwrap()
    };
    let ids = walk(&first(2), |request| of_bob().page_ids(&store, request));
    let seqs: Vec<u32> = ids
        .into_iter()
        .map(|(owner, seq)| {
            assert_eq!(owner, "bob");
            seq
        })
        .collect();
    assert_eq!(seqs, [0, 1, 2, 4]);
    let after = view.key_within(
        &"m".into(),
        ("bob".to_owned(), 2)..=("bob".to_owned(), u32::MAX),
    );
    assert_eq!(after.unwrap().ids(&store, Descending).count(), 2);
}

#[test]
fn ask_08_an_index_function_sees_the_primary_key() {
    let mut store = Store::default();
    for (event, place, holder) in [(1, "a1", "ann"), (1, "b2", "bob"), (2, "a1", "ann")] {
        SEATS
            .insert(&mut store, &seat(event, place, holder))
            .unwrap();
    }
    let view = SEATS.by(BY_SEAT).unwrap();
    let events: Vec<u32> = view
        .key(&"a1".into())
        .unwrap()
        .ids(&store, Ascending)
        .map(|id| id.unwrap().0)
        .collect();
    assert_eq!(events, [1, 2]);
    // Unique too, which is where only the row was to be had.
    let taken = SEATS.insert(&mut store, &seat(1, "c3", "ann")).unwrap_err();
    assert!(matches!(
        taken,
        OrmError::UniqueViolation {
            index: "one_each",
            ..
        }
    ));
    let found = SEATS
        .by(ONE_EACH)
        .unwrap()
        .get(&store, &(2, "ann".into()))
        .unwrap();
    assert_eq!(found.unwrap().1, seat(2, "a1", "ann"));
}

/// A unique index that stores rows cannot say which key they have.
#[test]
fn ask_10_a_unique_index_answers_with_the_primary_key_and_reads_no_row() {
    let mut store = Store::default();
    let row = Order {
        client: Some("c".into()),
        ..order("a", 7, "m")
    };
    ORDERS.insert(&mut store, &row).unwrap();
    let view = ORDERS.by(BY_CLIENT).unwrap();
    let (key, counts) = store.count(|store| view.row_key(store, &"c".into()));
    assert_eq!(key, Ok(Some(("a".into(), 7))));
    assert_eq!((counts.get, counts.next), (0, 1), "one entry of the index");
    assert_eq!(view.row_key(&store, &"d".into()), Ok(None));
    assert_eq!(
        view.get(&store, &"c".into()),
        Ok(Some((("a".into(), 7), row)))
    );
}

#[test]
fn ask_11_keys_alone_rows_alone_or_both() {
    let mut store = Store::default();
    for seq in 1..=3 {
        ORDERS.insert(&mut store, &order("a", seq, "m")).unwrap();
    }
    let market = || ORDERS.by(BY_MARKET).unwrap().key(&"m".into()).unwrap();
    let keys = [
        ("a".to_owned(), 1),
        ("a".to_owned(), 2),
        ("a".to_owned(), 3),
    ];
    let (ids, counts) = store.count(|store| market().ids(store, Ascending).read_all());
    assert_eq!(
        (ids.unwrap().as_slice(), counts.get),
        (&keys[..], 0),
        "no row is read"
    );
    let rows = market().rows(&store, Ascending).read_all().unwrap();
    assert_eq!(
        rows,
        keys.clone().map(|(owner, seq)| order(&owner, seq, "m"))
    );
    let both = market().entries(&store, Ascending).read_all().unwrap();
    assert!(
        both.iter()
            .map(|(key, row)| (key, &row.seq))
            .eq(keys.iter().map(|key| (key, &key.1)))
    );
    let page = market().page_ids(&store, &PageRequest::first(2)).unwrap();
    assert_eq!(page.items, keys[..2]);
}

/// No thread asks for it, but there is a package for it.
#[test]
fn ask_optional_a_row_without_a_key_is_not_in_the_index() {
    let mut store = Store::default();
    for code in [None, Some("a"), None] {
        let code = code.map(str::to_owned);
        TRADES
            .insert(&mut store, &mut Trade { code, ..trade(1) })
            .unwrap();
    }
    let coded = |store: &Store| {
        TRADES
            .by(BY_CODE)
            .unwrap()
            .all()
            .ids(store, Ascending)
            .read_all()
    };
    assert_eq!(coded(&store), Ok(vec![2]));
    TRADES
        .modify(&mut store, 2, |row| {
            Ok::<_, OrmError>(Trade { code: None, ..row })
        })
        .unwrap();
    assert_eq!(coded(&store), Ok(vec![]));
    ORDERS.insert(&mut store, &order("a", 1, "m")).unwrap();
    assert!(ORDERS.by(BY_TAG).unwrap().all().is_empty(&store).unwrap());
}
