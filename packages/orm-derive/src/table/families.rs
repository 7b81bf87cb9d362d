//! A table with families: `FamilyRow` for the row, `Record` and `Member` for each family.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{LitInt, LitStr, Result};

use super::{
    Field, Model,
    index::{self, Index, family_type},
};
use crate::attrs::error;

pub(super) fn expand(model: &Model) -> Result<TokenStream> {
    if let Some(column) = model.columns.iter().find(|column| column.family.is_none()) {
        return error(
            &column.name,
            "in a table with families every column is in one: write `#[family(id = 1)]`",
        );
    }
    if model.auto {
        return error(
            &model.row,
            "a table with families gives no ids: write `#[pk]`",
        );
    }
    if let Some(validate) = &model.validate {
        return error(
            validate,
            "a table with families is not validated as a whole",
        );
    }
    if model.columns.len() > 32 {
        return error(&model.row, "a table has at most 32 families");
    }
    let indexes = index::all(model)?;
    let (krate, row, vis) = (&model.krate, &model.row, &model.vis);
    let members = model
        .columns
        .iter()
        .enumerate()
        .map(|(place, field)| member(model, place, field, &indexes));
    let members = members.collect::<Result<Vec<_>>>()?;
    let names: Vec<_> = model.columns.iter().map(|column| &column.name).collect();
    let places: Vec<usize> = (0..names.len()).collect();
    let types = model
        .columns
        .iter()
        .map(family_type)
        .collect::<Result<Vec<_>>>()?;
    let ids = model
        .columns
        .iter()
        .filter_map(|column| column.family.as_ref());
    let ids = ids
        .map(|family| family.id.base10_parse::<u8>())
        .collect::<Result<Vec<_>>>()?;
    let spaces: Vec<_> = ids.iter().map(|id| model.namespace(Some(*id))).collect();
    let index_spaces = indexes.iter().map(|index| model.namespace(Some(index.id)));
    let constants = names
        .iter()
        .map(|name| format_ident!("{}", name.to_string().to_uppercase()));
    let docs = names
        .iter()
        .map(|name| format!("The family `{name}`, to be read."));
    let definitions = indexes.iter().map(|index| &index.tokens);
    let first = spaces.first().cloned().unwrap_or_default();
    let meta = model.meta(&model.name, &first, &model.version);
    let (key_type, key_value, key_pattern) =
        (model.key_type(), model.key_value(), model.key_pattern());
    let keys = model.keys.iter().map(|key| &key.name);

    Ok(quote! {
        impl #row {
            /// The table of these rows.
            #vis const TABLE: #krate::FamilyTable<#row> = #krate::FamilyTable::new();

            /// The namespaces that the table's families and indexes are kept in.
            #vis const NAMESPACES: &'static [#krate::Namespace] = &[#(#spaces,)* #(#index_spaces),*];

            #(#[doc = #docs] #vis const #constants: #krate::Families = #krate::Families::at(#places);)*

            #(#definitions)*
        }

        #[automatically_derived]
        impl #krate::FamilyRow for #row {
            type PrimaryKey = #key_type;
            const META: #krate::TableMeta = #meta;
            const FAMILIES: &'static [#krate::Namespace] = &[#(#spaces),*];

            fn primary_key_fields(&self) -> Self::PrimaryKey {
                #key_value
            }

            fn assemble(
                key: Self::PrimaryKey,
                values: &mut #krate::FamilyValues<'_>,
            ) -> ::core::result::Result<Self, #krate::OrmError> {
                #(let #names = values.member::<#types>(#places, &key)?;)*
                let #key_pattern = key;
                ::core::result::Result::Ok(Self { #(#keys,)* #(#names),* })
            }

            fn plan(
                change: &#krate::FamilyChange<'_, Self::PrimaryKey>,
                old: ::core::option::Option<&Self>,
                new: ::core::option::Option<&Self>,
                plan: &mut #krate::WritePlan,
            ) -> ::core::result::Result<(), #krate::OrmError> {
                #(change.member::<#types>(
                    #places,
                    old.and_then(|row| row.#names.as_ref()),
                    new.and_then(|row| row.#names.as_ref()),
                    plan,
                )?;)*
                ::core::result::Result::Ok(())
            }
        }

        #(#members)*

        const _: () = #krate::assert_distinct(#row::NAMESPACES);
    })
}

fn member(model: &Model, place: usize, field: &Field, indexes: &[Index]) -> Result<TokenStream> {
    let (krate, row, codec) = (&model.krate, &model.row, &model.codec);
    let Some(family) = &field.family else {
        return Ok(quote!());
    };
    let ty = family_type(field)?;
    let version = family
        .version
        .clone()
        .unwrap_or_else(|| LitInt::new("1", field.name.span()));
    let name = LitStr::new(
        &format!("{}.{}", model.name.value(), field.name),
        field.name.span(),
    );
    let namespace = model.namespace(Some(family.id.base10_parse()?));
    let meta = model.meta(&name, &namespace, &version);
    let key_type = model.key_type();
    let own = indexes
        .iter()
        .filter(|index| index.family.as_ref() == Some(&field.name))
        .map(|index| &index.constant);
    Ok(quote! {
        #[automatically_derived]
        impl #krate::Record for #ty {
            type PrimaryKey = #key_type;
            type Codec = #codec;
            const META: #krate::TableMeta = #meta;
            const INDEXES: &'static [&'static dyn #krate::Indexable<Self>] = &[#(&#row::#own),*];

            fn encode(&self) -> ::core::result::Result<::std::vec::Vec<u8>, ::std::string::String> {
                <#codec as #krate::Codec>::encode(self)
            }

            fn decode(
                _: &Self::PrimaryKey,
                version: u8,
                bytes: &[u8],
            ) -> ::core::result::Result<Self, ::std::string::String> {
                #krate::expect_version(#version, version)?;
                <#codec as #krate::Codec>::decode(bytes)
            }
        }

        #[automatically_derived]
        impl #krate::Member<#row> for #ty {
            const POSITION: usize = #place;
        }
    })
}
