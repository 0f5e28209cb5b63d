//! The sensitive paths of a state file.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::path::{Path, Segment};
use crate::value::{Payload, Value};

/// Marks the values at `paths`, the sensitive paths of a state, as secret. If a path leads into a value without such steps (a
/// set, a string) or has an unknown step, the value reached so far is secret as a whole. A missing key has no content to hide.
pub(crate) fn at_paths(value: Value, mut paths: Vec<Vec<SensitiveSegment>>) -> Value {
    // Sorted, paths with a common prefix are adjacent, so that each place is rebuilt once.
    paths.sort_unstable();
    at(value, &paths, 0)
}

/// Like [`at_paths`], for sorted paths whose first `depth` steps lead to `value`.
fn at(value: Value, paths: &[Vec<SensitiveSegment>], depth: usize) -> Value {
    let n_ended = paths.partition_point(|path| path.len() == depth);
    let mut is_secret = n_ended > 0;
    let mut payload = value.payload().clone();
    for below in paths[n_ended..].chunk_by(|one, other| one[depth] == other[depth]) {
        payload = match (&below[0][depth], payload) {
            (SensitiveSegment::Key(key), Payload::Map(map)) => match map.get(key) {
                Some(inner) => {
                    let inner = at(inner.clone(), below, depth + 1);
                    Payload::Map(map.set(key.as_str(), inner))
                }
                None => Payload::Map(map),
            },
            (SensitiveSegment::Index(index), Payload::Array(items)) if *index < items.len() => {
                let inner = items.get(*index).cloned().unwrap_or_default();
                let items = items.set(*index, at(inner, below, depth + 1));
                Payload::Array(items.unwrap_or_default())
            }
            (_, Payload::Null) => Payload::Null,
            (_, payload) => {
                is_secret = true;
                payload
            }
        };
    }
    let is_secret = is_secret || value.is_secret();
    value.with_payload(payload).with_secret(is_secret)
}

/// The flat attributes of an old state (`triggers.%`, `triggers.password`), with everything at or below `paths` marked as secret.
/// If there is no such place, the closest place around it is.
pub(crate) fn at_flat_paths(attributes: Value, paths: Vec<Vec<SensitiveSegment>>) -> Value {
    let Some(map) = attributes.as_map().filter(|_| !paths.is_empty()) else {
        let is_secret = attributes.is_secret() || !paths.is_empty();
        return attributes.with_secret(is_secret);
    };
    let sorted = map.sorted();
    let from = |end: &str| sorted.partition_point(|(key, _)| ***key < *end);
    // A key below a prefix starts with the prefix and a dot. `/` is the next character after the dot.
    let below = |prefix: &str| from(&format!("{prefix}."))..from(&format!("{prefix}/"));
    let has = |prefix: &str| map.contains_key(prefix) || !below(prefix).is_empty();
    let mut prefixes = BTreeSet::new();
    for path in paths {
        let known: Vec<String> = path.iter().map_while(SensitiveSegment::text).collect();
        // If a longer prefix exists, so does each shorter one.
        let lengths: Vec<usize> = (1..=known.len()).collect();
        let n_found = lengths.partition_point(|n_steps| has(&known[..*n_steps].join(".")));
        match path.first() {
            _ if n_found > 0 => _ = prefixes.insert(known[..n_found].join(".")),
            // The attribute does not exist.
            Some(SensitiveSegment::Key(_)) => {}
            _ => return attributes.with_secret(true),
        }
    }
    // Change in the number of hiding prefixes from one entry to the next.
    let mut steps = vec![0_isize; sorted.len() + 1];
    for prefix in &prefixes {
        let below = below(prefix);
        steps[below.start] += 1;
        steps[below.end] -= 1;
    }
    let mut n_above = 0;
    let mut hidden: HashSet<&str> = prefixes.iter().map(String::as_str).collect();
    for ((key, _), step) in sorted.iter().zip(steps) {
        n_above += step;
        if n_above > 0 {
            hidden.insert(&***key);
        }
    }
    let entry = |(key, value): (&Arc<str>, &Value)| {
        let hides = value.is_secret() || hidden.contains(&**key);
        (key.clone(), value.clone().with_secret(hides))
    };
    let map = map.iter().map(entry).collect();
    attributes.with_payload(Payload::Map(map))
}

/// Marks everything at `paths` as secret. An index in a path matches all elements of an array or map.
pub(crate) fn everywhere(value: Value, paths: &[Path]) -> Value {
    let any_index = |segment: &Segment| match segment {
        Segment::Key(key) => Segment::Key(key.clone()),
        Segment::Index(_) => Segment::Index(0),
    };
    let mut paths: Vec<Vec<Segment>> = paths
        .iter()
        .map(|path| path.0.iter().map(any_index).collect())
        .collect();
    paths.sort_unstable();
    everywhere_in(value, &paths, 0)
}

/// Like [`everywhere`], for sorted paths whose first `depth` steps lead to `value`.
fn everywhere_in(value: Value, paths: &[Vec<Segment>], depth: usize) -> Value {
    // Paths that end here come first. Keys come before indexes.
    let n_ended = paths.partition_point(|path| path.len() == depth);
    let is_key = |path: &Vec<Segment>| matches!(path[depth], Segment::Key(_));
    let below = &paths[n_ended..];
    let (keys, indexes) = below.split_at(below.partition_point(is_key));
    let order = |path: &Vec<Segment>, key: &str| match &path[depth] {
        Segment::Key(own) => (**own).cmp(key),
        Segment::Index(_) => Ordering::Greater,
    };
    let mut is_secret = n_ended > 0 || value.is_secret();
    let payload = match value.payload() {
        payload if below.is_empty() => payload.clone(),
        Payload::Map(map) => {
            let entry = |(key, inner): (&Arc<str>, &Value)| {
                let start = keys.partition_point(|path| order(path, key).is_lt());
                let end = keys.partition_point(|path| order(path, key).is_le());
                let inner = everywhere_in(inner.clone(), &keys[start..end], depth + 1);
                (key.clone(), everywhere_in(inner, indexes, depth + 1))
            };
            Payload::Map(map.iter().map(entry).collect())
        }
        // A block that is written once in the configuration may be a list with one element.
        Payload::Array(items) => {
            let item = |item: &Value| {
                let item = everywhere_in(item.clone(), indexes, depth + 1);
                everywhere_in(item, keys, depth)
            };
            Payload::Array(items.iter().map(item).collect())
        }
        payload => {
            is_secret |= !matches!(payload, Payload::Null | Payload::Computed(_));
            payload.clone()
        }
    };
    value.with_payload(payload).with_secret(is_secret)
}

/// A step of a sensitive path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum SensitiveSegment {
    /// Into an object or map.
    Key(String),
    /// Into a list or tuple.
    Index(usize),
    /// An unknown step, which may lead to any place below.
    Unknown,
}

impl SensitiveSegment {
    /// The step in the notation of flat attributes; `None` if it is unknown.
    fn text(&self) -> Option<String> {
        match self {
            Self::Key(key) => Some(key.clone()),
            Self::Index(index) => Some(index.to_string()),
            Self::Unknown => None,
        }
    }
}

/// The path in an entry of `sensitive_attributes`.
pub(crate) fn path(entry: &Value) -> Vec<SensitiveSegment> {
    match entry.as_array() {
        Some(steps) => steps.iter().map(step).collect(),
        None => vec![SensitiveSegment::Unknown],
    }
}

fn step(step: &Value) -> SensitiveSegment {
    let (kind, value) = (step.get("type"), step.get("value"));
    let is_known = kind.is_none_or(|kind| matches!(kind.as_str(), Some("get_attr" | "index")));
    let key = value.map(|value| value.get("value").unwrap_or(value));
    let Some(key) = key.filter(|_| is_known) else {
        return SensitiveSegment::Unknown;
    };
    let index = || usize::try_from(key.as_number()?.to_i64()?).ok();
    match (key.as_str(), index()) {
        (Some(text), _) => SensitiveSegment::Key(text.to_owned()),
        (None, Some(index)) => SensitiveSegment::Index(index),
        (None, None) => SensitiveSegment::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use crate::change::masks::fold;
    use crate::json::{self, Numbers};

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
        let hidden = at_paths(
            value(r#"{"s": ["a"], "k": [1, 2]}"#),
            vec![
                vec![
                    SensitiveSegment::Key("s".into()),
                    SensitiveSegment::Key("a".into()),
                ],
                vec![
                    SensitiveSegment::Key("k".into()),
                    SensitiveSegment::Index(1),
                ],
            ],
        );
        assert_eq!(
            json::to_compact(&hidden),
            r#"{"s":"[secret]","k":[1,"[secret]"]}"#
        );
    }
}
