//! Sensitive paths of a state's file. The masks of plans are [`crate::objchange::masks`].

use crate::path::Segment;
use crate::value::{Payload, Value};

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
        _ => return value,
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
