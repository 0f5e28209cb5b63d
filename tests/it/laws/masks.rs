//! Masks of a plan, beside the plain way to fold them, which copies everything.

use proptest::collection::vec;
use proptest::prelude::*;
use stacklens::change::masks::{fold_other_side, fold_sensitive};
use stacklens::value::{Map, Payload, Value};

use super::generate::{Kinds, key, map, value};

/// A mask, most often of the shape that a plan has.
fn mask() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        4 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::NULL),
        1 => value(Kinds::Plain),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let entries = vec((key(), inner.clone()), 0..4);
        prop_oneof![
            vec(inner, 0..4).prop_map(Value::from),
            entries.prop_map(|entries| Value::from(Map::from_iter(entries))),
        ]
    })
    .boxed()
}

/// True if a mask may name a place.
fn may_hide(mask: &Value) -> bool {
    match mask.payload() {
        Payload::Bool(hides) => *hides,
        Payload::Map(masks) => masks.values().any(may_hide),
        Payload::Array(masks) => masks.iter().any(may_hide),
        _ => true,
    }
}

fn plain_sensitive(content: &Value, mask: &Value) -> Value {
    let folded = match (content.payload(), mask.payload()) {
        (_, Payload::Bool(false))
        | (Payload::Null | Payload::Computed(_), Payload::Map(_) | Payload::Array(_)) => {
            return content.clone();
        }
        (Payload::Map(map), Payload::Map(masks)) => {
            let entry = |(key, value): (&std::sync::Arc<str>, &Value)| {
                let mask = masks.get(key);
                let folded =
                    mask.map_or_else(|| value.clone(), |mask| plain_sensitive(value, mask));
                (key.clone(), folded)
            };
            Payload::Map(map.iter().map(entry).collect())
        }
        (Payload::Array(items), Payload::Array(masks)) => {
            if masks.iter().skip(items.len()).any(may_hide) {
                return content.clone().with_secret(true);
            }
            let element = |(index, item): (usize, &Value)| match masks.get(index) {
                Some(mask) => plain_sensitive(item, mask),
                None => item.clone().with_secret(true),
            };
            Payload::Array(items.iter().enumerate().map(element).collect())
        }
        _ => return content.clone().with_secret(true),
    };
    content.clone().with_payload(folded)
}

fn plain_other_side(content: &Value, mask: &Value) -> Value {
    match (content.payload(), mask.payload()) {
        (_, Payload::Bool(true) | Payload::Number(_) | Payload::String(_)) => {
            content.clone().with_mirrored_secret()
        }
        (Payload::Map(map), Payload::Map(masks)) => {
            let entry = |(key, value): (&std::sync::Arc<str>, &Value)| {
                let mask = masks.get(key);
                let folded =
                    mask.map_or_else(|| value.clone(), |mask| plain_other_side(value, mask));
                (key.clone(), folded)
            };
            let folded = map.iter().map(entry).collect();
            content.clone().with_payload(Payload::Map(folded))
        }
        _ => content.clone(),
    }
}

proptest! {
    #[test]
    fn masks_fold_as_if_everything_were_copied(content in map(Kinds::Plain), mask in mask()) {
        let content = Value::from(content);
        for mask in [&mask, &content] {
            prop_assert!(fold_sensitive(&content, mask) == plain_sensitive(&content, mask));
            let folded = fold_other_side(&content, mask);
            prop_assert!(folded == plain_other_side(&content, mask));
        }
        let order = |value: &Value| value.as_map().map(|map| map.keys().cloned().collect::<Vec<_>>());
        prop_assert_eq!(order(&fold_sensitive(&content, &mask)), order(&plain_sensitive(&content, &mask)));
    }
}
