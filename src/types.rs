//! Types: Pulumi's type system and the cty types of Terraform and OpenTofu, in one enum.
//!
//! cty's `list(T)` is [`Type::Array`]; `set(T)` and `dynamic` exist in cty only; unions, enums, promises, outputs and inputs in
//! Pulumi only. An object may have optional attributes in cty.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::value::Value;

/// What kind of value may stand at a place.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// The absence of a value.
    Null,
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// A blob.
    Asset,
    /// A collection of blobs.
    Archive,
    /// A link to a resource.
    Reference,
    /// A sequence of fixed length, each element of its own type.
    Tuple(Vec<Type>),
    /// A sequence of any length: Pulumi's array, cty's list.
    Array(Arc<Type>),
    /// A cty set: elements without order or repetition.
    Set(Arc<Type>),
    /// Any keys, values of one type.
    Map(Arc<Type>),
    /// Fixed keys, each value of its own type.
    Object(ObjectType),
    /// A value of any of these types.
    Union(Vec<Type>),
    /// One of these values, of that type.
    Enum(Arc<Type>, Vec<Value>),
    /// The result of an asynchronous computation.
    Promise(Arc<Type>),
    /// A promise that knows its dependencies, and whether it is unknown or secret.
    Output(Arc<Type>),
    /// A value of the type, or an output of it.
    Input(Arc<Type>),
    /// cty's dynamic pseudo-type: any type, decided by the value.
    Dynamic,
}

/// The attributes of an object type.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ObjectType {
    /// The attributes; their order has no meaning.
    pub attributes: IndexMap<Arc<str>, Type>,
    /// Which of them may be left out (cty's optional attributes).
    pub optional: BTreeSet<Arc<str>>,
}
