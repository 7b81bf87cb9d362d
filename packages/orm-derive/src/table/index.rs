//! From an index's attribute to its constant.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{GenericArgument, Ident, PathArguments, Result, Type};

use super::{Field, Model};
use crate::{
    attrs::{Column, IndexAttr, error},
    family::columns_trait,
};

/// An index, ready to be written.
pub(crate) struct Index {
    pub(crate) constant: Ident,
    pub(crate) id: u8,
    /// The family that it belongs to, if the table has families.
    pub(crate) family: Option<Ident>,
    pub(crate) tokens: TokenStream,
}

/// What an index of a table with families is over.
struct Over<'m> {
    record: TokenStream,
    family: Option<&'m Field>,
}

/// Returns all indexes of the table, checked against each other and the families.
pub(crate) fn all(model: &Model) -> Result<Vec<Index>> {
    let mut indexes = Vec::new();
    for field in model.keys.iter().chain(&model.columns) {
        for attr in &field.indexes {
            indexes.push(of_field(model, field, attr)?);
        }
    }
    for attr in &model.indexes {
        indexes.push(of_struct(model, attr)?);
    }
    let mut taken: BTreeMap<u8, ()> = BTreeMap::new();
    let families = model
        .columns
        .iter()
        .filter_map(|column| column.family.as_ref().map(|family| &family.id));
    let attrs = model
        .keys
        .iter()
        .chain(&model.columns)
        .flat_map(|field| &field.indexes)
        .chain(&model.indexes);
    for id in families.chain(attrs.map(|attr| &attr.id)) {
        if taken.insert(id.base10_parse()?, ()).is_some() {
            return error(
                id,
                "this id is taken in the table; families and indexes share one number space",
            );
        }
    }
    let mut names: BTreeMap<String, ()> = BTreeMap::new();
    for index in &indexes {
        if names.insert(index.constant.to_string(), ()).is_some() {
            return error(&index.constant, "two indexes have this name");
        }
    }
    Ok(indexes)
}

fn of_field(model: &Model, field: &Field, attr: &IndexAttr) -> Result<Index> {
    if model.columns.iter().any(|column| column.family.is_some()) {
        return error(
            &attr.at,
            "in a table with families, an index stands on the struct: write `#[index(id = 1, name = by_x, key(family.x))]`",
        );
    }
    if attr.key.is_some() || attr.with.is_some() || attr.key_type.is_some() || attr.family.is_some()
    {
        return error(
            &attr.at,
            "key, with, key_type and family are for an index on the struct",
        );
    }
    let field_name = &field.name;
    let name = attr
        .name
        .clone()
        .unwrap_or_else(|| Ident::new(&format!("by_{field_name}"), field_name.span()));
    let (ty, keys) = if attr.each {
        let Some(inner) = argument_of(&field.ty, None) else {
            return error(&field.ty, "`each` is for a list, as `Vec<String>`");
        };
        (
            quote!(#inner),
            quote!(|_, row| ::core::iter::IntoIterator::into_iter(&row.#field_name).cloned().collect()),
        )
    } else if let Some(inner) = argument_of(&field.ty, Some("Option")) {
        (
            quote!(#inner),
            quote!(|_, row| row.#field_name.iter().cloned().collect()),
        )
    } else {
        let ty = &field.ty;
        (
            quote!(#ty),
            quote!(|_, row| ::std::vec![::core::clone::Clone::clone(&row.#field_name)]),
        )
    };
    let row = &model.row;
    write(
        model,
        attr,
        &name,
        &Over {
            record: quote!(#row),
            family: None,
        },
        &ty,
        &keys,
    )
}

fn of_struct(model: &Model, attr: &IndexAttr) -> Result<Index> {
    let Some(name) = &attr.name else {
        return error(
            &attr.at,
            "an index on the struct needs a name: write `name = by_x`",
        );
    };
    if attr.each {
        return error(
            &attr.at,
            "`each` is for an index on a field; use `with` for several keys a row",
        );
    }
    let over = over(model, attr)?;
    match (&attr.key, &attr.with, &attr.key_type) {
        (Some(columns), None, None) => {
            let (ty, keys) = composite(model, &over, columns)?;
            write(model, attr, name, &over, &ty, &keys)
        }
        (None, Some(with), Some(ty)) => {
            let keys = if over.family.is_some() {
                quote!(#with)
            } else {
                quote!(|_, row| #with(row))
            };
            write(model, attr, name, &over, &quote!(#ty), &keys)
        }
        _ => error(
            &attr.at,
            "say what the keys are: `key(a, b)` for columns, or `with = function, key_type = Type` for a function",
        ),
    }
}

/// Finds the one family that an index is over.
fn over<'m>(model: &'m Model, attr: &IndexAttr) -> Result<Over<'m>> {
    let row = &model.row;
    if model.columns.iter().all(|column| column.family.is_none()) {
        return match &attr.family {
            Some(family) => error(family, "the table has no families"),
            None => Ok(Over {
                record: quote!(#row),
                family: None,
            }),
        };
    }
    let mut found = attr.family.clone();
    for column in attr.key.iter().flatten() {
        match (&found, &column.family) {
            (Some(one), Some(other)) if one != other => {
                return error(
                    other,
                    format!(
                        "an index belongs to one family, but this one spans `{one}` and `{other}`"
                    ),
                );
            }
            (None, Some(_)) => found.clone_from(&column.family),
            _ => {}
        }
    }
    let Some(found) = found else {
        return error(
            &attr.at,
            "say which family the index belongs to: write `family = x`, or a column as `x.column`",
        );
    };
    let Some(field) = model.columns.iter().find(|column| column.name == found) else {
        return error(&found, format!("the row has no family `{found}`"));
    };
    let ty = family_type(field)?;
    Ok(Over {
        record: quote!(#ty),
        family: Some(field),
    })
}

/// The key made of columns: its type, and the function that makes it.
fn composite(
    model: &Model,
    over: &Over<'_>,
    columns: &[Column],
) -> Result<(TokenStream, TokenStream)> {
    let (mut types, mut values) = (Vec::new(), Vec::new());
    for column in columns {
        let name = &column.name;
        if column.family.is_some() {
            let Some(field) = over.family else {
                return error(name, "the table has no families: write the field alone");
            };
            let Type::Path(path) = family_type(field)? else {
                return error(&field.ty, "a family is an `Option` of a struct");
            };
            let (ty, columns) = (&path.path, columns_trait(&path.path));
            types.push(quote!(<#ty as #columns>::#name));
            values.push(quote!(::core::clone::Clone::clone(&row.#name)));
            continue;
        }
        let key = model.keys.iter().find(|field| field.name == *name);
        let plain = model
            .columns
            .iter()
            .find(|field| field.name == *name && field.family.is_none());
        let Some(field) = key.or(plain) else {
            return error(name, format!("the row has no column `{name}`"));
        };
        let source = if over.family.is_some() {
            quote!(#name)
        } else {
            quote!(&row.#name)
        };
        match argument_of(&field.ty, Some("Option")) {
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
    let (ty, value) = match (types.as_slice(), values.as_slice()) {
        ([ty], [value]) => (quote!(#ty), quote!(#value)),
        _ => (quote!((#(#types),*)), quote!((#(#values),*))),
    };
    let pattern = model.key_pattern();
    let bind = if over.family.is_some() {
        quote!(#[allow(unused_variables)] let #pattern = key;)
    } else {
        quote!()
    };
    let keys = quote! {
        |key, row| {
            #[allow(unused_variables)]
            let _ = key;
            #bind
            // A column that is `None` leaves the row out of the index.
            #[allow(clippy::redundant_closure_call)]
            (|| ::core::option::Option::Some(::std::vec![#value]))().unwrap_or_default()
        }
    };
    Ok((ty, keys))
}

fn write(
    model: &Model,
    attr: &IndexAttr,
    name: &Ident,
    over: &Over<'_>,
    ty: &TokenStream,
    keys: &TokenStream,
) -> Result<Index> {
    let (krate, vis) = (&model.krate, &model.vis);
    let id = attr.id.base10_parse::<u8>()?;
    let namespace = model.namespace(Some(id));
    let constant = format_ident!("{}", name.to_string().to_uppercase(), span = name.span());
    let kind = if attr.unique {
        quote!(UniqueIndex)
    } else {
        quote!(MultiKeyIndex)
    };
    let ordered = if attr.ordered {
        quote!(.ordered())
    } else {
        quote!()
    };
    let record = &over.record;
    let text = name.to_string();
    let doc = format!("The index `{name}`.");
    let tokens = quote! {
        #[doc = #doc]
        #vis const #constant: #krate::#kind<#record, #ty> =
            #krate::#kind::new(#id, #text, #namespace, #keys)#ordered;
    };
    Ok(Index {
        constant,
        id,
        family: over.family.map(|family| family.name.clone()),
        tokens,
    })
}

/// The struct of a family field, which is an `Option` of it.
pub(crate) fn family_type(field: &Field) -> Result<&Type> {
    match argument_of(&field.ty, Some("Option")) {
        Some(ty) => Ok(ty),
        None => error(
            &field.ty,
            "a family is optional, since a row may lack it: write `Option<…>`",
        ),
    }
}

/// The first type argument of a type, if the type has this name.
fn argument_of<'t>(ty: &'t Type, name: Option<&str>) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    if name.is_some_and(|name| last.ident != name) {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
