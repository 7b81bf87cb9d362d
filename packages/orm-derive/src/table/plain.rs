//! A table without families: `Record`, `PrimaryKeyed` and, for given ids, `AutoKeyed`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitStr, Result};

use super::{Model, index};

pub(super) fn expand(model: &Model) -> Result<TokenStream> {
    let indexes = index::all(model)?;
    let (krate, row, vis, codec) = (&model.krate, &model.row, &model.vis, &model.codec);
    let namespace = model.namespace(None);
    let meta = model.meta(&model.name, &namespace, &model.version);
    let (key_type, key_value, key_pattern) =
        (model.key_type(), model.key_value(), model.key_pattern());
    let keys = model.keys.iter().map(|key| &key.name);
    let version = &model.version;
    let names: Vec<_> = model.columns.iter().map(|column| &column.name).collect();
    let types: Vec<_> = model.columns.iter().map(|column| &column.ty).collect();
    let serde: Vec<_> = model
        .columns
        .iter()
        .map(|column| column.serde.as_slice())
        .collect();
    let serde_path = LitStr::new(
        &quote!(#krate::__private::serde)
            .to_string()
            .replace(' ', ""),
        row.span(),
    );
    // A struct without columns has no use for the lifetime of their references.
    let lifetime = if names.is_empty() {
        quote!()
    } else {
        quote!(<'a>)
    };
    let constants = indexes.iter().map(|index| &index.constant);
    let definitions = indexes.iter().map(|index| &index.tokens);
    let index_spaces = indexes.iter().map(|index| model.namespace(Some(index.id)));
    let validate = model.validate.as_ref().map(|validate| {
        quote! {
            fn validate(&self) -> ::core::result::Result<(), ::std::string::String> {
                #validate(self)
            }
        }
    });
    let sequence = model.namespace(Some(0));
    let (table, auto, sequence_space) = if model.auto {
        let id = model.keys.iter().map(|key| &key.name);
        let auto = quote! {
            #[automatically_derived]
            impl #krate::AutoKeyed for #row {
                const SEQUENCE: #krate::Namespace = #sequence;

                fn set_id(&mut self, id: u64) {
                    #(self.#id = id;)*
                }
            }
        };
        (quote!(AutoUInt64Table), auto, quote!(#sequence,))
    } else {
        (quote!(PrimaryKeyTable), quote!(), quote!())
    };

    Ok(quote! {
        impl #row {
            /// The table of these rows.
            #vis const TABLE: #krate::#table<#row> = #krate::#table::new();

            /// The namespaces that the table, its sequence and its indexes are kept in.
            #vis const NAMESPACES: &'static [#krate::Namespace] = &[#namespace, #sequence_space #(#index_spaces),*];

            #(#definitions)*
        }

        const _: () = {
            #[derive(#krate::__private::serde::Serialize)]
            #[serde(crate = #serde_path)]
            struct Columns #lifetime {
                #(#(#serde)* #names: &'a #types,)*
            }

            #[derive(#krate::__private::serde::Deserialize)]
            #[serde(crate = #serde_path)]
            struct OwnedColumns {
                #(#(#serde)* #names: #types,)*
            }

            #[automatically_derived]
            impl #krate::Record for #row {
                type PrimaryKey = #key_type;
                type Codec = #codec;
                const META: #krate::TableMeta = #meta;
                const INDEXES: &'static [&'static dyn #krate::Indexable<Self>] = &[#(&#row::#constants),*];

                fn encode(&self) -> ::core::result::Result<::std::vec::Vec<u8>, ::std::string::String> {
                    <#codec as #krate::Codec>::encode(&Columns { #(#names: &self.#names),* })
                }

                fn decode(
                    key: &Self::PrimaryKey,
                    version: u8,
                    bytes: &[u8],
                ) -> ::core::result::Result<Self, ::std::string::String> {
                    #krate::expect_version(#version, version)?;
                    let OwnedColumns { #(#names),* } = <#codec as #krate::Codec>::decode(bytes)?;
                    let #key_pattern = ::core::clone::Clone::clone(key);
                    ::core::result::Result::Ok(Self { #(#keys,)* #(#names),* })
                }

                #validate
            }

            #[automatically_derived]
            impl #krate::PrimaryKeyed for #row {
                fn primary_key_fields(&self) -> Self::PrimaryKey {
                    #key_value
                }
            }

            #auto
        };

        const _: () = #krate::assert_distinct(#row::NAMESPACES);
    })
}
