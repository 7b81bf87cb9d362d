//! Attributes, as written: each read strictly, so that a slip is an error at its place that says what to write.

mod field;
mod index;
mod table;

pub(crate) use field::{FamilyAttr, FieldAttr};
pub(crate) use index::{Column, IndexAttr, Kind};
pub(crate) use table::{Limits, TableAttr, positional, rename_all};

use core::{fmt::Display, str::FromStr};

use quote::ToTokens;
use syn::{
    Attribute, DeriveInput, Ident, LitInt, Path, Result, ext::IdentExt, meta::ParseNestedMeta,
    parse_quote,
};

/// Says no, and where.
pub(crate) fn error<T>(at: &impl ToTokens, message: impl Display) -> Result<T> {
    Err(syn::Error::new_spanned(at, message))
}

/// Makes a name of a text; an error at `at` if it is none.
pub(crate) fn ident(text: &str, at: &Ident) -> Result<Ident> {
    match syn::parse_str::<Ident>(text) {
        Ok(mut ident) => {
            ident.set_span(at.span());
            Ok(ident)
        }
        Err(_) => error(
            at,
            format!("`{text}`, which is made of this, is no name in Rust"),
        ),
    }
}

/// Returns the name of the constant that stands for `name`.
pub(crate) fn constant(name: &Ident) -> Result<Ident> {
    ident(&name.unraw().to_string().to_uppercase(), name)
}

/// Puts what an attribute says where it was not said before.
fn once<T>(slot: &mut Option<T>, meta: &ParseNestedMeta<'_>, value: T) -> Result<()> {
    if slot.is_some() {
        return Err(meta.error("given twice: leave one away"));
    }
    *slot = Some(value);
    Ok(())
}

/// Reads a number of a range.
fn number<N: FromStr + PartialOrd + Display>(literal: &LitInt, least: N, most: N) -> Result<N>
where
    N::Err: Display,
{
    match literal.base10_parse::<N>() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => error(literal, format!("write a number of {least} to {most}")),
    }
}

/// Returns the version of a layout, 1 unless it says another, if there is an older one for `migrate` to read.
pub(crate) fn newer_than(version: Option<u8>, migrate: Option<&Path>) -> Result<u8> {
    match (version, migrate) {
        (None | Some(0), Some(migrate)) => error(
            migrate,
            "no version is older than this one, whose rows it would read: write `version = 2` beside it",
        ),
        (version, _) => Ok(version.unwrap_or(1)),
    }
}

/// The number of a family or index in its table.
#[derive(Clone)]
pub(crate) struct Id {
    pub(crate) number: u8,
    pub(crate) literal: LitInt,
}

impl Id {
    fn read(literal: LitInt) -> Result<Self> {
        Ok(Self {
            number: number(&literal, 1, 63)?,
            literal,
        })
    }
}

/// Refuses attributes that stand on the wrong kind of thing.
pub(crate) fn refuse(attrs: &[Attribute], name: &str, message: &str) -> Result<()> {
    match attrs.iter().find(|attr| attr.path().is_ident(name)) {
        Some(attr) => error(attr, message),
        None => Ok(()),
    }
}

/// Reads the one thing that `#[family(…)]` and `#[key(…)]` say of a type: the ORM's path.
pub(crate) fn krate(input: &DeriveInput, name: &str) -> Result<Path> {
    let mut krate = None;
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("crate") {
                once(&mut krate, &meta, meta.value()?.parse()?)
            } else {
                Err(meta.error(format!("unknown; write `#[{name}(crate = path)]`")))
            }
        })?;
    }
    Ok(krate.unwrap_or_else(|| parse_quote!(::cw_orm)))
}
