//! `#[index(…)]`, `#[unique(…)]`, `#[count(…)]` and `#[covering(…)]`, on the struct or on a field, and `#[custom(…)]`, on the
//! struct.

use syn::{Attribute, Ident, LitInt, Path, Result, Token, Type, meta::ParseNestedMeta};

use super::{Id, error, number, once};

/// A column that an index key names: a field, or a column of a family.
#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) family: Option<Ident>,
    pub(crate) name: Ident,
}

/// What an attribute makes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Index,
    Unique,
    Count,
    Covering,
    Custom,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::Index,
        Self::Unique,
        Self::Count,
        Self::Covering,
        Self::Custom,
    ];

    /// The attribute's name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Unique => "unique",
            Self::Count => "count",
            Self::Covering => "covering",
            Self::Custom => "custom",
        }
    }

    /// What the attribute takes.
    const fn takes(self) -> &'static [&'static str] {
        match self {
            Self::Index | Self::Unique => &[
                "id", "name", "key", "with", "key_type", "family", "each", "ordered", "tracked",
            ],
            Self::Count => &[
                "id", "name", "key", "with", "key_type", "of", "family", "each", "ordered",
                "tracked",
            ],
            Self::Covering => &[
                "id",
                "name",
                "key",
                "with",
                "key_type",
                "columns",
                "columns_with",
                "columns_type",
                "version",
                "family",
                "each",
                "ordered",
                "tracked",
            ],
            Self::Custom => &["id", "name", "with", "index_type", "family"],
        }
    }

    fn of(attr: &Attribute) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| attr.path().is_ident(kind.name()))
    }
}

/// An index, as written.
pub(crate) struct IndexAttr {
    pub(crate) kind: Kind,
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
    /// The index that a count is of.
    pub(crate) of: Option<Ident>,
    /// The columns that a covering index holds, or the function that makes them.
    pub(crate) columns: Option<Vec<Column>>,
    pub(crate) columns_with: Option<Path>,
    pub(crate) columns_type: Option<Type>,
    pub(crate) version: Option<u8>,
    pub(crate) tracked: bool,
    /// The type of an index of the contract's own.
    pub(crate) index_type: Option<Type>,
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
    of: Option<Ident>,
    columns: Option<Vec<Column>>,
    columns_with: Option<Path>,
    columns_type: Option<Type>,
    version: Option<u8>,
    index_type: Option<Type>,
}

impl Parts {
    fn read_one(&mut self, kind: Kind, meta: &ParseNestedMeta<'_>) -> Result<()> {
        let takes = kind.takes();
        let Some(name) = takes.iter().find(|name| meta.path.is_ident(name)) else {
            return Err(unknown(kind, meta));
        };
        match *name {
            "id" => once(&mut self.id, meta, meta.value()?.parse()?),
            "name" => once(&mut self.name, meta, meta.value()?.parse()?),
            "with" => once(&mut self.with, meta, meta.value()?.parse()?),
            "key_type" => once(&mut self.key_type, meta, meta.value()?.parse()?),
            "family" => once(&mut self.family, meta, meta.value()?.parse()?),
            "each" => once(&mut self.each, meta, ()),
            "ordered" => once(&mut self.ordered, meta, ()),
            "tracked" => once(&mut self.tracked, meta, ()),
            "key" => once(&mut self.key, meta, columns(meta, "key")?),
            "of" => once(&mut self.of, meta, meta.value()?.parse()?),
            "columns" => once(&mut self.columns, meta, columns(meta, "columns")?),
            "columns_with" => once(&mut self.columns_with, meta, meta.value()?.parse()?),
            "columns_type" => once(&mut self.columns_type, meta, meta.value()?.parse()?),
            "index_type" => once(&mut self.index_type, meta, meta.value()?.parse()?),
            "version" => {
                let literal: LitInt = meta.value()?.parse()?;
                once(&mut self.version, meta, number(&literal, 0, u8::MAX)?)
            }
            _ => Err(unknown(kind, meta)),
        }
    }
}

fn unknown(kind: Kind, meta: &ParseNestedMeta<'_>) -> syn::Error {
    let what = match kind {
        Kind::Index | Kind::Unique => "an index",
        Kind::Count => "a count",
        Kind::Covering => "a covering index",
        Kind::Custom => "a custom index",
    };
    let list = match kind.takes() {
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
        [] => String::new(),
    };
    meta.error(format!("unknown; {what} takes {list}"))
}

impl IndexAttr {
    pub(crate) fn read_all(attrs: &[Attribute]) -> Result<Vec<Self>> {
        attrs
            .iter()
            .filter_map(|attr| Some((attr, Kind::of(attr)?)))
            .map(|(attr, kind)| Self::read(attr, kind))
            .collect()
    }

    fn read(attr: &Attribute, kind: Kind) -> Result<Self> {
        let mut parts = Parts::default();
        if !matches!(attr.meta, syn::Meta::Path(_)) {
            attr.parse_nested_meta(|meta| parts.read_one(kind, &meta))?;
        }
        let Some(id) = parts.id else {
            return error(
                attr,
                "an index needs a number of its own in the table, 1 to 63: write `id = 1`",
            );
        };
        Ok(Self {
            kind,
            at: attr.path().clone(),
            id: Id::read(id)?,
            name: parts.name,
            key: parts.key,
            with: parts.with,
            key_type: parts.key_type,
            family: parts.family,
            each: parts.each.is_some(),
            ordered: parts.ordered.is_some(),
            of: parts.of,
            columns: parts.columns,
            columns_with: parts.columns_with,
            columns_type: parts.columns_type,
            version: parts.version,
            tracked: parts.tracked.is_some(),
            index_type: parts.index_type,
        })
    }
}

fn columns(meta: &ParseNestedMeta<'_>, what: &str) -> Result<Vec<Column>> {
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
        return Err(meta.error(match what {
            "key" => "name the columns of the key: write `key(a, b)`",
            _ => "name the columns that entries hold: write `columns(a, b)`",
        }));
    }
    Ok(columns)
}
