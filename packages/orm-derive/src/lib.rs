//! The derive macros of [`cw-orm`](https://docs.rs/cw-orm): `Table`, `Family` and `Key`. Documented there, where they
//! are re-exported; this crate is of no use alone.

#![deny(missing_docs)]

mod attrs;
mod family;
mod key;
mod table;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct the row of a table.
///
/// On the struct: `#[table(name = "orders", ns = "o")]`, and optionally in it `version = 1`, `codec = path`,
/// `key_rule = "delimited" | "ordered" | "raw_last"`, `limits(default = 10, max = 30)`, `validate = path`,
/// `crate = path`; indexes over several fields as `#[index(id = 4, name = by_price, key(market, price))]`, indexes by a
/// function as `#[index(id = 5, name = by_word, with = words, key_type = String)]`, both also as `#[unique(…)]`, and
/// with `ordered` to escape byte strings so that they sort as values.
///
/// On fields: `#[pk]` (in the order of the key), or `#[pk(auto)]` on one `u64`; `#[index(id = 1)]` and
/// `#[unique(id = 2)]`, with `each` for one key an element of a `Vec`, and `None` of an `Option` not indexed;
/// `#[family(id = 1)]` on an `Option` of a type that derives `Family`.
///
/// Ids are 1 to 63, one number space over the indexes and families of a table, and never change: an index or family is
/// kept in the namespace of the table's `ns` and the id's byte.
#[proc_macro_derive(Table, attributes(table, pk, index, unique, family, serde))]
pub fn derive_table(input: TokenStream) -> TokenStream {
    expand(input, table::derive)
}

/// Makes a struct a column family of a table: the table's derive then knows its columns' types. The struct also derives
/// `Serialize` and `Deserialize`.
#[proc_macro_derive(Family)]
pub fn derive_family(input: TokenStream) -> TokenStream {
    expand(input, family::derive)
}

/// Makes a struct (its fields in order) or an enum without data (its discriminant, one byte) a key.
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
        .unwrap_or_else(|error| error.into_compile_error())
        .into()
}
