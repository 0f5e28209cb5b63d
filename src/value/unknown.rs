//! Refinements: what is known of an unknown cty value.

use super::{Number, Text};

/// What is known of an unknown value. Pulumi's unknowns have none.
///
/// # Source
///
/// zclconf/go-cty `docs/refinements.md`.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Refinements {
    /// It will not be null.
    pub not_null: bool,
    /// It will start with this; "" says nothing.
    pub string_prefix: Option<Text>,
    /// It will not be less.
    pub number_min: Option<Bound>,
    /// It will not be more.
    pub number_max: Option<Bound>,
    /// It will have at least as many elements.
    pub length_min: Option<u64>,
    /// It will have at most as many elements.
    pub length_max: Option<u64>,
}

/// One end of a range of numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// The end itself.
    pub value: Number,
    /// Whether the end belongs to the range.
    pub inclusive: bool,
}
