//! Values at places whose steps are named by their words, as both tools spell them: `spec.replicas` is also `spec[0].replicas`.

use crate::change::texts::plain_text;
use crate::path::{Path, Segment};
use crate::text::words;
use crate::value::{Array, Value};

/// The value at a place. Lists of one block are no step. `None` for a masked one.
pub(super) fn at<'v>(set: &'v Value, place: &str) -> Option<(Path, &'v Value)> {
    let (mut value, mut path) = (set, Path::root());
    for step in place.split('.') {
        // A masked container masks all that is in it.
        if value.is_secret() {
            return None;
        }
        if let Some([only]) = value.as_array().map(Array::as_slice) {
            path.0.push(Segment::Index(0));
            value = only;
        }
        let mut entries = value.as_map()?.iter();
        let (key, below) = entries.find(|(key, _)| is_called(key, step))?;
        path.0.push(Segment::Key(key.clone()));
        value = below;
    }
    (!value.is_secret()).then_some((path, value))
}

/// True if two names have the same words.
fn is_called(key: &str, step: &str) -> bool {
    // Most names differ in their first letter.
    let first = |name: &str| name.bytes().next().map(|byte| byte.to_ascii_lowercase());
    first(key) == first(step) && words(key) == words(step)
}

/// The values at those of some places that a resource has.
pub(super) fn all_at<'v, 'p>(
    set: &'v Value,
    places: &'p [String],
) -> impl Iterator<Item = (Path, &'v Value)> + use<'v, 'p> {
    places.iter().filter_map(|place| at(set, place))
}

/// The text, the number or the switch at a place as a text, if it says something.
pub(super) fn text_at(set: &Value, place: &str) -> Option<String> {
    let text = plain_text(at(set, place)?.1)?;
    (!text.is_empty()).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    #[test]
    fn a_place_is_found_by_its_words() {
        let json = br#"{"desiredCount": 0, "spec": [{"replicas": 0, "paused": true}], "enabled": "false"}"#;
        let set = parse(json, Numbers::Exact).unwrap().value;
        assert_eq!(text_at(&set, "desired_count").as_deref(), Some("0"));
        assert_eq!(text_at(&set, "enabled").as_deref(), Some("false"));
        assert_eq!(text_at(&set, "replicas"), None);
        assert_eq!(
            at(&set, "spec.replicas").unwrap().0.to_string(),
            "spec[0].replicas"
        );
    }
}
