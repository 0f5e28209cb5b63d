//! The equality of Pulumi's engine.

use super::asset::{self, NoFiles};
use crate::value::{Archive, Asset, Map, Payload, Reference, ReferenceId, Text, Value};

/// The treatment of unknowns by [`Value::equals`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equality {
    /// An unknown equals an unknown only.
    Strict,
    /// An unknown equals anything that has the same markers.
    RelaxComputed,
}

impl Value {
    /// True if the engine treats the two values as equal.
    ///
    /// Markers must be equal, then payloads. NaN differs from NaN, and -0 equals 0. The order of keys has no meaning. Assets
    /// and archives compare by hash alone. A hash that is not recorded is computed from literal contents; if that is not
    /// possible, the value differs even from itself. References compare URN, version and id, and an unknown id equals any id.
    ///
    /// # Source
    ///
    /// pulumi/pulumi `sdk/go/property/values.go`, `sdk/go/common/resource/{asset,archive}`.
    pub fn equals(&self, other: &Self, equality: Equality) -> bool {
        if !self.has_markers_of(other) {
            return false;
        }
        match (self.payload(), other.payload()) {
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
            (Payload::Reference(a), Payload::Reference(b)) => same_reference(a, b),
            (a, b) => a == b,
        }
    }
}

impl Map {
    /// True if both have the same keys with equal values; see [`Value::equals`].
    pub fn equals(&self, other: &Self, equality: Equality) -> bool {
        self.len() == other.len()
            && self.iter().all(|(key, value)| {
                other
                    .get(key)
                    .is_some_and(|other| value.equals(other, equality))
            })
    }
}

fn same_reference(a: &Reference, b: &Reference) -> bool {
    let same_id = match (&a.id, &b.id) {
        (ReferenceId::Unknown, _) | (_, ReferenceId::Unknown) => true,
        (a, b) => a == b,
    };
    same_id && a.urn == b.urn && a.package_version == b.package_version
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Member;

    #[test]
    fn archives_equal_by_their_contents() {
        let asset = |text: &str| Asset {
            text: Some(text.into()),
            ..Asset::default()
        };
        let archive = |text: &str| {
            let members = [("a".into(), Member::Asset(asset(text).into()))];
            Value::new(Payload::Archive(
                Archive {
                    assets: Some(members.into_iter().collect()),
                    ..Archive::default()
                }
                .into(),
            ))
        };
        let file = Value::new(Payload::Archive(
            Archive {
                path: "a.tar".into(),
                ..Archive::default()
            }
            .into(),
        ));
        assert!(archive("x").equals(&archive("x"), Equality::Strict));
        assert!(!archive("x").equals(&archive("y"), Equality::Strict));
        // Nothing is opened here, so the contents of a file cannot be compared.
        assert!(!file.equals(&file, Equality::Strict));
    }
}
