//! The derive macros of [`cw-orm`](https://docs.rs/cw-orm): `Table`, `Family` and `Key`. Documented there, where they
//! are re-exported; this crate is of no use alone.

#![deny(missing_docs)]

mod attrs;
mod family;
mod key;
mod table;
mod types;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct the row of a table.
///
/// # On the struct
/// `#[table(name = "orders", ns = "o")]`: the table's name in errors, and its namespace in the store, 1 to 254 bytes of
/// which each costs gas in every entry. Optional in it:
///
/// | | |
/// |---|---|
/// | `version = 1` | the version of the row layout, to be raised with each change of the columns |
/// | `migrate = path` | a `fn(&PrimaryKey, u8, &[u8]) -> Result<Row, String>` that reads rows of older versions |
/// | `codec = path` | the row codec, `Postcard` by default |
/// | `key_rule = "delimited"` | how the key's parts are delimited; also `"ordered"`, `"raw_last"`, `"storage_plus"` |
/// | `limits(default = 10, max = 30)` | the page sizes |
/// | `validate = path` | a `fn(&Row) -> Result<(), String>` that refuses rows |
/// | `moved_from = Row` | the row of the layout that this one follows: `TABLE` is then a `MovingTable` of both |
/// | `crate = path` | where the ORM is, if it is not `::cw_orm` |
///
/// Indexes over several columns, as `#[index(id = 4, name = by_price, key(market, price))]`, and by a function, as
/// `#[index(id = 5, name = by_word, with = words, key_type = String)]` with `fn words(&Row) -> Vec<String>`; both also
/// as `#[unique(…)]`. `ordered` escapes byte strings, so that they sort as values do; `tracked` keeps the
/// index's state in the store, so that it can be added to a table that has rows, and dropped again.
///
/// `#[count(…)]` counts rows by a key said in the same ways, as `#[count(id = 6, name = per_market, key(market))]`; by the
/// key of an index, as `#[count(id = 7, name = per_price, of = by_price)]`, which then tells the totals of its pages; or,
/// with neither, all rows, as `#[count(id = 8, name = total)]`. Keys that are the first parts of the primary key tell the
/// totals of the rows that begin with them.
///
/// `#[covering(…)]` is an index whose entries also hold columns: `#[covering(id = 9, name = by_time, key(time),
/// columns(buyer, amount))]`, or `columns_with = summary, columns_type = Summary` with `fn summary(&Row) -> Summary`. Its
/// `version = 2` is due once what it holds has changed.
///
/// `#[custom(id = 10, name = latest, with = latest, index_type = Latest)]` attaches an index of your own, made by a
/// `const fn latest(id: u8, name: &'static str, namespace: Namespace) -> Latest` of a type that implements `Indexable`.
///
/// # On fields
/// - `#[pk]`: a part of the primary key, in the order of the fields; or `#[pk(auto)]` on the only one, of type `u64`,
///   for ids that the table gives; or `#[pk(stored)]`, if the value holds the column too, as a map of `cw-storage-plus`
///   often has it.
/// - `#[index(id = 1)]`, `#[unique(id = 2)]`, `#[covering(id = 3, columns(x))]`: an index over this column, named `by_`
///   and the field's name unless it has a `name = x`; `#[count(id = 4)]`, named `count_by_` and it. With `each`, there is
///   a key for each element of a list.
/// - `#[family(id = 1)]`, on an `Option` of a struct that derives `Family`: a column family, with `version = 2` once its
///   layout has changed, `migrate = path` for a `fn(&PrimaryKey, u8, &[u8]) -> Result<Family, String>` that reads older
///   versions, and `validate = path` for a `fn(&Family) -> Result<(), String>`. If any field is one, all are,
///   but for the primary key's.
/// - `#[serde(…)]` is kept for the stored columns, and so is the struct's `rename_all`.
///
/// A column that is an `Option` is not indexed where it is `None`; the index key is what is inside.
///
/// # Tables with families
/// Their indexes stand on the struct and belong to one family, the one whose columns the key names:
/// `#[index(id = 3, name = by_chain_time, key(chain, publication.time))]`, where `chain` is of the primary key. By a
/// function it is `family = publication, with = f, key_type = K` with `fn f(&PrimaryKey, &Publication) -> Vec<K>`. A count
/// is of the rows that have its family.
///
/// # Ids
/// 1 to 63, one number space over the indexes and families of a table, never to be changed: an index or family is kept
/// in the namespace of the table's `ns` and the id's byte, a sequence in that of `ns` and a zero byte.
///
/// # What it makes
/// Constants of the struct, as visible as the struct: `TABLE`; `NAMESPACES`, every namespace that the table uses, for
/// [`assert_distinct`](https://docs.rs/cw-orm) over all tables of a contract; one an index in capitals, as `BY_MARKET`;
/// one a family, as `PUBLICATION`. And the impls of `Record` and `PrimaryKeyed` (and `AutoKeyed`), or of `FamilyRow` for
/// the row and of `Record` and `Member` for each family.
#[proc_macro_derive(
    Table,
    attributes(table, pk, index, unique, count, covering, custom, family, serde)
)]
pub fn derive_table(input: TokenStream) -> TokenStream {
    expand(input, table::derive)
}

/// Makes a struct with named fields a column family of a table: the table's derive then knows the types of its columns,
/// where an index names them. Those are the fields that everyone sees who sees the struct.
///
/// The struct also derives `Serialize` and `Deserialize`, by which it is stored; it belongs to one table. Optional:
/// `#[family(crate = path)]`, where the ORM is, if it is not `::cw_orm`.
#[proc_macro_derive(Family, attributes(family, serde))]
pub fn derive_family(input: TokenStream) -> TokenStream {
    expand(input, family::derive)
}

/// Makes a type a key: a struct as its fields in order, as a tuple of them; an enum without data as its discriminant,
/// one byte, by which it also sorts.
///
/// Optional: `#[key(crate = path)]`, where the ORM is, if it is not `::cw_orm`.
#[proc_macro_derive(Key, attributes(key))]
pub fn derive_key(input: TokenStream) -> TokenStream {
    expand(input, key::derive)
}

fn expand(
    input: TokenStream,
    derive: impl Fn(&DeriveInput) -> syn::Result<proc_macro2::TokenStream>,
) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive(&input)
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
