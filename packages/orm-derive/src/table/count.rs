//! Counters: of all rows, of keys of their own, or of an index.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Path, Result, ext::IdentExt, spanned::Spanned};

use super::{
    Model,
    index::{Index, Keys},
};
use crate::attrs::{self, IndexAttr, Kind, error};

/// The one key of a total.
pub(super) fn total(at: &Path) -> Keys {
    Keys {
        at: at.span(),
        ty: quote!(()),
        func: quote!(|_, _| ::std::vec![()]),
    }
}

/// Whether these columns are the first parts of the primary key.
pub(super) fn is_leading(model: &Model, columns: &[&Ident]) -> bool {
    let keys = model.keys.iter().map(|key| &key.name);
    columns.len() <= model.keys.len() && keys.zip(columns).all(|(key, column)| key == *column)
}

/// Says which list a counter's totals are of, where it is known to count one: that of rows, if its keys are leading parts
/// of theirs, delimited alike.
pub(super) fn list(model: &Model, attr: &IndexAttr, leading: bool) -> Option<TokenStream> {
    let krate = &model.krate;
    let alike = !attr.ordered || model.key_rule == "Ordered";
    (leading && alike).then(|| quote!(.of(#krate::CountedList::Rows)))
}

/// A counter of an index's entries.
pub(super) fn of_index(model: &Model, attr: &IndexAttr, indexes: &[Index]) -> Result<Index> {
    let (Some(of), Some(name)) = (&attr.of, &attr.name) else {
        return error(
            &attr.at,
            "a count on the struct has no name yet: write `name = x`",
        );
    };
    let own = attr.key.is_some()
        || attr.with.is_some()
        || attr.key_type.is_some()
        || attr.family.is_some()
        || attr.each
        || attr.ordered;
    if own {
        return error(
            of,
            "a count of an index has its keys from there: leave key, with, key_type, family, each and ordered away",
        );
    }
    let constant = attrs::constant(of)?;
    let countable = |index: &&Index| matches!(index.kind, Kind::Index | Kind::Covering);
    let Some(index) = indexes
        .iter()
        .filter(countable)
        .find(|index| index.constant == constant)
    else {
        let known: Vec<_> = indexes
            .iter()
            .filter(countable)
            .map(|index| format!("`{}`", index.constant.to_string().to_lowercase()))
            .collect();
        let write = match known.as_slice() {
            [] => "declare an `index` or `covering`".to_owned(),
            known => format!("write one of {}", known.join(", ")),
        };
        return error(
            of,
            format!("the row has no index `{of}` with several rows a key: {write}"),
        );
    };
    let (krate, row, vis, id) = (&model.krate, &model.row, &model.vis, attr.id.number);
    let namespace = model.namespace(Some(id));
    let (counted, record, key_type) = (&index.constant, &index.record, &index.key_type);
    let constant = attrs::constant(name)?;
    let text = name.unraw().to_string();
    let doc = format!("The counts `{text}`, of the index `{}`.", of.unraw());
    Ok(Index {
        kind: Kind::Count,
        id,
        record: record.clone(),
        key_type: key_type.clone(),
        family: index.family.clone(),
        tokens: quote! {
            #[doc = #doc]
            #vis const #constant: #krate::CountIndex<#record, #key_type> =
                #row::#counted.counter(#id, #text, #namespace);
        },
        constant,
    })
}
