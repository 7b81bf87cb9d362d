//! Rows.

use cw_orm::{
    Codec, Indexable, Json, KeyRule, Namespace, OrmError, PageLimits, Postcard, PrimaryKeyTable,
    PrimaryKeyed, Record, TableMeta,
};
use serde::{Deserialize, Serialize};

use crate::fixture::{BY_MARKET, ORDERS, Order, Store, TRADES, Trade, order, trade};

/// The same row under two codecs.
macro_rules! coded {
    ($row:ident, $codec:ty, $ns:literal) => {
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        struct $row {
            id: u8,
            owner: String,
            amount: u64,
            tags: Vec<String>,
        }

        impl Record for $row {
            type PrimaryKey = u8;
            type Codec = $codec;
            const META: TableMeta = TableMeta {
                name: "coded",
                namespace: Namespace::new($ns),
                version: 1,
                key_rule: KeyRule::Delimited,
                limits: PageLimits::DEFAULT,
            };
            const INDEXES: &'static [&'static dyn Indexable<Self>] = &[];

            fn encode(&self) -> Result<Vec<u8>, String> {
                <$codec>::encode(self)
            }

            fn decode(_: &u8, _: u8, bytes: &[u8]) -> Result<Self, String> {
                <$codec>::decode(bytes)
            }
        }

        impl PrimaryKeyed for $row {
            fn primary_key_fields(&self) -> u8 {
                self.id
            }
        }

        impl $row {
            /// Stores a row, and returns how many bytes its value has.
            fn stored(store: &mut Store) -> usize {
                let (owner, tags) = ("ann".into(), vec!["red".into(), "round".into()]);
                let row = Self {
                    id: 1,
                    owner,
                    amount: 300,
                    tags,
                };
                let table = PrimaryKeyTable::<Self>::new();
                table.insert(store, &row).unwrap();
                assert_eq!(table.get_one(store, &1), Ok(row));
                store.dump().into_values().next().unwrap().len()
            }
        }
    };
}

coded!(Binary, Postcard, b"qb");
coded!(Text, Json, b"qj");

#[test]
fn ask_12_the_codec_is_a_parameter_and_the_default_is_small() {
    let binary = Binary::stored(&mut Store::default());
    let text = Text::stored(&mut Store::default());
    assert_eq!((binary, text), (19, 58));
}

#[test]
fn ask_16_insert_answers_with_the_id_and_the_sequence_can_be_read() {
    let mut store = Store::default();
    assert_eq!(TRADES.sequence().current(&store), Ok(0));
    for want in 1..=3 {
        let mut row = trade(5);
        assert_eq!(TRADES.sequence().peek(&store), Ok(want));
        assert_eq!(TRADES.insert(&mut store, &mut row), Ok(want));
        assert_eq!(
            (row.id, TRADES.sequence().current(&store)),
            (want, Ok(want))
        );
    }
    TRADES.delete(&mut store, 3).unwrap();
    assert_eq!(TRADES.sequence().current(&store), Ok(3));
}

#[test]
fn ask_17_one_column_is_changed_and_the_rest_kept() {
    let mut store = Store::default();
    let row = Order {
        amount: 5,
        tags: vec!["x".into()],
        ..order("a", 1, "m")
    };
    ORDERS.insert(&mut store, &row).unwrap();
    let key = ("a".to_owned(), 1);
    let more = |row: Order| {
        Ok::<_, OrmError>(Order {
            amount: row.amount + 1,
            ..row
        })
    };
    let (new, counts) = store.count(|store| ORDERS.modify(store, &key, more));
    assert_eq!(
        new,
        Ok(Order {
            amount: 6,
            ..row.clone()
        })
    );
    assert_eq!(
        (counts.get, counts.set, counts.remove),
        (1, 1, 0),
        "no index is touched"
    );
    assert_eq!(
        ORDERS.get_one(&store, &key),
        Ok(Order {
            amount: 6,
            ..row.clone()
        })
    );

    // An indexed column moves its entry; an error of the closure's own changes nothing.
    ORDERS
        .modify(&mut store, &key, |row| {
            Ok::<_, OrmError>(Order {
                market: "n".into(),
                ..row
            })
        })
        .unwrap();
    assert_eq!(
        ORDERS.by(BY_MARKET).unwrap().has(&store, &"m".into()),
        Ok(false)
    );
    let before = store.dump();
    #[derive(Debug, PartialEq)]
    enum Refused {
        Poor,
        Orm(OrmError),
    }
    impl From<OrmError> for Refused {
        fn from(error: OrmError) -> Self {
            Self::Orm(error)
        }
    }
    assert_eq!(
        ORDERS.modify(&mut store, &key, |_| Err(Refused::Poor)),
        Err(Refused::Poor)
    );
    let missing = ORDERS.modify(&mut store, &("b".into(), 1), Ok::<_, Refused>);
    assert!(matches!(
        missing,
        Err(Refused::Orm(OrmError::NotFound { .. }))
    ));
    assert_eq!(store.dump(), before);
    assert!(matches!(
        TRADES.modify(&mut store, 1, Ok::<Trade, OrmError>),
        Err(OrmError::NotFound { .. })
    ));
}
