//! Off already: a resource that goes and that does nothing by its own values, such as a service that wants no task, a password that ended before
//! the plan was made, or whose object stays. Nothing is lost with it, so its deletion is a note.
//!
//! The values are data, `assets/mechanisms/off.toml`.

use super::tables::{OFF, OffEntry};
use super::words::{ends_in, of_type};
use super::{Fact, Notice, Seen};
use crate::change::quantity::number;
use crate::change::rules::Level;
use crate::path::{Path, Segment};
use crate::stack::{Action, Resource};
use crate::text::{seconds, words};
use crate::value::{Payload, Value};

/// A notice if the resource goes and is off already.
pub(super) fn find(seen: &Seen<'_>) -> Option<Notice> {
    let goes = matches!(seen.action, Action::Delete | Action::Replace);
    if !goes || !seen.is_managed() {
        return None;
    }
    let ty = of_type(seen.stack.ty(seen.id));
    let notice = |path: Path, says: String| {
        Notice::at(Fact::at(seen.id, path), Level::Note, "off-already", says)
    };
    let has_a_value = |entry: &OffEntry, value: &Value| entry.values.iter().any(|it| is(value, it));
    let kept = said_by(&OFF.keeps, &ty, seen.resource, has_a_value);
    if let Some((path, value)) = kept.filter(|_| seen.action == Action::Delete) {
        let says = format!("only the tool forgets it, the object stays: {path} {value}");
        return Some(notice(path, says));
    }
    let is_past = |_: &OffEntry, value: &Value| {
        let end = value.as_str().and_then(seconds);
        end.is_some_and(|end| seen.stack.written_at().is_some_and(|now| end < now))
    };
    // A table that names the type knows what is lost with it.
    let holds = ty.iter().any(|word| OFF.holds.contains(word));
    let is_idle = |entry: &OffEntry, value: &Value| {
        !(holds && entry.types.is_empty()) && has_a_value(entry, value)
    };
    let is_off = || said_by(&OFF.idle, &ty, seen.resource, is_idle);
    let (path, value) = said_by(&OFF.ends, &ty, seen.resource, is_past).or_else(is_off)?;
    let heaviest = seen.found.iter().find(|it| it.path.0.is_empty());
    let what = heaviest.map(|it| format!("; otherwise {}", it.rule.says));
    let says = format!("off already, {path} {value}{}", what.unwrap_or_default());
    Some(notice(path, says))
}

/// The property with which a table says something about a resource of a type with these words, with its value.
fn said_by(
    table: &[OffEntry],
    ty: &[String],
    resource: &Resource,
    says: impl Fn(&OffEntry, &Value) -> bool,
) -> Option<(Path, Value)> {
    // The provider knows more than the program.
    let set = resource.before.as_ref()?.sets().next()?;
    let of_type =
        |entry: &&OffEntry| entry.types.is_empty() || entry.types.iter().any(|it| ends_in(ty, it));
    let is_small = |(place, most): (&String, &f64)| {
        let number = at(set, place).and_then(|(_, value)| number(&value));
        number.is_some_and(|number| number <= *most)
    };
    let counts = |entry: &&OffEntry| of_type(entry) && entry.at_most.iter().all(is_small);
    table.iter().filter(counts).find_map(|entry| {
        let mut found = entry.properties.iter().filter_map(|it| at(set, it));
        found.find(|(_, value)| says(entry, value))
    })
}

/// True for a value that does nothing, whatever type of resource has it.
pub(super) fn is_idle(set: &Value) -> bool {
    let of_any = OFF.idle.iter().filter(|entry| entry.types.is_empty());
    let mut places = of_any.flat_map(|entry| entry.properties.iter().map(move |it| (entry, it)));
    places.any(|(entry, place)| {
        let value = at(set, place).map(|(_, value)| value);
        value.is_some_and(|value| entry.values.iter().any(|it| is(&value, it)))
    })
}

/// The value at a place whose steps are named by their words. Lists of one block are no step.
pub(super) fn at(set: &Value, place: &str) -> Option<(Path, Value)> {
    let (mut value, mut path) = (set, Path::root());
    for step in place.split('.') {
        // A masked container masks all that is in it.
        if value.is_secret() {
            return None;
        }
        if let Some(items) = value.as_array().filter(|items| items.len() == 1) {
            path.0.push(Segment::Index(0));
            value = items.iter().next()?;
        }
        let (key, below) = value
            .as_map()?
            .iter()
            .find(|(key, _)| is_called(key, step))?;
        path.0.push(Segment::Key(key.clone()));
        value = below;
    }
    (!value.is_secret()).then(|| (path, value.clone()))
}

/// True if two names have the same words.
fn is_called(key: &str, step: &str) -> bool {
    // Most names differ in their first letter.
    let first = |name: &str| name.bytes().next().map(|byte| byte.to_ascii_lowercase());
    first(key) == first(step) && words(key) == words(step)
}

/// True if a resource has one of the values of an entry; a list of texts if one of them is such a value.
pub(super) fn has(set: &Value, entry: &OffEntry) -> bool {
    let mut found = entry.properties.iter().filter_map(|it| at(set, it));
    found.any(|(_, value)| {
        let own = std::slice::from_ref(&value);
        let each = value.as_array().map_or(own, |items| items.as_slice());
        let mut each = each.iter().filter(|it| !it.is_secret());
        each.any(|value| entry.values.iter().any(|it| is(value, it)))
    })
}

/// True if a value is the one that a table names; "" is anything that is empty.
fn is(value: &Value, want: &str) -> bool {
    match value.payload() {
        Payload::Bool(is_set) => want == if *is_set { "true" } else { "false" },
        Payload::Number(number) => want == number.to_plain(20),
        Payload::String(_) => value
            .as_str()
            .is_some_and(|text| text.eq_ignore_ascii_case(want)),
        Payload::Array(items) => want.is_empty() && items.is_empty(),
        Payload::Map(map) => want.is_empty() && map.is_empty(),
        Payload::Null => want.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    #[test]
    fn a_place_is_found_by_its_words() {
        let json = br#"{"desiredCount": 0, "spec": [{"replicas": 0, "paused": true}], "aliases": [], "enabled": "false"}"#;
        let set = parse(json, Numbers::Exact).unwrap().value;
        let check =
            |place: &str, want: &str| at(&set, place).is_some_and(|(_, value)| is(&value, want));
        assert!(check("desired_count", "0"));
        assert!(check("spec.replicas", "0"));
        assert!(check("aliases", ""));
        assert!(check("enabled", "false"));
        assert!(!check("desired_count", "false"));
        assert!(!check("replicas", "0"));
        assert!(!check("spec.paused", "false"));
        assert_eq!(
            at(&set, "spec.replicas").unwrap().0.to_string(),
            "spec[0].replicas"
        );
    }
}
