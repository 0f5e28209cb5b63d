//! Conditions of statements: does one let through more than another?

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::term::matches;
use super::{Part, texts};
use crate::value::Value;

/// Maximum number of texts of a bound that are put into words.
const MAX_TEXTS: usize = 3;

/// The bounds of a condition, by the key and the operator without its way of comparing texts.
type Bounds = BTreeMap<(String, String), Bound>;

/// The values that a condition lets through for a key.
#[derive(Default)]
struct Bound {
    /// The operator and the key, as they are written.
    name: String,
    /// The texts that it compares with.
    texts: Vec<String>,
    /// True if a request without the key passes.
    is_optional: bool,
}

impl Bound {
    fn covers(&self, text: &str) -> bool {
        self.texts.iter().any(|pattern| matches(pattern, text))
    }

    /// True if everything passes that `old` lets through, and more.
    fn is_wider_than(&self, old: &Self) -> bool {
        let keeps =
            old.is_optional <= self.is_optional && old.texts.iter().all(|text| self.covers(text));
        let is_more =
            self.is_optional && !old.is_optional || self.texts.iter().any(|text| !old.covers(text));
        keeps && is_more
    }

    fn in_words(&self) -> String {
        let mut words = self.name.clone();
        for text in self.texts.iter().take(MAX_TEXTS) {
            // Writing to a string cannot fail.
            _ = write!(words, " {text:?}");
        }
        if self.texts.len() > MAX_TEXTS {
            _ = write!(words, " and {} more", self.texts.len() - MAX_TEXTS);
        }
        words
    }
}

/// The bounds by which `new` lets more through than `old`, in words: `StringEquals a "b" → StringLike a "*"`. A pattern covers more, a
/// value is added to a list, or requests without the key pass. Another key that is compared from now on does not make up for that: it
/// asks for something else. A key that is no longer compared counts if nothing is asked instead. Only comparisons of texts can be
/// judged so.
pub(super) fn widened(new: &Value, old: &Value) -> Vec<Part> {
    // Most statements keep their condition, and each is compared with all others.
    if new == old {
        return Vec::new();
    }
    let (Some(old), Some(new)) = (bounds(old), bounds(new)) else {
        return Vec::new();
    };
    let is_added = new.keys().any(|key| !old.contains_key(key));
    let wider = old.iter().filter_map(|(key, old)| match new.get(key) {
        Some(new) => new
            .is_wider_than(old)
            .then(|| Part::Becomes(old.in_words(), new.in_words())),
        None => (!is_added).then(|| Part::Becomes(old.in_words(), "anything".to_owned())),
    });
    wider.collect()
}

/// The bounds of a condition; `None` if it is no object, or if an operator excludes texts.
fn bounds(condition: &Value) -> Option<Bounds> {
    let mut bounds = Bounds::new();
    for (operator, keys) in condition.as_map()? {
        // A request without the key has no value that could fail `ForAllValues`.
        let is_optional = operator.ends_with("IfExists") || operator.starts_with("ForAllValues:");
        let of_texts = operator
            .trim_end_matches("IfExists")
            .trim_start_matches("ForAnyValue:")
            .trim_start_matches("ForAllValues:");
        let kind = match of_texts {
            "StringEquals" | "StringLike" | "StringEqualsIgnoreCase" => "String",
            "ArnEquals" | "ArnLike" => "Arn",
            other if other.contains("Not") => return None,
            other => other,
        };
        for (key, value) in keys.as_map()? {
            let place = (key.to_lowercase(), kind.to_owned());
            let bound = bounds.entry(place).or_default();
            bound.name = format!("{operator} {key}");
            bound.texts.extend(texts(value));
            bound.is_optional |= is_optional;
        }
    }
    Some(bounds)
}
