//! Arrays: immutable sequences of values.

use std::sync::Arc;

use super::Value;

/// A shared sequence of values. Cloning is O(1); changing copies only the changed level.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Array(Arc<Vec<Value>>);

impl Array {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The element at `index`, from 0.
    pub fn get(&self, index: usize) -> Option<&Value> {
        self.0.get(index)
    }

    /// The elements in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.0.iter()
    }

    /// The elements as a slice.
    pub fn as_slice(&self) -> &[Value] {
        &self.0
    }

    /// True if both are the same array in memory.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The same array with `value` at `index`; `None` if `index` is out of range.
    #[must_use]
    pub fn set(mut self, index: usize, value: Value) -> Option<Self> {
        *Arc::make_mut(&mut self.0).get_mut(index)? = value;
        Some(self)
    }

    /// The same array with null instead of the element at `index`, and that element, to change it without a copy.
    #[must_use]
    pub(crate) fn take(mut self, index: usize) -> (Self, Option<Value>) {
        let items = Arc::make_mut(&mut self.0);
        let item = items.get_mut(index).map(std::mem::take);
        (self, item)
    }

    /// The same array with `items` appended.
    #[must_use]
    pub fn append(mut self, items: impl IntoIterator<Item = Value>) -> Self {
        Arc::make_mut(&mut self.0).extend(items);
        self
    }
}

impl Array {
    /// The array with `change` applied to each value.
    #[must_use]
    pub(crate) fn map_values(self, change: impl FnMut(Value) -> Value) -> Self {
        let items = Arc::unwrap_or_clone(self.0);
        items.into_iter().map(change).collect()
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Self {
        Self(Arc::new(items))
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Self(Arc::new(items.into_iter().collect()))
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
