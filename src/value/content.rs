//! Equality of content: compares values like JSON texts.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Archive, Member, Payload, Value};

/// True if two values have the same content.
///
/// Markers are ignored. An unknown counts as the JSON that a plan has in its place: null in an array, no key in a map. Two
/// unknowns are the same.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a.payload(), b.payload()) {
        (Payload::Null | Payload::Computed(_), Payload::Null | Payload::Computed(_)) => true,
        (Payload::Array(a), Payload::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Payload::Map(a), Payload::Map(b)) => {
            let n_shown = b.values().filter(|value| !value.is_computed()).count();
            let mut n_same = 0;
            for (key, a) in a.iter().filter(|(_, value)| !value.is_computed()) {
                match b.get(key) {
                    Some(b) if !b.is_computed() && same(a, b) => n_same += 1,
                    _ => return false,
                }
            }
            n_same == n_shown
        }
        (a, b) => a == b,
    }
}

/// Numbers values, so that two values have equal numbers exactly if they are the [`same`].
#[derive(Default)]
pub(crate) struct Numbers<'v> {
    /// By the hash of a value: the hash and the number.
    table: HashTable<(u64, u32)>,
    /// The first value with each number.
    values: Vec<&'v Value>,
    hashing: DefaultHashBuilder,
}

impl<'v> Numbers<'v> {
    /// The numbers of a list, comparable with those of other lists.
    pub(crate) fn of(&mut self, list: &'v [Value]) -> Vec<u32> {
        self.values.reserve(list.len());
        self.table.reserve(list.len(), |(hash, _)| *hash);
        list.iter().map(|value| self.number(value)).collect()
    }

    /// The number of a value.
    pub(crate) fn number(&mut self, value: &'v Value) -> u32 {
        let hash = content_hash(value, &self.hashing);
        let values = &self.values;
        let is_it = |(_, number): &(u64, u32)| same(values[*number as usize], value);
        if let Some((_, number)) = self.table.find(hash, is_it) {
            return *number;
        }
        let number = u32::try_from(values.len()).unwrap_or(u32::MAX);
        self.values.push(value);
        self.table
            .insert_unique(hash, (hash, number), |(hash, _)| *hash);
        number
    }

    /// The number of a value; `None` if no equal value has one.
    pub(crate) fn find(&self, value: &Value) -> Option<u32> {
        let hash = content_hash(value, &self.hashing);
        let is_it = |(_, number): &(u64, u32)| same(self.values[*number as usize], value);
        Some(self.table.find(hash, is_it)?.1)
    }
}

/// A hash of the content that [`same`] compares.
pub(crate) fn content_hash(value: &Value, hashing: &impl BuildHasher) -> u64 {
    let mut hasher = hashing.build_hasher();
    feed(value, &mut hasher, hashing);
    hasher.finish()
}

fn feed(value: &Value, hasher: &mut impl Hasher, hashing: &impl BuildHasher) {
    match value.payload() {
        Payload::Null | Payload::Computed(_) => hasher.write_u8(0),
        Payload::Bool(bool) => hasher.write_u8(1 + u8::from(*bool)),
        Payload::Number(number) => number.hash(hasher),
        Payload::String(text) => text.hash(hasher),
        Payload::Array(array) => {
            hasher.write_usize(array.len());
            for value in array {
                feed(value, hasher, hashing);
            }
        }
        Payload::Map(map) => {
            // The order of keys has no meaning, so their hashes are added.
            let mut sum = 0_u64;
            for (key, value) in map.iter().filter(|(_, value)| !value.is_computed()) {
                let mut entry = hashing.build_hasher();
                key.hash(&mut entry);
                feed(value, &mut entry, hashing);
                sum = sum.wrapping_add(entry.finish());
            }
            hasher.write_u64(sum);
        }
        Payload::Asset(asset) => asset.hash(hasher),
        Payload::Archive(archive) => feed_archive(archive, hasher, hashing),
        Payload::Reference(reference) => reference.hash(hasher),
        Payload::Sealed(sealed) => sealed.hash(hasher),
    }
}

fn feed_archive(archive: &Archive, hasher: &mut impl Hasher, hashing: &impl BuildHasher) {
    let Archive {
        assets,
        path,
        uri,
        hash,
    } = archive;
    [path, uri, hash].hash(hasher);
    // Equality ignores the order of the members, so their hashes are added.
    let mut sum = 0_u64;
    for (name, member) in assets.iter().flatten() {
        let mut entry = hashing.build_hasher();
        name.hash(&mut entry);
        match member {
            Member::Asset(asset) => asset.hash(&mut entry),
            Member::Archive(archive) => feed_archive(archive, &mut entry, hashing),
        }
        sum = sum.wrapping_add(entry.finish());
    }
    hasher.write_u64(sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Asset, Map, Number, Reference, ReferenceId, Sealed};

    /// Checks that values which differ have different hashes, so that none is compared with all others.
    #[track_caller]
    fn check_spread(payload: impl Fn(&str) -> Payload) {
        let hashing = DefaultHashBuilder::default();
        let hash = |text: &str| content_hash(&Value::new(payload(text)), &hashing);
        assert_eq!(hash("a"), hash("a"));
        assert_ne!(hash("a"), hash("b"));
    }

    #[test]
    fn different_assets_references_and_secrets_have_different_hashes() {
        let asset = |text: &str| Asset {
            text: Some(text.into()),
            ..Asset::default()
        };
        check_spread(|text| Payload::Asset(asset(text).into()));
        check_spread(|text| Payload::Sealed(Sealed::Ciphertext(text.into())));
        check_spread(|text| {
            let assets = [("m".into(), Member::Asset(asset(text).into()))];
            let assets = Some(assets.into_iter().collect());
            Payload::Archive(
                Archive {
                    assets,
                    ..Archive::default()
                }
                .into(),
            )
        });
        check_spread(|text| {
            let reference = Reference {
                urn: text.into(),
                id: ReferenceId::None,
                package_version: "".into(),
                name: "".into(),
                resource_type: "".into(),
            };
            Payload::Reference(reference.into())
        });
    }

    #[test]
    fn equal_content_has_one_number() {
        let map = |entries: [(&str, Value); 2]| Value::from(Map::from_iter(entries));
        let (one, other) = (Value::from(1.0), Value::from("a"));
        let list = [
            map([("a", one.clone()), ("b", other.clone())]),
            map([("b", other.clone()), ("a", one.clone())]),
            map([("a", other.clone()), ("b", one)]),
            Value::from(0.0),
            Value::from(-0.0),
            Value::NULL,
            Value::computed(),
            other.clone(),
            other.with_secret(true),
            Value::from(Number::exact("0.1").expect("a number")),
            Value::from(0.1),
            map([("a", Value::computed()), ("b", Value::NULL)]),
        ];
        let mut numbers = Numbers::default();
        assert_eq!(numbers.of(&list), [0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7]);
        assert_eq!(numbers.find(&Value::from("a")), Some(4));
        assert_eq!(numbers.find(&Value::from("b")), None);
    }
}
