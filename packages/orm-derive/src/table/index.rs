//! From an index's attribute to its constant.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, Result, ext::IdentExt, spanned::Spanned};

use super::{Field, Model, composite::composite, count, covering, families::family_type};
use crate::{
    attrs::{self, IndexAttr, Kind, error},
    types::{argument_of, element_of},
};

/// An index, ready to be written.
pub(crate) struct Index {
    pub(crate) constant: Ident,
    pub(crate) kind: Kind,
    pub(crate) id: u8,
    /// What it is over, and the type of its keys.
    pub(super) record: TokenStream,
    pub(super) key_type: TokenStream,
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
    let (counts_of, own): (Vec<_>, Vec<_>) =
        model.indexes.iter().partition(|attr| attr.of.is_some());
    for attr in own {
        indexes.push(of_struct(model, attr)?);
    }
    for attr in counts_of {
        let index = count::of_index(model, attr, &indexes)?;
        indexes.push(index);
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
    let kind = attr.kind.name();
    if model.has_families() {
        return error(
            &attr.at,
            format!(
                "in a table with families an index stands on the struct: write `#[{kind}(id = 1, name = by_x, key(family.x))]`"
            ),
        );
    }
    if attr.kind == Kind::Custom {
        return error(
            &attr.at,
            "an index of your own stands on the struct: write `#[custom(id = 1, name = x, with = function, index_type = Type)]` there",
        );
    }
    if let Some(of) = &attr.of {
        return error(
            of,
            "a count of an index stands on the struct: write `#[count(id = 1, name = x, of = by_y)]` there",
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
    let prefix = match attr.kind {
        Kind::Count => "count_by",
        _ => "by",
    };
    let name = match &attr.name {
        Some(name) => name.clone(),
        None => attrs::ident(&format!("{prefix}_{}", column.unraw()), column)?,
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
    let over = Over {
        record: quote!(#row),
        family: None,
    };
    let leading = !attr.each && count::is_leading(model, &[&field.name]);
    write(model, attr, &name, &over, &keys, leading)
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
    if attr.kind == Kind::Custom {
        return custom(model, attr, name);
    }
    match (&attr.key, &attr.with, &attr.key_type) {
        (Some(columns), None, None) => {
            let over = over(model, attr)?;
            let keys = composite(model, &over, columns)?;
            let own = columns.iter().all(|column| column.family.is_none());
            let names: Vec<_> = columns.iter().map(|column| &column.name).collect();
            let leading = own && count::is_leading(model, &names);
            write(model, attr, name, &over, &keys, leading)
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
                false,
            )
        }
        (None, None, None) if attr.kind == Kind::Count => {
            let over = over(model, attr)?;
            write(model, attr, name, &over, &count::total(&attr.at), true)
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

/// An index of the contract's own, which its function makes of what is known here.
fn custom(model: &Model, attr: &IndexAttr, name: &Ident) -> Result<Index> {
    let (Some(with), Some(ty)) = (&attr.with, &attr.index_type) else {
        return error(
            &attr.at,
            "an index of your own is made by a `const fn(id: u8, name: &'static str, namespace: Namespace) -> Type`: \
             write `with = function, index_type = Type`",
        );
    };
    let over = over(model, attr)?;
    let (vis, id) = (&model.vis, attr.id.number);
    let namespace = model.namespace(Some(id));
    let constant = attrs::constant(name)?;
    let text = name.unraw().to_string();
    let doc = format!("The index `{text}`.");
    Ok(Index {
        kind: attr.kind,
        id,
        record: over.record,
        key_type: quote!(()),
        family: over.family.map(|family| family.name.clone()),
        tokens: quote! {
            #[doc = #doc]
            #vis const #constant: #ty = #with(#id, #text, #namespace);
        },
        constant,
    })
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
    leading: bool,
) -> Result<Index> {
    let (krate, vis, id) = (&model.krate, &model.vis, attr.id.number);
    let namespace = model.namespace(Some(id));
    let constant = attrs::constant(name)?;
    let (record, Keys { at, ty, func }) = (&over.record, keys);
    let mut arguments = quote!(#func);
    let mut parameters = quote!(#record, #ty);
    let mut with = attr
        .ordered
        .then(|| quote!(.ordered()))
        .into_iter()
        .collect::<TokenStream>();
    with.extend(attr.tracked.then(|| quote!(.tracked())));
    let kind = match attr.kind {
        Kind::Index | Kind::Custom => quote!(MultiKeyIndex),
        Kind::Unique => quote!(UniqueIndex),
        Kind::Count => {
            with.extend(count::list(model, attr, leading));
            quote!(CountIndex)
        }
        Kind::Covering => {
            let columns = covering::columns(model, over, attr)?;
            let (ty, func) = (columns.ty, columns.func);
            arguments.extend(quote!(, #func));
            parameters.extend(quote!(, #ty));
            with.extend(attr.version.map(|version| quote!(.version(#version))));
            quote!(CoveringIndex)
        }
    };
    let text = name.unraw().to_string();
    let doc = format!("The index `{text}`.");
    // A type that is no key is an error at the column that has it.
    let new = quote_spanned!(located(*at)=> #krate::#kind::<#parameters>::new);
    let tokens = quote! {
        #[doc = #doc]
        #vis const #constant: #krate::#kind<#parameters> =
            #new(#id, #text, #namespace, #arguments)#with;
    };
    Ok(Index {
        constant,
        kind: attr.kind,
        id,
        record: record.clone(),
        key_type: ty.clone(),
        family: over.family.map(|family| family.name.clone()),
        tokens,
    })
}

/// Code of the derive's that, in errors, stands where the row's author wrote something.
pub(super) fn located(at: Span) -> Span {
    Span::call_site().located_at(at)
}
