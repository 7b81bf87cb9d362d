//! `#[pk]` and `#[family(…)]`: what a field is, besides a column.

use syn::{Attribute, LitInt, Meta, Path, Result};

use super::{Id, error, newer_than, number, once, refuse};

/// What a field is, besides a column.
#[derive(Default)]
pub(crate) struct FieldAttr {
    pub(crate) pk: bool,
    pub(crate) auto: bool,
    pub(crate) stored: bool,
    pub(crate) family: Option<FamilyAttr>,
}

/// `#[family(id = 1, version = 1, migrate = path, validate = path)]`.
pub(crate) struct FamilyAttr {
    pub(crate) id: Id,
    pub(crate) version: u8,
    pub(crate) migrate: Option<Path>,
    pub(crate) validate: Option<Path>,
}

impl FieldAttr {
    pub(crate) fn read(attrs: &[Attribute]) -> Result<Self> {
        refuse(attrs, "table", "`table` stands on the struct")?;
        let mut field = Self::default();
        for attr in attrs {
            if attr.path().is_ident("pk") {
                if field.pk {
                    return error(attr, "given twice: leave one away");
                }
                field.pk = true;
                (field.auto, field.stored) = read_pk(attr)?;
            } else if attr.path().is_ident("family") {
                if field.family.is_some() {
                    return error(attr, "given twice: leave one away");
                }
                field.family = Some(FamilyAttr::read(attr)?);
            }
        }
        Ok(field)
    }
}

/// Whether the table gives the key, and whether the value holds it too.
fn read_pk(attr: &Attribute) -> Result<(bool, bool)> {
    const WRITE: &str = "write `#[pk]`, `#[pk(auto)]` or `#[pk(stored)]`";
    let (mut auto, mut stored) = (None, None);
    match &attr.meta {
        Meta::Path(_) => return Ok((false, false)),
        Meta::List(_) => attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("auto") {
                once(&mut auto, &meta, ())
            } else if meta.path.is_ident("stored") {
                once(&mut stored, &meta, ())
            } else {
                Err(meta.error(format!("unknown; {WRITE}")))
            }
        })?,
        Meta::NameValue(_) => {}
    }
    if auto.is_none() && stored.is_none() {
        return error(attr, WRITE);
    }
    Ok((auto.is_some(), stored.is_some()))
}

impl FamilyAttr {
    fn read(attr: &Attribute) -> Result<Self> {
        let (mut id, mut version, mut migrate, mut validate) = (None, None, None, None);
        if !matches!(attr.meta, Meta::Path(_)) {
            attr.parse_nested_meta(|meta| {
                if meta.path.is_ident("id") {
                    once(&mut id, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("version") {
                    let literal: LitInt = meta.value()?.parse()?;
                    once(&mut version, &meta, number(&literal, 0, u8::MAX)?)
                } else if meta.path.is_ident("migrate") {
                    once(&mut migrate, &meta, meta.value()?.parse()?)
                } else if meta.path.is_ident("validate") {
                    once(&mut validate, &meta, meta.value()?.parse()?)
                } else {
                    Err(meta.error(
                        "unknown; `family` takes id, version, migrate and validate: write `#[family(id = 1)]`",
                    ))
                }
            })?;
        }
        let Some(id) = id else {
            return error(
                attr,
                "a family needs a number of its own in the table, 1 to 63: write `#[family(id = 1)]`",
            );
        };
        Ok(Self {
            id: Id::read(id)?,
            version: newer_than(version, migrate.as_ref())?,
            migrate,
            validate,
        })
    }
}
