//! `#[derive(Family)]`: the types of a family's columns, where a table's derive finds them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Fields, Ident, Path, Result};

use crate::attrs::error;

/// Returns the path of the trait that tells the columns of the family at `family`.
pub(crate) fn columns_trait(family: &Path) -> Path {
    let mut path = family.clone();
    if let Some(last) = path.segments.last_mut() {
        last.ident = columns_name(&last.ident);
    }
    path
}

fn columns_name(family: &Ident) -> Ident {
    format_ident!("__{}Columns", family)
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return error(
            &input.ident,
            "a column family is a struct with named fields",
        );
    };
    let Fields::Named(fields) = &data.fields else {
        return error(
            &input.ident,
            "a column family is a struct with named fields",
        );
    };
    if !input.generics.params.is_empty() {
        return error(
            &input.generics,
            "a column family has no parameters: its layout must be one",
        );
    }
    let (family, vis, columns) = (&input.ident, &input.vis, columns_name(&input.ident));
    let names: Vec<_> = fields
        .named
        .iter()
        .filter_map(|field| field.ident.as_ref())
        .collect();
    let types = fields.named.iter().map(|field| &field.ty);
    Ok(quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs)]
        #vis trait #columns {
            #(type #names;)*
        }

        #[automatically_derived]
        impl #columns for #family {
            #(type #names = #types;)*
        }
    })
}
