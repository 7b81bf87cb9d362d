//! `#[derive(Table)]`: reads the struct into a [`Model`], then writes the impls of a plain table or of one with families.

mod composite;
mod count;
mod covering;
mod families;
mod index;
mod model;
mod plain;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Result};

use model::{Field, Model};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let model = Model::read(input)?;
    if model.has_families() {
        families::expand(&model)
    } else {
        plain::expand(&model)
    }
}
