//! From an index's attribute to its constant.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, Result, ext::IdentExt, spanned::Spanned};

use super::{Field, Model, composite::composite, families::family_type};
use crate::{
    attrs::{self, IndexAttr, error},
    types::{argument_of, element_of},
};

/// An index, ready to be written.
pub(crate) struct Index {
    pub(crate) constant: Ident,
    pub(crate) id: u8,
    /// The family that it belongs to, if the table has families.
    pub(crate) family: Option<Ident>,
    pub(crate) tokens: TokenStream,
}

/// What an index is over: the row, or one family of it.
pub(super) struct Over<'m> {
    pub(super) record: TokenStream,
    pub(super) family: Option<&'m Field>,
}

/// What an index's keys are: their type, and the function that makes them.
pub(super) struct Keys {
    /// Where they are written.
    pub(super) at: Span,
    pub(super) ty: TokenStream,
    pub(super) func: TokenStream,
}

/// Returns all indexes of the table, checked against each other and the families.
pub(super) fn all(model: &Model) -> Result<Vec<Index>> {
    let fields = || model.keys.iter().chain(&model.columns);
    let families = model
        .columns
        .iter()
        .filter_map(|column| column.family.as_ref());
    let attrs = fields()
        .flat_map(|field| &field.indexes)
        .chain(&model.indexes);
    let mut ids = BTreeSet::new();
    for id in families
        .map(|family| &family.id)
        .chain(attrs.map(|attr| &attr.id))
    {
        if !ids.insert(id.number) {
            return error(
                &id.literal,
                "this id is taken in the table, whose families and indexes share one number space: write another",
            );
        }
    }
    let mut indexes = Vec::new();
    for field in fields() {
        for attr in &field.indexes {
            indexes.push(of_field(model, field, attr)?);
        }
    }
    for attr in &model.indexes {
        indexes.push(of_struct(model, attr)?);
    }
    let mut names = BTreeSet::from(["TABLE".to_owned(), "NAMESPACES".to_owned()]);
    for field in model
        .columns
        .iter()
        .filter(|column| column.family.is_some())
    {
        let constant = attrs::constant(&field.name)?;
        if !names.insert(constant.to_string()) {
            return error(
                &constant,
                format!("the row has another constant `{constant}`: rename the family"),
            );
        }
    }
    for index in &indexes {
        if !names.insert(index.constant.to_string()) {
            return error(
                &index.constant,
                format!(
                    "the row has another constant `{}`: write another `name = x`",
                    index.constant
                ),
            );
        }
    }
    Ok(indexes)
}

fn of_field(model: &Model, field: &Field, attr: &IndexAttr) -> Result<Index> {
    let kind = if attr.unique { "unique" } else { "index" };
    if model.has_families() {
        return error(
            &attr.at,
            format!(
                "in a table with families an index stands on the struct: write `#[{kind}(id = 1, name = by_x, key(family.x))]`"
            ),
        );
    }
    if attr.key.is_some() || attr.with.is_some() || attr.key_type.is_some() || attr.family.is_some()
    {
        return error(
            &attr.at,
            "an index on a field is over that field; with key, with, key_type or family, write it on the struct",
        );
    }
    let column = &field.name;
    let name = match &attr.name {
        Some(name) => name.clone(),
        None => attrs::ident(&format!("by_{}", column.unraw()), column)?,
    };
    let at = field.ty.span();
    let keys = if attr.each {
        let Some(element) = element_of(&field.ty) else {
            return error(
                &field.ty,
                "`each` is for a Vec, VecDeque, BTreeSet, HashSet or array; for other types write \
                 `with = function, key_type = Type` on the struct",
            );
        };
        Keys {
            at,
            ty: quote!(#element),
            func: quote!(|_, __row| __row.#column.iter().cloned().collect()),
        }
    } else if let Some(inner) = argument_of(&field.ty, &["Option"]) {
        Keys {
            at,
            ty: quote!(#inner),
            func: quote!(|_, __row| __row.#column.iter().cloned().collect()),
        }
    } else {
        let ty = &field.ty;
        let func = quote!(|_, __row| ::std::vec![::core::clone::Clone::clone(&__row.#column)]);
        Keys {
            at,
            ty: quote!(#ty),
            func,
        }
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
        &keys,
    )
}

fn of_struct(model: &Model, attr: &IndexAttr) -> Result<Index> {
    let Some(name) = &attr.name else {
        return error(
            &attr.at,
            "an index on the struct has no name yet: write `name = by_x`",
        );
    };
    if attr.each {
        return error(
            &attr.at,
            "`each` is for an index on a field; here, write `with = function, key_type = Type`",
        );
    }
    match (&attr.key, &attr.with, &attr.key_type) {
        (Some(columns), None, None) => {
            let over = over(model, attr)?;
            let keys = composite(model, &over, columns)?;
            write(model, attr, name, &over, &keys)
        }
        (None, Some(with), Some(ty)) => {
            let over = over(model, attr)?;
            let func = match over.family {
                Some(_) => quote!(#with),
                None => quote!(|_, __row| #with(__row)),
            };
            write(
                model,
                attr,
                name,
                &over,
                &Keys {
                    at: ty.span(),
                    ty: quote!(#ty),
                    func,
                },
            )
        }
        (None, Some(with), None) => error(
            with,
            "the function's keys have no type yet: write `key_type = Type`",
        ),
        _ => error(
            &attr.at,
            "an index has either columns or a function for its keys: write `key(a, b)`, or \
             `with = function, key_type = Type`",
        ),
    }
}

/// Finds the one family that an index is over, if the table has families.
fn over<'m>(model: &'m Model, attr: &IndexAttr) -> Result<Over<'m>> {
    let row = &model.row;
    if !model.has_families() {
        return match &attr.family {
            Some(family) => error(family, "the table has no families: leave this out"),
            None => Ok(Over {
                record: quote!(#row),
                family: None,
            }),
        };
    }
    let mut found = attr.family.clone();
    for other in attr
        .key
        .iter()
        .flatten()
        .filter_map(|column| column.family.as_ref())
    {
        match &found {
            Some(one) if one != other => {
                return error(
                    other,
                    format!(
                        "an index belongs to one family, but this one spans `{one}` and `{other}`: \
                         write columns of one family, or move the column"
                    ),
                );
            }
            _ => found = Some(other.clone()),
        }
    }
    let Some(found) = found else {
        return error(
            &attr.at,
            "the index belongs to no family yet: write `family = x`, or a column as `x.column`",
        );
    };
    let families = || {
        model
            .columns
            .iter()
            .filter(|column| column.family.is_some())
    };
    let Some(field) = families().find(|column| column.name == found) else {
        let known: Vec<_> = families()
            .map(|column| format!("`{}`", column.name))
            .collect();
        return error(
            &found,
            format!(
                "the row has no family `{found}`: write one of {}",
                known.join(", ")
            ),
        );
    };
    let ty = family_type(field)?;
    Ok(Over {
        record: quote!(#ty),
        family: Some(field),
    })
}

fn write(
    model: &Model,
    attr: &IndexAttr,
    name: &Ident,
    over: &Over<'_>,
    keys: &Keys,
) -> Result<Index> {
    let (krate, vis, id) = (&model.krate, &model.vis, attr.id.number);
    let namespace = model.namespace(Some(id));
    let constant = attrs::constant(name)?;
    let kind = if attr.unique {
        quote!(UniqueIndex)
    } else {
        quote!(MultiKeyIndex)
    };
    let ordered = attr.ordered.then(|| quote!(.ordered()));
    let tracked = attr.tracked.then(|| quote!(.tracked()));
    let (record, Keys { at, ty, func }) = (&over.record, keys);
    let text = name.unraw().to_string();
    let doc = format!("The index `{text}`.");
    // A type that is no key is an error at the column that has it.
    let new = quote_spanned!(located(*at)=> #krate::#kind::<#record, #ty>::new);
    let tokens = quote! {
        #[doc = #doc]
        #vis const #constant: #krate::#kind<#record, #ty> =
            #new(#id, #text, #namespace, #func)#ordered #tracked;
    };
    let family = over.family.map(|family| family.name.clone());
    Ok(Index {
        constant,
        id,
        family,
        tokens,
    })
}

/// Code of the derive's that, in errors, stands where the row's author wrote something.
pub(super) fn located(at: Span) -> Span {
    Span::call_site().located_at(at)
}
