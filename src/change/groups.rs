//! Things by what they have in common, and the number of equal ones.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::Hash;

use hashbrown::HashMap;

/// The things of each key, in the order in which they come.
pub fn grouped<K: Ord, T>(things: impl IntoIterator<Item = (K, T)>) -> BTreeMap<K, Vec<T>> {
    let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
    for (key, thing) in things {
        groups.entry(key).or_default().push(thing);
    }
    groups
}

/// Things with the number of each.
pub fn counted<T: Eq + Hash>(things: impl IntoIterator<Item = T>) -> HashMap<T, usize> {
    let mut counts: HashMap<T, usize> = HashMap::new();
    for thing in things {
        *counts.entry(thing).or_default() += 1;
    }
    counts
}

/// Things with the number of each, the most frequent first.
pub fn most_frequent<T: Ord + Hash>(things: impl IntoIterator<Item = T>) -> Vec<(T, usize)> {
    let mut counts = Vec::from_iter(counted(things));
    counts.sort_by(|(one, n), (other, m)| (Reverse(n), one).cmp(&(Reverse(m), other)));
    counts
}
