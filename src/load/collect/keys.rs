//! The keys of resources, and the first resource with each.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::intern::number;

/// A table of hashes that keeps each hash once, beside four bytes for each resource.
#[derive(Default)]
pub(super) struct Keys {
    /// By resource.
    all: Vec<u64>,
    /// The first resource with each key. A key is a hash already.
    first: HashTable<u32>,
}

impl Keys {
    /// Adds the key of the next resource. Returns the first resource with this key, which may be this one.
    pub(super) fn push(&mut self, key: u64) -> u32 {
        let Self { all, first } = self;
        let entry = first.entry(key, |id| all[*id as usize] == key, |id| all[*id as usize]);
        let id = match entry {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => *vacant.insert(number(all.len())).get(),
        };
        all.push(key);
        id
    }

    /// The first resource with this key.
    pub(super) fn first(&self, key: u64) -> Option<u32> {
        let is_here = |id: &u32| self.all[*id as usize] == key;
        self.first.find(key, is_here).copied()
    }

    /// The key of a resource.
    pub(super) fn of(&self, id: u32) -> u64 {
        self.all[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_is_that_of_the_list(list in prop::collection::vec(0_u64..20, 0..60)) {
            let mut keys = Keys::default();
            for key in &list {
                let first = keys.push(*key);
                let position = list.iter().position(|other| other == key);
                prop_assert_eq!(Some(first as usize), position);
            }
            for key in 0..25 {
                let position = list.iter().position(|other| *other == key).map(number);
                prop_assert_eq!(keys.first(key), position);
            }
            prop_assert!(list.iter().zip(0..).all(|(key, id)| keys.of(id) == *key));
        }
    }
}
