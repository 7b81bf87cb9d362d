//! From an `IndexedMap` to a table, while the contract is in use: rows are read from both layouts and move in bounded
//! steps; the old index entries go; the new indexes answer once all rows have moved.

use cosmwasm_std::{Order, testing::MockStorage};
use cw_orm::{Json, Namespace, StoragePlusIndex, Table};
use cw_storage_plus::{Index, IndexList, IndexedMap, MultiIndex};
use serde::{Deserialize, Serialize};

/// What the contract has kept so far, in an `IndexedMap<&str, Token, _>`.
#[derive(Clone, Table, Serialize, Deserialize)]
#[table(name = "tokens", ns = "tokens", codec = Json, key_rule = "storage_plus")]
struct Token {
    #[pk(stored)] // also in the value
    id: String,
    owner: String,
}

/// What it keeps from now on: shorter, and with an index by the ORM.
#[derive(Clone, Debug, PartialEq, Table)]
#[table(name = "tokens", ns = "t", moved_from = Token)]
struct Nft {
    #[pk]
    id: String,
    #[index(id = 1)]
    owner: String,
}

impl From<Token> for Nft {
    fn from(Token { id, owner }: Token) -> Self {
        Self { id, owner }
    }
}

struct Indexes<'a> {
    owner: MultiIndex<'a, String, Token, &'a str>,
}

impl IndexList<Token> for Indexes<'_> {
    fn get_indexes(&self) -> Box<dyn Iterator<Item = &dyn Index<Token>> + '_> {
        let owner: &dyn Index<Token> = &self.owner;
        Box::new(core::iter::once(owner))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut store = MockStorage::new();
    let owner = MultiIndex::new(
        |_: &[u8], token: &Token| token.owner.clone(),
        "tokens",
        "tokens__owner",
    );
    let map: IndexedMap<&str, Token, Indexes<'_>> = IndexedMap::new("tokens", Indexes { owner });
    for (id, owner) in [("a", "ann"), ("b", "bob"), ("c", "ann")] {
        let (id, owner) = (id.to_owned(), owner.to_owned());
        let saved = map.save(&mut store, &id.clone(), &Token { id, owner });
        saved.map_err(|error| error.to_string())?;
    }

    // In use at once: what is written moves.
    let (id, owner) = ("b".to_owned(), "cat".to_owned());
    Nft::TABLE.update(&mut store, Nft { id, owner })?;
    println!(
        "all: {:?}",
        Nft::TABLE.all()?.ids(&store, Order::Ascending).read_all()?
    );

    // A call a step, as of the contract's `migrate` and then of a message that anybody may send.
    while !Nft::TABLE.move_rows(&mut store, 1)?.done {}
    let old = StoragePlusIndex::multi("tokens", "owner", Namespace::new(b"tokens__owner"));
    while !old.clear(&mut store, 1)?.done {}

    let of_ann = Nft::TABLE.by(&store, Nft::BY_OWNER)?.key(&"ann".into())?;
    println!(
        "of ann: {:?}",
        of_ann.ids(&store, Order::Ascending).read_all()?
    );
    Ok(())
}
