//! Equality of typed values.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::number::compare;
use super::set;
use super::{View, view};
use crate::types::Type;
use crate::value::{Bound, Payload, Refinements};

impl View<'_> {
    /// True if both are the same value: type, marks, refinements, nullness and contents. Two unknowns can be equal.
    ///
    /// # Source
    ///
    /// zclconf/go-cty 1.18.1, `Value.RawEquals`.
    pub fn raw_equals(self, other: Self) -> bool {
        self.ty == other.ty && same(self, other, Exactness::Exact)
    }

    /// Like [`View::raw_equals`], but ignores refinements of unknowns.
    pub fn raw_equals_unrefined(self, other: Self) -> bool {
        self.ty == other.ty && same(self, other, Exactness::Unrefined)
    }

    /// True if both are known to be equal. Nulls of all types are equal, unknowns never are. Marks do not count.
    ///
    /// # Source
    ///
    /// zclconf/go-cty 1.18.1, `Value.Equals` giving true.
    pub fn known_equals(self, other: Self) -> bool {
        self.is_null() && other.is_null()
            || self.ty == other.ty && same(self, other, Exactness::Known)
    }
}

/// The names of all marks on the value and inside it.
pub fn distinct_marks(of: View<'_>) -> BTreeSet<Arc<str>> {
    if view::is_marked_below(of.value) {
        view::mark_names(&of.deep_markers())
    } else {
        BTreeSet::new()
    }
}

/// The parts in which two values must agree.
#[derive(Clone, Copy, PartialEq)]
enum Exactness {
    /// In everything.
    Exact,
    /// In everything but refinements.
    Unrefined,
    /// In contents that are known. An unknown is equal to nothing.
    Known,
}

/// Compares two values of the same type.
fn same(a: View<'_>, b: View<'_>, exactness: Exactness) -> bool {
    let is_marked = a.value.is_marked() || b.value.is_marked();
    if is_marked && exactness != Exactness::Known && a.value.markers() != b.value.markers() {
        return false;
    }
    match (a.value.payload(), b.value.payload()) {
        (Payload::Null, Payload::Null) => true,
        (Payload::Computed(a), Payload::Computed(b)) => match exactness {
            Exactness::Exact => refinements_equal(a.as_deref(), b.as_deref()),
            Exactness::Unrefined => true,
            Exactness::Known => false,
        },
        (Payload::Bool(a), Payload::Bool(b)) => a == b,
        (Payload::Number(a), Payload::Number(b)) => compare(a, b).is_eq(),
        (Payload::String(a), Payload::String(b)) => a == b,
        (Payload::Array(x), Payload::Array(y)) if x.len() == y.len() => {
            let mut pairs = a.items().zip(b.items());
            let is_same = pairs.all(|(a, b)| same(a, b, exactness));
            match a.ty {
                // A known element has one position in the canonical order, except for ties between elements whose texts have
                // equal keys.
                Type::Set(element) if exactness == Exactness::Known => {
                    is_same || set::known_equals(element, x, y)
                }
                _ => is_same,
            }
        }
        (Payload::Map(x), Payload::Map(y)) => {
            x.len() == y.len()
                && x.iter().all(|(key, x)| {
                    y.get(key).is_some_and(|y| {
                        let ty = a.key_type(key);
                        same(View { ty, value: x }, View { ty, value: y }, exactness)
                    })
                })
        }
        _ => false,
    }
}

fn refinements_equal(a: Option<&Refinements>, b: Option<&Refinements>) -> bool {
    let bounds = |a: &Option<Bound>, b: &Option<Bound>| match (a, b) {
        (Some(a), Some(b)) => a.inclusive == b.inclusive && compare(&a.value, &b.value).is_eq(),
        (None, None) => true,
        _ => false,
    };
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.not_null == b.not_null
                && a.string_prefix == b.string_prefix
                && a.length_min == b.length_min
                && a.length_max == b.length_max
                && bounds(&a.number_min, &b.number_min)
                && bounds(&a.number_max, &b.number_max)
        }
        _ => false,
    }
}
