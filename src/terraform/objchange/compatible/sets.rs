//! Sets, whose elements have no keys.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Kind, Violation};
use crate::terraform::cty::{PathFrame, View, key_text};
use crate::types::Type;

/// Checks that each planned element matches at least one actual element, and the other way round. An element may match several.
/// Unmatched actual elements are reported only if every planned one is matched, since both often have the same cause.
///
/// Most elements have an equal counterpart. The rest are compared only with elements that agree in their [`Traits`].
pub(super) fn correlate(
    planned: View<'_>,
    actual: View<'_>,
    place: &PathFrame<'_>,
    goes_with: impl Fn(View<'_>, View<'_>) -> bool,
) -> Vec<Violation> {
    let planned: Vec<View<'_>> = planned.items().collect();
    let actual: Vec<View<'_>> = actual.items().collect();
    let mut planned_met = vec![false; planned.len()];
    let mut actual_met = vec![false; actual.len()];
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
    let mut candidates = Index::default();
    for (p, met) in planned_met.iter_mut().enumerate().filter(|(_, met)| !**met) {
        let alike = candidates.alike(planned[p], &actual);
        for a in alike.iter().copied() {
            if goes_with(planned[p], actual[a]) {
                *met = true;
                actual_met[a] = true;
                break;
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
    let mut promises: HashMap<Traits, HashMap<String, Vec<usize>>> = HashMap::new();
    if actual_met.contains(&false) {
        for (p, element) in planned.iter().enumerate() {
            let traits = Traits::of(*element);
            let text = traits.text(*element);
            let texts = promises.entry(traits).or_default();
            texts.entry(text).or_default().push(p);
        }
    }
    for (a, met) in actual_met.iter_mut().enumerate().filter(|(_, met)| !**met) {
        *met = promises.iter().any(|(traits, texts)| {
            let alike = texts.get(&traits.text(actual[a]));
            let mut alike = alike.into_iter().flatten();
            alike.any(|p| goes_with(planned[*p], actual[a]))
        });
    }
    unmet(Kind::ActualSetElementUncorrelated, &actual_met)
}

/// The parts of a planned element that a matching actual element must agree with: the element itself, if it is known and of a
/// primitive type, or those attributes of an object that are. Most elements have the same traits, so few pairs are compared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Traits {
    Itself,
    Attributes(Vec<Arc<str>>),
}

impl Traits {
    fn of(planned: View<'_>) -> Self {
        let is_firm = |view: View<'_>| {
            view.is_known() && matches!(view.ty, Type::Bool | Type::Number | Type::String)
        };
        match planned.ty {
            _ if is_firm(planned) => Self::Itself,
            Type::Object(object) if planned.has_elements() => {
                let names = object.attributes.keys();
                let firm = names.filter(|name| is_firm(planned.attribute(name)));
                Self::Attributes(firm.cloned().collect())
            }
            _ => Self::Attributes(Vec::new()),
        }
    }

    /// A text of these traits of `element`. Elements that agree in them have the same text.
    fn text(&self, element: View<'_>) -> String {
        match self {
            Self::Itself => key_text(element),
            Self::Attributes(_) if !element.has_elements() => String::new(),
            Self::Attributes(names) => names
                .iter()
                .map(|name| key_text(element.attribute(name)) + ";")
                .collect(),
        }
    }
}

/// Elements by traits and text, computed on demand.
#[derive(Default)]
struct Index {
    of: HashMap<Traits, HashMap<String, Vec<usize>>>,
}

impl Index {
    /// The indexes of the elements that agree with `planned` in its traits.
    fn alike(&mut self, planned: View<'_>, elements: &[View<'_>]) -> &[usize] {
        let traits = Traits::of(planned);
        if !self.of.contains_key(&traits) {
            let mut texts: HashMap<String, Vec<usize>> = HashMap::new();
            for (index, element) in elements.iter().enumerate() {
                texts.entry(traits.text(*element)).or_default().push(index);
            }
            self.of.insert(traits.clone(), texts);
        }
        let texts = self.of.get(&traits);
        let alike = texts.and_then(|texts| texts.get(&traits.text(planned)));
        alike.map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::terraform::cty::Typed;
    use crate::terraform::objchange::{Semantics, assert_value_compatible};
    use crate::types::ObjectType;
    use crate::value::{Map, Value};

    fn element_type() -> Type {
        let attributes = [("a", Type::String), ("b", Type::Number)];
        let attributes = attributes.map(|(name, ty)| (Arc::from(name), ty));
        Type::Object(ObjectType {
            attributes: attributes.into_iter().collect(),
            ..ObjectType::default()
        })
    }

    fn set() -> impl Strategy<Value = Typed> {
        let text = prop_oneof![
            Just(Value::NULL),
            Just(Value::computed()),
            "[xy]".prop_map(Value::from),
        ];
        let number = prop_oneof![
            Just(Value::NULL),
            Just(Value::computed()),
            (0_u8..3).prop_map(|n| Value::from(f64::from(n))),
        ];
        let element =
            (text, number).prop_map(|(a, b)| Value::from(Map::from_iter([("a", a), ("b", b)])));
        prop::collection::vec(element, 0..6).prop_map(|elements| {
            let set = crate::terraform::cty::canonical_set(&element_type(), elements);
            Typed::new(Type::Set(Arc::new(element_type())), Value::from(set)).unwrap()
        })
    }

    proptest! {
        /// The shortcuts change no answer: it is the same as when all pairs are compared.
        #[test]
        fn the_answer_is_that_of_trying_all(planned in set(), actual in set()) {
            let goes_with = |planned: View<'_>, actual: View<'_>| {
                let [planned, actual] = [planned, actual].map(View::to_typed);
                assert_value_compatible(&planned, &actual, Semantics::Current).is_empty()
            };
            let [ours, theirs] = [&planned, &actual].map(|set| set.view().items().collect::<Vec<_>>());
            let met = ours.iter().all(|p| theirs.iter().any(|a| goes_with(*p, *a)));
            let n_unmet = if met {
                theirs.iter().filter(|a| !ours.iter().any(|p| goes_with(*p, **a))).count()
            } else {
                ours.iter().filter(|p| !theirs.iter().any(|a| goes_with(**p, *a))).count()
            };
            let unmet = correlate(planned.view(), actual.view(), &PathFrame::TOP, goes_with);
            prop_assert_eq!(unmet.len(), n_unmet);
        }
    }
}
