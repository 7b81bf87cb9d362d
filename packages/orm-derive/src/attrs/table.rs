//! `#[table(…)]`, and what the row's `#[serde(…)]` says of all columns.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, LitInt, LitStr, Path, Result, Token, Type, meta::ParseNestedMeta};

use super::{number, once};

/// The page sizes of a table.
pub(crate) struct Limits {
    pub(crate) default: u32,
    pub(crate) max: u32,
}

/// `#[table(…)]`.
#[derive(Default)]
pub(crate) struct TableAttr {
    pub(crate) name: Option<LitStr>,
    pub(crate) ns: Option<LitStr>,
    pub(crate) version: Option<u8>,
    pub(crate) codec: Option<Path>,
    pub(crate) key_rule: Option<LitStr>,
    pub(crate) limits: Option<Limits>,
    pub(crate) validate: Option<Path>,
    pub(crate) migrate: Option<Path>,
    pub(crate) moved_from: Option<Type>,
    pub(crate) krate: Option<Path>,
}

impl TableAttr {
    pub(crate) fn read(attrs: &[Attribute]) -> Result<Self> {
        let mut table = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("table")) {
            attr.parse_nested_meta(|meta| table.read_one(&meta))?;
        }
        Ok(table)
    }

    fn read_one(&mut self, meta: &ParseNestedMeta<'_>) -> Result<()> {
        if meta.path.is_ident("name") {
            once(&mut self.name, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("ns") {
            once(&mut self.ns, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("version") {
            let literal: LitInt = meta.value()?.parse()?;
            once(&mut self.version, meta, number(&literal, 0, u8::MAX)?)
        } else if meta.path.is_ident("codec") {
            once(&mut self.codec, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("key_rule") {
            once(&mut self.key_rule, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("validate") {
            once(&mut self.validate, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("migrate") {
            once(&mut self.migrate, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("moved_from") {
            once(&mut self.moved_from, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("crate") {
            once(&mut self.krate, meta, meta.value()?.parse()?)
        } else if meta.path.is_ident("limits") {
            let limits = limits(meta)?;
            once(&mut self.limits, meta, limits)
        } else {
            Err(meta.error(
                "unknown; `table` takes name, ns, version, migrate, codec, key_rule, limits, validate, moved_from and crate",
            ))
        }
    }
}

fn limits(outer: &ParseNestedMeta<'_>) -> Result<Limits> {
    const WRITE: &str = "write `limits(default = 10, max = 30)`, with a default of at least 1 and at most the maximum";
    let (mut default, mut max) = (None, None);
    outer.parse_nested_meta(|meta| {
        if meta.path.is_ident("default") {
            let literal: LitInt = meta.value()?.parse()?;
            once(&mut default, &meta, number(&literal, 1, u32::MAX)?)
        } else if meta.path.is_ident("max") {
            let literal: LitInt = meta.value()?.parse()?;
            once(&mut max, &meta, number(&literal, 1, u32::MAX)?)
        } else {
            Err(meta.error(format!("unknown; {WRITE}")))
        }
    })?;
    match (default, max) {
        (Some(default), Some(max)) if default <= max => Ok(Limits { default, max }),
        _ => Err(outer.error(WRITE)),
    }
}

/// Returns the `#[serde(rename_all …)]` of a row, which names its stored columns too.
///
/// `crate`, `bound` and `deny_unknown_fields` say nothing of what is stored. Anything else would change it in a way that
/// the columns, which are structs of their own, cannot follow.
pub(crate) fn rename_all(attrs: &[Attribute]) -> Result<Vec<TokenStream>> {
    let mut kept = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        attr.parse_nested_meta(|meta| {
            let (path, rest) = (meta.path.to_token_stream(), rest(&meta)?);
            if meta.path.is_ident("rename_all") {
                kept.push(quote!(#[serde(#path #rest)]));
                return Ok(());
            }
            let idle = ["crate", "bound", "deny_unknown_fields"];
            if idle.iter().any(|name| meta.path.is_ident(name)) {
                return Ok(());
            }
            Err(meta.error(
                "not supported on a row, whose columns are stored as a struct of their own: \
                 write `#[serde(rename_all = …)]`, or serde attributes on the fields",
            ))
        })?;
    }
    Ok(kept)
}

/// Refuses serde attributes of a column that leave it out, or spread it, when it is written: the default codec writes
/// columns without their names, so that such a row could never be read again.
pub(crate) fn positional(attrs: &[Attribute]) -> Result<()> {
    for attr in attrs {
        attr.parse_nested_meta(|meta| {
            rest(&meta)?;
            let fatal = ["flatten", "skip_deserializing", "skip_serializing", "skip_serializing_if"];
            if fatal.iter().any(|name| meta.path.is_ident(name)) {
                return Err(meta.error(
                    "the default codec writes columns without their names, so that none can be left out: \
                     leave this away, or write `codec = cw_orm::Json` in `#[table(…)]`",
                ));
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Takes the rest of one item of an attribute.
fn rest(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let mut rest = TokenStream::new();
    while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
        rest.extend([meta.input.parse::<TokenTree>()?]);
    }
    Ok(rest)
}
