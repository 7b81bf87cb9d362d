//! Faults of other codecs: nested keys that do not decode, index entries that lose their row.

use core::slice::from_ref;

use cosmwasm_std::Order::Ascending;
use cw_orm::{KeyRule, MultiKeyIndex, Namespace, OrmError, PrimaryKeyTable};

use crate::fixture::{Store, raw_key, single_key_table};

single_key_table!(DeepRow, DEEP, ((String, u16), String), b"fd", Delimited);
single_key_table!(
    DeeperRow,
    DEEPER,
    (((String, u16), Vec<u8>), (String, (u8, String))),
    b"fe",
    Delimited
);

#[test]
fn f27_nested_keys_decode_in_scans() {
    let mut store = Store::default();
    let key = (("emitter".to_owned(), 2), "note".to_owned());
    DEEP.insert(
        &mut store,
        &DeepRow {
            key: key.clone(),
            n: 1,
        },
    )
    .unwrap();
    assert_eq!(
        DEEP.all().ids(&store, Ascending).read_all().unwrap(),
        from_ref(&key)
    );
    assert_eq!(
        DEEP.prefix(&(key.0.clone(),))
            .unwrap()
            .ids(&store, Ascending)
            .read_all()
            .unwrap(),
        [key]
    );

    let key = (
        (("emitter".to_owned(), 0xff00), vec![0, 0xff]),
        ("".to_owned(), (0x80, "é".to_owned())),
    );
    DEEPER
        .insert(
            &mut store,
            &DeeperRow {
                key: key.clone(),
                n: 1,
            },
        )
        .unwrap();
    assert_eq!(
        DEEPER.all().ids(&store, Ascending).read_all().unwrap(),
        [key]
    );
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    key: (u64, String),
}

const NUMBERED: PrimaryKeyTable<Numbered> = PrimaryKeyTable::new();
const BY_TEXT: MultiKeyIndex<Numbered, String> = MultiKeyIndex::new(
    1,
    "by_text",
    Namespace::new(b"fm"),
    |key: &(u64, String), _| vec![key.1.clone()],
);

impl cw_orm::Record for Numbered {
    type PrimaryKey = (u64, String);
    type Codec = cw_orm::Postcard;
    const META: cw_orm::TableMeta = cw_orm::TableMeta {
        name: "numbered",
        namespace: Namespace::new(b"fn"),
        version: 1,
        key_rule: KeyRule::Delimited,
        limits: cw_orm::PageLimits::DEFAULT,
    };
    const INDEXES: &'static [&'static dyn cw_orm::Indexable<Self>] = &[&BY_TEXT];

    fn encode(&self) -> Result<Vec<u8>, String> {
        Ok(Vec::new())
    }

    fn decode(key: &Self::PrimaryKey, _: u8, _: &[u8]) -> Result<Self, String> {
        Ok(Self { key: key.clone() })
    }
}

impl cw_orm::PrimaryKeyed for Numbered {
    fn primary_key_fields(&self) -> Self::PrimaryKey {
        self.key.clone()
    }
}

#[test]
fn f27_index_entries_lead_to_rows_whatever_their_bytes() {
    let mut store = Store::default();
    let keys = [1, 127, 128, 255, 256, 1 << 63].map(|n: u64| (n, "text".to_owned()));
    for key in &keys {
        NUMBERED
            .insert(&mut store, &Numbered { key: key.clone() })
            .unwrap();
    }
    let scan = NUMBERED.by(BY_TEXT).unwrap().key(&"text".into()).unwrap();
    let rows = scan.entries(&store, Ascending).read_all().unwrap();
    assert_eq!(rows, keys.map(|key| (key.clone(), Numbered { key })));
}

#[test]
fn f27_an_undecodable_key_is_an_error_that_names_the_table() {
    use cosmwasm_std::Storage;
    let mut store = Store::default();
    store.set(&raw_key("fd", &[b"no end"]), &[1, 1]);
    let error = DEEP.all().ids(&store, Ascending).read_all().unwrap_err();
    assert_eq!(
        error,
        OrmError::Key {
            table: "DeepRow",
            source: cw_orm::KeyError::Truncated
        }
    );
    assert!(error.to_string().contains("DeepRow"));
    store.set(&raw_key("fm", &[b"text\0", &[1, 2]]), &[1]);
    let found = NUMBERED
        .by(BY_TEXT)
        .unwrap()
        .all()
        .ids(&store, Ascending)
        .read_all();
    assert_eq!(
        found,
        Err(OrmError::Key {
            table: "numbered",
            source: cw_orm::KeyError::Truncated
        })
    );
}
