//! Sets: whose elements have no name.

use std::collections::HashMap;

use super::{Kind, Violation};
use crate::cty::{Place, View, key_text};

/// Checks that each planned element goes with at least one actual one, and the other way round. An element may be used many times.
/// Unmet actual elements are told only where every planned one is met, since both are often one story.
pub(super) fn correlate(
    planned: View<'_>,
    actual: View<'_>,
    place: &Place<'_>,
    goes_with: impl Fn(View<'_>, View<'_>) -> bool,
) -> Vec<Violation> {
    let planned: Vec<View<'_>> = planned.items().collect();
    let actual: Vec<View<'_>> = actual.items().collect();
    let mut planned_met = vec![false; planned.len()];
    let mut actual_met = vec![false; actual.len()];
    // Most elements have an equal one; only the others are tried with every one.
    let mut by_text: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, element) in actual.iter().enumerate() {
        by_text.entry(key_text(*element)).or_default().push(index);
    }
    for (p, element) in planned.iter().enumerate() {
        for a in by_text.get(&key_text(*element)).into_iter().flatten() {
            if !actual_met[*a] && goes_with(*element, actual[*a]) {
                planned_met[p] = true;
                actual_met[*a] = true;
                break;
            }
        }
    }
    for (p, met) in planned_met.iter_mut().enumerate() {
        if !*met {
            for (a, element) in actual.iter().enumerate() {
                if goes_with(planned[p], *element) {
                    *met = true;
                    actual_met[a] = true;
                    break;
                }
            }
        }
    }
    let unmet = |kind: Kind, met: &[bool]| -> Vec<Violation> {
        met.iter()
            .filter(|met| !**met)
            .map(|_| Violation::new(place, kind.clone()))
            .collect()
    };
    if planned_met.contains(&false) {
        return unmet(Kind::PlannedSetElementUncorrelated, &planned_met);
    }
    for (a, met) in actual_met.iter_mut().enumerate() {
        *met = *met || planned.iter().any(|element| goes_with(*element, actual[a]));
    }
    unmet(Kind::ActualSetElementUncorrelated, &actual_met)
}
