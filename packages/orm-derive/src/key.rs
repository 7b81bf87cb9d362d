//! `#[derive(Key)]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Fields, Path, Result};

use crate::attrs::{error, krate};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    if !input.generics.params.is_empty() {
        return error(
            &input.generics,
            "a key has no parameters: write a key for each type",
        );
    }
    let krate = krate(input, "key")?;
    match &input.data {
        Data::Struct(data) => of_struct(input, &krate, &data.fields),
        Data::Enum(data) => of_enum(input, &krate, data),
        Data::Union(_) => error(&input.ident, "a key is a struct or an enum without data"),
    }
}

fn of_struct(input: &DeriveInput, krate: &Path, fields: &Fields) -> Result<TokenStream> {
    if fields.is_empty() {
        return error(&input.ident, "a key has at least one field");
    }
    let name = &input.ident;
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let members: Vec<_> = fields.members().collect();
    let locals: Vec<_> = (0..types.len())
        .map(|place| format_ident!("part_{place}"))
        .collect();
    let last: Vec<bool> = (1..=types.len())
        .map(|place| place == types.len())
        .collect();
    Ok(quote! {
        #[automatically_derived]
        impl #krate::Key for #name {
            const ORDERED: bool = #(<#types as #krate::Key>::ORDERED)&&*;

            fn describe() -> ::std::string::String {
                [#(<#types as #krate::Key>::describe()),*].join(",")
            }

            fn write(&self, out: &mut #krate::KeyWriter) -> ::core::result::Result<(), #krate::KeyError> {
                #(out.part(&self.#members, #last)?;)*
                ::core::result::Result::Ok(())
            }

            fn read(input: &mut #krate::KeyReader<'_>) -> ::core::result::Result<Self, #krate::KeyError> {
                #(let #locals = input.part::<#types>(#last)?;)*
                ::core::result::Result::Ok(Self { #(#members: #locals),* })
            }

            fn is_empty(&self) -> bool {
                #(<#types as #krate::Key>::is_empty(&self.#members))&&*
            }
        }
    })
}

fn of_enum(input: &DeriveInput, krate: &Path, data: &DataEnum) -> Result<TokenStream> {
    if data.variants.is_empty() {
        return error(&input.ident, "a key enum has at least one variant");
    }
    if data.variants.len() > 256 {
        return error(
            &input.ident,
            "a key enum has at most 256 variants: its discriminant is one byte",
        );
    }
    if let Some(variant) = data
        .variants
        .iter()
        .find(|variant| !matches!(variant.fields, Fields::Unit))
    {
        return error(variant, "a key enum carries no data");
    }
    let (name, text) = (&input.ident, input.ident.to_string());
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    Ok(quote! {
        // A discriminant that is no byte would collide with another.
        const _: () = {
            #(::core::assert!(
                #name::#variants as i128 >= 0 && #name::#variants as i128 <= 255,
                "the discriminants of a key enum are 0 to 255"
            );)*
        };

        #[automatically_derived]
        impl #krate::Key for #name {
            const ORDERED: bool = true;

            fn describe() -> ::std::string::String {
                ::std::string::String::from("enum")
            }

            fn write(&self, out: &mut #krate::KeyWriter) -> ::core::result::Result<(), #krate::KeyError> {
                let byte = match self {
                    #(Self::#variants => Self::#variants as u8,)*
                };
                out.fixed(&[byte]);
                ::core::result::Result::Ok(())
            }

            fn read(input: &mut #krate::KeyReader<'_>) -> ::core::result::Result<Self, #krate::KeyError> {
                let [byte] = input.fixed::<1>()?;
                #(if byte == Self::#variants as u8 {
                    return ::core::result::Result::Ok(Self::#variants);
                })*
                ::core::result::Result::Err(#krate::KeyError::Malformed { expected: #text })
            }
        }
    })
}
