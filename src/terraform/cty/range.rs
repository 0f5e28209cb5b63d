//! Refinements: the range of values that an unknown can take.

use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::number::compare;
use super::{Typed, View};
use crate::types::Type;
use crate::types::cty::conforms;
use crate::value::{Array, Bound, Map, Number, Payload, Refinements, Value};

/// Longer lists of unknowns are kept as one unknown with a length, so that a few bytes cannot request gigabytes.
const MAX_UNKNOWN_ITEMS: u64 = 10_000;

/// The part of `refinements` that applies to `ty`; `None` if nothing does.
pub(super) fn fitting(ty: &Type, refinements: &Refinements) -> Option<Refinements> {
    let mut fitting = Refinements {
        not_null: refinements.not_null,
        ..Refinements::default()
    };
    match ty {
        Type::Dynamic => return None,
        Type::String => {
            fitting.string_prefix = refinements
                .string_prefix
                .as_ref()
                .map(super::normal::normal_text)
                .filter(|prefix| !prefix.as_bytes().is_empty());
        }
        Type::Number => {
            let finite = |bound: &Option<Bound>| {
                bound
                    .clone()
                    .filter(|bound| bound.value.to_f64().is_finite() || !bound.value.is_double())
            };
            fitting.number_min = finite(&refinements.number_min);
            fitting.number_max = finite(&refinements.number_max);
        }
        Type::Array(_) | Type::Set(_) | Type::Map(_) => {
            fitting.length_min = refinements.length_min.filter(|min| *min > 0);
            fitting.length_max = refinements
                .length_max
                .filter(|max| *max < i64::MAX.unsigned_abs());
        }
        _ => {}
    }
    (fitting != Refinements::default()).then_some(fitting)
}

/// The unknown of type `ty` with these refinements, or the only value that they allow: a number between equal bounds, an empty
/// collection, a list of unknowns if the length is fixed.
///
/// # Source
///
/// zclconf/go-cty 1.18.1, `RefinementBuilder.NewValue`.
pub fn refined(ty: Type, refinements: &Refinements) -> Typed {
    let Some(fitting) = fitting(&ty, refinements) else {
        return Typed::unknown(ty);
    };
    if fitting.not_null
        && let Some(value) = only_value(&ty, &fitting)
    {
        return Typed::trusted(ty, value);
    }
    Typed::trusted(ty, Value::new(Payload::Computed(Some(Arc::new(fitting)))))
}

fn only_value(ty: &Type, refinements: &Refinements) -> Option<Value> {
    if let (Type::Number, Some(min), Some(max)) =
        (ty, &refinements.number_min, &refinements.number_max)
    {
        let one = min.inclusive && max.inclusive && compare(&min.value, &max.value).is_eq();
        return one.then(|| Value::from(min.value.clone()));
    }
    let min = refinements.length_min.unwrap_or(0);
    if refinements.length_max != Some(min) {
        return None;
    }
    let unknowns = |n: u64| -> Option<Value> {
        let n = usize::try_from(n).ok()?;
        Some(Array::from(vec![Value::computed(); n]).into())
    };
    match ty {
        Type::Array(_) if min <= MAX_UNKNOWN_ITEMS => unknowns(min),
        Type::Set(_) if min <= 1 => unknowns(min),
        Type::Map(_) if min == 0 => Some(Map::default().into()),
        _ => None,
    }
}

/// Decides if `value` may replace the unknown `placeholder`: `Some(false)` if it may not, `None` if that is not known. A null
/// gives a definite answer.
///
/// # Source
///
/// zclconf/go-cty 1.18.1, `ValueRange.Includes`.
pub fn includes(placeholder: View<'_>, value: View<'_>) -> Option<bool> {
    let none = Refinements::default();
    let refinements = match placeholder.value.payload() {
        Payload::Computed(refinements) => refinements.as_deref().unwrap_or(&none),
        _ => return None,
    };
    if value.is_null() {
        return Some(!refinements.not_null);
    }
    if !conforms(value.ty, placeholder.ty) {
        return Some(false);
    }
    let fits = match value.value.payload() {
        Payload::String(text) => refinements
            .string_prefix
            .as_ref()
            .is_none_or(|prefix| text.as_bytes().starts_with(prefix.as_bytes())),
        Payload::Number(number) => in_bounds(refinements, number),
        Payload::Array(_) | Payload::Map(_) => length_fits(refinements, value),
        // An unknown may lie wholly outside of the range.
        Payload::Computed(Some(theirs)) => {
            length_fits(refinements, value) && may_meet(refinements, theirs)
        }
        _ => true,
    };
    (!fits).then_some(false)
}

/// True if two ranges of numbers may overlap. Exclusive bounds are treated as inclusive, as in the original.
fn may_meet(ours: &Refinements, theirs: &Refinements) -> bool {
    let is_below = |max: &Option<Bound>, min: &Option<Bound>| match (max, min) {
        (Some(max), Some(min)) => compare(&max.value, &min.value).is_lt(),
        _ => false,
    };
    !is_below(&theirs.number_max, &ours.number_min)
        && !is_below(&ours.number_max, &theirs.number_min)
}

fn in_bounds(refinements: &Refinements, number: &Number) -> bool {
    let within = |bound: &Option<Bound>, outside: Ordering| {
        bound
            .as_ref()
            .is_none_or(|bound| match compare(number, &bound.value) {
                Ordering::Equal => bound.inclusive,
                order => order != outside,
            })
    };
    within(&refinements.number_min, Ordering::Less)
        && within(&refinements.number_max, Ordering::Greater)
}

/// True if a length can be within the refinements. A set of unknowns may shrink to one element, so only the shortest and the
/// longest possible length count.
fn length_fits(refinements: &Refinements, value: View<'_>) -> bool {
    let lengths = length_range(value);
    let [shortest, longest] =
        [lengths.start(), lengths.end()].map(|n| u64::try_from(*n).unwrap_or(u64::MAX));
    refinements.length_min.is_none_or(|min| longest >= min)
        && refinements.length_max.is_none_or(|max| shortest <= max)
}

/// The range of lengths that a collection may have once it is known; up to `usize::MAX` if it has no upper bound.
pub(crate) fn length_range(value: View<'_>) -> RangeInclusive<usize> {
    if let Type::Tuple(elements) = value.ty {
        return elements.len()..=elements.len();
    }
    if let Some(longest) = value.len() {
        return shortest_length(value).unwrap_or(longest)..=longest;
    }
    let bound = |n: Option<u64>, or: usize| n.map_or(or, |n| usize::try_from(n).unwrap_or(or));
    match value.value.payload() {
        Payload::Computed(Some(refinements)) => {
            bound(refinements.length_min, 0)..=bound(refinements.length_max, usize::MAX)
        }
        _ => 0..=usize::MAX,
    }
}

/// Minimum number of elements of a known collection once all of them are known; `None` if the value is not a known collection.
fn shortest_length(value: View<'_>) -> Option<usize> {
    let len = value.len()?;
    let may_merge = matches!(value.ty, Type::Set(_)) && len > 1 && !is_wholly_known(value.value);
    Some(if may_merge { 1 } else { len })
}

/// True if nothing is unknown at any depth.
pub(crate) fn is_wholly_known(value: &Value) -> bool {
    !value.has_computed()
}
