//! `#[derive(Table)]`: reads the struct into a [`Model`], then writes the impls of a plain table or of one with families.

mod families;
mod index;
mod plain;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Attribute, Data, DeriveInput, Fields, Ident, LitByteStr, LitInt, LitStr, Path, Result, Type,
    Visibility, parse_quote,
};

use crate::attrs::{FamilyAttr, FieldAttr, IndexAttr, TableAttr, error};

/// A field of the row.
pub(crate) struct Field {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// Its `#[serde(…)]` attributes, which the stored columns keep.
    pub(crate) serde: Vec<Attribute>,
    pub(crate) indexes: Vec<IndexAttr>,
    pub(crate) family: Option<FamilyAttr>,
}

/// A row, read.
pub(crate) struct Model {
    pub(crate) krate: Path,
    pub(crate) row: Ident,
    pub(crate) vis: Visibility,
    pub(crate) name: LitStr,
    pub(crate) ns: String,
    pub(crate) version: LitInt,
    pub(crate) codec: Path,
    pub(crate) key_rule: Ident,
    pub(crate) limits: Option<(LitInt, LitInt)>,
    pub(crate) validate: Option<Path>,
    pub(crate) auto: bool,
    pub(crate) keys: Vec<Field>,
    pub(crate) columns: Vec<Field>,
    pub(crate) indexes: Vec<IndexAttr>,
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let model = Model::read(input)?;
    if model.columns.iter().any(|column| column.family.is_some()) {
        families::expand(&model)
    } else {
        plain::expand(&model)
    }
}

impl Model {
    fn read(input: &DeriveInput) -> Result<Self> {
        let row = &input.ident;
        let Data::Struct(data) = &input.data else {
            return error(row, "a row is a struct with named fields");
        };
        let Fields::Named(fields) = &data.fields else {
            return error(row, "a row is a struct with named fields");
        };
        if !input.generics.params.is_empty() {
            return error(
                &input.generics,
                "a row has no parameters: its layout must be one",
            );
        }
        let table = TableAttr::read(&input.attrs)?;
        let (Some(name), Some(ns)) = (table.name, table.ns) else {
            return error(
                row,
                "name the table and its namespace: write `#[table(name = \"orders\", ns = \"o\")]`",
            );
        };
        if ns.value().is_empty() || ns.value().len() > 254 {
            return error(
                &ns,
                "a namespace has 1 to 254 bytes; every one costs gas in every entry, so one or two are enough",
            );
        }
        let (mut keys, mut columns, mut auto) = (Vec::new(), Vec::new(), false);
        for field in &fields.named {
            let attr = FieldAttr::read(&field.attrs)?;
            let Some(name) = field.ident.clone() else {
                continue;
            };
            let serde = field
                .attrs
                .iter()
                .filter(|attr| attr.path().is_ident("serde"))
                .cloned()
                .collect();
            let indexes = IndexAttr::read_all(&field.attrs)?;
            if attr.pk && attr.family.is_some() {
                return error(&name, "a primary key field is in no family");
            }
            auto |= attr.auto;
            let read = Field {
                name,
                ty: field.ty.clone(),
                serde,
                indexes,
                family: attr.family,
            };
            if attr.pk {
                keys.push(read)
            } else {
                columns.push(read)
            }
        }
        if keys.is_empty() {
            return error(
                row,
                "a row needs a primary key: mark its fields with `#[pk]`, or one u64 with `#[pk(auto)]`",
            );
        }
        if auto && (keys.len() != 1 || !keys.iter().all(|key| is_u64(&key.ty))) {
            return error(
                row,
                "`#[pk(auto)]` stands on the only primary key field, of type `u64`",
            );
        }
        Ok(Self {
            krate: table
                .krate
                .clone()
                .unwrap_or_else(|| parse_quote!(::cw_orm)),
            row: row.clone(),
            vis: input.vis.clone(),
            name,
            ns: ns.value(),
            version: table
                .version
                .unwrap_or_else(|| LitInt::new("1", Span::call_site())),
            codec: match (table.codec, table.krate) {
                (Some(codec), _) => codec,
                (None, Some(krate)) => parse_quote!(#krate::Postcard),
                (None, None) => parse_quote!(::cw_orm::Postcard),
            },
            key_rule: key_rule(table.key_rule.as_ref())?,
            limits: table.limits,
            validate: table.validate,
            auto,
            keys,
            columns,
            indexes: IndexAttr::read_all(&input.attrs)?,
        })
    }

    /// The namespace of this id, or of the table itself.
    pub(crate) fn namespace(&self, id: Option<u8>) -> TokenStream {
        let krate = &self.krate;
        let bytes: Vec<u8> = self.ns.bytes().chain(id).collect();
        let bytes = LitByteStr::new(&bytes, Span::call_site());
        quote!(#krate::Namespace::new(#bytes))
    }

    /// The facts of a table or family.
    pub(crate) fn meta(
        &self,
        name: &LitStr,
        namespace: &TokenStream,
        version: &LitInt,
    ) -> TokenStream {
        let (krate, rule) = (&self.krate, &self.key_rule);
        let limits = match &self.limits {
            Some((default, max)) => quote!(#krate::PageLimits { default: #default, max: #max }),
            None => quote!(#krate::PageLimits::DEFAULT),
        };
        quote! {
            #krate::TableMeta {
                name: #name,
                namespace: #namespace,
                version: #version,
                key_rule: #krate::KeyRule::#rule,
                limits: #limits,
            }
        }
    }

    /// The primary key's type.
    pub(crate) fn key_type(&self) -> TokenStream {
        let types = self.keys.iter().map(|key| &key.ty);
        match self.keys.as_slice() {
            [key] => {
                let ty = &key.ty;
                quote!(#ty)
            }
            _ => quote!((#(#types),*)),
        }
    }

    /// The primary key's value, of `self`.
    pub(crate) fn key_value(&self) -> TokenStream {
        let names = self.keys.iter().map(|key| &key.name);
        match self.keys.as_slice() {
            [key] => {
                let name = &key.name;
                quote!(::core::clone::Clone::clone(&self.#name))
            }
            _ => quote!((#(::core::clone::Clone::clone(&self.#names)),*)),
        }
    }

    /// A pattern that binds the primary key's fields.
    pub(crate) fn key_pattern(&self) -> TokenStream {
        let names = self.keys.iter().map(|key| &key.name);
        match self.keys.as_slice() {
            [key] => {
                let name = &key.name;
                quote!(#name)
            }
            _ => quote!((#(#names),*)),
        }
    }
}

fn is_u64(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "u64"))
}

fn key_rule(rule: Option<&LitStr>) -> Result<Ident> {
    let name = match rule.map(LitStr::value).as_deref() {
        None | Some("delimited") => "Delimited",
        Some("ordered") => "Ordered",
        Some("raw_last") => "RawLast",
        Some(_) => return error(&rule, "write \"delimited\", \"ordered\" or \"raw_last\""),
    };
    Ok(Ident::new(name, Span::call_site()))
}
