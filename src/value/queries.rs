//! Tests over a whole tree of values.

use std::sync::Arc;

use super::{Map, Payload, Value};

impl Value {
    /// True if both have the same representation, markers included, and each mask is [mirrored](Self::is_mirrored) in both or in
    /// neither. Otherwise like `==`, except that a value is always identical to itself (it may hold NaN). Parts that both share in
    /// memory are not compared.
    pub fn is_identical(&self, other: &Self) -> bool {
        if self.markers != other.markers || self.is_mirrored() != other.is_mirrored() {
            return false;
        }
        match (&self.payload, &other.payload) {
            (Payload::Array(a), Payload::Array(b)) => {
                a.is_shared_with(b)
                    || a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_identical(b))
            }
            (Payload::Map(a), Payload::Map(b)) => {
                a.is_shared_with(b) || a.len() == b.len() && are_identical(a, b)
            }
            (a, b) => a == b,
        }
    }

    /// True if both are one value in memory, as far as that can be told without a look at what is below. For parts that were
    /// copied and not changed.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        if self.markers.is_some() || other.markers.is_some() {
            return false;
        }
        match (&self.payload, &other.payload) {
            (Payload::Null, Payload::Null) => true,
            (Payload::Bool(one), Payload::Bool(other)) => one == other,
            (Payload::Number(one), Payload::Number(other)) => one == other,
            (Payload::String(one), Payload::String(other)) => one.is_shared_with(other),
            (Payload::Array(one), Payload::Array(other)) => one.is_shared_with(other),
            (Payload::Map(one), Payload::Map(other)) => one.is_shared_with(other),
            _ => false,
        }
    }

    /// Number of elements of an array or entries of a map; `None` for any other value.
    pub(crate) fn n_parts(&self) -> Option<usize> {
        match &self.payload {
            Payload::Array(items) => Some(items.len()),
            Payload::Map(map) => Some(map.len()),
            _ => None,
        }
    }

    /// True if this value or one below it is secret.
    pub fn has_secrets(&self) -> bool {
        self.any(Self::is_masked)
    }

    /// True if this value or one below it is unknown. The unknown id of a reference does not count.
    pub fn has_computed(&self) -> bool {
        self.any(Self::is_computed)
    }

    /// True if neither this value nor one below it has a marker or is unknown.
    pub(crate) fn is_bare(&self) -> bool {
        !self.any(|value| value.is_marked() || value.is_computed())
    }

    /// True if this value or one below it is so.
    pub(crate) fn any(&self, is: impl Fn(&Self) -> bool + Copy) -> bool {
        is(self)
            || match &self.payload {
                Payload::Array(items) => items.iter().any(|item| item.any(is)),
                Payload::Map(map) => map.values().any(|value| value.any(is)),
                _ => false,
            }
    }

    /// The same value with others directly below. `change` gets each of them, and its key if it has one.
    pub(crate) fn with_parts(
        &self,
        mut change: impl FnMut(Option<&Arc<str>>, &Self) -> Self,
    ) -> Self {
        let payload = match &self.payload {
            Payload::Array(items) => {
                Payload::Array(items.iter().map(|item| change(None, item)).collect())
            }
            Payload::Map(map) => {
                let entries = map.iter();
                let entries = entries.map(|(key, item)| (key.clone(), change(Some(key), item)));
                Payload::Map(entries.collect())
            }
            _ => return self.clone(),
        };
        self.clone().with_payload(payload)
    }
}

/// True if two maps of the same size have identical values. Files of the same program usually have their keys in the same order.
fn are_identical(a: &Map, b: &Map) -> bool {
    a.iter().zip(b).all(|((key, value), (other_key, other))| {
        if key == other_key {
            value.is_identical(other)
        } else {
            b.get(key).is_some_and(|other| value.is_identical(other))
        }
    })
}
