//! A row's struct, read and checked.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Attribute, Data, DeriveInput, Fields, Ident, LitByteStr, LitStr, Path, Result, Type,
    Visibility, parse_quote, spanned::Spanned,
};

use crate::{
    attrs::{
        FamilyAttr, FieldAttr, IndexAttr, Limits, TableAttr, error, newer_than, positional, refuse,
        rename_all,
    },
    types::is_u64,
};

/// A field of the row.
pub(crate) struct Field {
    pub(crate) name: Ident,
    /// A local variable for it, which nothing of the row's own can be named.
    pub(crate) local: Ident,
    pub(crate) ty: Type,
    /// Its `#[serde(…)]` attributes, which the stored columns keep.
    pub(crate) serde: Vec<Attribute>,
    pub(crate) indexes: Vec<IndexAttr>,
    pub(crate) family: Option<FamilyAttr>,
    /// Its place among the fields.
    pub(crate) place: usize,
    /// Whether it is of the primary key, but among the stored columns too.
    pub(crate) stored: bool,
}

/// A row, read.
pub(crate) struct Model {
    pub(crate) krate: Path,
    pub(crate) row: Ident,
    pub(crate) vis: Visibility,
    pub(crate) name: LitStr,
    pub(crate) ns: LitStr,
    pub(crate) version: u8,
    pub(crate) codec: Path,
    pub(crate) key_rule: Ident,
    pub(crate) limits: Option<Limits>,
    pub(crate) validate: Option<Path>,
    pub(crate) migrate: Option<Path>,
    /// The row whose layout this one follows, while rows move.
    pub(crate) moved_from: Option<Type>,
    /// The `#[serde(rename_all …)]` of the row.
    pub(crate) serde: Vec<TokenStream>,
    pub(crate) auto: bool,
    pub(crate) keys: Vec<Field>,
    pub(crate) columns: Vec<Field>,
    pub(crate) indexes: Vec<IndexAttr>,
}

impl Model {
    pub(super) fn read(input: &DeriveInput) -> Result<Self> {
        let row = &input.ident;
        let named = match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(fields) => Some(&fields.named),
                _ => None,
            },
            _ => None,
        };
        let Some(fields) = named else {
            return error(
                row,
                "a row is a struct with named fields: write `struct Row { #[pk] id: u64 }`",
            );
        };
        if !input.generics.params.is_empty() {
            return error(
                &input.generics,
                "a row has no parameters, as its layout must be one: write a struct for each type",
            );
        }
        refuse(
            &input.attrs,
            "pk",
            "`pk` stands on the fields of the primary key",
        )?;
        refuse(
            &input.attrs,
            "family",
            "`family` stands on the fields that are families",
        )?;
        let table = TableAttr::read(&input.attrs)?;
        let Some(name) = table.name else {
            return error(
                row,
                "the table has no name for its errors: write `#[table(name = \"orders\", ns = \"o\")]`",
            );
        };
        let Some(ns) = table.ns else {
            return error(
                row,
                "the table has no namespace to be kept in: write `#[table(name = \"orders\", ns = \"o\")]`",
            );
        };
        if ns.value().is_empty() || ns.value().len() > 254 {
            return error(
                &ns,
                "a namespace has 1 to 254 bytes; each costs gas in every entry: write one or two",
            );
        }
        let (named_columns, versioned) = (table.codec.is_some(), table.version.is_some());
        let krate = table.krate.unwrap_or_else(|| parse_quote!(::cw_orm));
        let mut model = Self {
            row: row.clone(),
            vis: input.vis.clone(),
            name,
            ns,
            version: newer_than(table.version, table.migrate.as_ref())?,
            codec: table
                .codec
                .unwrap_or_else(|| parse_quote!(#krate::Postcard)),
            key_rule: key_rule(table.key_rule.as_ref())?,
            limits: table.limits,
            validate: table.validate,
            migrate: table.migrate,
            moved_from: table.moved_from,
            serde: Vec::new(),
            auto: false,
            keys: Vec::new(),
            columns: Vec::new(),
            indexes: IndexAttr::read_all(&input.attrs)?,
            krate,
        };
        for field in fields {
            model.read_field(field)?;
        }
        if model.keys.is_empty() {
            return error(
                row,
                "the row has no primary key: write `#[pk]` on its fields, or `#[pk(auto)]` on one u64",
            );
        }
        if let (true, [_, second, ..]) = (model.auto, model.keys.as_slice()) {
            return error(
                &second.name,
                "where the table gives the ids, the id is the only `#[pk]`",
            );
        }
        if !model.has_families() {
            model.serde = rename_all(&input.attrs)?;
            if !named_columns {
                model
                    .stored()
                    .into_iter()
                    .try_for_each(|column| positional(&column.serde))?;
            }
        } else if versioned {
            return error(
                row,
                "in a table with families each has its own version: write `#[family(id = 1, version = 2)]`",
            );
        }
        Ok(model)
    }

    fn read_field(&mut self, field: &syn::Field) -> Result<()> {
        let Some(name) = field.ident.clone() else {
            return Ok(());
        };
        let attr = FieldAttr::read(&field.attrs)?;
        if attr.pk && attr.family.is_some() {
            return error(&name, "a field is in the primary key or a family, not both");
        }
        if attr.auto && !is_u64(&field.ty) {
            return error(
                &field.ty,
                "ids that the table gives are numbers: write `u64`",
            );
        }
        self.auto |= attr.auto;
        let place = self.keys.len().saturating_add(self.columns.len());
        let read = Field {
            name,
            local: format_ident!("__field_{place}"),
            ty: field.ty.clone(),
            serde: field
                .attrs
                .iter()
                .filter(|at| at.path().is_ident("serde"))
                .cloned()
                .collect(),
            indexes: IndexAttr::read_all(&field.attrs)?,
            family: attr.family,
            place,
            stored: attr.stored,
        };
        if attr.pk {
            self.keys.push(read)
        } else {
            self.columns.push(read)
        }
        Ok(())
    }

    /// The fields that the value of a row without families holds.
    pub(super) fn stored(&self) -> Vec<&Field> {
        let keys = self.keys.iter().filter(|key| key.stored);
        let mut stored: Vec<_> = self.columns.iter().chain(keys).collect();
        stored.sort_by_key(|field| field.place);
        stored
    }

    /// Whether its columns are in families.
    pub(super) fn has_families(&self) -> bool {
        self.columns.iter().any(|column| column.family.is_some())
    }

    /// The namespace of this id, or of the table itself.
    pub(super) fn namespace(&self, id: Option<u8>) -> TokenStream {
        let krate = &self.krate;
        let bytes: Vec<u8> = self.ns.value().bytes().chain(id).collect();
        let bytes = LitByteStr::new(&bytes, Span::call_site());
        quote!(#krate::Namespace::new(#bytes))
    }

    /// The facts of a table or family.
    pub(super) fn meta(&self, name: &LitStr, namespace: &TokenStream, version: u8) -> TokenStream {
        let (krate, rule) = (&self.krate, &self.key_rule);
        let limits = match &self.limits {
            Some(Limits { default, max }) => {
                quote!(#krate::PageLimits { default: #default, max: #max })
            }
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

    /// Refuses, as the code compiles, a migration of rows whose codec does not say their version.
    pub(super) fn versioned(&self, migrate: Option<&Path>) -> Option<TokenStream> {
        let (krate, codec) = (&self.krate, &self.codec);
        migrate.map(|migrate| {
            let at = Span::call_site().located_at(migrate.span());
            quote_spanned! {at=>
                const _: () = ::core::assert!(
                    <#codec as #krate::Codec>::VERSIONED,
                    "the codec writes no version, so rows of an older one cannot be told: leave `migrate` out"
                );
            }
        })
    }

    /// The primary key's type.
    pub(super) fn key_type(&self) -> TokenStream {
        let types = self.keys.iter().map(|key| &key.ty);
        one_or_tuple(types)
    }

    /// The primary key's value, of `self`.
    pub(super) fn key_value(&self) -> TokenStream {
        one_or_tuple(self.keys.iter().map(|key| {
            let name = &key.name;
            quote!(::core::clone::Clone::clone(&self.#name))
        }))
    }

    /// A pattern that takes the primary key apart into its fields' variables.
    pub(super) fn key_pattern(&self) -> TokenStream {
        one_or_tuple(self.keys.iter().map(|key| &key.local))
    }
}

/// Writes one thing as it is, and several as a tuple.
pub(super) fn one_or_tuple(things: impl Iterator<Item = impl quote::ToTokens>) -> TokenStream {
    let things: Vec<_> = things.collect();
    match things.as_slice() {
        [thing] => quote!(#thing),
        _ => quote!((#(#things),*)),
    }
}

fn key_rule(rule: Option<&LitStr>) -> Result<Ident> {
    let name = match rule.map(LitStr::value).as_deref() {
        None | Some("delimited") => "Delimited",
        Some("ordered") => "Ordered",
        Some("raw_last") => "RawLast",
        Some("storage_plus") => "StoragePlus",
        Some(_) => {
            return error(
                &rule,
                "write \"delimited\", \"ordered\", \"raw_last\" or \"storage_plus\"",
            );
        }
    };
    Ok(Ident::new(name, Span::call_site()))
}
