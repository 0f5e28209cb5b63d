//! Sensitive paths of a state's file. The masks of plans are [`crate::objchange::masks`].

use std::sync::Arc;

use crate::path::Segment;
use crate::value::{Payload, Value};

/// `value` with the value at `path` made secret: an entry of a state's sensitive paths. Where the path leads into something that has no
/// such steps (a set, a string), or has a step that is not understood, what it reached so far is secret as a whole. A key that is
/// not there has no content to hide.
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
        (Step::Index(index), Payload::Array(items)) => {
            let inner = items.get(*index);
            let items = inner.and_then(|inner| {
                let inner = at_path(inner.clone(), below);
                items.clone().set(*index, inner)
            });
            match items {
                Some(items) => value.with_payload(Payload::Array(items)),
                None => value.with_secret(true),
            }
        }
        (_, Payload::Null) => value,
        _ => value.with_secret(true),
    }
}

/// The flat attributes of an old state (`triggers.%`, `triggers.password`) with what is at `path` or below it made secret, or around
/// it where there is no such place.
pub(super) fn at_flat_path(attributes: Value, path: &[Step]) -> Value {
    let Some(map) = attributes.as_map() else {
        return attributes.with_secret(true);
    };
    let known = path.iter().map_while(|step| match step {
        Step::Key(key) => Some(key.clone()),
        Step::Index(index) => Some(index.to_string()),
        Step::Unknown => None,
    });
    let mut known: Vec<String> = known.collect();
    let is_hidden = |key: &str, prefix: &str| {
        key.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    while !known.is_empty() {
        let prefix = known.join(".");
        if map.keys().any(|key| is_hidden(key, &prefix)) {
            let entry = |(key, value): (&Arc<str>, &Value)| {
                let hides = value.is_secret() || is_hidden(key, &prefix);
                (key.clone(), value.clone().with_secret(hides))
            };
            let map = map.iter().map(entry).collect();
            return attributes.with_payload(Payload::Map(map));
        }
        known.pop();
    }
    match path {
        // An attribute that is not there.
        [Step::Key(_), ..] => attributes,
        _ => attributes.with_secret(true),
    }
}

/// `value` with what is at `path` made secret, in all elements of each array and map on the way where the path has an index.
pub(super) fn everywhere(value: Value, path: &[Segment]) -> Value {
    let Some((step, below)) = path.split_first() else {
        return value.with_secret(true);
    };
    let changed = match (value.payload(), step) {
        (Payload::Map(map), Segment::Key(key)) => match map.get(key) {
            Some(inner) => {
                let inner = everywhere(inner.clone(), below);
                Payload::Map(map.clone().set(key.clone(), inner))
            }
            None => return value,
        },
        (Payload::Map(map), Segment::Index(_)) => {
            let entries = map.iter();
            let entries = entries.map(|(key, it)| (key.clone(), everywhere(it.clone(), below)));
            Payload::Map(entries.collect())
        }
        (Payload::Array(items), Segment::Index(_)) => {
            let items: Vec<Value> = items
                .iter()
                .map(|it| everywhere(it.clone(), below))
                .collect();
            Payload::Array(items.into())
        }
        // A block that the configuration writes once may be a list of one.
        (Payload::Array(items), Segment::Key(_)) => {
            let items: Vec<Value> = items
                .iter()
                .map(|it| everywhere(it.clone(), path))
                .collect();
            Payload::Array(items.into())
        }
        (Payload::Null | Payload::Computed(_), _) => return value,
        _ => return value.with_secret(true),
    };
    value.with_payload(changed)
}

/// A step of a sensitive path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Into an object or map.
    Key(String),
    /// Into a list or tuple.
    Index(usize),
    /// Something else, which may mean any place below.
    Unknown,
}

#[cfg(test)]
mod tests {
    use crate::json::{self, Numbers};
    use crate::objchange::masks::fold;

    use super::*;

    fn value(text: &str) -> Value {
        json::parse(text.as_bytes(), Numbers::Exact).unwrap().value
    }

    #[track_caller]
    fn check_sensitive(text: &str, mask: &str, want: &str) {
        let masked = fold(&value(text), None, Some(&value(mask)));
        assert_eq!(json::to_compact(&masked), want);
    }

    #[track_caller]
    fn check_unknown(text: &str, mask: &str, want: &str) {
        let masked = fold(&value(text), Some(&value(mask)), None);
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
