//! Maps: keys to values, in the order of the file.

use std::sync::Arc;

use hashbrown::DefaultHashBuilder;
use indexmap::IndexMap;

use super::Value;

/// The entries, with a hash that is quick for short keys. Its key is random, so that a file cannot be crafted to collide.
type Entries = IndexMap<Arc<str>, Value, DefaultHashBuilder>;

/// Up to this number of keys, a lookup compares them one by one. Their lengths are adjacent in memory. A hash table would be one
/// more memory access to wait for, which dominates the cost of looking into many values.
const FEW: usize = 8;

/// A shared map from keys to values. Cloning is O(1); changing copies only the changed level.
///
/// Keeps the order in which keys were first set, for display; equality ignores it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Map(Arc<Entries>);

impl Map {
    /// Number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        if self.0.len() > FEW {
            return self.0.get(key);
        }
        let mut entries = self.0.iter();
        let (_, value) = entries.find(|(other, _)| ***other == *key)?;
        Some(value)
    }

    /// True if `key` is present, even if its value is null.
    pub fn contains_key(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// The entry at position `index` in the order of the file, from 0.
    pub fn entry(&self, index: usize) -> Option<(&Arc<str>, &Value)> {
        self.0.get_index(index)
    }

    /// The position of `key` in the order of the file.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.0.get_index_of(key)
    }

    /// The entries in the order of the file.
    pub fn iter(&self) -> indexmap::map::Iter<'_, Arc<str>, Value> {
        self.0.iter()
    }

    /// The keys in the order of the file.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Arc<str>> {
        self.0.keys()
    }

    /// The values in the order of the file.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.values()
    }

    /// True if both are the same map in memory.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The entries sorted bytewise by key.
    pub fn sorted(&self) -> Vec<(&Arc<str>, &Value)> {
        let mut entries: Vec<_> = self.iter().collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries
    }

    /// The same map with `key` set to `value`, at its old position if it had one.
    #[must_use]
    pub fn set(mut self, key: impl Into<Arc<str>>, value: Value) -> Self {
        Arc::make_mut(&mut self.0).insert(key.into(), value);
        self
    }

    /// The same map with null instead of the value of `key`, and that value, to change it without a copy.
    #[must_use]
    pub(crate) fn take(mut self, key: &str) -> (Self, Option<Value>) {
        let value = Arc::make_mut(&mut self.0).get_mut(key).map(std::mem::take);
        (self, value)
    }

    /// The same map without `key`; the order of the other keys stays.
    #[must_use]
    pub fn delete(mut self, key: &str) -> Self {
        if self.0.contains_key(key) {
            Arc::make_mut(&mut self.0).shift_remove(key);
        }
        self
    }
}

impl Map {
    /// The map of `pairs`, and the positions in `pairs` of repeated keys. A later value of the same key wins, at the position of
    /// the first.
    pub(crate) fn from_pairs(
        pairs: impl ExactSizeIterator<Item = (Arc<str>, Value)>,
    ) -> (Self, Vec<usize>) {
        let mut map = Entries::with_capacity_and_hasher(pairs.len(), DefaultHashBuilder::default());
        let mut repeated = Vec::new();
        for (at, (key, value)) in pairs.enumerate() {
            if map.insert(key, value).is_some() {
                repeated.push(at);
            }
        }
        (Self(Arc::new(map)), repeated)
    }
}

impl Map {
    /// The map with `change` applied to each value.
    #[must_use]
    pub(crate) fn map_values(self, mut change: impl FnMut(Value) -> Value) -> Self {
        let entries = Arc::unwrap_or_clone(self.0);
        entries
            .into_iter()
            .map(|(key, value)| (key, change(value)))
            .collect()
    }
}

impl<K: Into<Arc<str>>> FromIterator<(K, Value)> for Map {
    /// A later value of the same key wins, at the position of the first.
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(entries: I) -> Self {
        Self(Arc::new(
            entries
                .into_iter()
                .map(|(key, value)| (key.into(), value))
                .collect(),
        ))
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = (&'a Arc<str>, &'a Value);
    type IntoIter = indexmap::map::Iter<'a, Arc<str>, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
