//! Types: Pulumi's type system and the cty types of Terraform and OpenTofu, in one enum.
//!
//! A [`Type`] is the set of values allowed at a place. cty's `list(T)` is [`Type::Array`]; `set(T)` and `dynamic` exist in cty
//! only; unions, enums, promises, outputs and inputs in Pulumi only. An object may have optional attributes in cty.
//!
//! # Shapes
//!
//! `Input<Array<String>>` admits an array or an output of an array, but no array of outputs. Three total functions move the
//! constructors inwards and out again: [`Type::input_shape`], [`Type::output_shape`] and [`Type::plain_shape`].
//!
//! # Laws
//!
//! 1. **Literal.** A shape follows the case table of the specification to the letter: unions are not simplified, and only one
//!    layer of `Promise` or `Output` is removed; the type under it is not shaped again. An `Input<T>` in the argument is replaced
//!    by its definition, `Union<T, Output<T>>`.
//! 2. `input_shape(T)` is `Input<…>` and `output_shape(T)` is `Output<…>`, for every `T`.
//! 3. `output_shape(T)` is `input_shape(T)` with each `Input` that the shaping added replaced by `Output`.
//! 4. For a type without promises, outputs and inputs, `plain_shape` is the identity. It undoes `output_shape` as far as one
//!    layer goes: `plain_shape(output_shape(T))` is the argument of the outer `Output`.
//! 5. A value that conforms to `T` conforms to `input_shape(T)` and to `output_shape(T)`.
//! 6. Every value conforms to the type inferred from it ([`Type::infer`]).
//!
//! # Conformance
//!
//! An unknown, a secret and a value with dependencies are values of `Output<T>` (and so of `Input<T>`), never of `T`: a plain
//! type has no place for metadata. Null is a value of `Null` only. See [`Type::check`].
//!
//! # Notation
//!
//! Types print as in the specification, the keys of an object quoted:
//!
//! ```
//! use stacklens::types::Type;
//! use stacklens::value::{Map, Value};
//!
//! let ty = Type::infer(&Value::from(Map::from_iter([("a b", Value::from(1.0)), ("tags", Value::from(vec!["x".into()]))])));
//! assert_eq!(ty.to_string(), r#"Object<"a b", Number, "tags", Array<String>>"#);
//! assert_eq!(Type::Array(Type::String.into()).input_shape().to_string(), "Input<Array<Input<String>>>");
//! ```
//!
//! # Source
//!
//! The type system specification (primitives, `inputShape`, `outputShape`, `plainShape`); zclconf/go-cty for sets, optional
//! attributes and `dynamic`.

mod conform;
mod infer;
mod notation;
mod shape;

pub mod cty;

#[cfg(feature = "internals")]
pub use conform::{Misfit, MisfitKind};

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::value::Value;

/// The type of a value.
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
    /// A sequence of fixed length, with a separate type for each element.
    Tuple(TupleType),
    /// A sequence of any length: Pulumi's array, cty's list.
    Array(Arc<Type>),
    /// A cty set: elements without order or repetition.
    Set(Arc<Type>),
    /// Any keys, values of one type.
    Map(Arc<Type>),
    /// Fixed keys, with a separate type for each value.
    Object(ObjectType),
    /// A value of any of these types.
    Union(Vec<Type>),
    /// One of these values, all of the given type.
    #[cfg_attr(
        not(feature = "internals"),
        expect(
            dead_code,
            reason = "the specification has it, and no value in a file is of it alone"
        )
    )]
    Enum(Arc<Type>, Vec<Value>),
    /// The result of an asynchronous computation.
    #[cfg_attr(
        not(feature = "internals"),
        expect(
            dead_code,
            reason = "the specification has it, and no value in a file is of it alone"
        )
    )]
    Promise(Arc<Type>),
    /// A promise with its dependencies and the flags unknown and secret.
    Output(Arc<Type>),
    /// A value of the type, or an output of it.
    Input(Arc<Type>),
    /// cty's dynamic pseudo-type: any type, decided by the value.
    Dynamic,
}

/// The types of the elements of a tuple.
#[derive(Clone, Default, Debug)]
pub struct TupleType {
    types: Vec<Type>,
    /// True if cty's JSON has null instead of the list of no types. The type is the same, but cty writes it so again.
    is_null: bool,
}

impl TupleType {
    /// The type without elements that is written with null.
    fn null() -> Self {
        Self {
            types: Vec::new(),
            is_null: true,
        }
    }
}

impl PartialEq for TupleType {
    fn eq(&self, other: &Self) -> bool {
        self.types == other.types
    }
}

impl Deref for TupleType {
    type Target = [Type];

    fn deref(&self) -> &[Type] {
        &self.types
    }
}

impl From<Vec<Type>> for TupleType {
    fn from(types: Vec<Type>) -> Self {
        Self {
            types,
            is_null: false,
        }
    }
}

impl FromIterator<Type> for TupleType {
    fn from_iter<I: IntoIterator<Item = Type>>(types: I) -> Self {
        Self::from(Vec::from_iter(types))
    }
}

/// The attributes of an object type.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ObjectType {
    /// The types of the attributes; their order has no meaning.
    pub attributes: IndexMap<Arc<str>, Type>,
    /// Names of the attributes that may be left out (cty's optional attributes).
    pub optional: BTreeSet<Arc<str>>,
}

#[cfg(test)]
mod tests;
