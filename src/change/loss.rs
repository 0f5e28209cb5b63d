//! The facts that decide about a loss: the guards of a resource that goes, and its size.
//!
//! A deletion or a replacement shows them whether they change or not. They are found by the words of their names, so that a type
//! that no rule knows shows them too.

use std::sync::Arc;

use super::vocabulary::{WORDS, has_all_of_one};
use crate::path::{Path, Segment};
use crate::stack::{Resource, State};
use crate::text::words;
use crate::value::{Payload, Value};

/// Maximum nesting of properties that are searched.
const MAX_DEPTH: usize = 4;

/// Maximum number of properties of one resource.
const MAX_FACTS: usize = 6;

/// The guards and sizes of a resource before its change, guards first, with their places. Masked and unset ones are left out,
/// unless a guard is unset on purpose (`false`).
pub fn facts(resource: &Resource) -> Vec<(Path, Value)> {
    let Some(state) = &resource.before else {
        return Vec::new();
    };
    let mut found: Vec<(bool, Path, Value)> = Vec::new();
    for value in sections(state) {
        walk(value, &Path::root(), &mut found);
    }
    found.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
    found.dedup_by(|one, other| one.1 == other.1);
    found.truncate(MAX_FACTS);
    found
        .into_iter()
        .map(|(_, path, value)| (path, value))
        .collect()
}

/// The guard that forbids the deletion of a resource, with its value; null for the name of a final snapshot that is missing.
pub fn forbids(resource: &Resource) -> Option<(Path, Value)> {
    let state = resource.before.as_ref()?;
    let is_on = |value: &Value| match value.payload() {
        Payload::Bool(is_on) => *is_on,
        _ => value
            .as_str()
            .is_some_and(|text| ON.iter().any(|on| text.eq_ignore_ascii_case(on))),
    };
    let forbids = |path: &Path| match path.0.last() {
        Some(Segment::Key(key)) => {
            let words = words(key);
            words.iter().all(|word| word != "if") && has_all_of_one(&words, &WORDS.forbidding)
        }
        Some(Segment::Index(_)) | None => false,
    };
    let guard = facts(resource)
        .into_iter()
        .find(|(path, value)| is_on(value) && forbids(path));
    guard.or_else(|| sections(state).find_map(missing_snapshot))
}

/// Texts that say that a guard is on.
const ON: [&str; 5] = ["active", "enabled", "on", "prevent", "true"];

/// The name of the final snapshot, if the deletion asks for a snapshot and nothing names it.
fn missing_snapshot(set: &Value) -> Option<(Path, Value)> {
    const STYLES: [[&str; 2]; 2] = [
        ["skip_final_snapshot", "final_snapshot_identifier"],
        ["skipFinalSnapshot", "finalSnapshotIdentifier"],
    ];
    STYLES.into_iter().find_map(|[skip, name]| {
        let is_asked = set.get(skip)?.as_bool() == Some(false);
        let is_missing = set
            .get(name)
            .is_none_or(|it| it.is_null() || it.as_str() == Some(""));
        (is_asked && is_missing).then(|| (Path(vec![Segment::from(name)]), Value::NULL))
    })
}

/// Options come first, then the values of the provider, which knows more than the program.
fn sections(state: &State) -> impl Iterator<Item = &Value> {
    [&state.options, &state.outputs, &state.inputs]
        .into_iter()
        .flatten()
}

fn walk(value: &Value, path: &Path, found: &mut Vec<(bool, Path, Value)>) {
    if path.0.len() >= MAX_DEPTH || value.is_secret() {
        return;
    }
    match value.payload() {
        Payload::Map(map) => {
            for (key, value) in map {
                let place = path.child(Segment::Key(Arc::clone(key)));
                let words = words(key);
                let is_of = |phrases: &[String]| has_all_of_one(&words, phrases);
                let is_bare_size = words == ["size"] && value.as_number().is_some();
                if is_plain(value) && is_of(&WORDS.guards) {
                    found.push((false, place, value.clone()));
                } else if is_plain(value) && (is_of(&WORDS.sizes) || is_bare_size) {
                    found.push((true, place, value.clone()));
                } else {
                    walk(value, &place, found);
                }
            }
        }
        Payload::Array(items) if items.len() == 1 => {
            for (index, value) in items.iter().enumerate() {
                walk(value, &path.child(Segment::Index(index)), found);
            }
        }
        _ => {}
    }
}

/// True for a known value in one piece.
fn is_plain(value: &Value) -> bool {
    let is_scalar = matches!(value.payload(), Payload::Bool(_) | Payload::Number(_))
        || value.as_str().is_some_and(|text| !text.is_empty());
    is_scalar && !value.is_secret()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    #[test]
    fn guards_and_sizes_are_found_in_both_styles() {
        let value = parse(
            br#"{"name": "x", "deletion_protection": false, "allocated_storage": 200, "restorable": true, "size": "big",
                 "rootBlockDevice": {"volumeSize": 8, "deleteOnTermination": true}, "tags": {"protected": "no"}}"#,
            Numbers::Exact,
        );
        let mut found = Vec::new();
        walk(&value.unwrap().value, &Path::root(), &mut found);
        let mut names: Vec<String> = found.iter().map(|(_, path, _)| path.to_string()).collect();
        names.sort();
        let want = [
            "allocated_storage",
            "deletion_protection",
            "rootBlockDevice.deleteOnTermination",
            "rootBlockDevice.volumeSize",
        ];
        assert_eq!(names, want);
    }
}
