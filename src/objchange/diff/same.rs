//! Equality of content: as two JSON texts would be equal.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};

use crate::value::{Payload, Value};

/// Whether two values have the same content.
///
/// Markers do not count. An unknown is what its place in a plan's JSON shows: null in an array, no key in a map. Two unknowns are
/// the same.
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

/// A list as small numbers, equal exactly where the elements are the [`same`], and what else was seen on the way.
pub(super) struct Numbered {
    /// The numbers.
    pub(super) numbers: Vec<u32>,
    /// Which elements have no marker and no unknown anywhere.
    pub(super) is_bare: Vec<bool>,
}

/// The numbers of two lists, comparable with each other.
pub(super) fn numbered<'v>(lists: [&'v [Value]; 2]) -> [Numbered; 2] {
    let mut seen: HashMap<u64, Vec<(u32, &'v Value)>> = HashMap::new();
    let mut next = 0;
    lists.map(|list| {
        let mut numbered = Numbered {
            numbers: Vec::with_capacity(list.len()),
            is_bare: Vec::with_capacity(list.len()),
        };
        for value in list {
            let mut hasher = DefaultHasher::new();
            let is_bare = hash(value, &mut hasher);
            let bucket = match seen.entry(hasher.finish()) {
                Entry::Occupied(bucket) => bucket.into_mut(),
                Entry::Vacant(bucket) => bucket.insert(Vec::new()),
            };
            let known = bucket.iter().find(|(_, other)| same(other, value));
            let number = known.map_or_else(
                || {
                    next += 1;
                    next
                },
                |(number, _)| *number,
            );
            if known.is_none() {
                bucket.push((number, value));
            }
            numbered.numbers.push(number);
            numbered.is_bare.push(is_bare);
        }
        numbered
    })
}

/// Feeds `hasher` with what [`same`] compares; whether there was neither marker nor unknown.
fn hash(value: &Value, hasher: &mut DefaultHasher) -> bool {
    let mut is_bare = !value.is_marked() && !value.is_computed();
    match value.payload() {
        Payload::Null | Payload::Computed(_) => 0_u8.hash(hasher),
        Payload::Bool(bool) => (1_u8, bool).hash(hasher),
        Payload::Number(number) => {
            let text = number.to_string();
            (
                2_u8,
                text.strip_prefix('-')
                    .filter(|rest| *rest == "0")
                    .unwrap_or(&text),
            )
                .hash(hasher);
        }
        Payload::String(text) => (3_u8, text.as_bytes()).hash(hasher),
        Payload::Array(array) => {
            (4_u8, array.len()).hash(hasher);
            for value in array {
                is_bare &= hash(value, hasher);
            }
        }
        Payload::Map(map) => {
            // The order of keys has no meaning, so their hashes are added up.
            is_bare &= !map.values().any(Value::is_computed);
            let shown = map.iter().filter(|(_, value)| !value.is_computed());
            let sum = shown.fold(0_u64, |sum, (key, value)| {
                let mut entry = DefaultHasher::new();
                key.hash(&mut entry);
                is_bare &= hash(value, &mut entry);
                sum.wrapping_add(entry.finish())
            });
            (5_u8, sum).hash(hasher);
        }
        Payload::Asset(_) => 6_u8.hash(hasher),
        Payload::Archive(_) => 7_u8.hash(hasher),
        Payload::Reference(_) => 8_u8.hash(hasher),
        Payload::Sealed(_) => 9_u8.hash(hasher),
    }
    is_bare
}
