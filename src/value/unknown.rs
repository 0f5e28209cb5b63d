//! Refinements: constraints on an unknown cty value.

use super::{Number, Text};

/// Constraints on an unknown value. Pulumi's unknowns have none.
///
/// # Source
///
/// zclconf/go-cty `docs/refinements.md`.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Refinements {
    /// True if the value will not be null.
    pub not_null: bool,
    /// The value will start with this text; "" is no constraint.
    pub string_prefix: Option<Text>,
    /// The value will not be less.
    pub number_min: Option<Bound>,
    /// The value will not be more.
    pub number_max: Option<Bound>,
    /// The value will have at least this number of elements.
    pub length_min: Option<u64>,
    /// The value will have at most this number of elements.
    pub length_max: Option<u64>,
}

/// One end of a range of numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// The end itself.
    pub value: Number,
    /// True if the end belongs to the range.
    pub inclusive: bool,
}
