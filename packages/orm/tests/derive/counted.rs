//! Counters and covering indexes, on plain tables, on given ids and on families.

use cosmwasm_std::{Order, Uint64, testing::MockStorage};
use cw_orm::{IndexKind, Indexable, OrmError, PageRequest, Record, Table};
use serde::{Deserialize, Serialize};

use crate::dump;

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "sales", ns = "s")]
#[count(id = 2, name = total)]
#[count(id = 3, name = per_market, of = by_market)]
#[count(id = 4, name = per_seller, key(seller))]
#[count(id = 5, name = per_buyer_market, key(buyer, market), ordered)]
#[count(id = 6, name = per_word, with = words, key_type = String)]
#[covering(id = 9, name = by_price, key(market, price), columns(buyer, number, terms), version = 3, ordered)]
#[covering(id = 10, name = by_buyer, key(buyer), columns_with = summary, columns_type = Summary)]
#[count(id = 11, name = per_price, of = by_price)]
pub struct Sale {
    #[pk]
    pub seller: String,
    #[pk]
    pub number: u32,
    #[index(id = 1)]
    #[covering(id = 12, name = prices, columns(price))]
    pub market: String,
    pub buyer: Option<String>,
    #[count(id = 7)]
    pub price: u64,
    #[count(id = 8, each)]
    #[covering(id = 13, each, columns(price, buyer))]
    pub tags: Vec<String>,
    pub terms: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    price: u64,
    words: usize,
}

fn words(row: &Sale) -> Vec<String> {
    row.terms.split_whitespace().map(str::to_owned).collect()
}

fn summary(row: &Sale) -> Summary {
    Summary {
        price: row.price,
        words: words(row).len(),
    }
}

fn sale(seller: &str, number: u32) -> Sale {
    Sale {
        seller: seller.into(),
        number,
        market: "wool".into(),
        buyer: None,
        price: 5,
        tags: vec![],
        terms: "as seen".into(),
    }
}

fn filled() -> MockStorage {
    let mut store = MockStorage::new();
    let tags = ["raw", "dyed", "raw"].map(str::to_owned).to_vec();
    let buyer = Some("bob".to_owned());
    let bought = |number| Sale {
        buyer: buyer.clone(),
        ..sale("ann", number)
    };
    for row in [
        Sale { tags, ..bought(1) },
        Sale {
            price: 7,
            ..bought(2)
        },
        sale("cid", 1),
    ] {
        Sale::TABLE.insert(&mut store, &row).unwrap();
    }
    store
}

fn count_of<K: cw_orm::Key>(index: cw_orm::CountIndex<Sale, K>, key: K) -> u64 {
    let counts = Sale::TABLE.counts(index).unwrap();
    counts.count(&filled(), &key).unwrap()
}

#[test]
fn facts() {
    let names: Vec<_> = Sale::INDEXES
        .iter()
        .map(|index| (index.id(), index.name(), index.kind()))
        .collect();
    use IndexKind::{Count, Covering, MultiKey};
    let expected = [
        (1, "by_market", MultiKey),
        (12, "prices", Covering),
        (7, "count_by_price", Count),
        (8, "count_by_tags", Count),
        (13, "by_tags", Covering),
        (2, "total", Count),
        (4, "per_seller", Count),
        (5, "per_buyer_market", Count),
        (6, "per_word", Count),
        (9, "by_price", Covering),
        (10, "by_buyer", Covering),
        (3, "per_market", Count),
        (11, "per_price", Count),
    ];
    assert_eq!(names, expected);
    assert_eq!(Sale::NAMESPACES.len(), 14);
    assert_eq!(Indexable::<Sale>::namespace(&Sale::TOTAL).name(), b"s\x02");
}

#[test]
fn counts() {
    assert_eq!(count_of(Sale::TOTAL, ()), 3);
    assert_eq!(count_of(Sale::PER_MARKET, "wool".into()), 3);
    assert_eq!(count_of(Sale::PER_SELLER, "ann".into()), 2);
    assert_eq!(
        count_of(Sale::PER_BUYER_MARKET, ("bob".into(), "wool".into())),
        2
    );
    assert_eq!(count_of(Sale::PER_WORD, "seen".into()), 3);
    assert_eq!(count_of(Sale::COUNT_BY_PRICE, 5), 2);
    assert_eq!(count_of(Sale::COUNT_BY_TAGS, "raw".into()), 1);
    assert_eq!(count_of(Sale::PER_PRICE, ("wool".into(), 7)), 1);
    let all = Sale::TABLE.counts(Sale::PER_BUYER_MARKET).unwrap().all();
    assert_eq!(
        all.sum(&filled()),
        Ok(2),
        "a sale without a buyer is not counted"
    );
}

#[test]
fn totals_of_pages() {
    let store = filled();
    let request = PageRequest {
        count_total: true,
        ..PageRequest::first(1)
    };
    let total = |page: cw_orm::Page<Sale>| page.page.total.map(|total| total.u64());
    // With a budget of one row, a total that is told is one that is kept.
    let all = Sale::TABLE.all().budget(1).page(&store, &request).unwrap();
    assert_eq!(total(all), Some(3));
    let of_ann = Sale::TABLE.prefix(&("ann".to_owned(),)).unwrap();
    assert_eq!(
        total(of_ann.budget(1).page(&store, &request).unwrap()),
        Some(2)
    );
    let wool = Sale::TABLE
        .by(Sale::BY_MARKET)
        .unwrap()
        .key(&"wool".into())
        .unwrap();
    assert_eq!(
        total(wool.budget(1).page(&store, &request).unwrap()),
        Some(3)
    );
    let at_five = Sale::TABLE
        .by(Sale::BY_PRICE)
        .unwrap()
        .key(&("wool".into(), 5))
        .unwrap();
    let page = at_five.budget(1).columns().page(&store, &request).unwrap();
    assert_eq!(page.page.total, Some(Uint64::new(2)));
}

#[test]
fn covered_columns() {
    let store = filled();
    let view = Sale::TABLE.by(Sale::BY_PRICE).unwrap();
    let scan = view.prefix(&("wool".to_owned(),)).unwrap().columns();
    let found = scan
        .iter(&store, Order::Descending)
        .first()
        .unwrap()
        .unwrap();
    let buyer = Some("bob".to_owned());
    assert_eq!(
        found,
        (
            ("wool".into(), 7),
            ("ann".into(), 2),
            (buyer.clone(), 2, "as seen".into())
        )
    );
    let of_bob = Sale::TABLE
        .by(Sale::BY_BUYER)
        .unwrap()
        .key(&"bob".into())
        .unwrap();
    let summaries = of_bob.columns().iter(&store, Order::Ascending);
    let summaries: Vec<_> = summaries.map(|found| found.unwrap().2).collect();
    assert_eq!(
        summaries,
        [
            Summary { price: 5, words: 2 },
            Summary { price: 7, words: 2 }
        ]
    );
    let prices = Sale::TABLE.by(Sale::PRICES).unwrap().all().columns();
    let prices: Vec<u64> = prices
        .iter(&store, Order::Ascending)
        .map(|found| found.unwrap().2)
        .collect();
    assert_eq!(prices, [5, 7, 5]);
    let dyed = Sale::TABLE
        .by(Sale::BY_TAGS)
        .unwrap()
        .key(&"dyed".into())
        .unwrap()
        .columns();
    let found = dyed.iter(&store, Order::Ascending).read_all().unwrap();
    assert_eq!(found, [("dyed".into(), ("ann".into(), 1), (5, buyer))]);
}

#[test]
fn entries_are_laid_out_as_documented() {
    let mut store = MockStorage::new();
    let row = Sale {
        price: 258,
        ..sale("a", 1)
    };
    Sale::TABLE.insert(&mut store, &row).unwrap();
    let entries = dump(&store);
    let value = |key: &str| {
        let found = entries.iter().find(|(at, _)| *at == key.replace(' ', ""));
        found.map(|(_, value)| value.clone())
    };
    assert_eq!(value("0002 7302").as_deref(), Some("01"), "the total");
    assert_eq!(
        value("0002 7303 776f6f6c00").as_deref(),
        Some("01"),
        "of the market"
    );
    let price = value("0002 7309 776f6f6c00 0000000000000102 6100 00000001");
    assert_eq!(
        price.as_deref(),
        Some("03000107617320736565 6e".replace(' ', "").as_str())
    );
}

#[test]
fn a_deleted_table_is_empty() {
    let mut store = filled();
    for key in Sale::TABLE
        .all()
        .ids(&store, Order::Ascending)
        .read_all()
        .unwrap()
    {
        Sale::TABLE.delete(&mut store, &key).unwrap();
    }
    assert!(dump(&store).is_empty());
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "notes", ns = "n", key_rule = "ordered")]
#[count(id = 1, name = total)]
#[count(id = 2, name = per_path, key(path))]
#[count(id = 3, name = per_n, key(n))]
struct Note {
    #[pk]
    path: Vec<u8>,
    #[pk]
    n: u8,
}

#[test]
fn counters_of_ordered_keys_tell_totals_too() {
    let mut store = MockStorage::new();
    for path in [&[0][..], &[0, 1], &[1]] {
        for n in 0..2 {
            let path = path.to_vec();
            Note::TABLE.insert(&mut store, &Note { path, n }).unwrap();
        }
    }
    let of_path = Note::TABLE.prefix(&(vec![0_u8],)).unwrap().budget(1);
    assert_eq!(of_path.count(&store), Ok(2));
    assert_eq!(Note::TABLE.all().budget(1).count(&store), Ok(6));
    assert_eq!(
        Note::TABLE.counts(Note::PER_N).unwrap().count(&store, &1),
        Ok(3)
    );
}

#[derive(cw_orm::Family, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Publication {
    pub time: u32,
    pub to: Option<u16>,
    pub payload: String,
}

#[derive(cw_orm::Family, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quorum {
    pub set: u32,
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "messages", ns = "m")]
#[count(id = 3, name = total, family = publication)]
#[count(id = 4, name = per_chain, family = publication, key(chain))]
#[count(id = 5, name = per_to, key(publication.to))]
#[count(id = 6, name = per_set, of = by_set)]
#[covering(id = 7, name = by_set, key(quorum.set), columns(chain))]
#[covering(id = 8, name = by_time, key(chain, publication.time), columns(sequence, publication.to, publication.payload))]
#[covering(id = 9, name = by_length, family = publication, with = lengths, key_type = u8, columns_with = start, columns_type = String)]
struct Message {
    #[pk]
    chain: u16,
    #[pk]
    sequence: u64,
    #[family(id = 1)]
    publication: Option<Publication>,
    #[family(id = 2)]
    quorum: Option<Quorum>,
}

fn lengths(_: &(u16, u64), publication: &Publication) -> Vec<u8> {
    vec![publication.payload.len() as u8]
}

fn start(key: &(u16, u64), publication: &Publication) -> String {
    format!("{}/{}: {:.1}", key.0, key.1, publication.payload)
}

#[test]
fn of_families() {
    let mut store = MockStorage::new();
    for sequence in 0..3 {
        let to = (sequence > 0).then_some(9);
        let payload = format!("p{sequence}");
        let publication = Some(Publication {
            time: 100,
            to,
            payload,
        });
        let quorum = (sequence == 1).then_some(Quorum { set: 4 });
        let row = Message {
            chain: 2,
            sequence,
            publication,
            quorum,
        };
        Message::TABLE.insert(&mut store, &row).unwrap();
    }
    let table = Message::TABLE;
    let publications = table.counts::<Publication, _>(Message::TOTAL).unwrap();
    assert_eq!(publications.count(&store, &()), Ok(3));
    assert_eq!(
        table
            .family::<Publication>()
            .prefix(&(2_u16,))
            .unwrap()
            .budget(1)
            .count(&store),
        Ok(3)
    );
    let to = table.counts::<Publication, _>(Message::PER_TO).unwrap();
    assert_eq!(to.count(&store, &9), Ok(2));
    let set = table.counts::<Quorum, _>(Message::PER_SET).unwrap();
    assert_eq!(set.count(&store, &4), Ok(1));
    let times = table
        .by::<Publication, _>(Message::BY_TIME)
        .unwrap()
        .all()
        .columns();
    let last = times
        .iter(&store, Order::Descending)
        .first()
        .unwrap()
        .unwrap();
    assert_eq!(last, ((2, 100), (2, 2), (2, Some(9), "p2".to_owned())));
    let sets = table
        .by::<Quorum, _>(Message::BY_SET)
        .unwrap()
        .all()
        .columns();
    assert_eq!(
        sets.iter(&store, Order::Ascending).read_all(),
        Ok(vec![(4, (2, 1), 2)])
    );
    let starts = table
        .by::<Publication, _>(Message::BY_LENGTH)
        .unwrap()
        .all()
        .columns();
    let first = starts
        .iter(&store, Order::Ascending)
        .first()
        .unwrap()
        .unwrap();
    assert_eq!(first.2, "2/0: p");
    let gone = table.family::<Publication>().delete(&mut store, &(2, 0));
    gone.map(drop).unwrap();
    assert_eq!(publications.count(&store, &()), Ok(2));
    assert!(matches!(
        table
            .with_indexes(cw_orm::IndexSet::NONE)
            .counts::<Publication, _>(Message::TOTAL),
        Err(OrmError::IndexUnavailable { index: "total", .. })
    ));
}

#[derive(Table, Clone, Debug, PartialEq)]
#[table(name = "jobs", ns = "j", codec = cw_orm::Json)]
#[count(id = 1, name = total)]
struct Job {
    #[pk(auto)]
    id: u64,
    #[covering(id = 2, columns(owner))]
    state: u8,
    owner: String,
}

#[test]
fn of_given_ids_in_json() {
    let mut store = MockStorage::new();
    let job = |state| Job {
        id: 0,
        state,
        owner: "ann".into(),
    };
    Job::TABLE.insert(&mut store, &mut job(1)).unwrap();
    Job::TABLE.insert(&mut store, &mut job(0)).unwrap();
    assert_eq!(Job::TABLE.all().budget(1).count(&store), Ok(2));
    let list = Job::TABLE.by(Job::BY_STATE).unwrap().all().columns();
    let ids: Vec<_> = list
        .iter(&store, Order::Ascending)
        .map(|found| found.unwrap().1)
        .collect();
    assert_eq!(ids, [2, 1]);
    let entry = dump(&store)
        .into_iter()
        .find(|(key, _)| key.starts_with("00026a02"));
    assert_eq!(entry.unwrap().1, format!("01{}", hex::encode("\"ann\"")));
}
