//! `#[index(…)]` and `#[unique(…)]`, on the struct or on a field.

use syn::{Attribute, Ident, LitInt, Path, Result, Token, Type, meta::ParseNestedMeta};

use super::{Id, error, once};

/// A column that an index key names: a field, or a column of a family.
#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) family: Option<Ident>,
    pub(crate) name: Ident,
}

/// An index, as written.
pub(crate) struct IndexAttr {
    pub(crate) unique: bool,
    /// The attribute's name, where errors about the whole point.
    pub(crate) at: Path,
    pub(crate) id: Id,
    pub(crate) name: Option<Ident>,
    pub(crate) key: Option<Vec<Column>>,
    pub(crate) with: Option<Path>,
    pub(crate) key_type: Option<Type>,
    pub(crate) family: Option<Ident>,
    pub(crate) each: bool,
    pub(crate) ordered: bool,
    pub(crate) tracked: bool,
}

#[derive(Default)]
struct Parts {
    id: Option<LitInt>,
    name: Option<Ident>,
    key: Option<Vec<Column>>,
    with: Option<Path>,
    key_type: Option<Type>,
    family: Option<Ident>,
    each: Option<()>,
    ordered: Option<()>,
    tracked: Option<()>,
}

impl Parts {
    fn read_one(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("id") {
            once(&mut self.id, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("name") {
            once(&mut self.name, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("with") {
            once(&mut self.with, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("key_type") {
            once(&mut self.key_type, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("family") {
            once(&mut self.family, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("each") {
            once(&mut self.each, meta, ())
        } else if meta.path.is_ident("ordered") {
            once(&mut self.ordered, meta, ())
        } else if meta.path.is_ident("tracked") {
            once(&mut self.tracked, meta, ())
        } else if meta.path.is_ident("key") {
            let columns = columns(meta)?;
            once(&mut self.key, meta, columns)
        } else {
            Err(meta.error(
                "unknown; an index takes id, name, key, with, key_type, family, each, ordered and tracked",
            ))
        }
    }
}

impl IndexAttr {
    pub(crate) fn read_all(attrs: &[Attribute]) -> Result<Vec<Self>> {
        attrs
            .iter()
            .filter(|attr| attr.path().is_ident("index") || attr.path().is_ident("unique"))
            .map(Self::read)
            .collect()
    }

    fn read(attr: &Attribute) -> Result<Self> {
        let mut parts = Parts::default();
        if !matches!(attr.meta, syn::Meta::Path(_)) {
            attr.parse_nested_meta(|meta| parts.read_one(&meta))?;
        }
        let Some(id) = parts.id else {
            return error(
                attr,
                "an index needs a number of its own in the table, 1 to 63: write `id = 1`",
            );
        };
        Ok(Self {
            unique: attr.path().is_ident("unique"),
            at: attr.path().clone(),
            id: Id::read(id)?,
            name: parts.name,
            key: parts.key,
            with: parts.with,
            key_type: parts.key_type,
            family: parts.family,
            each: parts.each.is_some(),
            ordered: parts.ordered.is_some(),
            tracked: parts.tracked.is_some(),
        })
    }
}

fn columns(meta: &ParseNestedMeta<'_>) -> Result<Vec<Column>> {
    let content;
    syn::parenthesized!(content in meta.input);
    let mut columns = Vec::new();
    while !content.is_empty() {
        let first: Ident = content.parse()?;
        columns.push(match content.parse::<Option<Token![.]>>()? {
            Some(_) => Column {
                family: Some(first),
                name: content.parse()?,
            },
            None => Column {
                family: None,
                name: first,
            },
        });
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    if columns.is_empty() {
        return Err(meta.error("name the columns of the key: write `key(a, b)`"));
    }
    Ok(columns)
}
