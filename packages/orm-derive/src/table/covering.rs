//! The columns that a covering index's entries hold.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, Result};

use super::{
    Model,
    composite::{key_binding, no_column},
    families::family_type,
    index::{Over, located},
    model::one_or_tuple,
};
use crate::{
    attrs::{Column, IndexAttr, error},
    family::hash,
};

/// What entries hold: its type, and the function that makes it.
pub(super) struct Columns {
    pub(super) ty: TokenStream,
    pub(super) func: TokenStream,
}

pub(super) fn columns(model: &Model, over: &Over<'_>, attr: &IndexAttr) -> Result<Columns> {
    match (&attr.columns, &attr.columns_with, &attr.columns_type) {
        (Some(columns), None, None) => of_columns(model, over, columns),
        (None, Some(with), Some(ty)) => Ok(Columns {
            ty: quote!(#ty),
            func: match over.family {
                Some(_) => quote!(#with),
                None => quote!(|_, __row| #with(__row)),
            },
        }),
        (None, Some(with), None) => error(
            with,
            "the function's columns have no type yet: write `columns_type = Type`",
        ),
        _ => error(
            &attr.at,
            "a covering index holds either columns or what a function makes of the row: write `columns(a, b)`, or \
             `columns_with = function, columns_type = Type`",
        ),
    }
}

fn of_columns(model: &Model, over: &Over<'_>, columns: &[Column]) -> Result<Columns> {
    if let Some(column) = columns.get(12) {
        return error(
            &column.name,
            "an entry holds at most 12 columns: write `columns_with = function, columns_type = Type`",
        );
    }
    let (mut types, mut values) = (Vec::new(), Vec::new());
    let mut named: Vec<&Ident> = Vec::new();
    for Column { family, name } in columns {
        if let Some(family) = family {
            let Some(field) = over.family else {
                return error(
                    family,
                    format!("the table has no families: write the column alone, as `{name}`"),
                );
            };
            if field.name != *family {
                return error(
                    family,
                    format!(
                        "an index belongs to one family, here `{}`: write a column of it",
                        field.name
                    ),
                );
            }
            let (krate, ty, hash) = (&model.krate, family_type(field)?, hash(name));
            let at = located(name.span());
            let column = quote_spanned!(at=> <#ty as #krate::__private::Column<#hash>>);
            types.push(quote_spanned!(at=> #column::Value));
            let value = quote_spanned!(at=> ::core::clone::Clone::clone(#column::value(__row)));
            values.push(quote_spanned!(at=> #krate::__private::covered(#value)));
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
        let (krate, ty, at) = (&model.krate, &field.ty, located(name.span()));
        types.push(quote!(#ty));
        let value = match over.family {
            Some(_) => {
                named.push(&field.name);
                let local = &field.local;
                quote!(#local)
            }
            None => quote!(&__row.#name),
        };
        let value = quote_spanned!(at=> ::core::clone::Clone::clone(#value));
        values.push(quote_spanned!(at=> #krate::__private::covered(#value)));
    }
    let (ty, value) = (one_or_tuple(types.iter()), one_or_tuple(values.iter()));
    let (argument, bind) = key_binding(model, &named);
    Ok(Columns {
        ty,
        func: quote! {
            |#argument, __row| {
                #bind
                #value
            }
        },
    })
}
