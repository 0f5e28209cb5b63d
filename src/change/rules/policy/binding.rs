//! Conditions of statements: does one let through more than another?

use std::collections::BTreeMap;

use super::flatten;
use super::term::matches;
use crate::value::Value;

/// The texts that a condition compares with, by the key and the operator without its way of comparing texts.
type Bounds = BTreeMap<(String, String), Vec<String>>;

/// True if `new` lets everything through that `old` does, and more: a pattern covers more, a value is added to a list, or a key is
/// no longer compared. Only comparisons of texts can be judged so.
pub(super) fn is_wider(new: &Value, old: &Value) -> bool {
    // Most statements keep their condition, and each is compared with all others.
    if new == old {
        return false;
    }
    let (Some(old), Some(new)) = (bounds(old), bounds(new)) else {
        return false;
    };
    let covers = |by: &[String], text: &String| by.iter().any(|pattern| matches(pattern, text));
    let mut is_more = old.keys().any(|key| !new.contains_key(key));
    for (key, texts) in &new {
        let Some(before) = old.get(key) else {
            return false;
        };
        if !before.iter().all(|text| covers(texts, text)) {
            return false;
        }
        is_more |= texts.iter().any(|text| !covers(before, text));
    }
    is_more
}

/// The bounds of a condition; `None` if it is no object, or if an operator excludes texts.
fn bounds(condition: &Value) -> Option<Bounds> {
    let mut bounds = Bounds::new();
    for (operator, keys) in condition.as_map()? {
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
            let mut texts = Vec::new();
            flatten(value, &mut texts);
            let key = (key.to_lowercase(), kind.to_owned());
            bounds.entry(key).or_default().extend(texts);
        }
    }
    Some(bounds)
}
