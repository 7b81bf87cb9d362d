//! Index keys made of columns: `key(a, family.b)`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, Result};

use super::{
    Model,
    families::family_type,
    index::{Keys, Over, located},
    model::one_or_tuple,
};
use crate::{
    attrs::{Column, error},
    family::hash,
    types::argument_of,
};

/// The key made of columns.
pub(super) fn composite(model: &Model, over: &Over<'_>, columns: &[Column]) -> Result<Keys> {
    if let Some(column) = columns.get(12) {
        return error(&column.name, "a key has at most 12 parts");
    }
    let (mut types, mut values) = (Vec::new(), Vec::new());
    let mut named = Vec::new();
    for column in columns {
        let name = &column.name;
        if let Some(family) = &column.family {
            let (ty, value) = family_column(model, over, family, name)?;
            types.push(ty);
            values.push(value);
            continue;
        }
        let key = model.keys.iter().find(|field| field.name == *name);
        let plain = model
            .columns
            .iter()
            .find(|field| field.name == *name && field.family.is_none());
        let Some(field) = key.or(plain) else {
            return error(name, no_column(model, over, name));
        };
        let source = match over.family {
            Some(_) => {
                named.push(&field.name);
                let local = &field.local;
                quote!(#local)
            }
            None => quote!(&__row.#name),
        };
        match argument_of(&field.ty, &["Option"]) {
            Some(inner) => {
                types.push(quote!(#inner));
                values.push(quote!(::core::clone::Clone::clone(#source)?));
            }
            None => {
                let ty = &field.ty;
                types.push(quote!(#ty));
                values.push(quote!(::core::clone::Clone::clone(#source)));
            }
        }
    }
    let (ty, value) = (one_or_tuple(types.iter()), one_or_tuple(values.iter()));
    let (argument, bind) = key_binding(model, &named);
    let func = quote! {
        |#argument, __row| {
            #bind
            // A column that is `None` leaves the row out of the index.
            let __keys = || -> ::core::option::Option<::std::vec::Vec<#ty>> {
                ::core::option::Option::Some(::std::vec![#value])
            };
            __keys().unwrap_or_default()
        }
    };
    let at = columns
        .first()
        .map_or_else(Span::call_site, |column| column.name.span());
    Ok(Keys { at, ty, func })
}

/// The argument for the primary key, and what takes it apart: only where the record, a family, does not carry it, and only
/// as far as it is needed.
pub(super) fn key_binding(model: &Model, named: &[&Ident]) -> (TokenStream, TokenStream) {
    let pattern = one_or_tuple(model.keys.iter().map(|key| {
        let local = &key.local;
        if named.contains(&&key.name) {
            quote!(#local)
        } else {
            quote!(_)
        }
    }));
    match named.is_empty() {
        true => (quote!(_), quote!()),
        false => (quote!(__key), quote!(let #pattern = __key;)),
    }
}

/// The type and the value of a family's column, as its `#[derive(Family)]` tells them.
fn family_column(
    model: &Model,
    over: &Over<'_>,
    family: &Ident,
    name: &Ident,
) -> Result<(TokenStream, TokenStream)> {
    let Some(field) = over.family else {
        return error(
            family,
            format!("the table has no families: write the column alone, as `{name}`"),
        );
    };
    let (krate, ty, hash) = (&model.krate, family_type(field)?, hash(name));
    let at = located(name.span());
    let column = quote_spanned!(at=> <#ty as #krate::__private::Column<#hash>>);
    let value = quote_spanned!(at=> ::core::clone::Clone::clone(#column::key(__row)?));
    Ok((quote_spanned!(at=> #column::Key), value))
}

pub(super) fn no_column(model: &Model, over: &Over<'_>, name: &Ident) -> String {
    match over.family {
        Some(family) if family.name == *name => {
            format!("`{name}` is a family: write a column of it, as `{name}.column`")
        }
        Some(family) => format!(
            "the primary key has no field `{name}`: write `{}.{name}` for a column of the family",
            family.name
        ),
        None => {
            let fields = model.keys.iter().chain(&model.columns);
            let known: Vec<_> = fields.map(|field| format!("`{}`", field.name)).collect();
            format!(
                "the row has no column `{name}`: write one of {}",
                known.join(", ")
            )
        }
    }
}
