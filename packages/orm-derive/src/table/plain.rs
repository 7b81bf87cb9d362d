//! A table without families: `Record`, `PrimaryKeyed` and, for given ids, `AutoKeyed`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{LitStr, Result, ext::IdentExt};

use super::{
    Model,
    index::{self, Index},
};
use crate::attrs::error;

pub(super) fn expand(model: &Model) -> Result<TokenStream> {
    if let (Some(old), true) = (&model.moved_from, model.auto) {
        return error(
            old,
            "a table that gives ids cannot be moved to: leave this out, or write `#[pk]`",
        );
    }
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
    let table = match (&model.moved_from, model.auto) {
        (Some(old), _) => quote!(MovingTable<#old, #row>),
        (None, true) => quote!(AutoUInt64Table<#row>),
        (None, false) => quote!(PrimaryKeyTable<#row>),
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
            #vis const TABLE: #krate::#table = <#krate::#table>::new();

            /// The namespaces that the table, its sequence and its indexes are kept in.
            #vis const NAMESPACES: &'static [#krate::Namespace] = &[#(#spaces),*];

            #(#definitions)*
        }
    }
}

/// The stored columns: by reference to be written, owned to be read.
fn columns(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let stored = model.stored();
    let names: Vec<_> = stored.iter().map(|column| &column.name).collect();
    let types: Vec<_> = stored.iter().map(|column| &column.ty).collect();
    let serde: Vec<_> = stored
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
    let stored: Vec<_> = model.stored().iter().map(|field| &field.name).collect();
    // Columns that are of the key too are read apart, to be compared with it.
    let read = model.stored().into_iter().map(|field| match field.stored {
        true => format_ident!("{}_stored", field.local),
        false => field.local.clone(),
    });
    let read: Vec<_> = read.collect();
    let (keys, key_locals): (Vec<_>, Vec<_>) =
        model.keys.iter().map(|key| (&key.name, &key.local)).unzip();
    let compared = model.keys.iter().filter(|key| key.stored).map(|key| {
        let (local, column) = (&key.local, key.name.unraw().to_string());
        let stored = format_ident!("{local}_stored");
        quote!(#krate::__private::same_key(#column, &#stored, &#local)?;)
    });
    let migrate = model.migrate.as_ref().map(|migrate| {
        quote! {
            if __version < #version {
                let __row: Self = #migrate(__key, __version, __bytes)?;
                let __fields = #krate::PrimaryKeyed::primary_key_fields(&__row);
                #krate::__private::same_key("the primary key", &__fields, __key)?;
                return ::core::result::Result::Ok(__row);
            }
        }
    });
    let versioned = model.versioned(model.migrate.as_ref());
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
                <#codec as #krate::Codec>::encode(&__Columns { #(#stored: &self.#stored),* })
            }

            fn decode(
                __key: &Self::PrimaryKey,
                __version: u8,
                __bytes: &[u8],
            ) -> ::core::result::Result<Self, ::std::string::String> {
                #migrate
                #krate::expect_version(#version, __version)?;
                let __OwnedColumns { #(#stored: #read),* } = <#codec as #krate::Codec>::decode(__bytes)?;
                let #key_pattern = ::core::clone::Clone::clone(__key);
                #(#compared)*
                ::core::result::Result::Ok(Self { #(#keys: #key_locals,)* #(#names: #locals),* })
            }

            #validate
        }

        #versioned
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
