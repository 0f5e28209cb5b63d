//! Things by what they have in common, and the number of equal ones.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::hash::Hash;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// The things of each key, in the order in which they come.
pub fn grouped<K: Ord, T>(things: impl IntoIterator<Item = (K, T)>) -> BTreeMap<K, Vec<T>> {
    let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
    for (key, thing) in things {
        groups.entry(key).or_default().push(thing);
    }
    groups
}

/// The least thing of each key.
pub fn least<K: Eq + Hash, T: Ord>(things: impl IntoIterator<Item = (K, T)>) -> HashMap<K, T> {
    let mut least: HashMap<K, T> = HashMap::new();
    for (key, thing) in things {
        match least.entry(key) {
            Entry::Occupied(mut known) if thing < *known.get() => _ = known.insert(thing),
            Entry::Occupied(_) => {}
            Entry::Vacant(place) => _ = place.insert(thing),
        }
    }
    least
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

/// The place of the only one of several things that is another one than all others, which are equal.
pub fn odd_one<T: Ord + Hash>(mut things: impl Iterator<Item = T> + Clone) -> Option<usize> {
    let counts = most_frequent(things.clone());
    match &counts[..] {
        [(_, 2..), (odd, 1)] => things.position(|it| it == *odd),
        _ => None,
    }
}
