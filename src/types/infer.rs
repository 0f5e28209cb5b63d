//! The type of a value.

use super::{ObjectType, Type};
use crate::json::MAX_DEPTH;
use crate::value::{Payload, Refinements, Value};

/// Maximum number of different element types in an array. Beyond it, their union becomes `Dynamic`.
const MAX_UNION: usize = 16;

impl Type {
    /// The type of `value`, with an `Output` around every part that is unknown, secret or has dependencies.
    ///
    /// An array is an array of the union of the types of its elements (one type if they agree, the empty union if it is empty). A
    /// map is an object of its keys. An enum is never inferred. An unknown value is of type `Dynamic`, unless its refinements
    /// give the type. For a secret only the kind is given, not its keys or elements, because they are part of the secret.
    ///
    /// Nesting beyond [`MAX_DEPTH`] is `Dynamic`.
    pub fn infer(value: &Value) -> Self {
        infer(value, 0)
    }
}

fn infer(value: &Value, depth: usize) -> Type {
    let ty = if value.is_secret() {
        kind(value.payload())
    } else {
        infer_payload(value.payload(), depth)
    };
    let is_output = value.is_secret() || value.is_computed() || !value.dependencies().is_empty();
    if is_output {
        Type::Output(ty.into())
    } else {
        ty
    }
}

fn infer_payload(payload: &Payload, depth: usize) -> Type {
    match payload {
        Payload::Null => Type::Null,
        Payload::Array(array) if depth < MAX_DEPTH => {
            Type::Array(union(array.iter().map(|item| infer(item, depth + 1))).into())
        }
        Payload::Map(map) if depth < MAX_DEPTH => Type::Object(ObjectType {
            attributes: map
                .iter()
                .map(|(key, value)| (key.clone(), infer(value, depth + 1)))
                .collect(),
            optional: std::collections::BTreeSet::new(),
        }),
        Payload::Array(_) | Payload::Map(_) => Type::Dynamic,
        other => kind(other),
    }
}

/// The type of a payload, as far as it may be given without its contents. Its nulls belong to the contents.
fn kind(payload: &Payload) -> Type {
    match payload {
        Payload::Bool(_) => Type::Bool,
        Payload::Number(_) => Type::Number,
        Payload::String(_) => Type::String,
        Payload::Array(_) => Type::Array(Type::Dynamic.into()),
        Payload::Map(_) => Type::Map(Type::Dynamic.into()),
        Payload::Asset(_) => Type::Asset,
        Payload::Archive(_) => Type::Archive,
        Payload::Reference(_) => Type::Reference,
        Payload::Computed(Some(refinements)) => refined(refinements),
        Payload::Null | Payload::Computed(None) | Payload::Sealed(_) => Type::Dynamic,
    }
}

fn refined(refinements: &Refinements) -> Type {
    if refinements.string_prefix.is_some() {
        Type::String
    } else if refinements.number_min.is_some() || refinements.number_max.is_some() {
        Type::Number
    } else {
        Type::Dynamic
    }
}

/// The union of `types` without repetition, in the order of their first occurrence. A single type is returned as it is.
fn union(types: impl Iterator<Item = Type>) -> Type {
    let mut members: Vec<Type> = Vec::new();
    for ty in types {
        if ty == Type::Dynamic {
            return Type::Dynamic;
        }
        if !members.contains(&ty) {
            members.push(ty);
            // The bound keeps a list of a million different elements linear.
            if members.len() > MAX_UNION {
                return Type::Dynamic;
            }
        }
    }
    if members.len() == 1 {
        members.swap_remove(0)
    } else {
        Type::Union(members)
    }
}
