//! Differences of Pulumi values, as its engine computes them.
//!
//! A difference is computed from two sets of properties ([`maps`], [`values`]), or translated from a provider's report about a
//! step, its *detailed diff* ([`translate`]). Both give a [`MapDiff`]: the keys that were added, deleted, updated or stayed the
//! same. An update of an array by an array, or of a map by a map, holds the same for its elements or keys.
//!
//! The differences that Terraform computes, and the aligned ones that panes draw, are those of [`crate::terraform::objchange`].
//!
//! # Laws
//!
//! 1. **Equal values have no difference.** The reverse does not hold: `{a: null}` and `{}` are not equal but have no difference,
//!    because a key without a value counts as absent. A null with a marker is a value.
//! 2. **Null is absence in maps.** From null to something is an add, from something to null a delete; elements of arrays that
//!    become null are updates.
//! 3. **Markers are part of the value.** Values whose markers differ are updated as a whole. Marked containers that differ are
//!    reported without inner detail, so that nothing below a secret is revealed.
//! 4. **Arrays compare by index**: growth and shrinkage are at the end, there is no alignment.
//!
//! # Example
//!
//! ```
//! use stacklens::pulumi::diff::{self, Options};
//! use stacklens::value::{Map, Value};
//!
//! let old = Map::from_iter([("name", Value::from("a")), ("size", Value::from(1.0))]);
//! let new = Map::from_iter([("name", Value::from("a")), ("size", Value::from(2.0)), ("tag", Value::NULL)]);
//! let diff = diff::maps(&old, &new, Options::default()).expect("they differ");
//! assert_eq!(diff.changed_keys(), ["size"]);
//! ```
//!
//! # Source
//!
//! pulumi/pulumi `sdk/go/property/diff.go`, `sdk/go/common/resource/properties_diff.go` (the older rules),
//! `pkg/engine/detailedDiff.go`.

mod detailed;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use detailed::{DetailedEntry, EntryKind, Sides, translate};

use super::equality::Equality;
use crate::value::{Array, Map, Payload, ReferenceId, Value};

/// The difference of two maps. In a computed difference a key is in at most one of the four. A translated one may have a key in
/// two, because a provider may report two changes of it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct MapDiff {
    /// Keys that have a value on the new side only, with that value.
    pub adds: BTreeMap<Arc<str>, Value>,
    /// Keys that have a value on the old side only, with that value.
    pub deletes: BTreeMap<Arc<str>, Value>,
    /// Keys of both sides without a difference, with the old value.
    pub sames: BTreeMap<Arc<str>, Value>,
    /// Keys of both sides whose values differ.
    pub updates: BTreeMap<Arc<str>, ValueDiff>,
}

/// The difference of two arrays, by index. Indexes are signed because a provider's path may have a negative index.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ArrayDiff {
    /// Elements after the end of the old side.
    pub adds: BTreeMap<i64, Value>,
    /// Elements after the end of the new side.
    pub deletes: BTreeMap<i64, Value>,
    /// Elements of both sides without a difference, with the old value.
    pub sames: BTreeMap<i64, Value>,
    /// Elements of both sides that differ.
    pub updates: BTreeMap<i64, ValueDiff>,
}

/// The difference of two values.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ValueDiff {
    /// The old value; null on the inner levels of a translated diff.
    pub old: Value,
    /// The new value; null on the inner levels of a translated diff.
    pub new: Value,
    /// The difference inside, where both are arrays without markers.
    pub array: Option<Box<ArrayDiff>>,
    /// The difference inside, where both are maps without markers.
    pub map: Option<Box<MapDiff>>,
}

/// Options of a comparison: the values that count as equal, and the keys that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// The treatment of keys that start with `__`.
    pub internal_keys: InternalKeys,
    /// The rules of equality.
    pub rules: Rules,
}

/// The treatment of keys that start with `__`: the engine's internal keys, which displays leave out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum InternalKeys {
    /// Compare them like any other.
    #[default]
    Compare,
    /// Leave them out at every depth.
    Ignore,
}

/// The rules of equality.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Rules {
    /// Those of [`Value::equals`].
    #[default]
    Current,
    /// Those of the engine's older value type: references ignore the version, and an unknown id equals an unknown id only.
    Older,
    /// The older rules, with an unknown equal to anything. A key with an unknown on the old side may also disappear. A secret
    /// unknown equals any other secret. An unknown with dependencies equals only itself. Of two equal values the new one is
    /// recorded.
    OlderIgnoringUnknowns,
}

impl Options {
    fn ignores_unknowns(self) -> bool {
        self.rules == Rules::OlderIgnoringUnknowns
    }

    /// The value to record of two that are equal.
    fn same<'v>(self, old: &'v Value, new: &'v Value) -> &'v Value {
        if self.ignores_unknowns() { new } else { old }
    }
}

impl MapDiff {
    /// The keys that were added, deleted or updated, sorted bytewise.
    pub fn changed_keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = (self.adds.keys())
            .chain(self.deletes.keys())
            .chain(self.updates.keys())
            .map(|key| &**key)
            .collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn has_changes(&self) -> bool {
        !(self.adds.is_empty() && self.deletes.is_empty() && self.updates.is_empty())
    }

    /// Records a key of both sides.
    fn record(
        &mut self,
        key: &Arc<str>,
        old: &Value,
        new: &Value,
        inner: Option<ValueDiff>,
        options: Options,
    ) {
        let key = Arc::clone(key);
        match inner {
            None => _ = self.sames.insert(key, options.same(old, new).clone()),
            Some(_) if !has_value(old) => _ = self.adds.insert(key, new.clone()),
            Some(_) if !has_value(new) => _ = self.deletes.insert(key, old.clone()),
            Some(inner) => _ = self.updates.insert(key, inner),
        }
    }
}

impl ArrayDiff {
    fn has_changes(&self) -> bool {
        !(self.adds.is_empty() && self.deletes.is_empty() && self.updates.is_empty())
    }
}

impl ValueDiff {
    fn whole(old: &Value, new: &Value) -> Self {
        Self {
            old: old.clone(),
            new: new.clone(),
            ..Self::default()
        }
    }
}

/// The difference of two maps; `None` if there is none.
pub fn maps(old: &Map, new: &Map, options: Options) -> Option<MapDiff> {
    let is_ignored =
        |key: &str| options.internal_keys == InternalKeys::Ignore && key.starts_with("__");
    let mut diff = MapDiff::default();
    for (key, old) in old.iter().filter(|(key, _)| !is_ignored(key)) {
        match new.get(key) {
            Some(new) => {
                let inner = values(old, new, options);
                diff.record(key, old, new, inner, options);
            }
            None if options.ignores_unknowns() && is_bare_unknown(old) => {}
            None if has_value(old) => _ = diff.deletes.insert(key.clone(), old.clone()),
            None => {}
        }
    }
    for (key, new) in new.iter().filter(|(key, _)| !is_ignored(key)) {
        // A key whose value is not known yet will exist: an add by any rules.
        if !old.contains_key(key) && has_value(new) {
            diff.adds.insert(key.clone(), new.clone());
        }
    }
    diff.has_changes().then_some(diff)
}

/// The difference of two values; `None` if there is none.
pub fn values(old: &Value, new: &Value, options: Options) -> Option<ValueDiff> {
    if options.ignores_unknowns() && is_equal_unknown(old, new) {
        return None;
    }
    // Recursion and large locals are kept in different frames, so that deep values need less stack.
    let (array, map) = match (old.payload(), new.payload()) {
        _ if old.markers() != new.markers() => (None, None),
        (Payload::Array(old), Payload::Array(new)) => (Some(arrays(old, new, options)?), None),
        (Payload::Map(old), Payload::Map(new)) => (None, Some(boxed_maps(old, new, options)?)),
        _ if equal(old, new, options.rules) => return None,
        _ => (None, None),
    };
    let mut diff = ValueDiff::whole(old, new);
    if !old.is_marked() {
        (diff.array, diff.map) = (array, map);
    }
    Some(diff)
}

fn boxed_maps(old: &Map, new: &Map, options: Options) -> Option<Box<MapDiff>> {
    maps(old, new, options).map(Box::new)
}

fn arrays(old: &Array, new: &Array, options: Options) -> Option<Box<ArrayDiff>> {
    let mut diff = Box::<ArrayDiff>::default();
    for (index, at) in (0_i64..).zip(0..old.len().max(new.len())) {
        match (old.get(at), new.get(at)) {
            (Some(old), Some(new)) => match values(old, new, options) {
                None => _ = diff.sames.insert(index, options.same(old, new).clone()),
                Some(inner) => _ = diff.updates.insert(index, inner),
            },
            (Some(old), None) => _ = diff.deletes.insert(index, old.clone()),
            (None, Some(new)) => _ = diff.adds.insert(index, new.clone()),
            (None, None) => {}
        }
    }
    diff.has_changes().then_some(diff)
}

/// True if a key with this value counts as present.
fn has_value(value: &Value) -> bool {
    !value.is_null() || value.is_marked()
}

/// True if the value is an unknown without markers.
fn is_bare_unknown(value: &Value) -> bool {
    value.is_computed() && !value.is_marked()
}

/// True if one of the two values is an unknown that equals the other.
///
/// The older value type wraps secret values, and looks into a wrapper only to compare it with another wrapper.
fn is_equal_unknown(old: &Value, new: &Value) -> bool {
    let is_plain_secret = |value: &Value| value.is_secret() && value.dependencies().is_empty();
    let is_in_secrets = is_plain_secret(old) && is_plain_secret(new);
    is_bare_unknown(old)
        || is_bare_unknown(new)
        || is_in_secrets && (old.is_computed() || new.is_computed())
}

/// The equality of two values that are not both arrays or both maps.
fn equal(old: &Value, new: &Value, rules: Rules) -> bool {
    match (old.payload(), new.payload()) {
        (Payload::Reference(old), Payload::Reference(new)) if rules != Rules::Current => {
            let same_id = match (&old.id, &new.id) {
                (ReferenceId::Unknown, ReferenceId::Unknown) => true,
                (ReferenceId::Unknown, _) | (_, ReferenceId::Unknown) => false,
                (old, new) => old == new,
            };
            same_id && old.urn == new.urn
        }
        _ => old.equals(new, Equality::Strict),
    }
}
