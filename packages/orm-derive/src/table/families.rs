//! A table with families: `FamilyRow` for the row, `Record` and `Member` for each family.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Ident, LitStr, Result, Type, ext::IdentExt};

use super::{
    Field, Model,
    index::{self, Index},
};
use crate::{
    attrs::{self, FamilyAttr, error},
    types::argument_of,
};

/// A family of the table.
struct Member<'m> {
    field: &'m Field,
    attr: &'m FamilyAttr,
    ty: &'m Type,
    place: usize,
    constant: Ident,
}

/// The struct of a family field, which is an `Option` of it.
pub(super) fn family_type(field: &Field) -> Result<&Type> {
    match argument_of(&field.ty, &["Option"]) {
        Some(ty) => Ok(ty),
        None => {
            let ty = field.ty.to_token_stream();
            error(
                &field.ty,
                format!("a row may lack any of its families: write `Option<{ty}>`"),
            )
        }
    }
}

pub(super) fn expand(model: &Model) -> Result<TokenStream> {
    let members = members(model)?;
    let indexes = index::all(model)?;
    let (krate, row) = (&model.krate, &model.row);
    let constants = constants(model, &members, &indexes);
    let family_row = family_row(model, &members);
    let records = members.iter().map(|member| record(model, member, &indexes));
    Ok(quote! {
        #constants
        #family_row
        #(#records)*

        const _: () = #krate::assert_distinct(#row::NAMESPACES);
    })
}

fn members(model: &Model) -> Result<Vec<Member<'_>>> {
    if model.auto {
        let id = model.keys.first().map(|key| &key.name);
        return error(&id, "a table with families gives no ids: write `#[pk]`");
    }
    if let Some(validate) = &model.validate {
        return error(
            validate,
            "families are validated each on its own: write `#[family(id = 1, validate = path)]`",
        );
    }
    if let Some(migrate) = &model.migrate {
        return error(
            migrate,
            "families are migrated each on its own: write `#[family(id = 1, version = 2, migrate = path)]`",
        );
    }
    if let Some(old) = &model.moved_from {
        return error(
            old,
            "a table with families cannot be moved to: leave this out",
        );
    }
    if let Some(key) = model.keys.iter().find(|key| key.stored) {
        return error(
            &key.name,
            "families do not hold the primary key: write `#[pk]`",
        );
    }
    if let Some(column) = model.columns.get(32) {
        return error(&column.name, "a table has at most 32 families");
    }
    let mut members: Vec<Member<'_>> = Vec::new();
    for (place, field) in model.columns.iter().enumerate() {
        let Some(attr) = &field.family else {
            return error(
                &field.name,
                "in a table with families every column is in one: write `#[family(id = 1)]`, or `#[pk]`",
            );
        };
        let ty = family_type(field)?;
        if members.iter().any(|other| other.ty == ty) {
            return error(
                ty,
                "another family is of this type: write a struct for each family",
            );
        }
        members.push(Member {
            field,
            attr,
            ty,
            place,
            constant: attrs::constant(&field.name)?,
        });
    }
    Ok(members)
}

/// The constants of the row: its table, its namespaces, its families, its indexes.
fn constants(model: &Model, members: &[Member<'_>], indexes: &[Index]) -> TokenStream {
    let (krate, row, vis) = (&model.krate, &model.row, &model.vis);
    let ids = members.iter().map(|member| member.attr.id.number);
    let ids = ids.chain(indexes.iter().map(|index| index.id));
    let spaces = ids.map(|id| model.namespace(Some(id)));
    let constants = members.iter().map(|member| &member.constant);
    let places = members.iter().map(|member| member.place);
    let docs = members
        .iter()
        .map(|member| format!("The family `{}`.", member.field.name.unraw()));
    let definitions = indexes.iter().map(|index| &index.tokens);
    quote! {
        #[allow(dead_code)]
        impl #row {
            /// The table of these rows.
            #vis const TABLE: #krate::FamilyTable<#row> = #krate::FamilyTable::new();

            /// The namespaces that the table's families and indexes are kept in.
            #vis const NAMESPACES: &'static [#krate::Namespace] = &[#(#spaces),*];

            #(
                #[doc = #docs]
                #vis const #constants: #krate::Families = #krate::Families::at(#places);
            )*

            #(#definitions)*
        }
    }
}

fn family_row(model: &Model, members: &[Member<'_>]) -> TokenStream {
    let (krate, row) = (&model.krate, &model.row);
    let names: Vec<_> = members.iter().map(|member| &member.field.name).collect();
    let locals: Vec<_> = members.iter().map(|member| &member.field.local).collect();
    let types: Vec<_> = members.iter().map(|member| member.ty).collect();
    let places: Vec<_> = members.iter().map(|member| member.place).collect();
    let spaces: Vec<_> = members
        .iter()
        .map(|member| model.namespace(Some(member.attr.id.number)))
        .collect();
    let first = spaces.first().cloned().unwrap_or_default();
    let meta = model.meta(&model.name, &first, model.version);
    let (key_type, key_value, key_pattern) =
        (model.key_type(), model.key_value(), model.key_pattern());
    let (keys, key_locals): (Vec<_>, Vec<_>) =
        model.keys.iter().map(|key| (&key.name, &key.local)).unzip();
    quote! {
        #[automatically_derived]
        impl #krate::FamilyRow for #row {
            type PrimaryKey = #key_type;
            const META: #krate::TableMeta = #meta;
            const FAMILIES: &'static [#krate::Namespace] = &[#(#spaces),*];

            fn primary_key_fields(&self) -> Self::PrimaryKey {
                #key_value
            }

            fn assemble(
                __key: Self::PrimaryKey,
                __values: &mut #krate::FamilyValues<'_>,
            ) -> ::core::result::Result<Self, #krate::OrmError> {
                #(let #locals = __values.member::<#types>(#places, &__key)?;)*
                let #key_pattern = __key;
                ::core::result::Result::Ok(Self { #(#keys: #key_locals,)* #(#names: #locals),* })
            }

            fn plan(
                __change: &#krate::FamilyChange<'_, Self::PrimaryKey>,
                __old: ::core::option::Option<&Self>,
                __new: ::core::option::Option<&Self>,
                __plan: &mut #krate::WritePlan,
            ) -> ::core::result::Result<(), #krate::OrmError> {
                #(__change.member::<#types>(
                    #places,
                    __old.and_then(|__row| __row.#names.as_ref()),
                    __new.and_then(|__row| __row.#names.as_ref()),
                    __plan,
                )?;)*
                ::core::result::Result::Ok(())
            }

            fn members(__visitor: &mut impl #krate::MemberVisitor<Self>) {
                #(__visitor.visit::<#types>();)*
            }
        }
    }
}

fn record(model: &Model, member: &Member<'_>, indexes: &[Index]) -> TokenStream {
    let (krate, row, codec) = (&model.krate, &model.row, &model.codec);
    let Member {
        field,
        attr,
        ty,
        place,
        ..
    } = member;
    let version = attr.version;
    let name = format!("{}.{}", model.name.value(), field.name.unraw());
    let name = LitStr::new(&name, field.name.span());
    let meta = model.meta(&name, &model.namespace(Some(attr.id.number)), version);
    let key_type = model.key_type();
    let own = indexes
        .iter()
        .filter(|index| index.family.as_ref() == Some(&field.name))
        .map(|index| &index.constant);
    let migrate = attr.migrate.as_ref().map(|migrate| {
        quote! {
            if __version < #version {
                return #migrate(__key, __version, __bytes);
            }
        }
    });
    let versioned = model.versioned(attr.migrate.as_ref());
    let validate = attr.validate.as_ref().map(|validate| {
        quote! {
            fn validate(&self) -> ::core::result::Result<(), ::std::string::String> {
                #validate(self)
            }
        }
    });
    quote! {
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
                __key: &Self::PrimaryKey,
                __version: u8,
                __bytes: &[u8],
            ) -> ::core::result::Result<Self, ::std::string::String> {
                #migrate
                #krate::expect_version(#version, __version)?;
                <#codec as #krate::Codec>::decode(__bytes)
            }

            #validate
        }

        #versioned

        #[automatically_derived]
        impl #krate::Member<#row> for #ty {
            const POSITION: usize = #place;
        }
    }
}
