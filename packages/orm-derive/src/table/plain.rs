//! A table without families: `Record`, `PrimaryKeyed` and, for given ids, `AutoKeyed`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{LitStr, Result};

use super::{
    Model,
    index::{self, Index},
};

pub(super) fn expand(model: &Model) -> Result<TokenStream> {
    let indexes = index::all(model)?;
    let row = &model.row;
    let krate = &model.krate;
    let constants = constants(model, &indexes);
    let (columns, record) = (columns(model), record(model, &indexes));
    let key_value = model.key_value();
    let auto = model.auto.then(|| auto(model));
    Ok(quote! {
        #constants

        const _: () = {
            #columns
            #record

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

/// The constants of the row: its table, its namespaces, its indexes.
fn constants(model: &Model, indexes: &[Index]) -> TokenStream {
    let (krate, row, vis) = (&model.krate, &model.row, &model.vis);
    let table = if model.auto {
        quote!(AutoUInt64Table)
    } else {
        quote!(PrimaryKeyTable)
    };
    let sequence = model.auto.then_some(0);
    let ids = sequence
        .into_iter()
        .chain(indexes.iter().map(|index| index.id));
    let spaces = core::iter::once(None)
        .chain(ids.map(Some))
        .map(|id| model.namespace(id));
    let definitions = indexes.iter().map(|index| &index.tokens);
    quote! {
        #[allow(dead_code)]
        impl #row {
            /// The table of these rows.
            #vis const TABLE: #krate::#table<#row> = #krate::#table::new();

            /// The namespaces that the table, its sequence and its indexes are kept in.
            #vis const NAMESPACES: &'static [#krate::Namespace] = &[#(#spaces),*];

            #(#definitions)*
        }
    }
}

/// The stored columns: by reference to be written, owned to be read.
fn columns(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let names: Vec<_> = model.columns.iter().map(|column| &column.name).collect();
    let types: Vec<_> = model.columns.iter().map(|column| &column.ty).collect();
    let serde: Vec<_> = model
        .columns
        .iter()
        .map(|column| column.serde.as_slice())
        .collect();
    let rename = &model.serde;
    let path = quote!(#krate::__private::serde)
        .to_string()
        .replace(' ', "");
    let path = LitStr::new(&path, model.row.span());
    // A struct without columns has no use for the lifetime of their references.
    let lifetime = (!names.is_empty()).then(|| quote!(<'__row>));
    quote! {
        #[derive(#krate::__private::serde::Serialize)]
        #[serde(crate = #path)]
        #(#rename)*
        struct __Columns #lifetime {
            #(#(#serde)* #names: &'__row #types,)*
        }

        #[derive(#krate::__private::serde::Deserialize)]
        #[serde(crate = #path)]
        #(#rename)*
        struct __OwnedColumns {
            #(#(#serde)* #names: #types,)*
        }
    }
}

fn record(model: &Model, indexes: &[Index]) -> TokenStream {
    let (krate, row, codec, version) = (&model.krate, &model.row, &model.codec, model.version);
    let meta = model.meta(&model.name, &model.namespace(None), version);
    let (key_type, key_pattern) = (model.key_type(), model.key_pattern());
    let names: Vec<_> = model.columns.iter().map(|column| &column.name).collect();
    let locals: Vec<_> = model.columns.iter().map(|column| &column.local).collect();
    let (keys, key_locals): (Vec<_>, Vec<_>) =
        model.keys.iter().map(|key| (&key.name, &key.local)).unzip();
    let constants = indexes.iter().map(|index| &index.constant);
    let validate = model.validate.as_ref().map(|validate| {
        quote! {
            fn validate(&self) -> ::core::result::Result<(), ::std::string::String> {
                #validate(self)
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #krate::Record for #row {
            type PrimaryKey = #key_type;
            type Codec = #codec;
            const META: #krate::TableMeta = #meta;
            const INDEXES: &'static [&'static dyn #krate::Indexable<Self>] = &[#(&#row::#constants),*];

            fn encode(&self) -> ::core::result::Result<::std::vec::Vec<u8>, ::std::string::String> {
                <#codec as #krate::Codec>::encode(&__Columns { #(#names: &self.#names),* })
            }

            fn decode(
                __key: &Self::PrimaryKey,
                __version: u8,
                __bytes: &[u8],
            ) -> ::core::result::Result<Self, ::std::string::String> {
                #krate::expect_version(#version, __version)?;
                let __OwnedColumns { #(#names: #locals),* } = <#codec as #krate::Codec>::decode(__bytes)?;
                let #key_pattern = ::core::clone::Clone::clone(__key);
                ::core::result::Result::Ok(Self { #(#keys: #key_locals,)* #(#names: #locals),* })
            }

            #validate
        }
    }
}

fn auto(model: &Model) -> TokenStream {
    let (krate, row, sequence) = (&model.krate, &model.row, model.namespace(Some(0)));
    let id = model.keys.iter().map(|key| &key.name);
    quote! {
        #[automatically_derived]
        impl #krate::AutoKeyed for #row {
            const SEQUENCE: #krate::Namespace = #sequence;

            fn set_id(&mut self, __id: u64) {
                #(self.#id = __id;)*
            }
        }
    }
}
