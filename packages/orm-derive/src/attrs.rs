//! Attributes, as written.

use syn::{
    Attribute, Ident, LitInt, LitStr, Path, Result, Type, meta::ParseNestedMeta, spanned::Spanned,
};

/// Says no, and where.
pub(crate) fn error<T>(at: &impl Spanned, message: impl core::fmt::Display) -> Result<T> {
    Err(syn::Error::new(at.span(), message))
}

fn once<T>(slot: &mut Option<T>, meta: &ParseNestedMeta<'_>, value: T) -> Result<()> {
    if slot.is_some() {
        return Err(meta.error("given twice"));
    }
    *slot = Some(value);
    Ok(())
}

/// `#[table(…)]`.
#[derive(Default)]
pub(crate) struct TableAttr {
    pub(crate) name: Option<LitStr>,
    pub(crate) ns: Option<LitStr>,
    pub(crate) version: Option<LitInt>,
    pub(crate) codec: Option<Path>,
    pub(crate) key_rule: Option<LitStr>,
    pub(crate) limits: Option<(LitInt, LitInt)>,
    pub(crate) validate: Option<Path>,
    pub(crate) krate: Option<Path>,
}

impl TableAttr {
    pub(crate) fn read(attrs: &[Attribute]) -> Result<Self> {
        let mut table = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("table")) {
            attr.parse_nested_meta(|meta| {
                if meta.path.is_ident("name") {
                    once(&mut table.name, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("ns") {
                    once(&mut table.ns, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("version") {
                    once(&mut table.version, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("codec") {
                    once(&mut table.codec, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("key_rule") {
                    once(&mut table.key_rule, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("validate") {
                    once(&mut table.validate, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("crate") {
                    once(&mut table.krate, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("limits") {
                    let limits = limits(&meta)?;
                    once(&mut table.limits, &meta, limits)
                } else {
                    Err(meta.error(
                        "unknown; `table` takes name, ns, version, codec, key_rule, limits, validate and crate",
                    ))
                }
            })?;
        }
        Ok(table)
    }
}

fn limits(outer: &ParseNestedMeta<'_>) -> Result<(LitInt, LitInt)> {
    let (mut default, mut max) = (None, None);
    outer.parse_nested_meta(|meta| {
        if meta.path.is_ident("default") {
            once(&mut default, &meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("max") {
            once(&mut max, &meta, meta.value()?.parse()?)
        } else {
            Err(meta.error("unknown; write `limits(default = 10, max = 30)`"))
        }
    })?;
    match (default, max) {
        (Some(default), Some(max)) => Ok((default, max)),
        _ => Err(outer.error("write `limits(default = 10, max = 30)`")),
    }
}

/// A column that an index key names: a field, or a column of a family.
#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) family: Option<Ident>,
    pub(crate) name: Ident,
}

/// `#[index(…)]` or `#[unique(…)]`, on the struct or on a field.
pub(crate) struct IndexAttr {
    pub(crate) unique: bool,
    pub(crate) at: Path,
    pub(crate) id: LitInt,
    pub(crate) name: Option<Ident>,
    pub(crate) key: Option<Vec<Column>>,
    pub(crate) with: Option<Path>,
    pub(crate) key_type: Option<Type>,
    pub(crate) family: Option<Ident>,
    pub(crate) each: bool,
    pub(crate) ordered: bool,
}

impl IndexAttr {
    pub(crate) fn read_all(attrs: &[Attribute]) -> Result<Vec<Self>> {
        let of_index =
            |attr: &&Attribute| attr.path().is_ident("index") || attr.path().is_ident("unique");
        attrs.iter().filter(of_index).map(Self::read).collect()
    }

    fn read(attr: &Attribute) -> Result<Self> {
        let (mut id, mut name, mut key, mut with, mut key_type, mut family) =
            (None, None, None, None, None, None);
        let (mut each, mut ordered) = (None, None);
        if matches!(attr.meta, syn::Meta::List(_)) {
            attr.parse_nested_meta(|meta| {
                if meta.path.is_ident("id") {
                    once(&mut id, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("name") {
                    once(&mut name, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("with") {
                    once(&mut with, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("key_type") {
                    once(&mut key_type, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("family") {
                    once(&mut family, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("each") {
                    once(&mut each, &meta, ())
                } else if meta.path.is_ident("ordered") {
                    once(&mut ordered, &meta, ())
                } else if meta.path.is_ident("key") {
                    let columns = columns(&meta)?;
                    once(&mut key, &meta, columns)
                } else {
                    Err(meta.error("unknown; an index takes id, name, key, with, key_type, family, each and ordered"))
                }
            })?;
        }
        let Some(id) = id else {
            return error(
                attr,
                "an index needs a number of its own in the table, 1 to 63: write `id = 1`",
            );
        };
        check_id(&id)?;
        Ok(Self {
            unique: attr.path().is_ident("unique"),
            at: attr.path().clone(),
            id,
            name,
            key,
            with,
            key_type,
            family,
            each: each.is_some(),
            ordered: ordered.is_some(),
        })
    }
}

fn columns(meta: &ParseNestedMeta<'_>) -> Result<Vec<Column>> {
    let content;
    syn::parenthesized!(content in meta.input);
    let mut columns = Vec::new();
    while !content.is_empty() {
        let first: Ident = content.parse()?;
        if content.parse::<Option<syn::Token![.]>>()?.is_some() {
            columns.push(Column {
                family: Some(first),
                name: content.parse()?,
            });
        } else {
            columns.push(Column {
                family: None,
                name: first,
            });
        }
        if !content.is_empty() {
            content.parse::<syn::Token![,]>()?;
        }
    }
    if columns.is_empty() {
        return Err(meta.error("name the columns of the key: write `key(a, b)`"));
    }
    Ok(columns)
}

/// What a field is, besides a column.
#[derive(Default)]
pub(crate) struct FieldAttr {
    pub(crate) pk: bool,
    pub(crate) auto: bool,
    pub(crate) family: Option<FamilyAttr>,
}

/// `#[family(id = 1, version = 1)]`.
pub(crate) struct FamilyAttr {
    pub(crate) id: LitInt,
    pub(crate) version: Option<LitInt>,
}

impl FieldAttr {
    pub(crate) fn read(attrs: &[Attribute]) -> Result<Self> {
        let mut field = Self::default();
        for attr in attrs {
            if attr.path().is_ident("pk") {
                if field.pk {
                    return error(attr, "given twice");
                }
                field.pk = true;
                if matches!(attr.meta, syn::Meta::List(_)) {
                    attr.parse_nested_meta(|meta| {
                        if meta.path.is_ident("auto") {
                            field.auto = true;
                            return Ok(());
                        }
                        Err(meta.error("unknown; write `#[pk]` or `#[pk(auto)]`"))
                    })?;
                }
            } else if attr.path().is_ident("family") {
                if field.family.is_some() {
                    return error(attr, "given twice");
                }
                field.family = Some(family(attr)?);
            }
        }
        Ok(field)
    }
}

fn family(attr: &Attribute) -> Result<FamilyAttr> {
    let (mut id, mut version) = (None, None);
    if matches!(attr.meta, syn::Meta::List(_)) {
        attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("id") {
                once(&mut id, &meta, meta.value()?.parse()?)
            } else if meta.path.is_ident("version") {
                once(&mut version, &meta, meta.value()?.parse()?)
            } else {
                Err(meta.error("unknown; write `#[family(id = 1)]`, with `version = 2` where the layout changed"))
            }
        })?;
    }
    let Some(id) = id else {
        return error(
            attr,
            "a family needs a number of its own in the table, 1 to 63: write `#[family(id = 1)]`",
        );
    };
    check_id(&id)?;
    Ok(FamilyAttr { id, version })
}

fn check_id(id: &LitInt) -> Result<()> {
    match id.base10_parse::<u8>() {
        Ok(1..=63) => Ok(()),
        _ => error(id, "ids are 1 to 63"),
    }
}
