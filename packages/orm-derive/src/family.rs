//! `#[derive(Family)]`: tells a table's derive the types of a family's columns, through a hidden trait of the ORM that is
//! implemented once a column, told apart by the hash of its name. So a family can live, and be imported, anywhere.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, Ident, Result, Visibility, ext::IdentExt};

use crate::{
    attrs::{error, krate, positional},
    types::argument_of,
};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let named = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(&fields.named),
            _ => None,
        },
        _ => None,
    };
    let Some(fields) = named else {
        return error(
            &input.ident,
            "a column family is a struct with named fields: write `struct Family { column: u64 }`",
        );
    };
    if !input.generics.params.is_empty() {
        return error(
            &input.generics,
            "a column family has no parameters, as its layout must be one: write a struct for each type",
        );
    }
    let krate = krate(input, "family")?;
    let family = &input.ident;
    let mut columns = Vec::new();
    for field in fields {
        let Some(name) = &field.ident else { continue };
        let serde: Vec<_> = field
            .attrs
            .iter()
            .filter(|attr| attr.path().is_ident("serde"))
            .cloned()
            .collect();
        positional(&serde)?;
        // A field that fewer see than the family may be of a type that they alone see, which no trait may tell.
        if field.vis != input.vis && !matches!(field.vis, Visibility::Public(_)) {
            continue;
        }
        let (hash, whole) = (hash(name), &field.ty);
        let (ty, key) = match argument_of(&field.ty, &["Option"]) {
            Some(inner) => (inner, quote!(self.#name.as_ref())),
            None => (&field.ty, quote!(::core::option::Option::Some(&self.#name))),
        };
        columns.push(quote! {
            #[automatically_derived]
            impl #krate::__private::Column<#hash> for #family {
                type Key = #ty;
                type Value = #whole;

                fn key(&self) -> ::core::option::Option<&Self::Key> {
                    #key
                }

                fn value(&self) -> &Self::Value {
                    &self.#name
                }
            }
        });
    }
    Ok(quote!(#(#columns)*))
}

/// Returns the number by which a column is told from others: the FNV-1a hash of its name. Two columns of one number would
/// be two impls for it, which do not compile.
pub(crate) fn hash(name: &Ident) -> u64 {
    name.unraw()
        .to_string()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}
