//! Masks: the structures beside a value that say which parts of it are sensitive or unknown.
//!
//! A mask has the shape of its value: `true` marks a whole value, objects leave out what is not marked, lists keep `false` in place.

use crate::value::{Map, Payload, Value};

/// `value` with what `mask` marks made secret.
pub(super) fn sensitive(value: Value, mask: Option<&Value>) -> Value {
    let Some(mask) = mask else { return value };
    apply(value, mask)
}

fn apply(value: Value, mask: &Value) -> Value {
    match (mask.payload(), value.payload()) {
        (Payload::Bool(true), _) => value.with_secret(true),
        (Payload::Map(masks), Payload::Map(map)) if !masks.is_empty() => {
            let marked: Map = map
                .iter()
                .map(|(key, inner)| {
                    let inner = inner.clone();
                    let inner = match masks.get(key) {
                        Some(mask) => apply(inner, mask),
                        None => inner,
                    };
                    (key.clone(), inner)
                })
                .collect();
            value.with_payload(Payload::Map(marked))
        }
        (Payload::Array(masks), Payload::Array(items)) if !masks.is_empty() => {
            let marked: Vec<_> = items
                .iter()
                .enumerate()
                .map(|(index, inner)| match masks.get(index) {
                    Some(mask) => apply(inner.clone(), mask),
                    None => inner.clone(),
                })
                .collect();
            value.with_payload(Payload::Array(marked.into()))
        }
        _ => value,
    }
}

/// `value` (null where all of it is unknown) with what `mask` marks made unknown; keys that only the mask has are added.
pub(super) fn unknown(value: Value, mask: Option<&Value>) -> Value {
    let Some(mask) = mask else { return value };
    match (mask.payload(), value.payload()) {
        (Payload::Bool(true), _) => Value::computed(),
        (Payload::Map(masks), Payload::Map(map)) if !masks.is_empty() => {
            let mut filled = map.clone();
            for (key, mask) in masks {
                let inner = map.get(key).cloned();
                let known = inner.is_some();
                let inner = unknown(inner.unwrap_or_default(), Some(mask));
                if known || has_unknown(mask) {
                    filled = filled.set(key.clone(), inner);
                }
            }
            value.with_payload(Payload::Map(filled))
        }
        // The value is absent, and so are all of its known parts.
        (Payload::Map(masks), Payload::Null) if has_unknown(mask) => masks
            .iter()
            .map(|(key, mask)| (key.clone(), unknown(Value::NULL, Some(mask))))
            .collect::<Map>()
            .into(),
        (Payload::Array(masks), Payload::Array(items)) if !masks.is_empty() => {
            let length = items.len().max(masks.len());
            let filled: Vec<_> = (0..length)
                .filter_map(|index| match (items.get(index), masks.get(index)) {
                    (inner, Some(mask)) if inner.is_some() || has_unknown(mask) => {
                        Some(unknown(inner.cloned().unwrap_or_default(), Some(mask)))
                    }
                    (inner, _) => inner.cloned(),
                })
                .collect();
            value.with_payload(Payload::Array(filled.into()))
        }
        _ => value,
    }
}

/// Whether `mask` marks anything.
pub(super) fn has_unknown(mask: &Value) -> bool {
    match mask.payload() {
        Payload::Bool(marked) => *marked,
        Payload::Map(masks) => masks.values().any(has_unknown),
        Payload::Array(masks) => masks.iter().any(has_unknown),
        _ => false,
    }
}

/// `value` with the value at `path` made secret: an entry of a state's sensitive paths. Where the path leads into something that has no
/// such steps (a set, a string), what it reached so far is secret as a whole.
pub(super) fn at_path(value: Value, path: &[Step]) -> Value {
    let Some((step, below)) = path.split_first() else {
        return value.with_secret(true);
    };
    match (step, value.payload()) {
        (Step::Key(key), Payload::Map(map)) => match map.get(key) {
            Some(inner) => {
                let inner = at_path(inner.clone(), below);
                let map = map.clone().set(key.as_str(), inner);
                value.with_payload(Payload::Map(map))
            }
            None => value,
        },
        (Step::Index(index), Payload::Array(items)) => match items.get(*index) {
            Some(inner) => {
                let inner = at_path(inner.clone(), below);
                match items.clone().set(*index, inner) {
                    Some(items) => value.with_payload(Payload::Array(items)),
                    None => value,
                }
            }
            None => value,
        },
        (_, Payload::Null) => value,
        _ => value.with_secret(true),
    }
}

/// A step of a sensitive path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Into an object or map.
    Key(String),
    /// Into a list or tuple.
    Index(usize),
}

#[cfg(test)]
mod tests {
    use crate::json::{self, Numbers};

    use super::*;

    fn value(text: &str) -> Value {
        json::parse(text.as_bytes(), Numbers::Exact).unwrap().value
    }

    #[track_caller]
    fn check_sensitive(text: &str, mask: &str, want: &str) {
        let masked = sensitive(value(text), Some(&value(mask)));
        assert_eq!(json::to_compact(&masked), want);
    }

    #[track_caller]
    fn check_unknown(text: &str, mask: &str, want: &str) {
        let masked = unknown(value(text), Some(&value(mask)));
        assert_eq!(json::to_compact(&masked), want);
    }

    #[test]
    fn a_sensitive_element_does_not_hide_its_neighbours() {
        check_sensitive(
            r#"{"a": [{"x": 1, "y": 2}, 3], "b": 4}"#,
            r#"{"a": [{"x": true}, false], "b": false}"#,
            r#"{"a":[{"x":"[secret]","y":2},3],"b":4}"#,
        );
        check_sensitive(
            r#"{"a": {"x": 1}}"#,
            r#"{"a": true}"#,
            r#"{"a":"[secret]"}"#,
        );
        check_sensitive(r#"{"a": 1}"#, "true", r#""[secret]""#);
        check_sensitive(r#"{"a": 1}"#, "false", r#"{"a":1}"#);
    }

    #[test]
    fn unknown_keys_come_back() {
        check_unknown(
            r#"{"a": {"x": 1}, "l": [null, 2]}"#,
            r#"{"a": {"y": true}, "l": [true, false], "id": true, "empty": {}, "no": false}"#,
            r#"{"a":{"x":1,"y":"[unknown]"},"l":["[unknown]",2],"id":"[unknown]"}"#,
        );
        check_unknown("null", "true", r#""[unknown]""#);
        check_unknown(
            "null",
            r#"{"id": true, "n": {}}"#,
            r#"{"id":"[unknown]","n":null}"#,
        );
    }

    #[test]
    fn a_path_into_a_set_hides_the_set() {
        let hidden = at_path(
            value(r#"{"s": ["a"], "k": [1, 2]}"#),
            &[Step::Key("s".into()), Step::Key("a".into())],
        );
        let hidden = at_path(hidden, &[Step::Key("k".into()), Step::Index(1)]);
        assert_eq!(
            json::to_compact(&hidden),
            r#"{"s":"[secret]","k":[1,"[secret]"]}"#
        );
    }
}
