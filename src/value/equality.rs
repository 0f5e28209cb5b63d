//! The engine's equality of values, and what a tree contains.

use super::{Archive, Asset, Map, Payload, Reference, ReferenceId, Text, Value};
use crate::pulumi::asset::{self, NoFiles};

/// How [`Value::equals`] takes unknowns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equality {
    /// An unknown equals an unknown only.
    Strict,
    /// An unknown equals anything that has the same markers.
    RelaxComputed,
}

impl Value {
    /// Whether the engine takes the two for one value.
    ///
    /// Markers must be equal, then payloads: NaN differs from NaN and -0 equals 0; the order of keys has no meaning; assets and
    /// archives compare by hash alone, which is computed from literal contents where it is not recorded (where it cannot be, they
    /// differ, even from themselves); references compare URN, version and id, and an unknown id equals any id.
    ///
    /// # Source
    ///
    /// pulumi/pulumi `sdk/go/property/values.go`, `sdk/go/common/resource/{asset,archive}`.
    pub fn equals(&self, other: &Self, equality: Equality) -> bool {
        if self.markers != other.markers {
            return false;
        }
        match (&self.payload, &other.payload) {
            (Payload::Computed(_), Payload::Computed(_)) => true,
            (Payload::Computed(_), _) | (_, Payload::Computed(_)) => {
                equality == Equality::RelaxComputed
            }
            (Payload::Array(a), Payload::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equals(b, equality))
            }
            (Payload::Map(a), Payload::Map(b)) => a.equals(b, equality),
            (Payload::Asset(a), Payload::Asset(b)) => {
                same_hash(asset_hash(a).as_ref(), asset_hash(b).as_ref())
            }
            (Payload::Archive(a), Payload::Archive(b)) => {
                same_hash(archive_hash(a).as_ref(), archive_hash(b).as_ref())
            }
            (Payload::Reference(a), Payload::Reference(b)) => a.equals(b),
            (a, b) => a == b,
        }
    }

    /// Whether the two are one representation, markers and all, as `==` says it, except that a value is always identical to itself
    /// (it may hold NaN). What both share in memory is not looked into.
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

    /// Whether this value or one below it is secret.
    pub fn has_secrets(&self) -> bool {
        self.any(Self::is_secret)
    }

    /// Whether this value or one below it is unknown. The unknown id of a reference does not count.
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

impl Map {
    /// Whether both have the same keys with equal values; see [`Value::equals`].
    pub fn equals(&self, other: &Self, equality: Equality) -> bool {
        self.len() == other.len()
            && self.iter().all(|(key, value)| {
                other
                    .get(key)
                    .is_some_and(|other| value.equals(other, equality))
            })
    }
}

impl Reference {
    fn equals(&self, other: &Self) -> bool {
        let same_id = match (&self.id, &other.id) {
            (ReferenceId::Unknown, _) | (_, ReferenceId::Unknown) => true,
            (a, b) => a == b,
        };
        same_id && self.urn == other.urn && self.package_version == other.package_version
    }
}

fn same_hash(a: Option<&Text>, b: Option<&Text>) -> bool {
    a.is_some() && a == b
}

fn recorded(hash: &Text) -> Option<Text> {
    (!hash.as_bytes().is_empty()).then(|| hash.clone())
}

fn asset_hash(blob: &Asset) -> Option<Text> {
    recorded(&blob.hash).or_else(|| {
        asset::hash_asset(blob, &NoFiles, &mut asset::unwatched)
            .ok()
            .map(Text::from)
    })
}

fn archive_hash(archive: &Archive) -> Option<Text> {
    recorded(&archive.hash).or_else(|| {
        asset::hash_archive(archive, &NoFiles, &mut asset::unwatched)
            .ok()
            .map(Text::from)
    })
}

/// Whether two maps of one size have identical values. Files that come from one program have their keys in one order.
fn are_identical(a: &Map, b: &Map) -> bool {
    a.iter().zip(b).all(|((key, value), (other_key, other))| {
        if key == other_key {
            value.is_identical(other)
        } else {
            b.get(key).is_some_and(|other| value.is_identical(other))
        }
    })
}
