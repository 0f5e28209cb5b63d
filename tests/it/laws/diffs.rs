//! Differences.

use proptest::prelude::*;
use stacklens::pulumi::diff::{self, ArrayDiff, MapDiff, Options, ValueDiff};
use stacklens::value::{Array, Map, Value};

use super::generate::{Kinds, map, value};

fn apply_map(old: &Map, diff: &MapDiff) -> Map {
    let kept = diff
        .deletes
        .keys()
        .fold(old.clone(), |map, key| map.delete(key));
    let added = diff
        .adds
        .iter()
        .fold(kept, |map, (key, new)| map.set(key.clone(), new.clone()));
    let updates = diff.updates.iter();
    updates.fold(added, |map, (key, update)| {
        map.set(key.clone(), apply(update))
    })
}

fn apply_array(old: &Array, diff: &ArrayDiff) -> Array {
    let length = old.len() - diff.deletes.len();
    let items = old
        .iter()
        .zip(0_i64..)
        .take(length)
        .map(|(old, index)| diff.updates.get(&index).map_or_else(|| old.clone(), apply));
    items.chain(diff.adds.values().cloned()).collect()
}

/// The new value, rebuilt from the old one and the inner differences, if any.
fn apply(diff: &ValueDiff) -> Value {
    match (
        diff.old.as_map(),
        &diff.map,
        diff.old.as_array(),
        &diff.array,
    ) {
        (Some(old), Some(inner), ..) => apply_map(old, inner).into(),
        (_, _, Some(old), Some(inner)) => apply_array(old, inner).into(),
        _ => diff.new.clone(),
    }
}

proptest! {
    #[test]
    fn nothing_differs_from_itself(map in map(Kinds::Pulumi)) {
        prop_assert_eq!(diff::maps(&map, &map, Options::default()), None);
    }

    #[test]
    fn a_difference_leads_from_one_side_to_the_other(old in map(Kinds::Distinct), new in map(Kinds::Distinct)) {
        let reached = diff::maps(&old, &new, Options::default())
            .map_or_else(|| old.clone(), |diff| apply_map(&old, &diff));
        prop_assert_eq!(reached, new);
    }

    #[test]
    fn both_ways_differ_alike(old in map(Kinds::Pulumi), new in map(Kinds::Pulumi)) {
        let forth = diff::maps(&old, &new, Options::default());
        let back = diff::maps(&new, &old, Options::default());
        prop_assert_eq!(forth.is_some(), back.is_some());
        if let (Some(forth), Some(back)) = (forth, back) {
            prop_assert_eq!(forth.changed_keys(), back.changed_keys());
            prop_assert!(forth.adds.keys().eq(back.deletes.keys()));
        }
    }

    #[test]
    fn contents_of_a_secret_are_not_compared(old in value(Kinds::Pulumi), new in value(Kinds::Pulumi)) {
        let [old, new] = [old, new].map(|value| value.with_secret(true));
        if let Some(diff) = diff::values(&old, &new, Options::default()) {
            prop_assert!(diff.map.is_none() && diff.array.is_none());
        }
    }
}
