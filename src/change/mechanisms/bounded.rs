//! A set that stays small on any plan.

use std::collections::{BTreeSet, btree_set};

/// The first items in their order, at most `MAX`. The order in which they are added does not matter.
#[derive(Clone, Debug)]
pub(super) struct BoundedSet<T, const MAX: usize>(BTreeSet<T>);

impl<T, const MAX: usize> Default for BoundedSet<T, MAX> {
    fn default() -> Self {
        Self(BTreeSet::new())
    }
}

impl<T: Ord, const MAX: usize> BoundedSet<T, MAX> {
    pub(super) fn insert(&mut self, item: T) {
        self.0.insert(item);
        if self.0.len() > MAX {
            self.0.pop_last();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Ord, const MAX: usize> Extend<T> for BoundedSet<T, MAX> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.insert(item));
    }
}

impl<T, const MAX: usize> IntoIterator for BoundedSet<T, MAX> {
    type Item = T;
    type IntoIter = btree_set::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'s, T, const MAX: usize> IntoIterator for &'s BoundedSet<T, MAX> {
    type Item = &'s T;
    type IntoIter = btree_set::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_items_stay_in_any_order_of_adding() {
        let of = |items: &[u8]| {
            let mut set = BoundedSet::<u8, 3>::default();
            set.extend(items.iter().copied());
            set.into_iter().collect::<Vec<u8>>()
        };
        assert_eq!(of(&[5, 1, 4, 2, 3]), [1, 2, 3]);
        assert_eq!(of(&[2, 3, 3, 1, 4, 5]), [1, 2, 3]);
    }
}
