//! cty values: a [`Value`] together with its [`Type`], as Terraform and OpenTofu hold the values of a resource.
//!
//! The type adds information that the value lacks: list, set or tuple; map or object; the type of a null or an unknown.
//!
//! # Laws
//!
//! A [`Typed`] is normal by construction ([`Typed::new`]):
//!
//! 1. **The value fits the type.** Every attribute of an object type is present, and no others. `dynamic` occurs only over a null
//!    or an unknown: everything known has a definite type. So a dynamic attribute of a schema has the type of its value here.
//! 2. **Strings, keys and names are in normalization form C.**
//! 3. **A set is an array in canonical order** ([`canonical_set`]) without repetition. Unknown elements are never merged. Marks
//!    inside of an element belong to the whole set.
//! 4. **Refinements fit the type**; an unknown of type `dynamic` has none.
//! 5. **Marks**: `sensitive` is the secret marker, every other mark a label.
//!
//! # Three equalities
//!
//! - `==` of [`Typed`] is equality of representation.
//! - [`View::raw_equals`] also holds for numbers that are written differently but equal in cty, whose numbers are floats of 512
//!   bits. Types, marks and refinements count. Two unknowns may be equal.
//! - [`View::known_equals`] is equality in the language: an unknown is equal to nothing, and marks do not count.
//!
//! # Source
//!
//! zclconf/go-cty 1.18.1.

mod build;
mod equal;
mod implied;
mod json;
pub mod msgpack;
mod normal;
mod number;
mod path;
mod range;
mod set;
mod tree;
mod view;

use crate::types::Type;
use crate::value::{Payload, Value};

pub use equal::distinct_marks;
pub use implied::implied_type;
#[cfg(feature = "internals")]
pub use json::ReadError;
pub use json::{Dynamic, from_json, from_json_text, to_json};
pub use msgpack::from_msgpack_open;
pub use normal::Mismatch;
pub use number::compare as compare_numbers;
pub use path::{Path, Segment};
pub use range::{includes, refined};
pub use set::canonical_set;
pub use view::View;

use build::{collection, map};

pub(crate) use build::{Fields, tuple};
pub(crate) use path::PathFrame;
pub(crate) use range::{is_wholly_known, length_range};
pub(crate) use set::key_text;

/// A value that fits its type. The laws are those of this [module](self).
#[derive(Clone, PartialEq, Debug)]
pub struct Typed {
    ty: Type,
    value: Value,
}

impl Typed {
    /// Brings the value into normal form for `ty`.
    ///
    /// # Errors
    ///
    /// If the value does not fit the type, or the type is not one of cty's.
    pub fn new(ty: Type, value: Value) -> Result<Self, Mismatch> {
        let value = normal::normal(&ty, value)?;
        Ok(Self { ty, value })
    }

    /// The null value of a type.
    pub fn null(ty: Type) -> Self {
        Self {
            ty,
            value: Value::NULL,
        }
    }

    /// The unknown value of a type, without refinements.
    pub fn unknown(ty: Type) -> Self {
        Self {
            ty,
            value: Value::new(Payload::Computed(None)),
        }
    }

    /// Wraps a pair that is already in normal form.
    pub(crate) fn trusted(ty: Type, value: Value) -> Self {
        Self { ty, value }
    }

    /// The type.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The type and the value.
    pub fn into_parts(self) -> (Type, Value) {
        (self.ty, self.value)
    }

    /// The pair as a borrowed view.
    pub fn view(&self) -> View<'_> {
        View {
            ty: &self.ty,
            value: &self.value,
        }
    }

    /// The same value without marks at any depth.
    #[must_use]
    pub fn unmarked(&self) -> Self {
        Self {
            ty: self.ty.clone(),
            value: view::unmarked(&self.value),
        }
    }
}
