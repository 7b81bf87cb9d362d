//! What can be told of a type by its name.

use syn::{GenericArgument, PathArguments, Type};

/// Returns the first type argument of a type that has one of these names.
pub(crate) fn argument_of<'t>(ty: &'t Type, names: &[&str]) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    if !names.iter().any(|name| last.ident == name) {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Returns the type of a list's elements.
pub(crate) fn element_of(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Array(array) => Some(&array.elem),
        _ => argument_of(ty, &["Vec", "VecDeque", "BTreeSet", "HashSet"]),
    }
}

/// Whether it is `u64`.
pub(crate) fn is_u64(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "u64"))
}
