//! The reference's test model, in a table of either kind, with the indexes of its test keeper.

use cw_orm::{
    AutoKeyed, AutoUInt64Table, Codec, Indexable, KeyRule, MultiKeyIndex, Namespace, PageLimits,
    Postcard, PrimaryKeyTable, PrimaryKeyed, Record, TableMeta, expect_version,
};

use crate::fixture::Store;

macro_rules! model {
    ($row:ident, $ns:literal, $metadata:ident = $by_metadata:literal, $ordered:ident = $by_ordered:literal,
     $name:ident = $by_name:literal, $number:ident = $by_number:literal) => {
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $row {
            pub id: u64,
            /// Must not be empty.
            pub name: String,
            pub number: u64,
            pub metadata: Vec<u8>,
        }

        /// By length first, as the reference sorts bytes.
        pub const $metadata: MultiKeyIndex<$row, Vec<u8>> =
            MultiKeyIndex::new(1, "by_metadata", Namespace::new($by_metadata), |_, row| {
                vec![row.metadata.clone()]
            });
        /// As the bytes sort.
        pub const $ordered: MultiKeyIndex<$row, Vec<u8>> = MultiKeyIndex::<$row, _>::new(
            2,
            "by_ordered",
            Namespace::new($by_ordered),
            |_, row| vec![row.metadata.clone()],
        )
        .ordered();
        pub const $name: MultiKeyIndex<$row, String> =
            MultiKeyIndex::new(3, "by_name", Namespace::new($by_name), |_, row| {
                vec![row.name.clone()]
            });
        pub const $number: MultiKeyIndex<$row, u64> =
            MultiKeyIndex::new(4, "by_number", Namespace::new($by_number), |_, row| {
                vec![row.number]
            });

        impl Record for $row {
            type PrimaryKey = u64;
            type Codec = Postcard;
            const META: TableMeta = TableMeta {
                name: stringify!($row),
                namespace: Namespace::new($ns),
                version: 1,
                key_rule: KeyRule::Delimited,
                limits: PageLimits {
                    default: 100,
                    max: 100,
                },
            };
            const INDEXES: &'static [&'static dyn Indexable<Self>] =
                &[&$metadata, &$ordered, &$name, &$number];

            fn encode(&self) -> Result<Vec<u8>, String> {
                Postcard::encode(&(&self.name, self.number, &self.metadata))
            }

            fn decode(id: &u64, version: u8, bytes: &[u8]) -> Result<Self, String> {
                expect_version(1, version)?;
                let (name, number, metadata) = Postcard::decode(bytes)?;
                Ok(Self {
                    id: *id,
                    name,
                    number,
                    metadata,
                })
            }

            fn validate(&self) -> Result<(), String> {
                if self.name.is_empty() {
                    Err("no name".into())
                } else {
                    Ok(())
                }
            }
        }

        impl PrimaryKeyed for $row {
            fn primary_key_fields(&self) -> u64 {
                self.id
            }
        }

        impl $row {
            /// A row of the name `my test` and its id.
            pub fn new(id: u64, metadata: &[u8]) -> Self {
                Self {
                    id,
                    name: format!("my test {id}"),
                    number: 123,
                    metadata: metadata.to_vec(),
                }
            }
        }
    };
}

model!(
    Given,
    b"rg",
    GIVEN_BY_METADATA = b"rgm",
    GIVEN_BY_ORDERED = b"rgo",
    GIVEN_BY_NAME = b"rgn",
    GIVEN_BY_NUMBER = b"rg4"
);
model!(
    Keyed,
    b"rk",
    KEYED_BY_METADATA = b"rkm",
    KEYED_BY_ORDERED = b"rko",
    KEYED_BY_NAME = b"rkn",
    KEYED_BY_NUMBER = b"rk4"
);

/// The table that gives ids.
pub const GIVEN: AutoUInt64Table<Given> = AutoUInt64Table::new();
/// The table whose rows bring them.
pub const KEYED: PrimaryKeyTable<Keyed> = PrimaryKeyTable::new();

impl AutoKeyed for Given {
    const SEQUENCE: Namespace = Namespace::new(b"rgs");

    fn set_id(&mut self, id: u64) {
        self.id = id;
    }
}

/// A store with rows of this metadata under the ids 1, 2, ….
pub fn given(metadata: &[&[u8]]) -> Store {
    let mut store = Store::default();
    for (place, metadata) in metadata.iter().enumerate() {
        let row = Given::new(place as u64 + 1, metadata);
        let id = GIVEN
            .insert(
                &mut store,
                &mut Given {
                    id: 0,
                    ..row.clone()
                },
            )
            .unwrap();
        assert_eq!(id, row.id);
    }
    store
}
