//! Tests over a whole tree of values.

use super::{Map, Payload, Value};

impl Value {
    /// True if both have the same representation, markers included. Like `==`, except that a value is always identical to itself
    /// (it may hold NaN). Parts that both share in memory are not compared.
    pub fn is_identical(&self, other: &Self) -> bool {
        if self.markers != other.markers {
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

    /// True if this value or one below it is secret.
    pub fn has_secrets(&self) -> bool {
        self.any(Self::is_secret)
    }

    /// True if this value or one below it is unknown. The unknown id of a reference does not count.
    pub fn has_computed(&self) -> bool {
        self.any(Self::is_computed)
    }

    fn any(&self, is: fn(&Self) -> bool) -> bool {
        is(self)
            || match &self.payload {
                Payload::Array(items) => items.iter().any(|item| item.any(is)),
                Payload::Map(map) => map.values().any(|value| value.any(is)),
                _ => false,
            }
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
